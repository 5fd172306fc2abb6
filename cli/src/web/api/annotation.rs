//! What the engine says about a game, ply by ply: made while the client waits, and kept for the next one.

mod cache;

use std::ops::ControlFlow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tafl_analyzer::Limits;
use tafl_analyzer::annotate::annotator::{AnnotateError, Confirm};
use tafl_analyzer::annotate::context::limits_text;
use tafl_analyzer::annotate::{Annotator, Curves, Played, Settings, Stopped, Thresholds};

use super::game::{FoundGame, Origin, evals_json};
use cache::{Cache, Key};
use tafl_web::{ApiError, ApiRequest, EVENTS, Endpoint, ErrorCode, Gone, Pieces, Reply, Work};
use taflbase::Bounded;

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

/// Annotates a game and tells how far it is; returns what was found and whether that is all, or nothing where the client has
/// gone.
fn made(
    request: &ApiRequest,
    found: &FoundGame,
    nodes: u64,
    pieces: &Pieces,
) -> Result<Option<(Value, bool)>, ApiError> {
    let judged = &found.judged;
    let (Some(rules), Some(start), Some(first)) = (&judged.replay.rules, judged.start(), judged.first())
    else {
        return Err(ApiError::new(ErrorCode::BadRecord, "the rules of the game are not known"));
    };
    let limits =
        Limits { multi_pv: Some(1), stop: Some(request.job.cancel_token().flag()), ..Limits::nodes(nodes) };
    let settings =
        Settings { limits, thresholds: Thresholds::default(), confirm: Confirm::Errors, prove: None };
    let curves = Curves::built_in();
    let plies = judged.plies();
    let line = Played { book: &rules.book, variant: rules.variant, start: &start, first, plies: &plies };
    let tell = |done: usize| {
        let told = pieces.event("progress", &json!({ "done": done, "of": plies.len() }));
        match told {
            Ok(()) if !request.job.is_over() => ControlFlow::Continue(()),
            Ok(()) | Err(Gone) => ControlFlow::Break(()),
        }
    };
    let _: Result<(), Gone> = pieces.event("progress", &json!({ "done": 0, "of": plies.len() }));
    let notes = Annotator::new(&settings, &curves, None).annotate_telling(&line, tell).map_err(problem)?;
    if request.job.cancel_token().is_cancelled() {
        return Ok(None);
    }
    let origin = Origin {
        from: "engine",
        limits: limits_text(&settings.limits),
        thresholds: settings.thresholds.to_string(),
        curves: curves.id(),
    };
    let is_whole = !matches!(notes.stopped, Some(Stopped::Asked { .. }));
    Ok(Some((evals_json(start.shape(), &notes, &origin), is_whole)))
}

fn problem(error: AnnotateError) -> ApiError {
    ApiError::new(ErrorCode::Internal, error.to_string())
}
