//! The errors of advantages if the standard deviation of side skills is estimated.
//!
//! The variance of an advantage is `a + b t^2`, where `a` is due to the games and `t` is the standard deviation of side skills. An
//! estimate of `t^2` that cannot be negative is too high on average if `t` is 0, so this one may be negative, as the variance of
//! Hartung and Knapp (2001) may be less than that of known errors. Its own error enlarges the interval by the first terms of the
//! expansion of Student's quantile, with the degrees of freedom of Satterthwaite.

use super::drift::ATTENUATION;
use super::league::League;
use super::player_systems::PairingVector;
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::system::{EffectSds, System};
use super::variances::Variances;
use crate::stats::interval::Z95;

/// The prior guesses of the standard deviations. That of side skills is 14 Elo.
pub(super) const GUESS: EffectSds = EffectSds { strength: 1.0, side_skill: 0.08 };

/// The weight of the guess of the standard deviation of side skills, in players; that of strengths has the weight of one.
///
/// The guess keeps the standard deviation above 0, which moves the advantage little. The standard error does not use it.
pub(super) const GUESS_WEIGHT: f64 = 0.1;

/// The minimum variance of an advantage, as a proportion of its variance without side skills.
///
/// In simulated leagues of 12 players without side skills, of whom few play most games, intervals cover 98 % with all of it, and
/// 97 % with a half.
const MIN_OF_ADVANTAGE: f64 = 0.5;

/// The same for weights. Their covariates are estimates, so that nothing is subtracted.
const MIN_OF_WEIGHT: f64 = 1.0;

/// The maximum number of advantages and weights whose errors allow for the uncertain standard deviation of side skills.
const MAX_WIDENED: usize = 12;

/// Returns the factor of the standard error of each advantage and weight; `covariances` has `n` rows, and `responses` are the changes
/// of the players' effects with each row. The result is empty if there are many.
pub(super) fn error_factors(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances),
    (covariances, n): (&[f64], usize),
    responses: &[SideTerms],
) -> Vec<f64> {
    // With many groups, the time would grow with their square.
    if league.n_groups + side_choices.n() > MAX_WIDENED {
        return Vec::new();
    }
    let Some(found) = SideSkillVariance::of(league, (system, variances), (covariances, n), responses) else {
        return vec![1.0; league.n_groups + side_choices.n()];
    };
    let squares = squared_influences((league, side_choices), system, (covariances, n), responses);
    let factor = |(estimate, by_variance): (usize, f64)| {
        let all = covariances[estimate * n + estimate];
        let min = if estimate < league.n_groups { MIN_OF_ADVANTAGE } else { MIN_OF_WEIGHT };
        found.error_factor(all, by_variance, min)
    };
    squares.into_iter().enumerate().map(factor).collect()
}

/// The estimated variance of side skills.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SideSkillVariance {
    /// The variance in the model.
    in_model: f64,
    /// The estimate without the guess, which is negative in about half of all leagues without side skills.
    unbiased: f64,
    /// The standard error of the estimate.
    error: f64,
    /// The number of equally informative players that would give the same information.
    players: f64,
}

impl SideSkillVariance {
    /// Returns the estimate by one step of Fisher scoring from that with the guess; `None` if the games have no information about it.
    ///
    /// The information of the restricted likelihood has the form of that of equally informative players, each with a side
    /// skill that is measured with the same variance.
    fn of(
        league: &League,
        (system, variances): (&System<'_>, &Variances),
        (covariances, n): (&[f64], usize),
        responses: &[SideTerms],
    ) -> Option<SideSkillVariance> {
        let in_model = system.sds().side_skill.powi(2);
        let (mut freedom, mut information) = (0.0, 0.0);
        let mut moved = vec![0.0; n];
        for player in 0..league.n_players {
            for (moved, response) in moved.iter_mut().zip(responses) {
                *moved = (response.attackers[player] + response.defenders[player]) / 2.0;
            }
            let of_fixed_effects: f64 = covariances
                .chunks_exact(n)
                .zip(&moved)
                .map(|(row, own)| own * row.iter().zip(&moved).map(|(one, two)| one * two).sum::<f64>())
                .sum();
            let remaining = variances.side_skill(player) + of_fixed_effects;
            let known = (1.0 - remaining / in_model).max(0.0);
            freedom += known;
            information += known * known;
        }
        if information < 1e-12 {
            return None;
        }
        let players = freedom * freedom / information;
        let measured = in_model * (freedom / information - 1.0);
        let uncertain = variances.mean_gap(system);
        let growth = 1.0 + ATTENUATION * uncertain;
        // Before the correction for the attenuation, the estimate with the guess is the point at which the scores of the likelihood and of the guess cancel.
        let with_guess = in_model / growth;
        let pull = GUESS_WEIGHT * (with_guess - GUESS.side_skill.powi(2));
        let by_guess = pull / (players * (with_guess / (measured + with_guess)).powi(2));
        let lost = lost_information(league, system, variances) + HIGHER_ORDER * uncertain;
        let unbiased = with_guess + by_guess + lost.clamp(0.0, MAX_LOST) * measured;
        let error = (2.0 / players).sqrt() * (measured + unbiased).max(0.0);
        Some(SideSkillVariance { in_model, unbiased: growth * unbiased, error: growth * error, players })
    }

    /// Returns the factor of the standard error of an estimate, given its variance in the model, the derivative of this variance
    /// by that of side skills, and the least variance as a part of that without side skills.
    fn error_factor(&self, all: f64, by_variance: f64, min: f64) -> f64 {
        let of_games = (all - by_variance * self.in_model).max(MIN_OF_GAMES * all);
        let variance = of_games + by_variance * self.unbiased;
        let of_variance = (by_variance * self.error).powi(2);
        // The reciprocal of twice the degrees of freedom: Satterthwaite's, and those of the players alone.
        let larger = variance.max(of_games);
        let (all_parts, players_only) = (of_variance / (4.0 * larger * larger), 0.5 / self.players);
        let second = all_parts.min(players_only).powi(2);
        let more = larger * (FIRST_TERM * all_parts + SECOND_TERM * second);
        let least = min.max(1.0 - self.players / FEW_PLAYERS) * of_games;
        ((variance + more).max(least) / all).sqrt().min(MAX_FACTOR)
    }
}

/// The first two terms of the square of Student's quantile, by powers of one over twice the degrees of freedom, relative to the
/// square of the normal quantile: `z^2 + 1`, and `(4 z^4 + 11 z^2 + 3) / 6`.
const FIRST_TERM: f64 = Z95 * Z95 + 1.0;
const SECOND_TERM: f64 = (4.0 * Z95 * Z95 * Z95 * Z95 + 11.0 * Z95 * Z95 + 3.0) / 6.0;

/// With fewer than half this number of players, the minimum variance is greater, because an estimate from so few players is often too
/// low.
const FEW_PLAYERS: f64 = 20.0;

/// The greatest factor. Beyond it, results are so one-sided that the expansions are not valid.
const MAX_FACTOR: f64 = 2.5;

/// The least part of a variance that is due to the games.
const MIN_OF_GAMES: f64 = 0.02;

/// Returns the part of the information that is lost because strengths are uncertain: the second-order term of the mean variance of
/// a score given the games. The variance of side skills would otherwise be underestimated.
fn lost_information(league: &League, system: &System<'_>, variances: &Variances) -> f64 {
    let (mut lost, mut all) = (0.0, 0.0);
    for (at, pairing) in league.pairings().iter().enumerate() {
        let (odds, n) = (system.odds()[at], f64::from(pairing.results.n()));
        lost -= n * variances.gap(at) * odds.fourth_cumulant() / 2.0;
        all += n * odds.variance();
    }
    lost / all
}

/// The part that is lost by terms of higher order, per mean variance of `x`: from simulated leagues of players who differ much or
/// have few games. With 0, intervals of leagues with four games per player cover 92 %; with this number, 94 %.
const HIGHER_ORDER: f64 = 0.03;

/// The greatest part of the information that is taken as lost. Beyond it, the expansion is not valid.
const MAX_LOST: f64 = 0.3;

/// Returns the sum of the squared influences of all players on each advantage and weight: the derivative of its variance by that of side
/// skills. `covariances` has `n` rows.
fn squared_influences(
    (league, side_choices): (&League, &SideChoices),
    system: &System<'_>,
    (covariances, n): (&[f64], usize),
    responses: &[SideTerms],
) -> Vec<f64> {
    let n_fixed = league.n_groups + side_choices.n();
    // By each advantage and weight, the information about its games that depends on each player's side skill.
    let terms = (0..n_fixed).map(|k| {
        let mut terms = SideTerms::zero(league.n_players);
        if let Some(choice) = k.checked_sub(league.n_groups) {
            terms.add_scaled(1.0, &side_choices.effects()[choice]);
        }
        terms.add_scaled(-1.0, &responses[k]);
        terms
    });
    let terms: Vec<SideTerms> = terms.collect();
    let vectors: Vec<PairingVector<'_>> =
        terms.iter().enumerate().map(|(k, terms)| ((k < league.n_groups).then_some(k), terms)).collect();
    let both_sides = |found: SideTerms| -> Vec<f64> {
        found.attackers.iter().zip(&found.defenders).map(|(one, two)| one + two).collect()
    };
    let by_fixed_effect: Vec<Vec<f64>> =
        system.information_products(&vectors).into_iter().map(both_sides).collect();
    let square = |row: &[f64]| -> f64 {
        let influence = |player: usize| {
            row.iter().zip(&by_fixed_effect).map(|(factor, own)| factor * own[player]).sum::<f64>()
        };
        (0..league.n_players).map(|player| influence(player).powi(2)).sum()
    };
    covariances.chunks_exact(n).take(n_fixed).map(square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal::student_quantile;

    #[test]
    fn a_known_variance_does_not_change_the_error() {
        let known = SideSkillVariance { in_model: 0.2, unbiased: 0.2, error: 0.0, players: 30.0 };
        assert!((known.error_factor(0.05, 0.1, 1.0) - 1.0).abs() < 1e-12);
        // Without side skills, only the variance due to the games remains.
        let none = SideSkillVariance { unbiased: 0.0, ..known };
        assert!((none.error_factor(0.05, 0.1, 1.0).powi(2) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn the_factor_is_that_of_student_if_all_variance_is_due_to_side_skills() {
        for freedom in [40.0f64, 100.0, 400.0] {
            let error = (2.0 / freedom).sqrt() / (1.0 - MIN_OF_GAMES);
            let found = SideSkillVariance { in_model: 1.0, unbiased: 1.0, error, players: freedom };
            let factor = found.error_factor(1.0, 1.0 - MIN_OF_GAMES, 1.0);
            let student = student_quantile(freedom) / Z95;
            assert!((factor / student - 1.0).abs() < 0.5 / freedom.powi(2), "{freedom}: {factor} {student}");
        }
    }

    #[test]
    fn negative_estimates_narrow_the_interval_down_to_a_limit() {
        let of = |unbiased: f64| SideSkillVariance { in_model: 0.1, unbiased, error: 0.05, players: 30.0 };
        // The variance due to the games is 0.04, and that due to side skills 0.01 in the model.
        let factors = [0.3, 0.1, 0.0, -0.1, -0.2, -0.9].map(|own| of(own).error_factor(0.05, 0.1, 0.5));
        assert!(factors.windows(2).all(|pair| pair[0] >= pair[1]), "{factors:?}");
        assert!((factors[5].powi(2) - 0.4).abs() < 1e-12 && factors[0] > 1.1, "{factors:?}");
        assert!((of(-0.9).error_factor(0.05, 0.1, 1.0).powi(2) - 0.8).abs() < 1e-12);
    }
}
