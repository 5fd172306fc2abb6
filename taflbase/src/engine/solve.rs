//! Proofs of wins.

mod certificate;
mod tables;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    Certificate, CertificateOrigin, Dtm, GoalReport, GoalState, Limits, Nodes, Proof, ProofVerdict, Solution,
    SolveBudget, SolveError, shortest_proof, solve_with_progress,
};
use tafl_rules::{BySide, Game, Side};

use super::eval::within_deadline;
use crate::{
    App, Bounded, CompiledVariant, Error, ErrorKind, GamePosition, Job, PositionRequest, Progress, Request,
    Result, Seconds, SideName, Variant,
};

pub use certificate::{CheckProofAnswer, CheckProofRequest};
pub(crate) use tables::TablebaseCache;
pub use tables::{BuildTablesRequest, BuiltTable, MaxTablePieces, TableEntry, TablesSummary};

/// Prove who wins a position
///
/// # Examples
///
/// ```
/// use taflbase::engine::SolveRequest;
/// use taflbase::{App, Job, Request, SideName};
///
/// let mut request = SolveRequest::default();
/// request.position.rules.variant = Some("brandubh7".into());
/// request.position.position = Some("/7/t5t/7/3K3/3T3/1t5/7/".into());
/// request.position.side = Some(SideName::Defenders);
/// let answer = request.run(&App::new(), &Job::default())?;
/// assert_eq!(answer.winner(), Some("defenders"));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SolveRequest {
    /// The position.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub position: PositionRequest,
    /// The side whose win to prove [default: both]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIDE"))]
    pub goal: Option<SideName>,
    /// Search N positions [default: 2,000,000 if no time is set]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Limits"))]
    pub nodes: Option<u64>,
    /// Search for a number of seconds, such as 0.5
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = "Limits"))]
    pub time: Option<Seconds<0, 0>>,
    /// Search only for wins within a number of plies; then "no win" is exact
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLIES", help_heading = "Limits"))]
    pub plies: Option<Bounded<1, 1000, 1>>,
    /// The size of the proof table, in mebibytes
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MIB", default_value_t, help_heading = "Limits"))]
    pub hash: Bounded<1, 65536, 256>,
    /// Search for the shortest proof; the limits apply to each attempt
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub shortest: bool,
    /// Look the position up in the tablebases of this folder first
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR", help_heading = "Tablebases"))]
    pub tables: Option<PathBuf>,
}

/// The result of a solved position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SolveAnswer {
    /// By tablebases.
    Tables(TablebaseAnswer),
    /// By a search for a proof.
    Search(SolutionAnswer),
}

/// The entry of the tablebases for a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TablebaseAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// Always true.
    pub solved: bool,
    /// The side that wins; null if neither can force a win.
    pub winner: Option<&'static str>,
    /// The number of plies to the win.
    pub plies: Option<u8>,
    /// Always true: no win is shorter.
    pub shortest: bool,
    /// Always `tables`.
    pub from: &'static str,
}

/// The result of a search for a proof.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SolutionAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<&'static str>,
    /// The rules string.
    pub rules: String,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// Whether the game-theoretic result is known: a win of a side, or none.
    pub solved: bool,
    /// `attackers`, `defenders` or `draw`; null if it is unknown.
    pub winner: Option<&'static str>,
    /// The number of plies within which the win is proven.
    pub plies: Option<u16>,
    /// Whether no win is shorter.
    pub shortest: bool,
    /// The line of the proof.
    pub line: Option<Vec<String>>,
    /// The number of steps of the proof.
    pub steps: Option<usize>,
    /// The result for the win of each side.
    pub goals: GoalAnswers,
    /// The number of positions that were searched.
    pub nodes: u64,
    /// The time, in seconds.
    pub seconds: f64,
    /// The solver.
    pub solver: String,
}

/// The results for the wins of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoalAnswers {
    /// A win of the attackers.
    pub attackers: GoalAnswer,
    /// A win of the defenders.
    pub defenders: GoalAnswer,
}

/// The result for the win of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoalAnswer {
    /// `proven`, `refuted`, `exhausted`, `open`, `unwritten` or `unasked`.
    pub state: &'static str,
    /// The proof number, if the goal is open.
    pub proof_number: Option<u32>,
    /// The disproof number, if the goal is open.
    pub disproof_number: Option<u32>,
    /// The number of positions that were searched.
    pub nodes: u64,
    /// The number of proofs that were forgotten because the table was full.
    pub forgotten: u64,
}

/// A position with the result of its search.
#[derive(Debug, Clone)]
pub struct SolvedPosition {
    /// The position.
    pub position: GamePosition,
    /// The winner.
    pub result: SolveResult,
}

/// The source of a result.
#[derive(Debug, Clone)]
pub enum SolveResult {
    /// From tablebases.
    Tables(Dtm),
    /// By a search.
    Search {
        /// The result.
        solution: Solution,
        /// Whether no win is shorter.
        is_shortest: bool,
    },
}

impl SolveRequest {
    /// The number of positions if neither positions nor time are limited.
    const NODES: u64 = 2_000_000;

    /// Solves the position. `needs_proof` skips the tablebases, which have no proofs.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, the position, a move, or a limit; which file can't be read; or that the job is
    /// over.
    pub fn solve(&self, needs_proof: bool, app: &App, job: &Job) -> Result<SolvedPosition> {
        let position = self.position.enforce(app)?;
        if let Some(folder) = &self.tables {
            let tables = app.tablebases().get(&position.rules.variant.rules, folder)?;
            if let Some(known) = tables.probe_game(&position.game).filter(|_| !needs_proof) {
                return Ok(SolvedPosition { position, result: SolveResult::Tables(known) });
            }
        }
        let budget = self.budget(job);
        let mut solution = solve_with_progress(&position.game, &budget, |goals| report(goals, job))?;
        job.check()?;
        let mut is_shortest = false;
        if self.shortest
            && let Some(proof) = solution.proof.take()
        {
            let shortest = shortest_proof(&position.game, proof, &budget)?;
            job.check()?;
            is_shortest = shortest.is_shortest;
            let Proof { side, plies, .. } = shortest.proof;
            let goal = &mut solution.goals[side];
            goal.state = GoalState::Proven(plies);
            goal.nodes = Nodes(goal.nodes.0 + shortest.nodes.0);
            solution.nodes = Nodes(solution.nodes.0 + shortest.nodes.0);
            solution.time += shortest.time;
            solution.verdict = ProofVerdict::Win { side, plies };
            solution.proof = Some(shortest.proof);
        }
        Ok(SolvedPosition { position, result: SolveResult::Search { solution, is_shortest } })
    }

    fn budget(&self, job: &Job) -> SolveBudget {
        let is_unset = self.nodes.is_none() && self.time.is_none();
        let limits = Limits {
            nodes: self.nodes.or(is_unset.then_some(SolveRequest::NODES)).map(Nodes),
            time: self.time.map(Seconds::get),
            stop: Some(job.cancel_token().flag()),
            ..Limits::default()
        };
        SolveBudget {
            limits: within_deadline(limits, job),
            mebibytes: self.hash.size(),
            plies: self.plies.map(|plies| plies.get() as u16),
            goal: self.goal.map(Side::from),
        }
    }
}

/// Reports how far the search for a proof is.
fn report(goals: &BySide<GoalReport>, job: &Job) {
    let numbers = |side: Side| match goals[side].state {
        GoalState::Open { proof_number, disproof_number } => format!("{proof_number}/{disproof_number}"),
        GoalState::Proven(_)
        | GoalState::Refuted
        | GoalState::Exhausted
        | GoalState::Unwritten
        | GoalState::Unasked => "-".to_owned(),
    };
    let done = goals.attackers.nodes.0 + goals.defenders.nodes.0;
    let detail = format!(
        "proof numbers: attackers {}, defenders {}",
        numbers(Side::Attackers),
        numbers(Side::Defenders)
    );
    job.report(&Progress { done, unit: "positions", proportion: None, detail: &detail });
}

impl Request for SolveRequest {
    type Answer = SolveAnswer;

    fn run(self, app: &App, job: &Job) -> Result<SolveAnswer> {
        Ok(self.solve(false, app, job)?.answer())
    }
}

impl SolvedPosition {
    /// Returns the result as JSON.
    pub fn answer(&self) -> SolveAnswer {
        let (variant, game) = (&self.rules().variant, self.game());
        match &self.result {
            SolveResult::Tables(known) => SolveAnswer::Tables(TablebaseAnswer::of(variant, game, *known)),
            SolveResult::Search { solution, is_shortest } => {
                SolveAnswer::Search(SolutionAnswer::of(variant, game, solution, *is_shortest))
            }
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &CompiledVariant {
        &self.position.rules
    }

    /// Returns the game in which the position arose.
    pub fn game(&self) -> &Game {
        &self.position.game
    }

    /// Returns the proof in a form that can be checked, if there is one.
    pub fn certificate(&self) -> Option<Certificate> {
        let SolveResult::Search { solution, .. } = &self.result else { return None };
        let GamePosition { rules, start, first, moves, .. } = &self.position;
        let origin = CertificateOrigin { start: start.clone(), to_move: *first, moves: moves.clone() };
        let proof = solution.proof.clone()?;
        Some(Certificate { rules: rules.variant.rules.clone(), origin, proof })
    }
}

impl SolveAnswer {
    /// Returns `attackers`, `defenders` or `draw`, if the result is known.
    pub fn winner(&self) -> Option<&'static str> {
        match self {
            SolveAnswer::Tables(answer) => answer.winner,
            SolveAnswer::Search(answer) => answer.winner,
        }
    }
}

impl TablebaseAnswer {
    fn of(variant: &Variant, game: &Game, known: Dtm) -> TablebaseAnswer {
        let side = game.to_move();
        let (winner, plies) = match known {
            Dtm::Win(plies) => (Some(side), Some(plies)),
            Dtm::Loss(plies) => (Some(side.other()), Some(plies)),
            Dtm::Open => (None, None),
        };
        TablebaseAnswer {
            variant: variant.catalog_name(),
            rules: variant.rules.to_string(),
            position: game.setup().to_string(),
            side: side.as_str(),
            solved: true,
            winner: winner.map(Side::as_str),
            plies,
            shortest: true,
            from: "tables",
        }
    }
}

impl SolutionAnswer {
    fn of(variant: &Variant, game: &Game, solution: &Solution, is_shortest: bool) -> SolutionAnswer {
        let (winner, plies) = match solution.verdict {
            ProofVerdict::Win { side, plies } => (Some(side.as_str()), Some(plies)),
            ProofVerdict::WinByRepetition(side) => (Some(side.as_str()), None),
            ProofVerdict::Draw => (Some("draw"), None),
            ProofVerdict::Unknown => (None, None),
        };
        let proof = solution.proof.as_ref();
        SolutionAnswer {
            variant: variant.catalog_name(),
            rules: variant.rules.to_string(),
            position: game.setup().to_string(),
            side: game.to_move().as_str(),
            solved: solution.verdict != ProofVerdict::Unknown,
            winner,
            plies,
            shortest: is_shortest,
            line: proof
                .map(|proof| proof.line.iter().map(|mv| mv.display(game.shape()).to_string()).collect()),
            steps: proof.map(|proof| proof.steps.len()),
            goals: GoalAnswers {
                attackers: GoalAnswer::of(&solution.goals.attackers),
                defenders: GoalAnswer::of(&solution.goals.defenders),
            },
            nodes: solution.nodes.0,
            seconds: solution.time.as_secs_f64(),
            solver: format!("taflbase {}", env!("CARGO_PKG_VERSION")),
        }
    }
}

impl GoalAnswer {
    fn of(goal: &GoalReport) -> GoalAnswer {
        let (state, numbers) = match goal.state {
            GoalState::Proven(_) => ("proven", None),
            GoalState::Refuted => ("refuted", None),
            GoalState::Exhausted => ("exhausted", None),
            GoalState::Open { proof_number, disproof_number } => {
                ("open", Some((proof_number, disproof_number)))
            }
            GoalState::Unwritten => ("unwritten", None),
            GoalState::Unasked => ("unasked", None),
        };
        GoalAnswer {
            state,
            proof_number: numbers.map(|(proof, _)| proof),
            disproof_number: numbers.map(|(_, disproof)| disproof),
            nodes: goal.nodes.0,
            forgotten: goal.forgotten,
        }
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        let kind = match &error {
            SolveError::Position(_) => ErrorKind::BadPosition,
            SolveError::ZeroLimit(_) => ErrorKind::BadParameter,
            _ => ErrorKind::BadRules,
        };
        Error::new(kind, error.to_string())
    }
}
