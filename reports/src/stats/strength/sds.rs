//! Estimation of the standard deviations of strengths and side skills.

use super::correct::laplace_sums_of_squares;
use super::league::League;
use super::side_terms::dot;
use super::system::{EffectSds, System};
use super::unknowns::Unknowns;
use super::variances::{Pairs, Variances};
use super::widening::{GUESS, GUESS_WEIGHT};

/// The solutions of the last step, from which the solver starts in the next step: the systems differ little.
pub(super) struct WarmStarts {
    /// The changes of all effects with the standard deviations of strengths and of side skills.
    by_sds: [Vec<f64>; 2],
    /// The change of all effects of players per unit of an advantage common to all groups.
    by_advantage: Vec<f64>,
}

impl WarmStarts {
    /// Begins without a solution.
    pub(super) fn new(n_players: usize) -> WarmStarts {
        let zero = || vec![0.0; 2 * n_players];
        WarmStarts { by_sds: [zero(), zero()], by_advantage: zero() }
    }
}

/// Returns the standard deviations that best explain the effects at a point; `known` has those of strengths and of side skills that
/// are not estimated.
pub(super) fn next_sds(
    (league, pairs, games): (&League, &Pairs, &[u32]),
    (system, point): (&System<'_>, &Unknowns),
    (known, sds): ([Option<f64>; 2], EffectSds),
    warm_starts: &mut WarmStarts,
) -> EffectSds {
    let variances = Variances::of(league, pairs, system);
    let [strengths, side_skills] =
        laplace_sums_of_squares(league, (system, &variances), point, &mut warm_starts.by_sds);
    let strength = || {
        let each = (0..league.n_players).map(|player| variances.strength(player));
        fellner_schall(strengths, each, games, sds.strength, (GUESS.strength, 1.0))
    };
    let side_skill = || {
        let common = common_advantage(league, system, &mut warm_starts.by_advantage);
        let each = (0..league.n_players).map(|player| {
            let by_advantage = warm_starts.by_advantage[league.n_players + player];
            variances.side_skill(player) + by_advantage.powi(2) * common
        });
        fellner_schall(side_skills, each, games, sds.side_skill, (GUESS.side_skill, GUESS_WEIGHT))
    };
    EffectSds { strength: known[0].unwrap_or_else(strength), side_skill: known[1].unwrap_or_else(side_skill) }
}

/// Returns the variance of an advantage common to all groups. The side skills are known up to it, which their standard deviation must allow
/// for (restricted likelihood). `by_advantage` becomes the change of all effects of players per unit of this advantage; before, it
/// is a warm start: that of the last call, or zero.
fn common_advantage(league: &League, system: &System<'_>, by_advantage: &mut Vec<f64>) -> f64 {
    let mut column = system.column_of_fixed_effect(0);
    for group in 1..league.n_groups {
        column.add(1.0, &system.column_of_fixed_effect(group));
    }
    let direct: f64 = column.fixed_effects[..league.n_groups].iter().sum();
    system.solve_players(std::slice::from_mut(by_advantage), vec![column.players.clone()], 1e-2);
    let through = dot(&column.players, by_advantage);
    1.0 / (direct - through).max(1e-9)
}

/// Returns the standard deviation that best explains the effects of players, by the Fellner-Schall update: the sum of squares
/// divided by the remaining degrees of freedom.
fn fellner_schall(
    squares: f64,
    variances: impl Iterator<Item = f64>,
    games: &[u32],
    sd: f64,
    (guess, weight): (f64, f64),
) -> f64 {
    let prior = 1.0 / (sd * sd);
    let players = variances.zip(games).filter(|(_, games)| **games > 0);
    let freedom: f64 = players.map(|(variance, _)| (1.0 - prior * variance).max(0.0)).sum();
    ((squares + weight * guess * guess) / (freedom + weight)).sqrt().clamp(0.05 * guess, 5.0)
}

/// A sequence of positive numbers that converges slowly, accelerated by extrapolation (Aitken).
#[derive(Default)]
pub(super) struct AitkenSequence {
    /// The last change of the logarithm.
    change: Option<f64>,
}

impl AitkenSequence {
    /// Returns what should follow `now`, if `proposed` is the next number of the sequence.
    pub(super) fn next(&mut self, now: f64, proposed: f64) -> f64 {
        let change = (proposed / now).ln();
        let ratio = self.change.map_or(0.0, |before| change / before);
        // After an extrapolation, the sequence begins anew.
        if (MIN_RATIO..MAX_RATIO).contains(&ratio) {
            self.change = None;
            return now * (change / (1.0 - ratio)).clamp(-MAX_LOG_CHANGE, MAX_LOG_CHANGE).exp();
        }
        self.change = Some(change);
        proposed
    }
}

/// The range of ratios of successive changes that are extrapolated: below, it does not pay; above, it is not reliable.
const MIN_RATIO: f64 = 0.1;
const MAX_RATIO: f64 = 0.98;

/// The greatest change of a logarithm by extrapolation.
const MAX_LOG_CHANGE: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_sequences_are_extrapolated_to_their_limit() {
        let (mut now, mut sequence) = (0.2f64, AitkenSequence::default());
        let mut steps = 0;
        while (now - 0.1).abs() > 1e-6 {
            // Its logarithm moves by a tenth of the way to the limit.
            let proposed = (0.9 * now.ln() + 0.1 * 0.1f64.ln()).exp();
            now = sequence.next(now, proposed);
            steps += 1;
            assert!(steps < 10, "{now}");
        }
    }
}
