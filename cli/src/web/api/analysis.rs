//! What the engine says about a position, while it searches.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Value, json};
use tafl_analyzer::annotate::{CurveChoice, Curves, Phase};
use tafl_analyzer::engine::{Engine, Options};
use tafl_analyzer::{Limits, Line, Nodes, PositionError, SearchReport, check_position};
use tafl_rules::{AnyRulebook, Game, Outcome, Reason, RepetitionMode, Shape, Side};

use taflbase::PlayedPosition;

use crate::web::call::{Call, Gone, Pieces};
use crate::web::params::POSITION;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{EVENTS, Method, Param, ParamKind, Reply, Route, Work};

/// How many lines may be asked for.
const LINES: std::ops::RangeInclusive<u16> = 1..=5;
/// How many positions may be asked for.
const NODES: std::ops::RangeInclusive<u64> = 0..=100_000_000;
/// The time of a search where nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(10);
/// The table of a search, in mebibytes.
const MEBIBYTES: usize = 32;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[Route {
    name: "analysis",
    method: Method::Get,
    path: "/api/analysis",
    summary: "The engine's lines in a position: an event `line` after each depth, then one event `done`. Scores and \
              expectations are the attackers'. The search ends when the client closes the connection.",
    params: &[
        POSITION,
        &[
            Param {
                name: "lines",
                kind: ParamKind::Number(*LINES.start() as u64, *LINES.end() as u64, 1),
                words: "How many lines, each with another first move.",
            },
            Param {
                name: "nodes",
                kind: ParamKind::Number(*NODES.start(), *NODES.end(), 0),
                words: "How many positions to look at; with 0, time alone ends the search.",
            },
            Param {
                name: "seconds",
                kind: ParamKind::Seconds,
                words: "How long to search: 10 seconds where neither this nor `nodes` is given, never longer than the server \
                        allows.",
            },
        ],
    ],
    work: Work::Engine,
    types: &[EVENTS],
    answer: analysis,
}];

static CURVES: LazyLock<Curves> = LazyLock::new(Curves::built_in);

/// A position to be searched.
struct Question {
    game: Game,
    book: AnyRulebook,
    limits: Limits,
    /// How far the game has come.
    phase: Phase,
    variant: Option<&'static str>,
}

fn analysis(call: &Arc<Call>) -> Result<Reply, Problem> {
    let limits = limits(call)?;
    let standing = call.position()?;
    let variant = &standing.rules.variant;
    let game = enforced(&standing);
    let setup = game.setup();
    let book = variant
        .compile(&setup)
        .map_err(|error| Problem::new(Code::BadRules, error.to_string()).of("rules"))?;
    let phase = Phase::of(&variant.rules.start, &setup, game.n_plies());
    let name = variant.named.map(|named| named.name);
    let outcome = match check_position(&book, &game) {
        Ok(()) => None,
        Err(error @ PositionError::NoKing(_)) => {
            return Err(Problem::new(Code::BadPosition, error.to_string())
                .of("position")
                .help("without a king there is nothing to search; put him on the board"));
        }
        Err(error) => Some(over(&error, &game)),
    };
    let question = Question { game, book, limits, phase, variant: name };
    let call = Arc::clone(call);
    let write = move |pieces: &Pieces| {
        if let Some(outcome) = outcome {
            let done = json!({
                "depth": 0, "nodes": 0, "nps": 0, "time_ms": 0, "lines": [], "outcome": outcome, "stopped": "over",
            });
            // Who has gone needs no answer.
            let _: Result<(), Gone> = pieces.event("done", &done);
            return Ok(());
        }
        question.search(&call, pieces)
    };
    Ok(Reply::Stream(EVENTS, Box::new(write)))
}

/// Returns when the search ends.
fn limits(call: &Call) -> Result<Limits, Problem> {
    let params = &call.params;
    let most = call.limits.engine_time;
    let nodes = Some(params.number("nodes", NODES, 0)?).filter(|nodes| *nodes > 0);
    let seconds = params.text("seconds").map(|text| {
        let seconds = text.trim().parse().ok().filter(|seconds: &f64| *seconds > 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| !time.is_zero()).ok_or_else(|| {
            let text = taflbase::escape::escape(text);
            let words = format!("`seconds` is a number above 0, such as 2.5, not `{text}`");
            Problem::parameter("seconds", words)
        })
    });
    let time = match (seconds.transpose()?, nodes) {
        (Some(time), _) => time.min(most),
        (None, Some(_)) => most,
        (None, None) => USUAL_TIME.min(most),
    };
    Ok(Limits {
        depth: None,
        nodes: nodes.map(Nodes),
        time: Some(time),
        stop: Some(call.stop.flag()),
        multi_pv: Some(params.number("lines", LINES, 1)?),
    })
}

/// Returns the game with rules about repetition in force, as `tafl eval` plays it. Where they forbid what was played, they
/// stay out of force.
fn enforced(standing: &PlayedPosition) -> Game {
    let (book, start) = (&standing.rules.book, &standing.start);
    let Ok(mut game) = Game::from_setup(book, start, standing.first, RepetitionMode::Enforce) else {
        return standing.game.clone();
    };
    for mv in standing.moves() {
        game.resume();
        if game.play(mv).is_err() {
            return standing.game.clone();
        }
    }
    game
}

/// Returns how a game ended in whose position nothing is to be searched.
fn over(flaw: &PositionError, game: &Game) -> Value {
    let outcome = match flaw {
        PositionError::GameOver(outcome) => Some(*outcome),
        PositionError::KingAtGoal(side) => Some(Outcome::win(*side, Reason::KingReachedGoal)),
        PositionError::NoMove(side) => match game.rules().no_moves {
            tafl_rules::ruleset::NoMoves::Lose => Some(Outcome::win(side.other(), Reason::NoLegalMove)),
            tafl_rules::ruleset::NoMoves::Draw => Some(Outcome::draw(Reason::NoLegalMove)),
            tafl_rules::ruleset::NoMoves::Ignore => None,
        },
        // A position without a king is refused; flaws may get more kinds.
        _ => None,
    };
    json!({
        "winner": outcome.map(|outcome| outcome.winner_word()),
        "reason": outcome.map(|outcome| outcome.reason.words()),
        "words": flaw.to_string(),
    })
}

impl Question {
    /// Searches, and tells what was found after each depth.
    fn search(&self, call: &Call, pieces: &Pieces) -> Result<(), Problem> {
        let options = Options { mebibytes: MEBIBYTES, ..Options::default() };
        let curve = CURVES.of(self.variant);
        let tell = |report: &SearchReport| {
            if pieces.event("line", &self.report(report, &curve)).is_err() {
                // The next look at the flag ends the search.
                call.stop.tell();
            }
        };
        let report = Engine::new(&self.book, options)
            .search_with_info(&self.game, &self.limits, tell)
            .map_err(|error| Problem::new(Code::BadPosition, error.to_string()).of("position"))?;
        let mut done = self.report(&report, &curve);
        done["stopped"] = json!(self.why(&report, call));
        done["outcome"] = Value::Null;
        // Who has gone needs no answer.
        let _: Result<(), Gone> = pieces.event("done", &done);
        Ok(())
    }

    /// Returns why the search ended.
    fn why(&self, report: &SearchReport, call: &Call) -> &'static str {
        let is_over = |limit: Option<Nodes>| limit.is_some_and(|limit| report.nodes >= limit);
        if call.stop.is_told() {
            "client"
        } else if is_over(self.limits.nodes) {
            "nodes"
        } else if self.limits.time.is_some_and(|limit| report.time >= limit) {
            "time"
        } else if report.lines[0].score.for_side(self.game.to_move()).is_decisive() {
            "proven"
        } else {
            "forced"
        }
    }

    fn report(&self, report: &SearchReport, curve: &CurveChoice<'_>) -> Value {
        let seconds = report.time.as_secs_f64();
        json!({
            "depth": report.depth.0,
            "nodes": report.nodes.0,
            "nps": (report.nodes.0 as f64 / seconds.max(1e-6)).round(),
            "time_ms": (seconds * 1000.0).round(),
            "lines": (1..).zip(&report.lines).map(|(rank, line)| self.line(rank, line, curve)).collect::<Vec<_>>(),
        })
    }

    /// Returns a line from the attackers' point of view.
    fn line(&self, rank: usize, line: &Line, curve: &CurveChoice<'_>) -> Value {
        let score = line.score.for_side(Side::Attackers);
        let winner =
            score.is_decisive().then(|| if score.value() > 0 { Side::Attackers } else { Side::Defenders });
        let expected = curve.expect(self.game.to_move(), line.score, self.phase).for_side(Side::Attackers);
        let shape: Shape = self.game.shape();
        json!({
            "rank": rank,
            "score": winner.is_none().then(|| f64::from(score.value()) / 100.0),
            "wins": winner.map(Side::word),
            "in": score.distance(),
            "expected": (expected * 10_000.0).round() / 10_000.0,
            "moves": line.moves.iter().map(|mv| mv.text(shape)).collect::<Vec<_>>(),
        })
    }
}
