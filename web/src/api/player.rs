//! Players of the corpus.

use std::sync::Arc;

use taflbase::database::{PlayerAnswer, PlayerRequest};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

impl Endpoint for PlayerRequest {
    const NAME: &'static str = "player";
    const PATH: &'static str = "/api/player";
    const SUMMARY: &'static str = "A player: results by side, variant, opponent, and month.";
    const WORK: Work = Work::Query;
    type Answer = PlayerAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.run(self)?))
    }
}
