//! The score of a side: a win counts 1, a draw one half.

use super::interval::{Estimate, wilson_of};
use super::missing::NotEstimable;

/// Wins, draws, and losses of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WdlCounts {
    /// Games that the side won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that the side lost.
    pub losses: u64,
}

impl WdlCounts {
    /// Returns the number of games.
    pub fn n(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Adds a game in which the side scored 1, one half, or 0.
    pub fn add_points(&mut self, points: f64) {
        if points > 0.75 {
            self.wins += 1;
        } else if points > 0.25 {
            self.draws += 1;
        } else {
            self.losses += 1;
        }
    }

    /// Returns the mean score.
    pub fn mean(&self) -> Option<f64> {
        (self.n() > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / self.n() as f64)
    }

    /// Returns the mean score with its interval.
    ///
    /// The interval is Wilson's for a sample enlarged in proportion to the lower variance that draws cause,
    /// so it stays between 0 and 1, and without draws it equals Wilson's. Half a win and half a loss are
    /// added for the estimate of the variance: a sample with only draws must not give a zero-width interval.
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoGames`] without games.
    pub fn score(&self) -> Result<Estimate, NotEstimable> {
        self.score_with_design_effect(1.0)
    }

    /// Returns the mean score with an interval for games that share players, see
    /// [`Rate::with_design_effect`](super::Rate::with_design_effect).
    ///
    /// # Errors
    ///
    /// Returns [`NotEstimable::NoGames`] without games.
    pub fn score_with_design_effect(&self, effect: f64) -> Result<Estimate, NotEstimable> {
        let mean = self.mean().ok_or(NotEstimable::NoGames)?;
        let (wins, losses) = (self.wins as f64 + 0.5, self.losses as f64 + 0.5);
        let n = wins + losses + self.draws as f64;
        let middle = (wins + self.draws as f64 / 2.0) / n;
        let variance = (wins + self.draws as f64 / 4.0) / n - middle * middle;
        let size = self.n() as f64 / effect.max(1.0) * (middle * (1.0 - middle) / variance);
        Ok(wilson_of(mean, size))
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::Rate;

    #[test]
    fn without_draws_it_is_wilsons() {
        let score = WdlCounts { wins: 81, draws: 0, losses: 182 }.score().unwrap();
        let proportion = Rate::of(81, 263).unwrap().proportion;
        assert!((score.low - proportion.low).abs() < 1e-12 && (score.high - proportion.high).abs() < 1e-12);
    }

    #[test]
    fn only_draws_have_an_interval() {
        let score = WdlCounts { wins: 0, draws: 20, losses: 0 }.score().unwrap();
        assert!(score.value == 0.5 && score.low < 0.46 && score.high > 0.54 && score.low > 0.3, "{score:?}");
        assert_eq!(WdlCounts::default().score(), Err(NotEstimable::NoGames));
    }

    #[test]
    fn intervals_have_their_nominal_coverage() {
        let mut rng = Rng::new(1);
        for (win, draw) in [(0.4, 0.2), (0.3, 0.5), (0.6, 0.1)] {
            let (rounds, mut held) = (4000, 0);
            for _ in 0..rounds {
                let mut record = WdlCounts::default();
                for _ in 0..100 {
                    let roll = rng.unit();
                    if roll < win {
                        record.wins += 1;
                    } else if roll < win + draw {
                        record.draws += 1;
                    } else {
                        record.losses += 1;
                    }
                }
                held += usize::from(record.score().unwrap().holds(win + draw / 2.0));
            }
            let proportion = held as f64 / f64::from(rounds);
            assert!((0.935..=0.965).contains(&proportion), "{win} {draw}: {proportion}");
        }
    }
}
