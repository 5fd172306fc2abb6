//! A game of the corpus as a whole, and as a record.

mod answer;
mod course;
mod explain;
mod found;
mod head;
mod kept;
mod record;
mod tree;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use tafl_web::{ApiError, ApiRequest, Board, Endpoint, Reply, TEXT, Work, board as board_of};
use taflbase::{Named, WritableNotation};

use answer::{GameAnswer, GameOutcome};

pub(crate) use found::FoundGame;

/// A game of the corpus.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GameParams {
    /// The number of the game: 16 hexadecimal digits.
    id: String,
}

/// The record of a game of the corpus.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RecordParams {
    /// The number of the game: 16 hexadecimal digits.
    id: String,
    /// The notation.
    #[serde(default)]
    to: Named<WritableNotation>,
}

impl Endpoint for GameParams {
    const NAME: &'static str = "game";
    const PATH: &'static str = "/api/game/{id}";
    const SUMMARY: &'static str = "A game as a whole: what is known of it, its board, the written tree, every ply with its position and what \
         explains it, and what engines said.";
    const WORK: Work = Work::Query;
    type Answer = GameAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let found = FoundGame::of(&self.id, request)?;
        Ok(Reply::json(&answer(&found, request)?))
    }
}

impl Endpoint for RecordParams {
    const NAME: &'static str = "game_record";
    const PATH: &'static str = "/api/game/{id}/record";
    const SUMMARY: &'static str = "The record of a game in a notation, as a download. The header X-Taflbase-Losses counts what the notation cannot say.";
    const WORK: Work = Work::Quick;
    const TYPES: &'static [&'static str] = &[TEXT];
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        record::record(&self.id, self.to.0.0, request)
    }
}

/// Returns everything that the page of a game shows.
fn answer(found: &FoundGame, request: &ApiRequest) -> Result<GameAnswer, ApiError> {
    let judged = &found.judged;
    let course = course::Course::play(judged);
    let outcome = judged.replay.result();
    Ok(GameAnswer {
        game: head::head(found),
        board: board(found, request),
        start_comment: course::comment_at(judged, 0),
        tree: tree::tree(judged, &course),
        plies: (0..course.plies.len()).filter_map(|nth| course.ply(found, nth)).collect(),
        unplayed: course::unplayed(found),
        outcome: outcome.map(|outcome| GameOutcome {
            winner: outcome.winner_word(),
            reason: outcome.reason.words(),
            words: outcome.to_string(),
            on_board: judged.replay.outcome.is_some(),
        }),
        evals: kept::evals(found, request)?,
        text: found.row.text.as_ref().map(ToString::to_string),
        positions: course.positions,
    })
}

/// Returns the board, with the start of this game in the place of that of its rules.
fn board(found: &FoundGame, request: &ApiRequest) -> Option<Board> {
    let chosen = found.judged.replay.rules.as_ref()?;
    let named = chosen.variant.map(ToOwned::to_owned).unwrap_or_else(|| found.row.rules.to_string());
    let mut board = board_of(&*request.snapshot.app.rules().named(&named).ok()?);
    if let Some(start) = found.judged.start() {
        board.start = start.to_string();
    }
    Some(board)
}
