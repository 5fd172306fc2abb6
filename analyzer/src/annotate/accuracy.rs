//! How well a side played, in a number that stays honest.
//!
//! A ply can lose at most what its side could still expect. Accuracy is made from the share of it that was lost:
//!
//! ```text
//! accuracy = 100 * exp(-HARSHNESS * sum of losses / sum of expectations before)
//! ```
//!
//! It is 100 only for somebody who lost nothing, each loss lowers it, and moves in a lost position, where nothing can be
//! lost any more, do not raise it. It is cut to one digit, never rounded up, so that 100.0 means no loss at all.

use tafl_rules::Side;

use super::judge::Judgement;

/// How fast accuracy falls: with losses of 4 in 100 of what there was, as in even games in which each move loses 2 in
/// 100, it is 82; in even games of 30 moves with three blunders of 0.3 it is 74.
pub const HARSHNESS: f64 = 5.0;

/// How well a side played: from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Accuracy(f64);

impl Accuracy {
    /// Returns the accuracy of plies, each given as the expectation before it and its loss; nothing where there was nothing
    /// to lose.
    pub fn of(plies: impl IntoIterator<Item = (f64, f64)>) -> Option<Accuracy> {
        let (before, lost) =
            plies.into_iter().fold((0.0, 0.0), |(all, lost), (before, loss)| (all + before, lost + loss));
        (before > 0.0).then(|| Accuracy(100.0 * (-HARSHNESS * (lost / before).clamp(0.0, 1.0)).exp()))
    }

    /// Returns the number, cut to one digit behind the point.
    pub fn percent(self) -> f64 {
        (self.0 * 10.0).floor() / 10.0
    }
}

/// What a side did in a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideSummary {
    /// The side.
    pub side: Side,
    /// How many plies of it were judged.
    pub plies: u32,
    /// How many inaccuracies, mistakes and blunders.
    pub counts: ErrorCounts,
    /// How well it played.
    pub accuracy: Option<Accuracy>,
    /// The expectation that was lost by inaccuracies, mistakes and blunders.
    pub lost_by_errors: f64,
    /// The expectation that was lost little by little, by plies that are none of these.
    pub lost_gradually: f64,
    /// How often the side had a win that the search found, and had it no more after its move.
    pub missed_wins: u32,
    /// How many only moves it found.
    pub only_moves_found: u32,
    /// How many only moves there were.
    pub only_moves: u32,
}

/// How many errors of each kind.
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

    /// Returns how many errors there are of all kinds.
    pub const fn all(&self) -> u32 {
        self.inaccuracies + self.mistakes + self.blunders
    }
}

impl SideSummary {
    /// Returns a summary of nothing.
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

    /// Returns whether the side lost most of what it lost without a single error worth the name.
    ///
    /// [`GRADUAL`] at least must have gone that way.
    pub fn lost_little_by_little(&self) -> bool {
        self.lost_gradually >= GRADUAL && self.lost_gradually > self.lost_by_errors
    }
}

/// From which loss on it is worth saying that a side lost little by little: as much as a blunder costs.
pub const GRADUAL: f64 = super::judge::BLUNDER;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn percent(plies: &[(f64, f64)]) -> f64 {
        Accuracy::of(plies.iter().copied()).unwrap().percent()
    }

    #[test]
    fn perfect_play_is_100_and_nothing_else() {
        assert_eq!(percent(&[(0.5, 0.0), (0.9, 0.0), (0.1, 0.0)]), 100.0);
        assert!(percent(&[(0.5, 0.0), (0.9, 0.0001), (0.1, 0.0)]) < 100.0);
        assert_eq!(Accuracy::of([]), None);
    }

    #[test]
    fn many_blunders_are_seen() {
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
