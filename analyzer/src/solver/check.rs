//! Checks certificates: slow, obvious, and with nothing in common with the search but the rules.
//!
//! The claim is followed through every reply of the losing side. Every ply brings the end nearer by at least one, so no
//! position can come back within a proof; that is why a position that was checked on one way needs no second look on
//! another, as long as nothing but positions decides. Where rules ask for more than that, such as a limit of plies or the
//! number of times that the defenders stood the same, every line is played to its end instead.

use std::collections::HashMap;

use tafl_rules::ruleset::{Berserk, NoMoves, RepetitionEffect, RepetitionRule};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, RepetitionMode, Side};

use super::certificate::{Certificate, MOST_PLIES};
use super::proof::{Proof, place};
use super::stack::with_deep_stack;
use crate::limits::Nodes;

/// What a check went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// How many moves were played.
    pub plies: Nodes,
    /// How many steps were used.
    pub steps: usize,
    /// Whether every line was played to its end, because positions alone did not decide.
    pub whole_tree: bool,
}

/// Why a certificate does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(String),
    /// The game before the proof is not possible.
    #[error("move {number} of the game, {mv}, is not legal")]
    Game {
        /// The number of the move, counted from 1.
        number: usize,
        /// The move.
        mv: String,
    },
    /// The game is over before the proof begins.
    #[error("the game is over before the proof begins: {0}")]
    Over(Outcome),
    /// A position for which there is no step.
    #[error("nothing is said of what to play in {0}")]
    NoStep(String),
    /// A step with a move that is not legal.
    #[error("the move of {0} is not legal there")]
    Illegal(String),
    /// A step from which the win takes longer than was promised before.
    #[error("{place} is won within {found} plies, but {promised} were promised on the way there")]
    TooLate {
        /// The position.
        place: String,
        /// What the step says.
        found: u16,
        /// What the steps before it said.
        promised: u16,
    },
    /// The game ends otherwise than claimed.
    #[error("after {0} the game ends otherwise: {1}")]
    OtherEnd(String, Outcome),
    /// The plies are used up and nobody has won.
    #[error("nobody has won in {0} when the plies are used up")]
    NotWon(String),
    /// A side has no move, and the rules leave the game standing.
    #[error("nobody can move in {0}")]
    Stuck(String),
    /// The same position twice.
    #[error("two steps are about {0}")]
    Twice(String),
    /// The claim is longer than can be followed.
    #[error("a win within {0} plies is more than can be checked")]
    TooLong(u16),
    /// The check takes more work than allowed.
    #[error("the check was given up after {} moves", .0.0)]
    TooMuch(Nodes),
    /// The check was stopped from outside.
    #[error("the check was stopped")]
    Stopped,
}

/// After so many moves a check asks whether it is to stop.
const ASK_EVERY: u64 = 1 << 12;

/// Checks a certificate with at most so many moves played.
///
/// # Errors
///
/// Returns the first thing that is wrong with it, or that the work was not enough to say.
pub fn check(certificate: &Certificate, most: Nodes) -> Result<Checked, CheckError> {
    let Certificate { rules, origin, proof } = certificate;
    let book = AnyRulebook::compile(rules).map_err(|error| CheckError::Rules(error.to_string()))?;
    let mut game = Game::from_setup(&book, &origin.start, origin.to_move, RepetitionMode::Enforce)
        .map_err(|error| CheckError::Rules(error.to_string()))?;
    for (number, mv) in (1..).zip(&origin.moves) {
        let mv_text = || mv.text(game.shape());
        let wrong = |_| CheckError::Game { number, mv: mv_text() };
        let mut next = game.clone();
        next.play(*mv).map_err(wrong)?;
        game = next;
    }
    check_from(&game, &book, proof, most, &|| false)
}

/// Checks a proof that begins where a game stands, and asks now and then whether it is to stop.
pub(super) fn check_from(
    game: &Game,
    book: &AnyRulebook,
    proof: &Proof,
    most: Nodes,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Checked, CheckError> {
    if let Some(outcome) = game.outcome() {
        return Err(CheckError::Over(outcome));
    }
    if proof.plies > MOST_PLIES {
        return Err(CheckError::TooLong(proof.plies));
    }
    let mut places = HashMap::new();
    for (at, step) in proof.steps.iter().enumerate() {
        if places.insert(step.place.as_str(), at).is_some() {
            return Err(CheckError::Twice(step.place.clone()));
        }
    }
    let whole_tree = needs_whole_tree(game, proof.side, proof.plies);
    let mut checker = Checker {
        book,
        proof,
        places,
        is_checked: vec![false; proof.steps.len()],
        whole_tree,
        plies: 0,
        most: most.0,
        is_over,
    };
    with_deep_stack(|| checker.hold(game, proof.plies))?;
    let steps = checker.is_checked.iter().filter(|checked| **checked).count();
    Ok(Checked { plies: Nodes(checker.plies), steps, whole_tree })
}

/// Returns whether more than positions decides whether a side wins within so many plies from where a game stands.
pub(super) fn needs_whole_tree(game: &Game, side: Side, plies: u16) -> bool {
    let rules = game.rules();
    let keys = game.turn_keys();
    let (last, earlier) = keys.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
    let times = |key| earlier.iter().filter(|other| **other == key).count() as u32;
    // How often an earlier position of the game has occurred at most; the present one cannot come back in a proof.
    let most = earlier.iter().filter(|key| Some(*key) != last).map(|key| times(*key)).max().unwrap_or(0);
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
            // A first occurrence triggers nothing.
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
    /// The number of the step for each position.
    places: HashMap<&'p str, usize>,
    is_checked: Vec<bool>,
    whole_tree: bool,
    plies: u64,
    most: u64,
    /// Whether somebody stopped it, or the time is up.
    is_over: &'p (dyn Fn() -> bool + Sync),
}

impl Checker<'_> {
    /// Checks that the claim holds in a position within so many plies.
    fn hold(&mut self, game: &Game, plies: u16) -> Result<(), CheckError> {
        if plies == 0 {
            return Err(CheckError::NotWon(self.place(game)));
        }
        if game.to_move() != self.proof.side {
            let moves = game.moves();
            if moves.is_empty() {
                return Err(CheckError::Stuck(self.place(game)));
            }
            return moves.into_iter().try_for_each(|mv| self.hold_after(game, mv, plies - 1));
        }
        let (at, mv) = self.step(game)?;
        let step = &self.proof.steps[at];
        if step.plies > plies {
            let place = step.place.clone();
            return Err(CheckError::TooLate { place, found: step.plies, promised: plies });
        }
        if !self.is_checked[at] || self.whole_tree {
            let left = step.plies.checked_sub(1).ok_or_else(|| CheckError::NotWon(step.place.clone()))?;
            self.hold_after(game, mv, left)?;
            self.is_checked[at] = true;
        }
        Ok(())
    }

    /// Checks that the claim holds after a move within so many plies.
    fn hold_after(&mut self, game: &Game, mv: Move, plies: u16) -> Result<(), CheckError> {
        self.plies += 1;
        if self.plies > self.most {
            return Err(CheckError::TooMuch(Nodes(self.most)));
        }
        if self.plies.is_multiple_of(ASK_EVERY) && (self.is_over)() {
            return Err(CheckError::Stopped);
        }
        let mut next = game.clone();
        next.play(mv).map_err(|_| CheckError::Illegal(self.place(game)))?;
        match next.outcome() {
            Some(outcome) if outcome.winner == Some(self.proof.side) => Ok(()),
            Some(outcome) => {
                let after = format!("{} in {}", mv.text(game.shape()), self.place(game));
                Err(CheckError::OtherEnd(after, outcome))
            }
            None => self.hold(&next, plies),
        }
    }

    /// Returns the step for a position and its move, turned as the position is.
    fn step(&self, game: &Game) -> Result<(usize, Move), CheckError> {
        let (setup, chain) = (game.setup(), game.chain());
        if let Some(at) = self.places.get(place(&setup, chain).as_str()) {
            return Ok((*at, self.proof.steps[*at].mv));
        }
        if self.proof.is_symmetric {
            for symmetry in self.book.symmetries() {
                let image = setup.mapped(|cell| symmetry.image(cell));
                let chain = chain.map(|cell| symmetry.image(cell));
                if let Some(at) = self.places.get(place(&image, chain).as_str()) {
                    let mv = self.proof.steps[*at].mv;
                    let back = |cell| setup.shape().cells().find(|from| symmetry.image(*from) == cell);
                    if let (Some(from), Some(to)) = (back(mv.from), back(mv.to)) {
                        return Ok((*at, Move::new(from, to)));
                    }
                }
            }
        }
        Err(CheckError::NoStep(self.place(game)))
    }

    fn place(&self, game: &Game) -> String {
        place(&game.setup(), game.chain())
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Setup, catalog};

    use super::*;
    use crate::solver::prove_win;

    #[test]
    fn a_check_asks_now_and_then_whether_it_is_to_stop() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let setup = Setup::parse(rules.shape(), "/7/t5t/7/3K3/3T3/1t5/7/").unwrap();
        let game = Game::from_setup(&book, &setup, Side::Defenders, RepetitionMode::Enforce).unwrap();
        let proof = prove_win(&game, Nodes(1_000_000)).unwrap();
        let is_over = || true;
        let held_after = |plies: u64| {
            let places = proof.steps.iter().enumerate().map(|(at, step)| (step.place.as_str(), at));
            let mut checker = Checker {
                book: &book,
                proof: &proof,
                places: places.collect(),
                is_checked: vec![false; proof.steps.len()],
                whole_tree: false,
                plies,
                most: u64::MAX,
                is_over: &is_over,
            };
            checker.hold(&game, proof.plies)
        };
        assert_eq!(held_after(0), Ok(()), "a short check is not worth asking");
        assert_eq!(held_after(ASK_EVERY - 2), Err(CheckError::Stopped));
    }
}
