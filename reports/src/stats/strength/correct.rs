//! The effect of uncertain strengths on the advantage: its standard error, and a correction.

use std::ops::Range;

use super::drift::ATTENUATION;
use super::league::League;
use super::side_choice::SideChoices;
use super::side_terms::SideTerms;
use super::sums::by_halves;
use super::system::{System, SystemPart};
use super::unknowns::Unknowns;
use super::variances::{Variances, invert};
use super::widening::error_factors;

/// Returns the third cumulant of the score of a game: the derivative of its variance by `x`.
fn third_cumulant([win, draw, loss]: [f64; 3]) -> f64 {
    let mean = win + draw / 2.0;
    win * (1.0 - mean).powi(3) + draw * (0.5 - mean).powi(3) - loss * mean.powi(3)
}

/// Returns the sums of squares of the strengths and of the side skills in Laplace's method for their standard deviations: a larger
/// one lets them grow, which makes games less even and therefore less informative. The last arguments are the changes of all
/// effects with each standard deviation: the solutions of the last call as warm starts, or zero.
pub(super) fn laplace_sums_of_squares(
    league: &League,
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
    [by_strength_sd, by_side_skill_sd]: &mut [Unknowns; 2],
) -> [f64; 2] {
    let n = league.n_players;
    let own = [0..n, n..2 * n];
    for (own, derivative) in own.iter().zip([&mut *by_strength_sd, &mut *by_side_skill_sd]) {
        let mut effects = point.clone();
        effects.players.fill(0.0);
        effects.players[own.clone()].copy_from_slice(&point.players[own.clone()]);
        system.solve_from(derivative, effects, SystemPart::Players, 1e-2);
    }
    let derivatives = [by_strength_sd.terms(), by_side_skill_sd.terms()];
    let slopes_of = |pairings: Range<usize>| {
        let mut slopes = [0.0; 2];
        for (at, pairing) in pairings.clone().zip(&league.pairings()[pairings]) {
            let cumulant = f64::from(pairing.results.n()) * third_cumulant(system.probabilities()[at]);
            let factor = variances.gap(at, pairing) * cumulant;
            for (slope, derivative) in slopes.iter_mut().zip(&derivatives) {
                *slope += factor * derivative.of_pairing(pairing);
            }
        }
        slopes
    };
    let (mut slopes, more) = by_halves(league.pairings().len(), slopes_of);
    slopes.iter_mut().zip(more.unwrap_or_default()).for_each(|(slope, more)| *slope += more);
    [0, 1].map(|kind| {
        let effects = &point.players[own[kind].clone()];
        let plain: f64 = effects.iter().map(|effect| effect * effect).sum();
        // If the correction is large, its formula is not valid.
        (plain - slopes[kind]).clamp(plain, 2.0 * plain)
    })
}

/// Returns the factor by which the uncertainty of strengths attenuates the effects of players on results: estimates
/// are on the scale of expected results of players of uncertain strength (Zeger, Liang, and Albert 1988).
pub(super) fn attenuation(league: &League, system: &System<'_>, variances: &Variances<'_>) -> f64 {
    (1.0 + ATTENUATION * variances.mean_gap(league, system)).sqrt()
}

/// Returns the factor by which the standard deviation of strengths must grow, because the first-order correction of Laplace's
/// method leaves a bias that grows with the square of the variance of `x`. It matters if players have few games.
pub(super) fn growth_of_strength_sd(league: &League, system: &System<'_>, variances: &Variances<'_>) -> f64 {
    1.0 + SECOND_ORDER * variances.mean_gap(league, system).powi(2)
}

/// From simulated leagues with four games per player and a standard deviation of 1.8: the estimate is 0.88 of it with this
/// number, and 0.80 without. With ten games per player, twice this number would give 1.06.
const SECOND_ORDER: f64 = 0.06;

/// The marginal distribution of advantages and draws, with the effects of players integrated out.
pub(super) struct Marginal {
    /// The covariances of the advantages and the weights of side-choice effects, by rows.
    covariances: Vec<f64>,
    /// The number of rows, with draws.
    n: usize,
    /// The factor of the standard error of each advantage and weight, because the standard deviation of side skills is estimated.
    error_factors: Vec<f64>,
    /// The standard error of each advantage if the effects of players were known.
    pub(super) known_players_errors: Vec<f64>,
    /// The correction of each advantage.
    pub(super) corrections: Vec<f64>,
}

impl Marginal {
    /// Returns the covariance of two advantages or weights.
    pub(super) fn covariance(&self, one: usize, two: usize) -> f64 {
        self.covariances[one * self.n + two]
    }

    /// Returns the standard error of an advantage or a weight.
    pub(super) fn error(&self, group: usize) -> f64 {
        self.model_error(group) * self.error_factors.get(group).copied().unwrap_or(1.0)
    }

    /// Returns the standard error for exact standard deviations of strengths and side skills.
    pub(super) fn model_error(&self, group: usize) -> f64 {
        self.covariance(group, group).max(0.0).sqrt()
    }
}

/// Integrates out the effects of players by Laplace's method.
///
/// The mode of the likelihood is biased toward small advantages, because games between players of uncertain
/// strength appear less even than they are. The first derivative of the determinant in Laplace's formula
/// gives the size of the bias.
pub(super) fn marginal(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
) -> Marginal {
    let has_draws = point.log_draw_weight.is_finite();
    let n_fixed = point.fixed_effects.len();
    let n = n_fixed + usize::from(has_draws);
    let columns: Vec<Unknowns> = (0..n)
        .map(|at| if at < n_fixed { system.column_of_fixed_effect(at) } else { system.column_of_draws() })
        .collect();
    // The error of the information is the square of this precision, because conjugate gradients that begin at zero minimize the
    // error in the norm of the matrix.
    let responses: Vec<Unknowns> =
        columns.iter().map(|column| system.solve(column.clone(), SystemPart::Players, 1e-4)).collect();
    let mut matrix = vec![0.0; n * n];
    for (row, column) in columns.iter().enumerate() {
        for (other, response) in responses.iter().enumerate() {
            let direct = if other < n_fixed { column.fixed_effects[other] } else { column.log_draw_weight };
            let through: f64 = column.players.iter().zip(&response.players).map(|(one, two)| one * two).sum();
            matrix[row * n + other] = direct - through;
        }
    }
    let responses: Vec<SideTerms> = responses.iter().map(Unknowns::terms).collect();
    let gradient = log_determinant_gradient((league, side_choices), (system, variances), point, &responses);
    invert(&mut matrix, n);
    // The formula also has curvature: the information is less than at the mode alone.
    for (row, curvature) in curvatures(league, (system, variances), &responses).into_iter().enumerate() {
        // A part of the information that remains if everything else is uncertain, so that all variances stay positive.
        let max = 0.4 / matrix[row * n + row];
        remove_information(&mut matrix, (row, n), curvature.clamp(0.0, max));
    }
    let error_factors = error_factors((league, side_choices), (system, variances), (&matrix, n), &responses);
    let corrections = (0..n_fixed).map(|row| {
        let terms = gradient.iter().enumerate().map(|(at, own)| matrix[row * n + at] * own);
        terms.sum()
    });
    let corrections = corrections.collect();
    let informations = &system.diagonal.fixed_effects[..league.n_groups];
    let known_players_errors = informations.iter().map(|information| information.recip().sqrt()).collect();
    Marginal { covariances: matrix, n, error_factors, known_players_errors, corrections }
}

/// Changes covariances to those with less information about the parameter of a row (Sherman and Morrison).
fn remove_information(covariances: &mut [f64], (row, n): (usize, usize), information: f64) {
    let column: Vec<f64> = (0..n).map(|at| covariances[at * n + row]).collect();
    let factor = information / (1.0 - information * column[row]);
    for (numbers, left) in covariances.chunks_exact_mut(n).zip(&column) {
        numbers.iter_mut().zip(&column).for_each(|(number, right)| *number += factor * left * right);
    }
}

/// Returns the derivatives of minus half the log determinant by advantages and draws.
fn log_determinant_gradient(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
    responses: &[SideTerms],
) -> Vec<f64> {
    let n_fixed = point.fixed_effects.len();
    let mut gradient = vec![0.0; responses.len()];
    // The derivatives by the effects of players at the mode, which change with each unknown.
    let mut by_players = SideTerms::zero(league.n_players);
    for (at, pairing) in league.pairings().iter().enumerate() {
        let g = pairing.group as usize;
        let probabilities = system.probabilities()[at];
        let [win, draw, loss] = probabilities;
        let (mean, cumulant) = (win + draw / 2.0, third_cumulant(probabilities));
        let variance = win * (1.0 - mean).powi(2) + draw * (0.5 - mean).powi(2) + loss * mean.powi(2);
        let scale = -0.5 * f64::from(pairing.results.n()) * variances.gap(at, pairing);
        gradient[g] += scale * cumulant;
        for (k, choice) in side_choices.of_pairing(pairing).enumerate() {
            gradient[league.n_groups + k] += scale * cumulant * choice;
        }
        if responses.len() > n_fixed {
            // The derivative of the variance by the logarithm of the draw weight.
            gradient[n_fixed] += scale * draw * ((0.5 - mean).powi(2) - variance);
        }
        by_players.attackers[pairing.attackers as usize] += scale * cumulant;
        by_players.defenders[pairing.defenders as usize] += scale * cumulant;
    }
    for (own, response) in gradient.iter_mut().zip(responses) {
        *own -= by_players.dot(response);
    }
    gradient
}

/// Returns the negated second derivatives of minus half the log determinant by the advantages, restricted to
/// the terms with fourth cumulants of scores.
fn curvatures(
    league: &League,
    (system, variances): (&System<'_>, &Variances<'_>),
    responses: &[SideTerms],
) -> Vec<f64> {
    let mut curvatures = vec![0.0; league.n_groups];
    for (at, pairing) in league.pairings().iter().enumerate() {
        let g = pairing.group as usize;
        let [win, draw, loss] = system.probabilities()[at];
        let mean = win + draw / 2.0;
        let moment = |power: i32| {
            win * (1.0 - mean).powi(power) + draw * (0.5 - mean).powi(power) + loss * mean.powi(power)
        };
        let fourth = moment(4) - 3.0 * moment(2).powi(2);
        let moved = 1.0 - responses[g].of_pairing(pairing);
        let n = f64::from(pairing.results.n());
        curvatures[g] -= 0.5 * n * variances.gap(at, pairing) * fourth * moved * moved;
    }
    curvatures
}

#[cfg(test)]
mod tests {
    use super::super::league::Pairing;
    use super::super::variances::Pairs;
    use super::super::widening::GUESS;
    use super::*;
    use crate::stats::LeagueSpec;

    #[test]
    fn the_effects_of_players_count_for_any_number_of_advantages() {
        for n_groups in [1, 13] {
            let made = LeagueSpec { players: 20, games: 400, ..LeagueSpec::default() }.simulate(1);
            let grouped = |(game, at): (Pairing, u32)| Pairing { group: at % n_groups, ..game };
            let league = League::new((20, n_groups as usize), made.games.into_iter().zip(0..).map(grouped));
            let side_choices = SideChoices::of(&league);
            let mut point = Unknowns::zero(&league, &side_choices);
            point.fixed_effects.fill(0.5);
            let system = System::at((&league, &side_choices), &point, GUESS);
            let pairs = Pairs::of(&league);
            let variances = Variances::of(&league, &pairs, &system);
            let n = point.fixed_effects.len();
            // Each unknown changes the effects of all players with the attackers by the same number.
            let gradient = |change: f64| {
                let response = SideTerms { attackers: vec![change; 20], defenders: vec![0.0; 20] };
                let responses = vec![response; n];
                log_determinant_gradient((&league, &side_choices), (&system, &variances), &point, &responses)
            };
            let (direct, all) = (gradient(0.0), gradient(1.0));
            let by_x: f64 = direct[..n_groups as usize].iter().sum();
            assert!(by_x.abs() > 1e-3, "{by_x}");
            for (direct, all) in direct.iter().zip(all) {
                assert!((direct - by_x - all).abs() < 1e-9, "{n_groups}: {direct} {by_x} {all}");
            }
        }
    }
}
