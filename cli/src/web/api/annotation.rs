//! What the engine says about a game, ply by ply: made while the client waits, and kept for the next one.

mod cache;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tafl_analyzer::annotate::Stopped;
use taflbase::Bounded;
use taflbase::engine::{AnnotateRequest, AnnotationOrigin, EvaluatedGame};

use super::game::FoundGame;
use cache::{Cache, Key};
use tafl_web::{ApiError, ApiRequest, EVENTS, Endpoint, ErrorCode, Gone, Pieces, Reply, Work};

/// Annotate a game of the corpus.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AnnotationParams {
    /// The number of the game: 16 hexadecimal digits.
    id: String,
    /// The number of positions that each search looks at.
    #[serde(default)]
    nodes: Bounded<1_000, 200_000, 20_000>,
}

impl Endpoint for AnnotationParams {
    const NAME: &'static str = "game_annotate";
    const PATH: &'static str = "/api/game/{id}/annotate";
    const SUMMARY: &'static str = "What the engine of the server says about a game, ply by ply: events `progress`, then one event `done` with what \
         /api/game has as `evals`.";
    const WORK: Work = Work::Engine;
    const TYPES: &'static [&'static str] = &[EVENTS];
    type Answer = String;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        annotate(&self, request)
    }
}

/// What was said before.
static CACHE: Cache = Cache::new();

fn annotate(params: &AnnotationParams, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
    let nodes = params.nodes.get();
    let found = FoundGame::of(&params.id, request)?;
    if found.judged.replay.rules.is_none() {
        return Err(ApiError::new(ErrorCode::BadRecord, "the rules of the game are not known"));
    }
    let request = Arc::clone(request);
    let write = move |pieces: &Pieces| {
        let key = Key::of(request.snapshot.corpus.corpus(), found.row.game, nodes);
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

/// Annotates a game, with events about the progress; returns the annotation and whether it is complete, or none if the client
/// has gone.
fn made(
    request: &ApiRequest,
    found: &FoundGame,
    nodes: u64,
    pieces: &Pieces,
) -> Result<Option<(Value, bool)>, ApiError> {
    let mut settings = AnnotateRequest::default();
    settings.evaluation.limits.nodes = Some(nodes);
    let run = settings.begin(None, &request.snapshot.app, &request.job)?;
    let unknown = || ApiError::new(ErrorCode::BadRecord, "the rules of the game are not known");
    let judged = &found.judged;
    let shape = judged.shape().ok_or_else(unknown)?;
    let of = judged.replay.plies.len();
    let on_ply = |done: usize| {
        let sent: Result<(), Gone> = pieces.event("progress", &json!({ "done": done, "of": of }));
        sent.is_ok() && !request.job.is_over()
    };
    let _: Result<(), Gone> = pieces.event("progress", &json!({ "done": 0, "of": of }));
    let notes = run.annotate(judged, on_ply)?.ok_or_else(unknown)?;
    if request.job.cancel_token().is_cancelled() {
        return Ok(None);
    }
    let is_whole = !matches!(notes.stopped, Some(Stopped::Asked { .. }));
    let evaluated = EvaluatedGame::of(shape, &notes, AnnotationOrigin::Engine, run.provenance().clone());
    let evals = serde_json::to_value(evaluated).expect("answers have only texts, numbers, and lists");
    Ok(Some((evals, is_whole)))
}
