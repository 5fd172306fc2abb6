//! The solver: proofs that a side wins against every defense.
//!
//! It shares only the rules and the facts about kings with the engine. A score is an estimate; a
//! [`Proof`] is a statement that [`check`] verifies with the rules alone. [`solve`] searches for a
//! win of either side by proof numbers, [`prove_win`] for a win of the side to move.
//! `docs/solver.md` describes the limitations.

mod certificate;
mod check;
mod dfpn;
mod heuristic;
mod job;
mod keys;
mod path_history;
mod proof;
mod proof_table;
mod stack;
pub(crate) mod tablebase;

#[cfg(test)]
mod tests;

use std::time::Duration;

use tafl_rules::{AnyRulebook, BySide, CompileError, Game, PieceSet, RuleSet, Side, with_rulebook};

pub use certificate::{
    Certificate, CertificateError, CertificateErrorKind, CertificateOrigin, MAX_PLIES,
    VERSION as CERTIFICATE_VERSION,
};
pub use check::{CheckError, CheckedCertificate, check_certificate, check_certificate_until};
pub use proof::{Proof, ProofStep};
pub use tablebase::{
    Dtm, PieceCounts, TablebaseError, TablebaseFileError, TablebaseFileErrorKind, TablebaseStats, Tablebases,
};

use crate::limits::{Instant, Limits, Nodes};
use crate::position_error::{PositionError, check_position};
use job::SolveJob;
use stack::with_deep_stack;

/// The limits and the goal of the solver.
#[derive(Debug, Clone)]
pub struct SolveBudget {
    /// The limits of nodes and time, and the stop flag; depth and lines are ignored.
    pub limits: Limits,
    /// The total size of the tables for both goals, in mebibytes.
    pub mebibytes: usize,
    /// The maximum number of plies of a win; `None` for any win. With a maximum, a refutation is
    /// exact.
    pub plies: Option<u16>,
    /// The side whose win is searched for; `None` for both.
    pub goal: Option<Side>,
}

impl Default for SolveBudget {
    fn default() -> SolveBudget {
        SolveBudget { limits: Limits::nodes(1_000_000), mebibytes: 64, plies: None, goal: None }
    }
}

/// The reason why a position cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The position has no moves to search.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit is zero.
    #[error("a limit of zero {0} allows no search")]
    ZeroLimit(&'static str),
    /// The solver does not support the rules.
    #[error("the solver does not support {0}")]
    Unsupported(&'static str),
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(#[from] CompileError),
}

/// The state of a goal, a win of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalState {
    /// The side wins within this number of plies.
    Proven(u16),
    /// The side cannot force a win within the requested number of plies. A repetition rule may
    /// still give it one.
    Refuted,
    /// The search found no win, but relied on repeated positions, so it may have missed one.
    Exhausted,
    /// The search is not finished.
    Open {
        /// A lower bound on the number of positions left to prove.
        proof_number: u32,
        /// A lower bound on the number of positions left to disprove.
        disproof_number: u32,
    },
    /// A win was found, but its proof could not be extracted and checked, so it is not claimed.
    Unwritten,
    /// The goal was not searched.
    Unasked,
}

/// The result of the search for one goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalReport {
    /// The state of the goal.
    pub state: GoalState,
    /// The number of nodes visited.
    pub nodes: Nodes,
    /// The fill level of the table, in thousandths.
    pub hashfull: u32,
    /// The number of proven positions that were overwritten because the table was full.
    pub forgotten: u64,
}

/// The result for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofVerdict {
    /// A side wins within this number of plies, and there is a proof.
    Win {
        /// The winning side.
        side: Side,
        /// The number of plies.
        plies: u16,
    },
    /// A side wins because the other side can only repeat positions, which the rules forbid.
    /// Neither side can force another outcome.
    WinByRepetition(Side),
    /// Neither side can force a win.
    Draw,
    /// Unknown within the limits.
    Unknown,
}

/// The solver's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The result for the position.
    pub verdict: ProofVerdict,
    /// The state of each side's win.
    pub goals: BySide<GoalReport>,
    /// The proof of the win, if any.
    pub proof: Option<Proof>,
    /// The number of nodes visited for both goals.
    pub nodes: Nodes,
    /// The duration of the search.
    pub time: Duration,
}

/// Solves the current position of a game.
///
/// # Errors
///
/// Returns the reason why the position cannot be solved, see [`SolveError`].
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{SolveBudget, ProofVerdict, solve};
/// use tafl_rules::{AnyRulebook, Game, RepetitionMode, Setup, Side, catalog};
///
/// let rules = catalog::find("brandubh7").unwrap().rules();
/// let book = AnyRulebook::compile(&rules).unwrap();
/// let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/").unwrap();
/// let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
/// let solution = solve(&game, &SolveBudget::default()).unwrap();
/// assert!(matches!(solution.verdict, ProofVerdict::Win { side: Side::Defenders, .. }));
/// ```
pub fn solve(game: &Game, budget: &SolveBudget) -> Result<Solution, SolveError> {
    solve_with_progress(game, budget, |_| {})
}

/// Solves the current position of a game and calls `on_progress` with the progress from time to time.
///
/// # Errors
///
/// Returns the reason why the position cannot be solved, see [`SolveError`].
pub fn solve_with_progress(
    game: &Game,
    budget: &SolveBudget,
    mut on_progress: impl FnMut(&BySide<GoalReport>) + Send,
) -> Result<Solution, SolveError> {
    solve_reporting(game, budget, &mut on_progress)
}

/// Solves a position. Not generic, so that it is compiled in this crate, which the dev profile
/// optimizes.
fn solve_reporting(
    game: &Game,
    budget: &SolveBudget,
    on_progress: &mut (dyn FnMut(&BySide<GoalReport>) + Send),
) -> Result<Solution, SolveError> {
    let book = rulebook(game)?;
    check_solvable(&book, game, &budget.limits, budget.plies)?;
    with_rulebook!(&book, inner => {
        let job = SolveJob { any: &book, book: inner, game, budget, started: Instant::now() };
        with_deep_stack(|| job.run(on_progress)).map_err(SolveError::from)
    })
}

/// Proves that the side to move wins, visiting at most `nodes` nodes.
///
/// Returns `None` if no proof was found: because none exists, the budget was too small, or the
/// position cannot be solved.
pub fn prove_win(game: &Game, nodes: Nodes) -> Option<Proof> {
    prove(game, game.to_move(), nodes)
}

/// Proves that a side wins, visiting at most `nodes` nodes; see [`prove_win`].
pub fn prove(game: &Game, side: Side, nodes: Nodes) -> Option<Proof> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let budget = SolveBudget { limits, goal: Some(side), ..SolveBudget::default() };
    solve(game, &budget).ok()?.proof
}

/// A proof of a win within few plies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortestProof {
    /// The proof.
    pub proof: Proof,
    /// Whether no win is shorter; otherwise, the limits were not sufficient to find or to refute a shorter one.
    pub is_shortest: bool,
    /// The number of nodes visited.
    pub nodes: Nodes,
    /// The duration of the search.
    pub time: Duration,
}

/// Finds the smallest number of plies within which a side wins, with a proof.
///
/// `proof` is a known proof. The budget is for each attempt to win within a number of plies.
///
/// # Errors
///
/// The same as for [`solve`].
pub fn shortest_proof(game: &Game, proof: Proof, budget: &SolveBudget) -> Result<ShortestProof, SolveError> {
    let goal = Some(proof.side);
    let mut best = ShortestProof { proof, is_shortest: false, nodes: Nodes(0), time: Duration::ZERO };
    // Iterative deepening: short wins are found or refuted quickly, while any proof of a longer win can take long. All wins
    // below this number of plies are refuted.
    let mut open = 1;
    while open < best.proof.plies {
        let state = best.attempt(game, &SolveBudget { plies: Some(open), goal, ..budget.clone() })?;
        if state != GoalState::Refuted {
            break;
        }
        open += 1;
    }
    // If the limits are not sufficient for this number, they can be for a longer win that is shorter than the known one.
    while open + 1 < best.proof.plies {
        let plies = Some(best.proof.plies - 1);
        match best.attempt(game, &SolveBudget { plies, goal, ..budget.clone() })? {
            GoalState::Proven(_) => {}
            state => {
                best.is_shortest = state == GoalState::Refuted;
                return Ok(best);
            }
        }
    }
    best.is_shortest = best.proof.plies <= open;
    Ok(best)
}

impl ShortestProof {
    /// Searches for a win within a number of plies, replaces the proof if there is one, and returns the state of the goal.
    fn attempt(&mut self, game: &Game, budget: &SolveBudget) -> Result<GoalState, SolveError> {
        let solution = solve(game, budget)?;
        self.nodes = Nodes(self.nodes.0 + solution.nodes.0);
        self.time += solution.time;
        let state = solution.goals[self.proof.side].state;
        if let Some(proof) = solution.proof {
            self.proof = proof;
        }
        Ok(state)
    }
}

/// Compiles the rules of a game for the pieces on its board.
fn rulebook(game: &Game) -> Result<AnyRulebook, CompileError> {
    let setup = game.setup();
    let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
    let converted = RuleSet::with_defaults(setup).pieces_in_play();
    let pieces = game.rules().pieces_in_play().union(present).union(converted);
    AnyRulebook::compile_for(game.rules(), pieces)
}

/// Checks that the position can be solved within the limits.
fn check_solvable(
    book: &AnyRulebook,
    game: &Game,
    limits: &Limits,
    plies: Option<u16>,
) -> Result<(), SolveError> {
    check_position(book, game)?;
    let rules = game.rules();
    if rules.chain.may_decline {
        return Err(SolveError::Unsupported(check::OPTIONAL_CHAINS));
    }
    if limits.nodes == Some(Nodes(0)) {
        return Err(SolveError::ZeroLimit("nodes"));
    }
    if limits.time == Some(Duration::ZERO) {
        return Err(SolveError::ZeroLimit("time"));
    }
    if plies == Some(0) {
        return Err(SolveError::ZeroLimit("plies"));
    }
    Ok(())
}
