//! Accuracy: a summary of how well a side played.
//!
//! A ply can lose at most the expectation that its side still had. Accuracy depends on the lost
//! proportion of it:
//!
//! ```text
//! accuracy = 100 * exp(-ACCURACY_DECAY * sum of losses / sum of expectations before)
//! ```
//!
//! It is 100 only if nothing was lost, each loss lowers it, and moves in a lost position, in which
//! nothing more can be lost, do not raise it. It is truncated to one decimal, never rounded up, so
//! that 100.0 means no loss at all.

use tafl_rules::Side;

use super::judge::Judgement;

/// The decay rate of accuracy. With 5, a side that loses 4 % of its expectation (2 hundredths per
/// move in even positions) has 82, and a side with three blunders of 0.3 in an even game of 30
/// moves has 74.
pub const ACCURACY_DECAY: f64 = 5.0;

/// The accuracy of a side, from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Accuracy(f64);

impl Accuracy {
    /// Returns the accuracy of plies, each given as the expectation before it and its loss; `None`
    /// if there was nothing to lose.
    pub fn of(plies: impl IntoIterator<Item = (f64, f64)>) -> Option<Accuracy> {
        let (before, lost) =
            plies.into_iter().fold((0.0, 0.0), |(all, lost), (before, loss)| (all + before, lost + loss));
        (before > 0.0).then(|| Accuracy(100.0 * (-ACCURACY_DECAY * (lost / before).clamp(0.0, 1.0)).exp()))
    }

    /// Returns the accuracy, truncated to one decimal.
    pub fn percent(self) -> f64 {
        (self.0 * 10.0).floor() / 10.0
    }
}

/// The statistics of a side in a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideSummary {
    /// The side.
    pub side: Side,
    /// The number of its plies with a judgement.
    pub plies: u32,
    /// The number of inaccuracies, mistakes, and blunders.
    pub counts: ErrorCounts,
    /// The accuracy; `None` if there was nothing to lose.
    pub accuracy: Option<Accuracy>,
    /// The expectation lost by inaccuracies, mistakes, and blunders.
    pub lost_by_errors: f64,
    /// The expectation lost gradually, by other plies.
    pub lost_gradually: f64,
    /// The number of times that the side had a win found by a search and no longer had it after its
    /// move.
    pub missed_wins: u32,
    /// The number of only moves that the side found.
    pub only_moves_found: u32,
    /// The number of only moves that the side could have found.
    pub only_moves: u32,
}

/// The number of errors of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ErrorCounts {
    /// Inaccuracies.
    pub inaccuracies: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
}

impl ErrorCounts {
    /// Counts a judgement.
    pub fn add(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Good => {}
            Judgement::Inaccuracy => self.inaccuracies += 1,
            Judgement::Mistake => self.mistakes += 1,
            Judgement::Blunder => self.blunders += 1,
        }
    }

    /// Returns the number of errors of all kinds.
    pub const fn all(&self) -> u32 {
        self.inaccuracies + self.mistakes + self.blunders
    }
}

impl SideSummary {
    /// Returns an empty summary.
    pub fn empty(side: Side) -> SideSummary {
        SideSummary {
            side,
            plies: 0,
            counts: ErrorCounts::default(),
            accuracy: None,
            lost_by_errors: 0.0,
            lost_gradually: 0.0,
            missed_wins: 0,
            only_moves_found: 0,
            only_moves: 0,
        }
    }

    /// Returns whether most of the loss came from plies that are not errors.
    ///
    /// True only if this loss is at least [`MIN_GRADUAL_LOSS`].
    pub fn lost_little_by_little(&self) -> bool {
        self.lost_gradually >= MIN_GRADUAL_LOSS && self.lost_gradually > self.lost_by_errors
    }
}

/// The smallest gradual loss worth reporting: the loss of a blunder.
pub const MIN_GRADUAL_LOSS: f64 = super::judge::BLUNDER_LOSS;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn percent(plies: &[(f64, f64)]) -> f64 {
        Accuracy::of(plies.iter().copied()).unwrap().percent()
    }

    #[test]
    fn only_perfect_play_is_100() {
        assert_eq!(percent(&[(0.5, 0.0), (0.9, 0.0), (0.1, 0.0)]), 100.0);
        assert!(percent(&[(0.5, 0.0), (0.9, 0.0001), (0.1, 0.0)]) < 100.0);
        assert_eq!(Accuracy::of([]), None);
    }

    #[test]
    fn blunders_lower_accuracy() {
        let six: Vec<(f64, f64)> = (0..40).map(|ply| (0.5, if ply % 7 == 0 { 0.3 } else { 0.0 })).collect();
        assert!(percent(&six) < 70.0, "{}", percent(&six));
    }

    #[test]
    fn lost_positions_do_not_raise_accuracy() {
        let blunder = [(0.6, 0.5)];
        let and_then_on: Vec<(f64, f64)> =
            blunder.into_iter().chain(std::iter::repeat_n((0.0, 0.0), 100)).collect();
        assert_eq!(percent(&blunder), percent(&and_then_on));
    }

    proptest! {
        #[test]
        fn accuracy_falls_with_every_loss(plies in proptest::collection::vec((0.01f64..1.0, 0.0f64..1.0), 1..60), at: prop::sample::Index) {
            let plies: Vec<(f64, f64)> = plies.into_iter().map(|(before, part)| (before, before * part)).collect();
            let full = Accuracy::of(plies.iter().copied()).unwrap();
            let mut better = plies.clone();
            better[at.index(plies.len())].1 = 0.0;
            let better = Accuracy::of(better).unwrap();
            prop_assert!(better >= full);
            prop_assert!((0.0..=100.0).contains(&full.percent()));
        }
    }
}
