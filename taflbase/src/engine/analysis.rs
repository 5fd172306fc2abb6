//! The analysis of a position that is shown while the engine searches.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    CurveChoice, Curves, Engine, Limits, Nodes, Phase, PositionError, SearchLine, SearchOptions,
    SearchReport, check_position,
};
use tafl_rules::{AnyRulebook, Game, Side};

use super::eval::{line_moves, within_deadline};
use super::evaluations::built_in_curves;
use crate::{App, Bounded, Error, ErrorKind, Job, PositionRequest, Request, Result, Seconds};

/// The time of a search if neither time nor positions are limited.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// The size of the transposition table, in mebibytes.
const MEBIBYTES: usize = 32;

/// Analyze a position, with a result after each depth
///
/// # Examples
///
/// ```
/// use taflbase::engine::AnalysisRequest;
/// use taflbase::{App, Bounded, Job};
///
/// let mut request = AnalysisRequest::default();
/// request.position.rules.variant = Some("brandubh7".into());
/// request.nodes = Bounded::new(5_000).expect("it is in the range");
/// let analysis = request.prepare(&App::new())?.run(&Job::default(), &|report| {
///     println!("depth {}: {}", report.depth, report.lines[0].moves.join(" "));
/// })?;
/// assert_eq!(analysis.stopped, "nodes");
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnalysisRequest {
    /// The position.
    #[serde(flatten)]
    pub position: PositionRequest,
    /// The number of lines, each with another first move.
    #[serde(default)]
    pub lines: Bounded<1, 5, 1>,
    /// The number of positions to search; with 0, time alone ends the search.
    #[serde(default)]
    pub nodes: Bounded<0, 100_000_000, 0>,
    /// The time of the search in seconds: 10 if neither this nor `nodes` is given, and never longer than the server allows.
    pub seconds: Option<Seconds<1, 1>>,
    /// The maximum time, which the caller sets.
    #[serde(skip)]
    pub max_time: Option<Duration>,
}

/// The result of the search.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Analysis {
    /// The result of the last depth.
    #[serde(flatten)]
    pub report: AnalysisReport,
    /// The reason why the search ended: `over`, `client`, `nodes`, `time`, `proven` or `forced`.
    pub stopped: &'static str,
    /// The end of the game, if the position can't be searched.
    pub outcome: Option<AnalysisOutcome>,
}

/// The result of a depth: the data of an event `line`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct AnalysisReport {
    /// The depth, in plies.
    pub depth: u8,
    /// The number of positions that were searched.
    pub nodes: u64,
    /// The number of positions in a second.
    pub nps: f64,
    /// The time, in milliseconds.
    pub time_ms: f64,
    /// The lines, the best one first.
    pub lines: Vec<AnalysisLine>,
}

/// A line of the engine, from the attackers' point of view.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnalysisLine {
    /// The rank, from 1.
    pub rank: usize,
    /// The score in men, unless the line is decisive.
    pub score: Option<f64>,
    /// The side that wins, if the line is decisive.
    pub wins: Option<&'static str>,
    /// The number of plies to the end, if the line is decisive.
    pub r#in: Option<u16>,
    /// The expected score of the attackers, from 0 to 1.
    pub expected: f64,
    /// The moves; `decline` first if the side to move declines to continue a chain, and then the reply of the other side.
    pub moves: Vec<String>,
}

/// The end of a game whose position can't be searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnalysisOutcome {
    /// `attackers`, `defenders` or `draw`.
    pub winner: Option<&'static str>,
    /// The reason.
    pub reason: Option<&'static str>,
    /// The reason in a sentence.
    pub words: String,
}

/// A position that is ready to be searched.
#[derive(Debug)]
pub struct PreparedAnalysis {
    game: Game,
    book: AnyRulebook,
    limits: Limits,
    /// The phase of the game.
    phase: Phase,
    variant: Option<&'static str>,
    /// The end of the game, if the position can't be searched.
    outcome: Option<AnalysisOutcome>,
}

impl AnalysisRequest {
    /// Reads the position.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, the position, or a move, or that the king is missing.
    pub fn prepare(&self, app: &App) -> Result<PreparedAnalysis> {
        let played = self.position.play(app)?;
        let variant = &played.rules.variant;
        let game = played.enforced();
        let setup = game.setup();
        let book = variant.compile(&setup).map_err(|error| error.of("variant"))?;
        let outcome = match check_position(&book, &game) {
            Ok(()) => None,
            Err(error @ PositionError::NoKing(_)) => {
                return Err(Error::new(ErrorKind::BadPosition, error.to_string())
                    .of("position")
                    .with_help("positions without a king cannot be searched; put one on the board"));
            }
            Err(error) => Some(AnalysisOutcome::of(&error, &game)),
        };
        Ok(PreparedAnalysis {
            phase: Phase::of(&variant.rules.start, &setup, game.n_plies()),
            variant: variant.named.map(|named| named.name),
            limits: self.limits(),
            game,
            book,
            outcome,
        })
    }

    fn limits(&self) -> Limits {
        let max_time = self.max_time.unwrap_or(Duration::MAX);
        let nodes = Some(Nodes(self.nodes.get())).filter(|nodes| nodes.0 > 0);
        let time = match (self.seconds, nodes) {
            (Some(time), _) => Some(time.get().min(max_time)),
            (None, Some(_)) => self.max_time,
            (None, None) => Some(DEFAULT_TIME.min(max_time)),
        };
        Limits { depth: None, nodes, time, stop: None, multi_pv: Some(self.lines.get() as u16) }
    }
}

impl Request for AnalysisRequest {
    type Answer = Analysis;

    fn run(self, app: &App, job: &Job) -> Result<Analysis> {
        self.prepare(app)?.run(job, &|_| ())
    }
}

impl AnalysisOutcome {
    fn of(error: &PositionError, game: &Game) -> AnalysisOutcome {
        let outcome = error.outcome(game.rules());
        AnalysisOutcome {
            winner: outcome.map(|outcome| outcome.winner_name()),
            reason: outcome.map(|outcome| outcome.reason.as_str()),
            words: error.to_string(),
        }
    }
}

impl PreparedAnalysis {
    /// Searches, and reports the result of each depth. The search ends when the job is canceled or its time is
    /// over; the best result so far is the answer.
    ///
    /// # Errors
    ///
    /// Fails if the position can't be searched.
    pub fn run(&self, job: &Job, on_depth: &dyn Fn(&AnalysisReport)) -> Result<Analysis> {
        if let Some(outcome) = &self.outcome {
            let report = AnalysisReport::default();
            return Ok(Analysis { report, stopped: "over", outcome: Some(outcome.clone()) });
        }
        let options = SearchOptions { mebibytes: MEBIBYTES, ..SearchOptions::default() };
        let curves = built_in_curves();
        let curve = Curves::of(&curves, self.variant);
        let limits = Limits { stop: Some(job.cancel_token().flag()), ..self.limits.clone() };
        let limits = within_deadline(limits, job);
        let report = Engine::new(&self.book, options)
            .search_with_info(&self.game, &limits, |report| on_depth(&self.report(report, &curve)))
            .map_err(|error| Error::from(error).of("position"))?;
        let stopped = self.why_stopped(&report, &limits, job);
        Ok(Analysis { report: self.report(&report, &curve), stopped, outcome: None })
    }

    fn why_stopped(&self, report: &SearchReport, limits: &Limits, job: &Job) -> &'static str {
        if job.cancel_token().is_canceled() {
            "client"
        } else if limits.nodes.is_some_and(|limit| report.nodes >= limit) {
            "nodes"
        } else if limits.time.is_some_and(|limit| report.time >= limit) {
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

    fn line(&self, rank: usize, line: &SearchLine, curve: &CurveChoice<'_>) -> AnalysisLine {
        let score = line.score.for_side(Side::Attackers);
        let winner =
            score.is_decisive().then(|| if score.value() > 0 { Side::Attackers } else { Side::Defenders });
        let expected = curve.expect(self.game.to_move(), line.score, self.phase).for_side(Side::Attackers);
        AnalysisLine {
            rank,
            score: winner.is_none().then(|| f64::from(score.value()) / 100.0),
            wins: winner.map(Side::as_str),
            r#in: score.distance(),
            expected: (expected * 10_000.0).round() / 10_000.0,
            moves: line_moves(self.game.shape(), self.game.chain(), line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesRequest;

    #[test]
    fn a_line_that_declines_a_chain_is_marked() {
        let mut request = AnalysisRequest::default();
        request.position.rules = RulesRequest::of("dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/");
        request.lines = Bounded::new(2).unwrap();
        request.nodes = Bounded::new(2_000).unwrap();
        let analysis = |moves: &str| {
            let mut request = request.clone();
            request.position.moves = Some(moves.to_owned());
            request.run(&App::new(), &Job::default()).unwrap().report.lines
        };
        assert_eq!(analysis("a2-b2")[1].moves[0], "decline");
        // The king has two ways to win.
        let reply = analysis("a2-b2 decline").remove(0).moves.remove(0);
        assert!(reply.starts_with("f1-"), "{reply}");
    }
}
