//! What the engine says about a game, ply by ply: made while the client waits, and kept for the next one.

mod cache;

use std::sync::Arc;

use serde_json::{Value, json};
use tafl_analyzer::annotate::Stopped;
use taflbase::App;
use taflbase::engine::{AnnotateRequest, AnnotationOrigin, EvaluatedGame};

use super::game::FoundGame;
use cache::{Cache, Key};
use tafl_web::{
    ApiError, ApiRequest, EVENTS, ErrorCode, Gone, JsonObject, Method, Param, ParamKind, Pieces, Reply,
    Route, Work, schema_of,
};

/// The fewest and the most positions that a search may look at.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=200_000;
/// Where nothing is said.
const USUAL_NODES: u64 = 20_000;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[Route {
    name: "game_annotate",
    method: Method::Get,
    path: "/api/game/{id}/annotate",
    summary: "What the engine of the server says about a game, ply by ply: events `progress`, then one event `done` with what \
              /api/game has as `evals`.",
    params: &[&[Param {
        name: "nodes",
        kind: ParamKind::Number(*NODES.start(), *NODES.end(), USUAL_NODES),
        words: "How many positions each search looks at.",
    }]],
    work: Work::Engine,
    types: &[EVENTS],
    schema: schema_of::<JsonObject>,
    handler: annotate,
}];

/// What was said before.
static CACHE: Cache = Cache::new();

fn annotate(request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let nodes = request.params.number("nodes", NODES, USUAL_NODES)?;
    let found = FoundGame::of(request)?;
    if found.judged.replay.rules.is_none() {
        return Err(ApiError::new(ErrorCode::BadRecord, "the rules of the game are not known"));
    }
    let request = Arc::clone(request);
    let write = move |pieces: &Pieces| {
        let key = Key::of(&request.snapshot.corpus, found.row.game, nodes);
        let kept = CACHE.get(&key);
        let evals = match kept {
            Some(evals) => evals,
            None => match made(&request, &found, nodes, pieces)? {
                Some((evals, is_whole)) => {
                    if is_whole {
                        CACHE.put(key, &evals);
                    }
                    Arc::new(evals)
                }
                None => return Ok(()),
            },
        };
        // Who has gone needs no answer.
        let _: Result<(), Gone> = pieces.event("done", &evals);
        Ok(())
    };
    Ok(Reply::Stream(EVENTS, Box::new(write)))
}

/// Annotates a game and tells how far it is; returns what was found and whether that is all, or nothing where the client has
/// gone.
fn made(
    request: &ApiRequest,
    found: &FoundGame,
    nodes: u64,
    pieces: &Pieces,
) -> Result<Option<(Value, bool)>, ApiError> {
    let mut settings = AnnotateRequest::default();
    settings.evaluation.limits.nodes = Some(nodes);
    let run = settings.begin(None, &App::new(), &request.job)?;
    let unknown = || ApiError::new(ErrorCode::BadRecord, "the rules of the game are not known");
    let judged = &found.judged;
    let shape = judged.shape().ok_or_else(unknown)?;
    let of = judged.replay.plies.len();
    let on_ply = |done: usize| {
        let sent: Result<(), Gone> = pieces.event("progress", &json!({ "done": done, "of": of }));
        sent.is_ok() && !request.job.is_over()
    };
    let _: Result<(), Gone> = pieces.event("progress", &json!({ "done": 0, "of": of }));
    let notes = run.annotate_replayed(judged, on_ply)?.ok_or_else(unknown)?;
    if request.job.cancel_token().is_cancelled() {
        return Ok(None);
    }
    let is_whole = !matches!(notes.stopped, Some(Stopped::Asked { .. }));
    let evaluated = EvaluatedGame::of(shape, &notes, AnnotationOrigin::Engine, run.provenance().clone());
    let evals = serde_json::to_value(evaluated).expect("answers have only texts, numbers, and lists");
    Ok(Some((evals, is_whole)))
}
