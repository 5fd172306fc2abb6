//! How well rules explain games: the price of what speaks against them.
//!
//! The price of a fault is what a message about it would cost if faults of its kind were as rare as they are: the first
//! one in a clean archive is dear, one more among many is cheap, but never free. So a single game decides where records
//! are clean, and a few wrong records decide nothing where they are not. Ends that a place calls or not, such as
//! encirclement, are counted against the games in which they arise.

use tafl_rules::Reason;

use super::kind::{N_KINDS, PLAYS_ON, SILENT};
use super::trial::Trial;

/// Rules whose price is higher by this much do not explain the games: twenty to one.
pub(super) const DECIDES: f64 = 3.0;
/// What a changed option costs, so that no option is changed without need.
pub(super) const CHANGE: f64 = 1.2;
/// What rules cost for each game in which steps may have been left out, if they let pieces go on.
pub(super) const CHAINS: f64 = 0.3;
/// What a further fault in a game costs at most: it seldom tells anything new, but shows where to go.
const FURTHER: f64 = 0.02;

/// Faults and ends, counted over games.
#[derive(Debug, Clone, Default)]
pub(super) struct FaultCounts {
    games: u32,
    kinds: [u32; N_KINDS],
    ended: [u32; Reason::ALL.len()],
    further: u32,
}

impl FaultCounts {
    pub(super) fn of<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> FaultCounts {
        let mut tally = FaultCounts::default();
        for trial in trials {
            tally.games += 1;
            for kind in (0..N_KINDS).filter(|kind| trial.kinds >> kind & 1 == 1) {
                tally.kinds[kind] += 1;
            }
            if let Some(reason) = trial.ended {
                tally.ended[reason as usize] += 1;
            }
            tally.further += u32::from(trial.n_faults.saturating_sub(1)).min(20);
        }
        tally
    }

    /// Returns the price of all faults.
    pub(super) fn price(&self) -> f64 {
        let of_kind = |kind: usize| {
            let n = self.kinds[kind];
            if kind >= PLAYS_ON {
                let arose = n + self.ended[kind - PLAYS_ON];
                return price(n, f64::from(arose) + 12.0, 1.0);
            }
            match kind {
                SILENT..PLAYS_ON => price(n, f64::from(self.games) + 2.0, 0.5),
                _ => price(n, f64::from(self.games) + 15.0, 1.0),
            }
        };
        (0..N_KINDS).map(of_kind).sum::<f64>() + FURTHER * f64::from(self.further)
    }
}

/// Returns the price of `n` faults among `chances`, each at least `least`.
fn price(n: u32, chances: f64, least: f64) -> f64 {
    (1..=n).map(|nth| (chances / (f64::from(nth) - 0.5)).ln().max(least)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_decides_in_a_clean_archive_and_not_in_a_dirty_one() {
        let first = price(1, 215.0, 1.0);
        let after_many = price(21, 215.0, 1.0) - price(20, 215.0, 1.0);
        assert!(first > DECIDES && after_many < DECIDES, "{first} {after_many}");
        assert_eq!(price(0, 100.0, 1.0), 0.0);
        assert!(price(1, 16.0, 1.0) > DECIDES, "a single record decides too");
    }

    #[test]
    fn more_faults_cost_more() {
        for n in 0..300 {
            assert!(price(n + 1, 215.0, 1.0) >= price(n, 215.0, 1.0) + 1.0 - 1e-9);
        }
    }
}
