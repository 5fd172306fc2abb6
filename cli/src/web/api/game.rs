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

use tafl_web::{
    ApiError, ApiRequest, JSON, JsonObject, Method, Param, ParamKind, Reply, Route, Work, schema_of,
};

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
        schema: schema_of::<JsonObject>,
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
    Ok(Reply::Json(value(&found, request)?))
}

/// Returns everything that the page of a game shows.
fn value(found: &FoundGame, request: &ApiRequest) -> Result<Value, ApiError> {
    let judged = &found.judged;
    let course = course::Course::play(judged);
    let plies: Vec<Value> = (0..course.plies.len()).map(|nth| course.ply_json(found, nth)).collect();
    let positions: Vec<&str> = course.positions.iter().map(String::as_str).collect();
    let outcome = judged.replay.result();
    Ok(json!({
        "game": head::head(found),
        "board": board(found, request),
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
        "evals": kept::evals(found, request)?,
        "text": found.row.text,
    }))
}

/// Returns the board, with the start of this game in the place of that of its rules.
fn board(found: &FoundGame, request: &ApiRequest) -> Value {
    let Some(chosen) = &found.judged.replay.rules else { return Value::Null };
    let named = chosen.variant.map(ToOwned::to_owned).unwrap_or_else(|| found.row.rules.to_string());
    let Ok(ruled) = request.snapshot.app.rules().named(&named) else { return Value::Null };
    let mut board = serde_json::to_value(tafl_web::api::position::board(&ruled))
        .expect("a board has only texts and numbers");
    if let (Value::Object(board), Some(start)) = (&mut board, found.judged.start()) {
        board.insert("start".to_owned(), json!(start.to_string()));
    }
    board
}
