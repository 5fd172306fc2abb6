//! The effect of a rule change, from pairs of games with the same opening.

use tafl_rules::{Outcome, Side};

use super::log_odds::paired_log_odds;
use crate::stats::Estimate;
use crate::stats::compare::DifferenceEstimate;
use crate::stats::interval::Z95;
use crate::stats::multiple::{benjamini_hochberg, holm};
use crate::stats::normal::two_sided;
use crate::stats::sequential::Moments;

/// A game of the engine against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfplayGame {
    /// Its outcome; `None` if a limit ended it.
    pub outcome: Option<Outcome>,
    /// The number of plies.
    pub plies: u32,
}

impl SelfplayGame {
    /// Returns the attackers' score, with a draw as half a win; `None` for an unfinished game.
    pub(super) fn score(&self) -> Option<f64> {
        self.outcome.map(|outcome| match outcome.winner {
            Some(Side::Attackers) => 1.0,
            Some(Side::Defenders) => 0.0,
            None => 0.5,
        })
    }
}

/// The effect of a change, over pairs of games with the same opening.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleChangeEffect {
    /// The index of the arm.
    pub arm: usize,
    /// The node limit per move.
    pub nodes: u64,
    /// The number of pairs in which both games finished.
    pub pairs: u64,
    /// The change of the attackers' score.
    pub score: Option<DifferenceEstimate>,
    /// The change of the log odds of the attackers' score, which is comparable near 0 % and 100 %; `None` for fewer than ten
    /// pairs.
    pub log_odds: Option<DifferenceEstimate>,
    /// The change of the proportion of draws.
    pub draws: Option<DifferenceEstimate>,
    /// The change of the length in plies; `None` if all pairs show the same change.
    pub plies: Option<DifferenceEstimate>,
    /// The p-value of the change of the score, adjusted for all effects (Holm).
    pub p_holm: Option<f64>,
    /// The same, adjusted for the false discovery rate (Benjamini and Hochberg).
    pub p_fdr: Option<f64>,
    /// The p-value of the change of the log odds, adjusted for all effects (Holm).
    pub log_odds_holm: Option<f64>,
}

/// Returns the effect of an arm relative to the baseline, with a node limit.
pub(super) fn effect(
    arm: usize,
    nodes: u64,
    base: &[SelfplayGame],
    own: &[SelfplayGame],
) -> RuleChangeEffect {
    let [mut score, mut draws, mut plies] = [Moments::default(); 3];
    let mut scores = Vec::new();
    for (base, own) in base.iter().zip(own) {
        let (Some(before), Some(after)) = (base.score(), own.score()) else { continue };
        score.push(after - before);
        scores.push((before, after));
        draws.push(f64::from(after == 0.5) - f64::from(before == 0.5));
        plies.push(f64::from(own.plies) - f64::from(base.plies));
    }
    RuleChangeEffect {
        arm,
        nodes,
        pairs: score.n(),
        score: difference_within_1(&score),
        log_odds: paired_log_odds(&scores).filter(|_| score.n() >= MIN_PAIRS),
        draws: difference_within_1(&draws),
        plies: difference(&plies),
        p_holm: None,
        p_fdr: None,
        log_odds_holm: None,
    }
}

/// The minimum number of pairs for an effect.
pub(super) const MIN_PAIRS: u64 = 10;

/// Returns the mean change of pairs; `None` if there are too few, or if all are equal and thus give no
/// variance.
///
/// The p-value is that of the score test, whose variance is the mean square of the changes: for wins and losses, it is
/// McNemar's test. The interval has the changes that this test does not reject, so both always agree. With the variance
/// around the mean instead, few changes in one direction would seem to be certain.
fn difference(seen: &Moments) -> Option<DifferenceEstimate> {
    if seen.n() < MIN_PAIRS || seen.variance() == 0.0 {
        return None;
    }
    let (n, mean) = (seen.n() as f64, seen.mean());
    let variance = seen.variance() * (n - 1.0) / n;
    let reach = Z95 * (variance / (n - Z95 * Z95)).sqrt();
    let value = Estimate { value: mean, low: mean - reach, high: mean + reach };
    let z = mean * n.sqrt() / (variance + mean * mean).sqrt();
    Some(DifferenceEstimate { value, p: two_sided(z) })
}

/// Returns the mean change of pairs, each between -1 and 1; `None` if there are too few.
fn difference_within_1(seen: &Moments) -> Option<DifferenceEstimate> {
    let found = difference(seen).or_else(|| difference_of_equal(seen))?;
    // The interval of a few pairs that nearly all change can exceed the range.
    Some(DifferenceEstimate { value: found.value.map(|end| end.clamp(-1.0, 1.0)), ..found })
}

/// Returns the change of pairs that all show the same change, between -1 and 1; `None` if there are too few,
/// or if they differ.
///
/// The proportion of pairs with another change has the upper bound of Clopper and Pearson, and in the worst case
/// these change as far as possible. The p-value is that of the sign test.
fn difference_of_equal(seen: &Moments) -> Option<DifferenceEstimate> {
    if seen.n() < MIN_PAIRS || seen.variance() > 0.0 {
        return None;
    }
    let (value, n) = (seen.mean(), seen.n() as f64);
    let others = 1.0 - 0.025_f64.powf(1.0 / n);
    let (low, high) = (value - others * (value + 1.0), value + others * (1.0 - value));
    let p = if value == 0.0 { 1.0 } else { 2.0 * 0.5_f64.powf(n) };
    Some(DifferenceEstimate { value: Estimate { value, low, high }, p })
}

/// Adjusts the p-values for all effects.
pub(super) fn adjust(effects: &mut [RuleChangeEffect]) {
    let values: Vec<f64> = effects.iter().filter_map(|effect| effect.score.map(|score| score.p)).collect();
    let adjusted = holm(&values).into_iter().zip(benjamini_hochberg(&values));
    let known = effects.iter_mut().filter(|effect| effect.score.is_some());
    for (effect, (holm, fdr)) in known.zip(adjusted) {
        (effect.p_holm, effect.p_fdr) = (Some(holm), Some(fdr));
    }
    let values: Vec<f64> = effects.iter().filter_map(|effect| effect.log_odds.map(|found| found.p)).collect();
    let known = effects.iter_mut().filter(|effect| effect.log_odds.is_some());
    for (effect, holm) in known.zip(holm(&values)) {
        effect.log_odds_holm = Some(holm);
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Reason;

    use super::*;

    #[test]
    fn the_test_of_a_change_is_mcnemars_and_agrees_with_its_interval() {
        let won = |side| SelfplayGame { outcome: Some(Outcome::win(side, Reason::Encirclement)), plies: 30 };
        // Of 20 pairs, `more` change in one direction, and `less` in the other.
        let of = |more: usize, less: usize| {
            let side = |is_won: bool| won(if is_won { Side::Attackers } else { Side::Defenders });
            let base: Vec<SelfplayGame> = (0..20).map(|at| side(at < less)).collect();
            let own: Vec<SelfplayGame> = (0..20).map(|at| side((less..less + more).contains(&at))).collect();
            effect(1, 10, &base, &own).score.unwrap()
        };
        for (more, less) in [(4, 0), (3, 0), (5, 1), (9, 3), (12, 2), (1, 1)] {
            let found = of(more, less);
            let z = (more as f64 - less as f64) / ((more + less) as f64).sqrt();
            assert!((found.p - two_sided(z)).abs() < 1e-9, "{more} {less}: {found:?}");
            assert_eq!(found.value.holds(0.0), found.p > 0.05, "{more} {less}: {found:?}");
        }
        assert!(of(3, 0).p > 0.05 && of(4, 0).p < 0.05);
        assert_eq!((of(18, 0).value.high, of(0, 18).value.low), (1.0, -1.0));
    }

    #[test]
    fn equal_changes_in_all_pairs_have_an_interval() {
        let won =
            |side, plies| SelfplayGame { outcome: Some(Outcome::win(side, Reason::Encirclement)), plies };
        let base = [won(Side::Defenders, 30); 10];
        let turned = effect(1, 10, &base, &[won(Side::Attackers, 30); 10]);
        // Clopper and Pearson for 0 among 10: 0.3085; the sign test of ten equal changes: 2/1024.
        let score = turned.score.unwrap();
        assert!((score.value.low - (1.0 - 2.0 * 0.3085)).abs() < 1e-3 && score.value.high == 1.0);
        assert!((score.p - 2.0 / 1024.0).abs() < 1e-12);
        let same = effect(1, 10, &base, &base);
        assert!(same.score.unwrap().p == 1.0 && same.score.unwrap().value.width() > 0.6);
        assert!(same.plies.is_none() && same.draws.unwrap().value.holds(0.3));
    }
}
