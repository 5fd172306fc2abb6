//! The checker of certificates. Simple rather than fast, it shares nothing with the search except
//! the rules.
//!
//! The checker follows the claim through every reply of the losing side. Each ply brings the end
//! nearer, so no position can occur twice in a proof. Therefore a position needs to be checked only
//! once, as long as the outcome depends only on positions. If the rules also depend on the history,
//! such as a ply limit or a count of the defenders' arrangements, every line is played to its end
//! instead.

use std::collections::HashMap;

use tafl_rules::{
    AnyRulebook, Berserk, Game, Move, NoMoves, Outcome, RepetitionEffect, RepetitionMode, RepetitionRule,
    Side,
};

use super::certificate::{Certificate, MAX_PLIES};
use super::proof::{Proof, proof_position};
use super::stack::with_deep_stack;
use crate::limits::Nodes;

/// The result of a successful check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedCertificate {
    /// The number of moves played.
    pub plies: Nodes,
    /// The number of steps used.
    pub steps: usize,
    /// Whether every line was played to its end, because positions alone do not determine the
    /// outcome.
    pub whole_tree: bool,
}

/// The reason why a certificate is incorrect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(String),
    /// The checker does not support the rules.
    #[error("the checker does not support {0}")]
    Unsupported(&'static str),
    /// A move of the game before the proof is illegal.
    #[error("move {number} of the game, {mv}, is illegal")]
    Game {
        /// The number of the move, counted from 1.
        number: usize,
        /// The move.
        mv: String,
    },
    /// The game is over before the proof begins.
    #[error("the game is over before the proof begins: {0}")]
    Over(Outcome),
    /// A position has no step.
    #[error("no step for position {0}")]
    NoStep(String),
    /// The move of a step is illegal.
    #[error("the move of the step for {0} is illegal")]
    Illegal(String),
    /// A step needs more plies than an earlier step claims.
    #[error("the step for {position} wins within {found} plies, but an earlier step claims {promised}")]
    TooLate {
        /// The position.
        position: String,
        /// The number of plies in the step.
        found: u16,
        /// The number of plies left by the steps before it.
        promised: u16,
    },
    /// The game has another outcome than claimed.
    #[error("after {0} the game has another outcome: {1}")]
    OtherEnd(String, Outcome),
    /// The claimed number of plies is over without a win.
    #[error("no win in {0} within the claimed number of plies")]
    NotWon(String),
    /// A side has no legal move, and the rules define no outcome for this.
    #[error("no legal move in {0}, which has no outcome under these rules")]
    Stuck(String),
    /// Two steps have the same position.
    #[error("two steps for position {0}")]
    DuplicateStep(String),
    /// The claim has too many plies.
    #[error("the claim of a win within {0} plies is too long to check")]
    TooLong(u16),
    /// The check exceeded the allowed number of moves.
    #[error("gave up after {} moves", .0.0)]
    MoveLimit(Nodes),
    /// The check was stopped from outside.
    #[error("the check was stopped")]
    Stopped,
}

/// The name of a rule that proofs do not support: in such a chain, the moves of both sides are legal, so that a step could choose
/// a move for the opponent.
pub(super) const OPTIONAL_CHAINS: &str = "chains that a player may decline to continue";

/// The number of moves between checks of the stop condition.
const STOP_CHECK_INTERVAL: u64 = 1 << 12;

/// Checks a certificate, playing at most `max_moves` moves.
///
/// # Errors
///
/// Returns the first error, or that the number of moves was not sufficient.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Certificate, CertificateOrigin, Nodes, SolveBudget, check_certificate, solve};
/// use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet, Setup, Side};
///
/// let rules = RuleSet::named("brandubh7")?;
/// let book = AnyRulebook::compile(&rules)?;
/// let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/")?;
/// let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce)?;
/// let proof = solve(&game, &SolveBudget::default())?.proof.expect("the king wins");
///
/// let origin = CertificateOrigin { start: setup, to_move: Side::Defenders, moves: Vec::new() };
/// let certificate = Certificate { rules, origin, proof };
/// let read = Certificate::parse(&certificate.to_string())?;
/// assert!(check_certificate(&read, Nodes(100_000)).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_certificate(
    certificate: &Certificate,
    max_moves: Nodes,
) -> Result<CheckedCertificate, CheckError> {
    check_certificate_until(certificate, max_moves, &|| false)
}

/// Checks a certificate as [`check_certificate`] does, and stops when `must_stop` returns true.
///
/// # Errors
///
/// As [`check_certificate`]; [`CheckError::Stopped`] if the check was stopped.
pub fn check_certificate_until(
    certificate: &Certificate,
    max_moves: Nodes,
    must_stop: &(dyn Fn() -> bool + Sync),
) -> Result<CheckedCertificate, CheckError> {
    let Certificate { rules, origin, proof } = certificate;
    let book = AnyRulebook::compile(rules).map_err(|error| CheckError::Rules(error.to_string()))?;
    let mut game = Game::from_setup(&book, &origin.start, origin.to_move, RepetitionMode::Enforce)
        .map_err(|error| CheckError::Rules(error.to_string()))?;
    for (number, mv) in (1..).zip(&origin.moves) {
        let mv_text = || mv.display(game.shape());
        let wrong = |_| CheckError::Game { number, mv: mv_text().to_string() };
        let mut next = game.clone();
        next.play(*mv).map_err(wrong)?;
        game = next;
    }
    check_from(&game, &book, proof, max_moves, must_stop)
}

/// Checks a proof that starts from the current position of a game, and stops when `must_stop` returns
/// true.
pub(super) fn check_from(
    game: &Game,
    book: &AnyRulebook,
    proof: &Proof,
    max_moves: Nodes,
    must_stop: &(dyn Fn() -> bool + Sync),
) -> Result<CheckedCertificate, CheckError> {
    if game.rules().chain.may_decline {
        return Err(CheckError::Unsupported(OPTIONAL_CHAINS));
    }
    if let Some(outcome) = game.outcome() {
        return Err(CheckError::Over(outcome));
    }
    if proof.plies > MAX_PLIES {
        return Err(CheckError::TooLong(proof.plies));
    }
    let mut steps_by_position = HashMap::new();
    for (at, step) in proof.steps.iter().enumerate() {
        if steps_by_position.insert(step.position.as_str(), at).is_some() {
            return Err(CheckError::DuplicateStep(step.position.clone()));
        }
    }
    let whole_tree = needs_whole_tree(game, proof.side, proof.plies);
    let mut checker = Checker {
        book,
        proof,
        steps_by_position,
        is_checked: vec![false; proof.steps.len()],
        whole_tree,
        plies: 0,
        max_moves: max_moves.0,
        must_stop,
    };
    with_deep_stack(|| checker.check_position(game, proof.plies))?;
    let steps = checker.is_checked.iter().filter(|checked| **checked).count();
    Ok(CheckedCertificate { plies: Nodes(checker.plies), steps, whole_tree })
}

/// Returns whether the claim that a side wins within some plies of the current position depends on
/// more than positions.
pub(super) fn needs_whole_tree(game: &Game, side: Side, plies: u16) -> bool {
    let rules = game.rules();
    let keys = game.turn_keys();
    let (last, earlier) = keys.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
    let occurrences = |key| earlier.iter().filter(|other| **other == key).count() as u32;
    // The maximum number of occurrences of an earlier position. The present position cannot recur
    // in a proof.
    let most =
        earlier.iter().filter(|key| Some(*key) != last).map(|key| occurrences(*key)).max().unwrap_or(0);
    let by_repetition = rules.repetition.iter().any(|rule| {
        let RepetitionRule::Counted { effect, .. } = rule else {
            return side == Side::Defenders || rules.no_moves != NoMoves::Lose;
        };
        let helps = match effect {
            RepetitionEffect::Claim => true,
            RepetitionEffect::DefendersLose => side == Side::Attackers,
            RepetitionEffect::Draw | RepetitionEffect::MoverLoses | RepetitionEffect::MoverWins => false,
        };
        let is_near = rule
            .position_occurrences()
            // A first occurrence never triggers a rule.
            .is_none_or(|needed| most + 1 >= needed.max(2) && !earlier.is_empty());
        is_near && !helps
    });
    let ends_by =
        |limit: Option<u32>, played: u32| limit.is_some_and(|limit| played + u32::from(plies) > limit);
    let captureless = rules.captureless_limit.is_some() && rules.berserk != Berserk::None;
    by_repetition
        || captureless
        || ends_by(rules.ply_limit, game.n_plies())
        || ends_by(rules.captureless_limit, earlier.len() as u32)
}

struct Checker<'p> {
    book: &'p AnyRulebook,
    proof: &'p Proof,
    /// The index of the step for each position.
    steps_by_position: HashMap<&'p str, usize>,
    is_checked: Vec<bool>,
    whole_tree: bool,
    plies: u64,
    max_moves: u64,
    /// Returns whether the check was stopped or its time is over.
    must_stop: &'p (dyn Fn() -> bool + Sync),
}

impl Checker<'_> {
    /// Checks that the claim holds in a position within a number of plies.
    fn check_position(&mut self, game: &Game, plies: u16) -> Result<(), CheckError> {
        if plies == 0 {
            return Err(CheckError::NotWon(self.position(game)));
        }
        if game.to_move() != self.proof.side {
            let moves = game.moves();
            if moves.is_empty() {
                return Err(CheckError::Stuck(self.position(game)));
            }
            return moves.into_iter().try_for_each(|mv| self.check_after(game, mv, plies - 1));
        }
        let (at, mv) = self.step(game)?;
        let step = &self.proof.steps[at];
        if step.plies > plies {
            let position = step.position.clone();
            return Err(CheckError::TooLate { position, found: step.plies, promised: plies });
        }
        if !self.is_checked[at] || self.whole_tree {
            let left = step.plies.checked_sub(1).ok_or_else(|| CheckError::NotWon(step.position.clone()))?;
            self.check_after(game, mv, left)?;
            self.is_checked[at] = true;
        }
        Ok(())
    }

    /// Checks that the claim holds after a move within a number of plies.
    fn check_after(&mut self, game: &Game, mv: Move, plies: u16) -> Result<(), CheckError> {
        self.plies += 1;
        if self.plies > self.max_moves {
            return Err(CheckError::MoveLimit(Nodes(self.max_moves)));
        }
        if self.plies.is_multiple_of(STOP_CHECK_INTERVAL) && (self.must_stop)() {
            return Err(CheckError::Stopped);
        }
        let mut next = game.clone();
        next.play(mv).map_err(|_| CheckError::Illegal(self.position(game)))?;
        match next.outcome() {
            Some(outcome) if outcome.winner == Some(self.proof.side) => Ok(()),
            Some(outcome) => {
                let after = format!("{} in {}", mv.display(game.shape()), self.position(game));
                Err(CheckError::OtherEnd(after, outcome))
            }
            None => self.check_position(&next, plies),
        }
    }

    /// Returns the index of the step for a position, and its move mapped to the orientation of the
    /// position.
    fn step(&self, game: &Game) -> Result<(usize, Move), CheckError> {
        let (setup, chain) = (game.setup(), game.chain());
        if let Some(at) = self.steps_by_position.get(proof_position(&setup, chain).as_str()) {
            return Ok((*at, self.proof.steps[*at].mv));
        }
        if self.proof.is_symmetric {
            for symmetry in self.book.symmetries() {
                let image = setup.mapped(|cell| symmetry.image(cell));
                let chain = chain.map(|cell| symmetry.image(cell));
                if let Some(at) = self.steps_by_position.get(proof_position(&image, chain).as_str()) {
                    let mv = self.proof.steps[*at].mv;
                    let back = |cell| setup.shape().cells().find(|from| symmetry.image(*from) == cell);
                    if let (Some(from), Some(to)) = (back(mv.from), back(mv.to)) {
                        return Ok((*at, Move::new(from, to)));
                    }
                }
            }
        }
        Err(CheckError::NoStep(self.position(game)))
    }

    fn position(&self, game: &Game) -> String {
        proof_position(&game.setup(), game.chain())
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Setup, catalog};

    use super::*;
    use crate::solver::prove_win;

    #[test]
    fn a_check_can_be_stopped() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/").unwrap();
        let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
        let proof = prove_win(&game, Nodes(1_000_000)).unwrap();
        let must_stop = || true;
        let held_after = |plies: u64| {
            let steps_by_position =
                proof.steps.iter().enumerate().map(|(at, step)| (step.position.as_str(), at));
            let mut checker = Checker {
                book: &book,
                proof: &proof,
                steps_by_position: steps_by_position.collect(),
                is_checked: vec![false; proof.steps.len()],
                whole_tree: false,
                plies,
                max_moves: u64::MAX,
                must_stop: &must_stop,
            };
            checker.check_position(&game, proof.plies)
        };
        assert_eq!(held_after(0), Ok(()), "a short check is not worth asking");
        assert_eq!(held_after(STOP_CHECK_INTERVAL - 2), Err(CheckError::Stopped));
    }
}
