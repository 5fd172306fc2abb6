//! A game of the corpus as a whole, and as a record.

mod course;
mod explain;
mod found;
mod head;
mod kept;
mod record;
mod tree;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::web::call::Call;
use crate::web::problem::Problem;
use crate::web::routes::{JSON, Method, Param, ParamKind, Reply, Route, Work};

pub(crate) use found::FoundGame;
pub(crate) use kept::{Origin, evals_json};
pub(crate) use record::{FORMATS, writable};

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
        answer: game,
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
        answer: record::record,
    },
];

fn game(call: &Arc<Call>) -> Result<Reply, Problem> {
    let found = FoundGame::of(call)?;
    Ok(Reply::Json(value(&found, call)?))
}

/// Returns everything that the page of a game shows.
fn value(found: &FoundGame, call: &Call) -> Result<Value, Problem> {
    let judged = &found.judged;
    let course = course::Course::play(judged);
    let plies: Vec<Value> = (0..course.plies.len()).map(|nth| course.ply_json(found, nth)).collect();
    let positions: Vec<&str> = course.positions.iter().map(String::as_str).collect();
    let outcome = judged.replay.result();
    Ok(json!({
        "game": head::head(found),
        "board": board(found, call),
        "start_comment": course::comment_at(judged, 0),
        "tree": tree::tree(judged, &course),
        "plies": plies,
        "positions": positions,
        "unplayed": course::unplayed(found),
        "outcome": outcome.map(|outcome| json!({
            "winner": outcome.winner_word(),
            "reason": outcome.reason.words(),
            "words": outcome.to_string(),
            "on_board": judged.replay.outcome.is_some(),
        })),
        "evals": kept::evals(found, call)?,
        "text": found.row.text,
    }))
}

/// Returns the board, with the start of this game in the place of that of its rules.
fn board(found: &FoundGame, call: &Call) -> Value {
    let Some(chosen) = &found.judged.replay.rules else { return Value::Null };
    let named = chosen.variant.map(ToOwned::to_owned).unwrap_or_else(|| found.row.rules.to_string());
    let Ok(ruled) = call.snapshot.app.rules().named(&named) else { return Value::Null };
    let mut board = super::position::board(&ruled);
    if let (Value::Object(board), Some(start)) = (&mut board, found.judged.start()) {
        board.insert("start".to_owned(), json!(start.to_string()));
    }
    board
}
