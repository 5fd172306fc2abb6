//! What the engine says about a position, while it searches.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::analyzer::annotate::{CurveChoice, Curves, Phase};
use taflbase::analyzer::engine::{Engine, Options};
use taflbase::analyzer::{Limits, Line, Nodes, PositionError, SearchReport, check_position};
use taflbase::rules::{AnyRulebook, Game, Outcome, Reason, RepetitionMode, Shape, Side};

use taflbase::{Bounded, PlayedPosition, PositionRequest};

use crate::api_error::{ApiError, ErrorCode};
use crate::request::{ApiRequest, Gone, Pieces};
use crate::routes::{EVENTS, Endpoint, JSON, Reply, Work};

/// The time of a search if none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(10);
/// The transposition table of a search, in mebibytes.
const MEBIBYTES: usize = 32;

/// Search a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AnalysisParams {
    /// The position.
    #[serde(flatten)]
    position: PositionRequest,
    /// The number of lines, each with another first move.
    #[serde(default)]
    lines: Bounded<1, 5, 1>,
    /// The number of positions to search; with 0, time alone ends the search.
    #[serde(default)]
    nodes: Bounded<0, 100_000_000, 0>,
    /// The time of the search: 10 seconds if neither this nor `nodes` is given, and never longer than the server allows.
    seconds: Option<f64>,
    /// Events while the engine searches, or its result as JSON.
    #[serde(default)]
    format: AnalysisFormat,
}

/// The format of an analysis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AnalysisFormat {
    #[default]
    Events,
    Json,
}

static CURVES: LazyLock<Curves> = LazyLock::new(Curves::built_in);

/// What the engine found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Analysis {
    /// The result of the last depth.
    #[serde(flatten)]
    report: AnalysisReport,
    /// Why the search ended: `over`, `client`, `nodes`, `time`, `proven` or `forced`.
    stopped: &'static str,
    /// How the game ended, if there is nothing to search.
    outcome: Option<AnalysisOutcome>,
}

/// What the engine found in a depth: the data of an event `line`.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct AnalysisReport {
    /// The depth, in plies.
    depth: u8,
    /// The number of positions that were searched.
    nodes: u64,
    /// The number of positions in a second.
    nps: f64,
    /// The time, in milliseconds.
    time_ms: f64,
    /// The lines, the best one first.
    lines: Vec<AnalysisLine>,
}

/// A line of the engine, from the attackers' point of view.
#[derive(Debug, Serialize, JsonSchema)]
struct AnalysisLine {
    /// The rank, from 1.
    rank: usize,
    /// The score in men, unless the line is decisive.
    score: Option<f64>,
    /// The side that wins, if the line is decisive.
    wins: Option<&'static str>,
    /// The number of plies to the end, if the line is decisive.
    r#in: Option<u16>,
    /// The expected score of the attackers, from 0 to 1.
    expected: f64,
    /// The moves.
    moves: Vec<String>,
}

/// How a game ended in whose position nothing can be searched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct AnalysisOutcome {
    /// `attackers`, `defenders` or `draw`.
    winner: Option<&'static str>,
    /// The reason.
    reason: Option<&'static str>,
    /// The reason in a sentence.
    words: String,
}

/// A position to be searched.
struct Question {
    game: Game,
    book: AnyRulebook,
    limits: Limits,
    /// How far the game has come.
    phase: Phase,
    variant: Option<&'static str>,
}

impl Endpoint for AnalysisParams {
    const NAME: &'static str = "analysis";
    const PATH: &'static str = "/api/analysis";
    const SUMMARY: &'static str = "The engine's lines in a position: an event `line` after each depth, then one event `done`. Scores and expectations \
         are the attackers'. The search ends when the client closes the connection. With `format=json`, only what `done` has, \
         when the search has ended.";
    const WORK: Work = Work::Engine;
    const TYPES: &'static [&'static str] = &[JSON, EVENTS];
    type Answer = Analysis;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let limits = self.limits(request);
        let standing = self.position.play(&request.snapshot.app)?;
        analysis(request, &standing, limits, self.format)
    }
}

fn analysis(
    request: &Arc<ApiRequest>,
    standing: &PlayedPosition,
    limits: Limits,
    format: AnalysisFormat,
) -> Result<Reply, ApiError> {
    let variant = &standing.rules.variant;
    let game = enforced(standing);
    let setup = game.setup();
    let book = variant
        .compile(&setup)
        .map_err(|error| ApiError::new(ErrorCode::BadRules, error.to_string()).of("rules"))?;
    let phase = Phase::of(&variant.rules.start, &setup, game.n_plies());
    let name = variant.named.map(|named| named.name);
    let outcome = match check_position(&book, &game) {
        Ok(()) => None,
        Err(error @ PositionError::NoKing(_)) => {
            return Err(ApiError::new(ErrorCode::BadPosition, error.to_string())
                .of("position")
                .help("without a king there is nothing to search; put him on the board"));
        }
        Err(error) => Some(over(&error, &game)),
    };
    let question = Question { game, book, limits, phase, variant: name };
    let analyze = move |request: &ApiRequest, on_depth: &dyn Fn(&AnalysisReport)| match outcome {
        Some(outcome) => {
            Ok(Analysis { report: AnalysisReport::default(), stopped: "over", outcome: Some(outcome) })
        }
        None => question.search(request, on_depth),
    };
    if format == AnalysisFormat::Json {
        return Ok(Reply::json(&analyze(request, &|_| ())?));
    }
    let request = Arc::clone(request);
    let write = move |pieces: &Pieces| {
        let analysis = analyze(&request, &|report| {
            if pieces.event("line", report).is_err() {
                // The next look at the flag ends the search.
                request.job.cancel_token().cancel();
            }
        })?;
        // A client that has gone needs no answer.
        let _: Result<(), Gone> = pieces.event("done", &analysis);
        Ok(())
    };
    Ok(Reply::Stream(EVENTS, Box::new(write)))
}

impl AnalysisParams {
    /// Returns when the search ends.
    fn limits(&self, request: &ApiRequest) -> Limits {
        let max = request.limits.engine_time;
        let nodes = Some(self.nodes.get()).filter(|nodes| *nodes > 0);
        let seconds = self.seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(max));
        let time = match (seconds, nodes) {
            // A search of no time at all would have no result.
            (Some(time), _) => time.clamp(Duration::from_millis(1), max),
            (None, Some(_)) => max,
            (None, None) => DEFAULT_TIME.min(max),
        };
        Limits {
            depth: None,
            nodes: nodes.map(Nodes),
            time: Some(time),
            stop: Some(request.job.cancel_token().flag()),
            multi_pv: Some(self.lines.get() as u16),
        }
    }
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
fn over(flaw: &PositionError, game: &Game) -> AnalysisOutcome {
    let outcome = match flaw {
        PositionError::GameOver(outcome) => Some(*outcome),
        PositionError::KingAtGoal(side) => Some(Outcome::win(*side, Reason::KingReachedGoal)),
        PositionError::NoMove(side) => match game.rules().no_moves {
            taflbase::rules::ruleset::NoMoves::Lose => Some(Outcome::win(side.other(), Reason::NoLegalMove)),
            taflbase::rules::ruleset::NoMoves::Draw => Some(Outcome::draw(Reason::NoLegalMove)),
            taflbase::rules::ruleset::NoMoves::Ignore => None,
        },
        // A position without a king is refused; flaws may get more kinds.
        _ => None,
    };
    AnalysisOutcome {
        winner: outcome.map(|outcome| outcome.winner_word()),
        reason: outcome.map(|outcome| outcome.reason.words()),
        words: flaw.to_string(),
    }
}

impl Question {
    /// Searches, and passes on what was found after each depth.
    fn search(&self, request: &ApiRequest, on_depth: &dyn Fn(&AnalysisReport)) -> Result<Analysis, ApiError> {
        let options = Options { mebibytes: MEBIBYTES, ..Options::default() };
        let curve = CURVES.of(self.variant);
        let report = Engine::new(&self.book, options)
            .search_with_info(&self.game, &self.limits, |report| on_depth(&self.report(report, &curve)))
            .map_err(|error| ApiError::new(ErrorCode::BadPosition, error.to_string()).of("position"))?;
        let stopped = self.why(&report, request);
        Ok(Analysis { report: self.report(&report, &curve), stopped, outcome: None })
    }

    /// Returns why the search ended.
    fn why(&self, report: &SearchReport, request: &ApiRequest) -> &'static str {
        let is_over = |limit: Option<Nodes>| limit.is_some_and(|limit| report.nodes >= limit);
        if request.job.cancel_token().is_cancelled() {
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

    fn report(&self, report: &SearchReport, curve: &CurveChoice<'_>) -> AnalysisReport {
        let seconds = report.time.as_secs_f64();
        AnalysisReport {
            depth: report.depth.0,
            nodes: report.nodes.0,
            nps: (report.nodes.0 as f64 / seconds.max(1e-6)).round(),
            time_ms: (seconds * 1000.0).round(),
            lines: (1..).zip(&report.lines).map(|(rank, line)| self.line(rank, line, curve)).collect(),
        }
    }

    fn line(&self, rank: usize, line: &Line, curve: &CurveChoice<'_>) -> AnalysisLine {
        let score = line.score.for_side(Side::Attackers);
        let winner =
            score.is_decisive().then(|| if score.value() > 0 { Side::Attackers } else { Side::Defenders });
        let expected = curve.expect(self.game.to_move(), line.score, self.phase).for_side(Side::Attackers);
        let shape: Shape = self.game.shape();
        AnalysisLine {
            rank,
            score: winner.is_none().then(|| f64::from(score.value()) / 100.0),
            wins: winner.map(Side::word),
            r#in: score.distance(),
            expected: (expected * 10_000.0).round() / 10_000.0,
            moves: line.moves.iter().map(|mv| mv.text(shape)).collect(),
        }
    }
}
