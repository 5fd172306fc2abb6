//! Boards, and positions with their pieces, legal moves, and history.

use std::sync::Arc;

use taflbase::{BoardAnswer, BoardRequest, PositionAnswer, PositionRequest, Request};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

impl Endpoint for BoardRequest {
    const NAME: &'static str = "board";
    const PATH: &'static str = "/api/board";
    const SUMMARY: &'static str =
        "The board of some rules: its cells, their places in the picture, the start, the rules in words.";
    const WORK: Work = Work::Quick;
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = BoardAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run(&request.snapshot.app, &request.job)?))
    }
}

impl Endpoint for PositionRequest {
    const NAME: &'static str = "position";
    const PATH: &'static str = "/api/position";
    const SUMMARY: &'static str = "A position: its pieces, the legal moves, and the plies that led there.";
    const WORK: Work = Work::Quick;
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = PositionAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&self.run(&request.snapshot.app, &request.job)?))
    }
}
