//! Puzzles of the corpus.

use std::sync::Arc;

use taflbase::database::{ChosenPuzzle, PuzzleRequest};

use crate::api_error::ApiError;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Work};

impl Endpoint for PuzzleRequest {
    const NAME: &'static str = "puzzle";
    const PATH: &'static str = "/api/puzzle";
    const SUMMARY: &'static str =
        "A puzzle that `tafl puzzles --store` found: that of a day, of a seed, or of a position.";
    const WORK: Work = Work::Quick;
    type Answer = ChosenPuzzle;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.run(self)?))
    }
}
