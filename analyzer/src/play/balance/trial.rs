//! The sequential test of an opening: games of the engine against itself until the balance is clear.

use tafl_rules::Side;

use super::super::game::MatchGame;
use crate::score::half_points;

/// The points of the attackers in games from one opening. Draws and unfinished games count half a
/// point for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BalanceCounts {
    /// The number of games.
    pub games: u32,
    /// The half points of the attackers.
    pub half_points: u32,
    /// The number of games without a winner.
    pub undecided: u32,
}

impl BalanceCounts {
    /// Counts a game.
    pub(super) fn add(&mut self, game: &MatchGame) {
        self.add_winner(game.ending.outcome().and_then(|outcome| outcome.winner));
    }

    fn add_winner(&mut self, winner: Option<Side>) {
        self.games += 1;
        self.half_points += u32::from(half_points(winner));
        self.undecided += u32::from(winner.is_none());
    }

    /// Adds the games of another series. Saturates, because numbers come from files, too.
    pub fn plus(self, other: BalanceCounts) -> BalanceCounts {
        BalanceCounts {
            games: self.games.saturating_add(other.games),
            half_points: self.half_points.saturating_add(other.half_points),
            undecided: self.undecided.saturating_add(other.undecided),
        }
    }

    /// Returns the attackers' share of the points; `None` without games.
    pub fn share(&self) -> Option<f64> {
        (self.games > 0).then(|| f64::from(self.half_points) / (2.0 * f64::from(self.games)))
    }

    /// Returns the standard error of the share if all games were independent; `None` without games.
    pub fn standard_error(&self) -> Option<f64> {
        let share = self.share()?;
        let games = f64::from(self.games);
        // The points of a decided game, 0 or 1, equal their square; half a point is a quarter above its square.
        let mean_square = share - 0.25 * f64::from(self.undecided) / games;
        Some(((mean_square - share * share).max(0.0) / games).sqrt())
    }
}

/// The state of the test of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BalanceVerdict {
    Continue,
    Balanced,
    OneSided,
}

/// The attackers' share of the points in an opening that one side wins; the other hypothesis is one
/// half.
const ONE_SIDED: f64 = 0.9;
/// The logarithm of the likelihood ratio at which a hypothesis is accepted: errors of 5 %.
const BOUND: f64 = 2.944_438_979_166_44;
/// The number of games after which the share decides.
const MAX_GAMES: u32 = 16;
/// The shares of the attackers in balanced openings.
const BALANCED: std::ops::RangeInclusive<f64> = 0.3..=0.7;

/// Returns the verdict after some games: Wald's sequential probability ratio test of one half against
/// each of the one-sided hypotheses. A clear loss is recognized after six games.
pub(super) fn verdict(counts: &BalanceCounts) -> BalanceVerdict {
    let points = f64::from(counts.half_points) / 2.0;
    let lost = f64::from(counts.games) - points;
    let llr = |won: f64, lost: f64| won * (2.0 * ONE_SIDED).ln() + lost * (2.0 * (1.0 - ONE_SIDED)).ln();
    let (attackers, defenders) = (llr(points, lost), llr(lost, points));
    // Games without a winner contain no information about the balance.
    let is_informative = 2 * counts.undecided < counts.games;
    if attackers >= BOUND || defenders >= BOUND {
        BalanceVerdict::OneSided
    } else if attackers <= -BOUND && defenders <= -BOUND && is_informative {
        BalanceVerdict::Balanced
    } else if counts.games < MAX_GAMES {
        BalanceVerdict::Continue
    } else if is_informative && counts.share().is_some_and(|share| BALANCED.contains(&share)) {
        BalanceVerdict::Balanced
    } else {
        BalanceVerdict::OneSided
    }
}

/// Plays games until the test decides, and returns the verdict with the games. The games are numbered
/// from 0.
pub(super) fn run_test(mut play: impl FnMut(u32) -> Option<Side>) -> (BalanceVerdict, BalanceCounts) {
    let mut counts = BalanceCounts::default();
    loop {
        counts.add_winner(play(counts.games));
        match verdict(&counts) {
            BalanceVerdict::Continue => {}
            decided => return (decided, counts),
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    fn flip(rng: &mut Rng, share: f64) -> Option<Side> {
        Some(if rng.unit() < share { Side::Attackers } else { Side::Defenders })
    }

    fn accepted(share: f64) -> f64 {
        let mut rng = Rng::new(7);
        let tests = (0..2000).map(|_| run_test(|_| flip(&mut rng, share)).0);
        tests.filter(|verdict| *verdict == BalanceVerdict::Balanced).count() as f64 / 2000.0
    }

    #[test]
    fn balanced_openings_are_accepted_and_one_sided_ones_rejected_early() {
        assert!(accepted(0.5) > 0.85, "{}", accepted(0.5));
        assert!(accepted(0.95) < 0.05 && accepted(0.05) < 0.05, "{} {}", accepted(0.95), accepted(0.05));
        let mut lost = 0;
        let (verdict, counts) = run_test(|_| {
            lost += 1;
            Some(Side::Defenders)
        });
        assert_eq!((verdict, counts.games, lost), (BalanceVerdict::OneSided, 6, 6));
    }

    #[test]
    fn games_without_winners_are_not_balance() {
        assert_eq!(run_test(|_| None).0, BalanceVerdict::OneSided);
    }

    /// The games that select an opening overestimate its balance; a second series does not.
    #[test]
    fn selection_does_not_bias_the_second_series() {
        let mut rng = Rng::new(3);
        let (mut truth, mut selected, mut second, mut n) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..20_000 {
            // The attackers win more than half of the games of every opening.
            let share = 0.6 + 0.35 * rng.unit();
            let (verdict, counts) = run_test(|_| flip(&mut rng, share));
            if verdict == BalanceVerdict::Balanced {
                let mut series = BalanceCounts::default();
                (0..16).for_each(|_| series.add_winner(flip(&mut rng, share)));
                truth += share;
                selected += counts.share().unwrap();
                second += series.share().unwrap();
                n += 1.0;
            }
        }
        let (truth, selected, second) = (truth / n, selected / n, second / n);
        assert!(n > 1000.0);
        assert!((second - truth).abs() < 0.005, "{second} {truth}");
        assert!(truth - selected > 0.05, "the test detects no bias: {selected} {truth}");
    }
}
