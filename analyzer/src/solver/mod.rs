//! The solver: proofs that a side wins, whatever the other side does.
//!
//! It shares the rules and facts about kings with the engine and nothing else: a score is an estimate, a [`Proof`] a statement
//! that [`check`] verifies with nothing but the rules. [`solve`] searches with proof numbers for a win of either side,
//! [`prove_win`] for one of the side to move. `docs/solver.md` says what is complete and what is not.

mod certificate;
mod check;
mod dfpn;
mod heuristic;
mod keys;
mod path_history;
mod proof;
mod proof_table;
mod stack;
pub mod tablebase;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use tafl_rules::position::Position;
use tafl_rules::rulebook::{CompileError, Rulebook};
use tafl_rules::ruleset::{NoMoves, RepetitionEffect, RepetitionRule};
use tafl_rules::{AnyRulebook, BySide, Game, Move, PieceSet, RuleSet, Side, with_rulebook};

pub use certificate::{
    Certificate, CertificateError, CertificateErrorKind, MOST_PLIES, Origin, VERSION as CERTIFICATE_VERSION,
};
pub use check::{CheckError, Checked, check};
pub use proof::{Proof, ProofStep, place};

use crate::limits::{Limits, Nodes};
use crate::position_error::{PositionError, check_position};
use check::{check_from, needs_whole_tree};
use dfpn::{GoalSearch, NO_BOUND};
use keys::{Keys, Symmetries};
use path_history::PathHistory;
use proof::{NoProof, ProofWriter};
use proof_table::{ProofNumbers, ProofTable};
use stack::with_deep_stack;

/// How much work a solver may do, and for what.
#[derive(Debug, Clone)]
pub struct Budget {
    /// Positions, time, the stop flag; depth and lines mean nothing here.
    pub limits: Limits,
    /// The size of the tables of both goals together, in mebibytes.
    pub mebibytes: usize,
    /// Only wins within so many plies; any win without it. With it, "no win" is exact.
    pub plies: Option<u16>,
    /// The side that is to win; either without it.
    pub goal: Option<Side>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { limits: Limits::nodes(1_000_000), mebibytes: 64, plies: None, goal: None }
    }
}

/// Why a position cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// There is nothing to play.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A limit that allows nothing.
    #[error("a limit of zero {0} leaves nothing to solve")]
    NoLimit(&'static str),
    /// Rules that the solver cannot reason about.
    #[error("the solver cannot deal with {0}")]
    Unsupported(&'static str),
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(#[from] CompileError),
}

/// What is known of a goal: that one side wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalState {
    /// The side wins within so many plies.
    Proven(u16),
    /// The side cannot force a win, within the plies asked for; rules about repetition may still give it one.
    Refuted,
    /// The search found no win and looked everywhere, but leaned on positions that came back: it may be wrong.
    Exhausted,
    /// Neither.
    Open {
        /// At least so many positions are left to be proven for a proof.
        proof_number: u32,
        /// At least so many positions are left to be disproven for a disproof.
        disproof_number: u32,
    },
    /// A win was found, but it could not be written down and checked, so it is not claimed.
    Unwritten,
    /// The goal was not searched.
    Unasked,
}

/// What the search for one goal came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalReport {
    /// What is known.
    pub state: GoalState,
    /// How many positions were looked at.
    pub nodes: Nodes,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    /// How many proofs of positions were forgotten because the table was full.
    pub forgotten: u64,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A side wins within so many plies; there is a proof.
    Win {
        /// The side.
        side: Side,
        /// Within how many plies it wins.
        plies: u16,
    },
    /// A side wins because the other cannot but repeat itself, which the rules forbid: neither side can force another end.
    WinByRepetition(Side),
    /// Neither side can force a win.
    Draw,
    /// Not enough is known.
    Unknown,
}

/// What a solver found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// What is known of the position.
    pub verdict: Verdict,
    /// What is known of each side's win.
    pub goals: BySide<GoalReport>,
    /// The proof of the win.
    pub proof: Option<Proof>,
    /// How many positions were looked at for both goals.
    pub nodes: Nodes,
    /// How long it took.
    pub time: Duration,
}

/// Solves the position in which a game stands.
///
/// # Errors
///
/// Returns why there is nothing to solve, see [`SolveError`].
///
/// # Examples
///
/// ```
/// use tafl_analyzer::solver::{Budget, Verdict, solve};
/// use tafl_rules::{AnyRulebook, Game, RepetitionMode, Setup, Side, catalog};
///
/// let rules = catalog::find("brandubh7").unwrap().rules();
/// let book = AnyRulebook::compile(&rules).unwrap();
/// let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/").unwrap();
/// let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
/// let solution = solve(&game, &Budget::default()).unwrap();
/// assert!(matches!(solution.verdict, Verdict::Win { side: Side::Defenders, .. }));
/// ```
pub fn solve(game: &Game, budget: &Budget) -> Result<Solution, SolveError> {
    solve_telling(game, budget, |_| {})
}

/// Solves the position in which a game stands, and tells now and then how far it is.
///
/// # Errors
///
/// Returns why there is nothing to solve, see [`SolveError`].
pub fn solve_telling(
    game: &Game,
    budget: &Budget,
    mut tell: impl FnMut(&BySide<GoalReport>) + Send,
) -> Result<Solution, SolveError> {
    solve_reporting(game, budget, &mut tell)
}

/// Solves. It is not generic, so that it is compiled in this crate, which is optimized in the dev profile, too.
fn solve_reporting(
    game: &Game,
    budget: &Budget,
    tell: &mut (dyn FnMut(&BySide<GoalReport>) + Send),
) -> Result<Solution, SolveError> {
    let book = rulebook(game)?;
    look_over(&book, game, &budget.limits, budget.plies)?;
    with_rulebook!(&book, inner => {
        let work = Work { any: &book, book: inner, game, budget, started: Instant::now() };
        with_deep_stack(|| work.run(tell)).map_err(SolveError::from)
    })
}

/// Proves that the side to move wins, with at most so many positions looked at.
///
/// Returns nothing where it found no proof: because there is none, because the budget was too small, or because the position
/// cannot be solved at all.
pub fn prove_win(game: &Game, nodes: Nodes) -> Option<Proof> {
    prove(game, game.to_move(), nodes)
}

/// Proves that a side wins, with at most so many positions looked at; as [`prove_win`].
pub fn prove(game: &Game, side: Side, nodes: Nodes) -> Option<Proof> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let budget = Budget { limits, goal: Some(side), ..Budget::default() };
    solve(game, &budget).ok()?.proof
}

/// Finds the least number of plies within which a side wins, and a proof of it.
///
/// `proof` is one that is known already. Where the budget, which is for each bound, does not suffice, the last proof found
/// is the answer, and the second value is false.
///
/// # Errors
///
/// As [`solve`].
pub fn shortest(game: &Game, proof: Proof, budget: &Budget) -> Result<(Proof, bool), SolveError> {
    let mut best = proof;
    loop {
        let Some(plies) = best.plies.checked_sub(1).filter(|plies| *plies > 0) else {
            return Ok((best, true));
        };
        let bounded = Budget { plies: Some(plies), goal: Some(best.side), ..budget.clone() };
        let solution = solve(game, &bounded)?;
        match solution.proof {
            Some(proof) => best = proof,
            None => return Ok((best.clone(), solution.goals[best.side].state == GoalState::Refuted)),
        }
    }
}

/// Compiles the rules of a game for the pieces on its board.
fn rulebook(game: &Game) -> Result<AnyRulebook, CompileError> {
    let setup = game.setup();
    let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
    let turncoats = RuleSet::with_defaults(setup).pieces_in_play();
    let pieces = game.rules().pieces_in_play().union(present).union(turncoats);
    AnyRulebook::compile_for(game.rules(), pieces)
}

/// Says why there is nothing to solve.
fn look_over(book: &AnyRulebook, game: &Game, limits: &Limits, plies: Option<u16>) -> Result<(), SolveError> {
    check_position(book, game)?;
    let rules = game.rules();
    if rules.chain.may_decline {
        return Err(SolveError::Unsupported("chains that a player may decline to go on with"));
    }
    if limits.nodes == Some(Nodes(0)) {
        return Err(SolveError::NoLimit("nodes"));
    }
    if limits.time == Some(Duration::ZERO) {
        return Err(SolveError::NoLimit("time"));
    }
    if plies == Some(0) {
        return Err(SolveError::NoLimit("plies"));
    }
    Ok(())
}

/// So many positions are looked at for one goal before the other has its turn; more and more each time.
const FIRST_SLICE: u64 = 1 << 13;
/// The most positions that are looked at for one goal before the other has its turn.
const LAST_SLICE: u64 = 1 << 24;

/// The plies that a check of a proof may play where every line must be played to its end.
const WHOLE_TREE: Nodes = Nodes(20_000_000);

/// What there is to solve.
struct Work<'w, const N: usize> {
    any: &'w AnyRulebook,
    book: &'w Rulebook<N>,
    game: &'w Game,
    budget: &'w Budget,
    started: Instant,
}

impl<const N: usize> Work<'_, N> {
    /// Searches for a win of either side by turns, the side to move first.
    fn run(&self, tell: &mut dyn FnMut(&BySide<GoalReport>)) -> Result<Solution, CompileError> {
        let pos = self.position();
        let bound = self.budget.plies.unwrap_or(NO_BOUND);
        let mover = self.game.to_move();
        let sides: Vec<Side> = match self.budget.goal {
            Some(side) => vec![side],
            None => vec![mover, mover.other()],
        };
        let mut searches: Vec<GoalSearch<'_, N>> =
            sides.iter().map(|side| self.search(*side, pos, sides.len())).collect();
        let unasked = GoalReport { state: GoalState::Unasked, nodes: Nodes(0), hashfull: 0, forgotten: 0 };
        let mut goals = BySide { attackers: unasked, defenders: unasked };
        let most = self.budget.limits.nodes.map_or(u64::MAX, |nodes| nodes.0);
        let (mut slice, mut proof) = (FIRST_SLICE, None);
        'turns: loop {
            let mut goes_on = false;
            for search in &mut searches {
                let state = goals[search.goal].state;
                if !matches!(state, GoalState::Unasked | GoalState::Open { .. }) {
                    continue;
                }
                let spent = goals.attackers.nodes.0 + goals.defenders.nodes.0;
                let left = most.saturating_sub(spent);
                if left == 0 || search.is_over_time() {
                    break 'turns;
                }
                search.until = search.nodes.saturating_add(slice.min(left));
                search.is_stopped = false;
                let value = search.run(&pos, bound);
                goals[search.goal] = report(search, value);
                if value.is_proven() {
                    let spent = goals.attackers.nodes.0 + goals.defenders.nodes.0;
                    proof = self.write(search, &pos, bound, most.saturating_sub(spent));
                    goals[search.goal] = report(search, value);
                    if proof.is_some() {
                        break 'turns;
                    }
                    goals[search.goal].state = GoalState::Unwritten;
                }
                goes_on |= matches!(goals[search.goal].state, GoalState::Open { .. });
                tell(&goals);
            }
            if !goes_on {
                break;
            }
            slice = (slice * 2).min(LAST_SLICE);
        }
        if let Some(proof) = &proof {
            goals[proof.side].state = GoalState::Proven(proof.plies);
        }
        Ok(Solution {
            verdict: self.verdict(&goals, proof.as_ref()),
            nodes: Nodes(goals.attackers.nodes.0 + goals.defenders.nodes.0),
            goals,
            proof,
            time: self.started.elapsed(),
        })
    }

    fn position(&self) -> Position<N> {
        let pos = self.book.position(&self.game.setup(), self.game.to_move());
        match self.game.chain() {
            Some(cell) => pos.going_on(cell),
            None => pos,
        }
    }

    /// Returns the moves that a rule about repetition forbids where the game stands.
    fn forbidden(&self, pos: &Position<N>) -> Vec<Move> {
        let legal = self.game.moves();
        self.book.moves(pos).filter(|mv| !legal.contains(mv)).collect()
    }

    /// Returns which mirror images are the same: none where the history tells them apart.
    fn symmetries(&self, past: &PathHistory, forbidden: &[Move]) -> Symmetries {
        if past.is_empty() && forbidden.is_empty() { Symmetries::OfRules } else { Symmetries::None }
    }

    fn search(&self, goal: Side, pos: Position<N>, goals: usize) -> GoalSearch<'_, N> {
        let past = PathHistory::of(self.game);
        let forbidden = self.forbidden(&pos);
        let keys = Keys::new(self.book, self.symmetries(&past, &forbidden));
        let nodes = self.budget.limits.nodes.map_or(u64::MAX, |nodes| nodes.0);
        GoalSearch {
            book: self.book,
            goal,
            keys,
            past,
            // Fewer positions are kept than looked at: about one in twenty.
            table: ProofTable::new(self.budget.mebibytes / goals, nodes / 4),
            nodes: 0,
            until: 0,
            limits: self.budget.limits.clone(),
            started: self.started,
            is_stopped: false,
            root: pos,
            forbidden,
            path: Vec::new(),
            marks: vec![0; 1 << 12],
            spare: Vec::new(),
        }
    }

    /// Writes down the proof of a position that is proven, and checks it where positions alone do not decide. What was
    /// forgotten of it is found again with at most `left` positions.
    fn write(
        &self,
        search: &mut GoalSearch<'_, N>,
        pos: &Position<N>,
        bound: u16,
        left: u64,
    ) -> Option<Proof> {
        let symmetries = self.symmetries(&search.past, &search.forbidden);
        let proof = match ProofWriter::write(search, pos, bound, symmetries, left) {
            Ok(proof) => proof,
            Err(NoProof::Forgotten | NoProof::TooLarge) => return None,
        };
        let must_check = needs_whole_tree(self.game, proof.side, proof.plies);
        let (limits, started) = (&self.budget.limits, self.started);
        let is_over = || limits.is_over(started);
        (!must_check || check_from(self.game, self.any, &proof, WHOLE_TREE, &is_over).is_ok())
            .then_some(proof)
    }

    fn verdict(&self, goals: &BySide<GoalReport>, proof: Option<&Proof>) -> Verdict {
        if let Some(proof) = proof {
            return Verdict::Win { side: proof.side, plies: proof.plies };
        }
        let is_refuted = |side: Side| self.budget.plies.is_none() && goals[side].state == GoalState::Refuted;
        if needs_whole_tree(self.game, Side::Attackers, 0) || needs_whole_tree(self.game, Side::Defenders, 0)
        {
            return Verdict::Unknown;
        }
        match endless(self.game.rules()) {
            Endless::Draw if is_refuted(Side::Attackers) && is_refuted(Side::Defenders) => Verdict::Draw,
            Endless::Wins(side) if is_refuted(side.other()) => Verdict::WinByRepetition(side),
            Endless::Draw | Endless::Wins(_) | Endless::Unclear => Verdict::Unknown,
        }
    }
}

/// What rules make of play without end.
enum Endless {
    Draw,
    Wins(Side),
    Unclear,
}

fn endless(rules: &RuleSet) -> Endless {
    if rules.ply_limit.is_some() || rules.captureless_limit.is_some() {
        return Endless::Unclear;
    }
    let deciding: Vec<&RepetitionRule> = rules.repetition.iter().filter(|rule| !rule.is_claim()).collect();
    match deciding[..] {
        [] => Endless::Draw,
        [RepetitionRule::Counted { effect, .. }] if deciding[0].position_occurrences().is_some() => {
            match effect {
                RepetitionEffect::Draw => Endless::Draw,
                // A side without moves must not be able to save itself into a draw.
                RepetitionEffect::DefendersLose if rules.no_moves == NoMoves::Lose => {
                    Endless::Wins(Side::Attackers)
                }
                RepetitionEffect::DefendersLose
                | RepetitionEffect::MoverLoses
                | RepetitionEffect::MoverWins
                | RepetitionEffect::Claim => Endless::Unclear,
            }
        }
        _ => Endless::Unclear,
    }
}

fn report<const N: usize>(search: &GoalSearch<'_, N>, value: ProofNumbers) -> GoalReport {
    let state = if value.is_proven() {
        GoalState::Proven(value.plies)
    } else if value.is_disproven() {
        if value.path_dependent { GoalState::Exhausted } else { GoalState::Refuted }
    } else {
        GoalState::Open { proof_number: value.pn, disproof_number: value.dn }
    };
    GoalReport {
        state,
        nodes: Nodes(search.nodes),
        hashfull: search.table.hashfull(),
        forgotten: search.table.lost_proofs(),
    }
}
