//! Scores: the cost of the games' faults under given rules.
//!
//! The cost of a fault is its information content, given the frequency of faults of its kind: the first fault
//! in a clean archive is expensive, and one more among many is cheap, but never free. A single game is
//! therefore decisive if the records are clean, and a few wrong records are not decisive if they aren't. Ends
//! that a site may or may not recognize, such as encirclement, are counted relative to the games in which
//! they occur.

use tafl_rules::Reason;

use super::kind::{N_KINDS, PLAYS_ON, SILENT};
use super::trial::Trial;

/// The cost difference that excludes rules: odds of 20 to 1 (e^3).
pub(super) const DECIDES: f64 = 3.0;
/// The cost of a changed option: more than the least cost of a fault, so that an option is not changed for the sake
/// of one more fault in an archive with many. A choice; it must stay well below [`DECIDES`], or decisive evidence
/// would not change an option.
pub(super) const CHANGE: f64 = 1.2;
/// The cost of rules that allow chains, for each game in which steps may be omitted: such rules also explain
/// many incorrect records. Measured on the archive of aagenielsen.dk: inference recovers 677 of 698 decidable options
/// and gets 2 wrong; without this cost it takes Copenhagen for a berserk variant.
pub(super) const CHAINS: f64 = 0.3;
/// The maximum cost of each further fault in a game: it adds little evidence, but guides the search. At most
/// 20 of them count, which is less than [`CHANGE`], so they never justify a change on their own.
const FURTHER: f64 = 0.02;

/// The numbers of faults and ends in games.
#[derive(Debug, Clone, Default)]
pub(super) struct KindCounts {
    games: u32,
    kinds: [u32; N_KINDS],
    ended: [u32; Reason::ALL.len()],
    further: u32,
}

impl KindCounts {
    pub(super) fn of<'t>(trials: impl IntoIterator<Item = &'t Trial>) -> KindCounts {
        let mut tally = KindCounts::default();
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

    /// Returns the cost of all faults.
    pub(super) fn cost(&self) -> f64 {
        let of_kind = |kind: usize| {
            let n = self.kinds[kind];
            if kind >= PLAYS_ON {
                let arose = n + self.ended[kind - PLAYS_ON];
                // With 10 or more, a single end that was ignored decides: ln(2 * 13) is above `DECIDES`.
                return cost(n, f64::from(arose) + 12.0, 1.0);
            }
            match kind {
                // Games stop for other reasons too: a silent end decides only among nine or more games.
                SILENT..PLAYS_ON => cost(n, f64::from(self.games) + 2.0, 0.5),
                // A contradiction decides even in a single game: ln(2 * 16) is above `DECIDES`.
                _ => cost(n, f64::from(self.games) + 15.0, 1.0),
            }
        };
        (0..N_KINDS).map(of_kind).sum::<f64>() + FURTHER * f64::from(self.further)
    }
}

/// Returns the cost of `n` faults among `chances`, each at least `least`.
fn cost(n: u32, chances: f64, least: f64) -> f64 {
    (1..=n).map(|nth| (chances / (f64::from(nth) - 0.5)).ln().max(least)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_decides_in_a_clean_archive_and_not_in_a_dirty_one() {
        let first = cost(1, 215.0, 1.0);
        let after_many = cost(21, 215.0, 1.0) - cost(20, 215.0, 1.0);
        assert!(first > DECIDES && after_many < DECIDES, "{first} {after_many}");
        assert_eq!(cost(0, 100.0, 1.0), 0.0);
        assert!(cost(1, 16.0, 1.0) > DECIDES, "a single record decides too");
    }

    #[test]
    fn more_faults_cost_more() {
        for n in 0..300 {
            assert!(cost(n + 1, 215.0, 1.0) >= cost(n, 215.0, 1.0) + 1.0 - 1e-9);
        }
    }
}
