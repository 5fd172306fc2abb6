//! The evaluation of a position.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Engine, EngineError, Limits, SearchLine, SearchReport};
use tafl_rules::{Cell, Game, Shape, Side};

use super::limits::SearchLimits;
use super::settings::SearchResources;
use crate::{
    App, Bounded, DECLINE, Error, ErrorKind, Job, PositionRequest, Progress, Request, Result, Variant,
};

/// Evaluate a position, and find the best move
///
/// # Examples
///
/// ```
/// use taflbase::engine::EvalRequest;
/// use taflbase::{App, Job, Request};
///
/// let mut request = EvalRequest::default();
/// request.position.rules.variant = Some("brandubh7".into());
/// request.limits.depth = Some(2);
/// let answer = request.run(&App::new(), &Job::default())?;
/// println!("{:?} for the {}, by {}", answer.lines[0].score, answer.side, answer.lines[0].moves.join(" "));
/// # assert_eq!(answer.side, "attackers");
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct EvalRequest {
    /// The position.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub position: PositionRequest,
    /// The number of lines to find, each with a different first move
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub lines: Bounded<1, 500, 1>,
    /// The limits.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: SearchLimits,
    /// The threads and the memory.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub resources: SearchResources,
}

/// The evaluation of a position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move, for which scores are.
    pub side: &'static str,
    /// The lines, the best one first.
    pub lines: Vec<EvalLine>,
    /// The depth of the search, in plies.
    pub depth: u8,
    /// The number of positions that were searched.
    pub nodes: u64,
    /// The time, in seconds.
    pub seconds: f64,
    /// The engine.
    pub engine: String,
}

/// A line of play with its score.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvalLine {
    /// The moves; `decline` first if the side to move declines to continue a chain, and then the reply of the other side.
    pub moves: Vec<String>,
    /// The score in men for the side to move; null if it is decisive.
    pub score: Option<f64>,
    /// The side that wins, if the score is decisive.
    pub wins: Option<&'static str>,
    /// The number of plies to the end, this move included, if the score is decisive.
    pub plies: Option<u16>,
}

/// A position that was evaluated, with what the engine found.
#[derive(Debug, Clone)]
pub struct EvaluatedPosition {
    /// The name of the variant in the catalog; `None` for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The game in which the position arose.
    pub game: Game,
    /// The result of the search.
    pub report: SearchReport,
}

impl EvalRequest {
    /// Evaluates the position.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, the position, a move, or a limit, or that the position can't be searched.
    pub fn evaluate(&self, app: &App, job: &Job) -> Result<EvaluatedPosition> {
        let position = self.position.enforce(app)?;
        self.evaluate_game(&position.rules.variant, position.game, job)
    }

    /// Evaluates the position of a game, with its history, instead of the position of the request.
    ///
    /// # Errors
    ///
    /// Returns the mistake in a limit, or that the position can't be searched.
    pub fn evaluate_game(&self, variant: &Variant, game: Game, job: &Job) -> Result<EvaluatedPosition> {
        // Moves may change the kinds of pieces on the board.
        let book = variant.compile(&game.setup())?;
        let limits = within_deadline(self.limits.limits(self.lines.get() as u16, job), job);
        let side = game.to_move();
        let report =
            Engine::new(&book, self.resources.options()).search_with_info(&game, &limits, |report| {
                let line = &report.lines[0];
                let best = &line_moves(game.shape(), game.chain(), line)[0];
                let detail = format!("depth {}: {} {best}", report.depth.0, line.score.for_side(side));
                job.report(&Progress {
                    done: report.nodes.0,
                    unit: "positions",
                    proportion: None,
                    detail: &detail,
                });
            })?;
        // A deadline ends the search, which has a result even then.
        if job.cancel_token().is_canceled() {
            job.check()?;
        }
        let rules = variant.rules.to_string();
        Ok(EvaluatedPosition { variant: variant.catalog_name(), rules, game, report })
    }
}

impl Request for EvalRequest {
    type Answer = EvalAnswer;

    fn run(self, app: &App, job: &Job) -> Result<EvalAnswer> {
        Ok(self.evaluate(app, job)?.answer())
    }
}

impl EvaluatedPosition {
    /// Returns the evaluation as JSON has it.
    pub fn answer(&self) -> EvalAnswer {
        let EvaluatedPosition { variant, rules, game, report } = self;
        let side = game.to_move();
        EvalAnswer {
            variant: *variant,
            rules: rules.clone(),
            position: game.setup().to_string(),
            side: side.as_str(),
            lines: report.lines.iter().map(|line| EvalLine::of(game, line)).collect(),
            depth: report.depth.0,
            nodes: report.nodes.0,
            seconds: report.time.as_secs_f64(),
            engine: format!("taflbase {}", env!("CARGO_PKG_VERSION")),
        }
    }
}

impl EvalLine {
    pub(super) fn of(game: &Game, line: &SearchLine) -> EvalLine {
        let score = line.score.for_side(game.to_move());
        let winner = Side::ALL.into_iter().find(|side| line.score.for_side(*side).value() > 0);
        EvalLine {
            moves: line_moves(game.shape(), game.chain(), line),
            score: (!score.is_decisive()).then(|| f64::from(score.value()) / 100.0),
            wins: score.distance().and(winner).map(Side::as_str),
            plies: score.distance(),
        }
    }
}

/// Returns the moves of a line of the engine, such as `d1-d3`, `f4-f2`; the first word is [`DECLINE`] if the line begins with
/// the other side's reply. `chain` is the cell of the piece that continues a chain in the position.
pub fn line_moves(shape: Shape, chain: Option<Cell>, line: &SearchLine) -> Vec<String> {
    let declined = line.declines(chain).then(|| DECLINE.to_owned());
    declined.into_iter().chain(line.moves.iter().map(|mv| mv.display(shape).to_string())).collect()
}

/// Returns limits with a time that ends with the job.
pub(super) fn within_deadline(limits: Limits, job: &Job) -> Limits {
    let left = job.deadline().map(|deadline| deadline.saturating_duration_since(std::time::Instant::now()));
    let time = limits.time.into_iter().chain(left).min();
    Limits { time, ..limits }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Error {
        let kind = match &error {
            EngineError::Position(_) => ErrorKind::BadPosition,
            EngineError::ZeroLimit(_) => ErrorKind::BadParameter,
            _ => ErrorKind::BadRules,
        };
        Error::new(kind, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesRequest;

    #[test]
    fn a_line_that_declines_a_chain_is_marked_and_can_be_played() {
        let mut request = EvalRequest::default();
        request.position.rules = RulesRequest::of("dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/");
        request.position.moves = Some("a2-b2".to_owned());
        request.limits.depth = Some(4);
        request.lines = Bounded::new(2).unwrap();
        let lines = request.clone().run(&App::new(), &Job::default()).unwrap().lines;
        assert_eq!(lines[0].moves[0], "b2-b3");
        assert_eq!(lines[1].moves[..2], ["decline", "f1-a1"]);
        request.position.moves = Some(format!("a2-b2 {}", lines[1].moves.join(" ")));
        let outcome = request.position.enforce(&App::new()).unwrap().game.outcome();
        assert_eq!(outcome.and_then(|outcome| outcome.winner), Some(Side::Defenders));
    }
}
