//! What the engine says about a game, ply by ply: made while the client waits, and kept for the next one.

mod cache;

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};
use tafl_analyzer::Limits;
use tafl_analyzer::annotate::annotator::{AnnotateError, Confirm};
use tafl_analyzer::annotate::context::limits_text;
use tafl_analyzer::annotate::{Annotator, Curves, Played, Settings, Stopped, Thresholds};

use super::game::{FoundGame, Origin, evals_json};
use crate::web::call::{Call, Gone, Pieces};
use crate::web::problem::{Code, Problem};
use crate::web::routes::{EVENTS, Method, Param, ParamKind, Reply, Route, Work};
use cache::{Cache, Key};

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
    answer: annotate,
}];

/// What was said before.
static CACHE: Cache = Cache::new();

fn annotate(call: &Arc<Call>) -> Result<Reply, Problem> {
    let nodes = call.params.number("nodes", NODES, USUAL_NODES)?;
    let found = FoundGame::of(call)?;
    if found.judged.replay.rules.is_none() {
        return Err(Problem::new(Code::BadRecord, "the rules of the game are not known"));
    }
    let call = Arc::clone(call);
    let write = move |pieces: &Pieces| {
        let key = Key::of(&call.snapshot.corpus, found.row.game, nodes);
        let kept = CACHE.get(&key);
        let evals = match kept {
            Some(evals) => evals,
            None => match made(&call, &found, nodes, pieces)? {
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
    call: &Call,
    found: &FoundGame,
    nodes: u64,
    pieces: &Pieces,
) -> Result<Option<(Value, bool)>, Problem> {
    let judged = &found.judged;
    let (Some(rules), Some(start), Some(first)) = (&judged.replay.rules, judged.start(), judged.first())
    else {
        return Err(Problem::new(Code::BadRecord, "the rules of the game are not known"));
    };
    let limits = Limits { multi_pv: Some(1), stop: Some(call.stop.flag()), ..Limits::nodes(nodes) };
    let settings =
        Settings { limits, thresholds: Thresholds::default(), confirm: Confirm::Errors, prove: None };
    let curves = Curves::built_in();
    let plies = judged.plies();
    let line = Played { book: &rules.book, variant: rules.variant, start: &start, first, plies: &plies };
    let tell = |done: usize| {
        let told = pieces.event("progress", &json!({ "done": done, "of": plies.len() }));
        match told {
            Ok(()) if !call.stop.is_now() => ControlFlow::Continue(()),
            Ok(()) | Err(Gone) => ControlFlow::Break(()),
        }
    };
    let _: Result<(), Gone> = pieces.event("progress", &json!({ "done": 0, "of": plies.len() }));
    let notes = Annotator::new(&settings, &curves, None).annotate_telling(&line, tell).map_err(problem)?;
    if call.stop.is_told() {
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

fn problem(error: AnnotateError) -> Problem {
    Problem::new(Code::Internal, error.to_string())
}
