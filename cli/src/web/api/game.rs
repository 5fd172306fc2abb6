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

use tafl_web::api::position::{Board, board as board_of};
use tafl_web::{
    ApiError, ApiRequest, JSON, JsonObject, Method, Param, ParamKind, Reply, Route, Work, schema_of,
};

use answer::{GameAnswer, GameOutcome};

pub(crate) use found::FoundGame;
pub(crate) use kept::{Origin, evals_json};
pub(crate) use record::FORMATS;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        name: "game",
        method: Method::Get,
        path: "/api/game/{id}",
        summary: "A game as a whole: what is known of it, its board, the written tree, every ply with its position and what \
                  explains it, and what engines said.",
        params: &[],
        work: Work::Query,
        types: &[JSON],
        schema: schema_of::<GameAnswer>,
        handler: game,
    },
    Route {
        name: "game_record",
        method: Method::Get,
        path: "/api/game/{id}/record",
        summary: "The record of a game in a notation, as a download. The header X-Taflbase-Losses counts what the notation \
                  cannot say.",
        params: &[&[Param { name: "to", kind: ParamKind::Choice(record::FORMATS), words: "The notation." }]],
        work: Work::Quick,
        types: &["text/plain; charset=utf-8"],
        schema: schema_of::<JsonObject>,
        handler: record::record,
    },
];

fn game(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let found = FoundGame::of(request)?;
    Ok(Reply::json(&answer(&found, request)?))
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
