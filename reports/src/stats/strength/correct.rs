//! The effect of uncertain strengths on the advantage: its standard error, and a correction.

use std::ops::Range;

use super::drift::ATTENUATION;
use super::league::League;
use super::side_choice::SideChoices;
use super::side_terms::{SideTerms, dot};
use super::sums::by_halves;
use super::system::System;
use super::unknowns::{Unknowns, terms};
use super::variances::{Variances, invert};
use super::widening::error_factors;

/// Returns the sums of squares of the strengths and of the side skills in Laplace's method for their standard deviations: a larger
/// one lets them grow, which makes games less even and therefore less informative. The last arguments are the changes of all
/// effects with each standard deviation: the solutions of the last call as warm starts, or zero.
pub(super) fn laplace_sums_of_squares(
    league: &League,
    (system, variances): (&System<'_>, &Variances),
    point: &Unknowns,
    by_sds: &mut [Vec<f64>; 2],
) -> [f64; 2] {
    let n = league.n_players;
    let own = [0..n, n..2 * n];
    let effects = own.each_ref().map(|own| {
        let mut effects = vec![0.0; 2 * n];
        effects[own.clone()].copy_from_slice(&point.players[own.clone()]);
        effects
    });
    system.solve_players(by_sds, effects.to_vec(), 1e-2);
    let derivatives = by_sds.each_ref().map(|derivative| terms(derivative));
    let slopes_of = |pairings: Range<usize>| {
        let mut slopes = [0.0; 2];
        for (at, pairing) in pairings.clone().zip(&league.pairings()[pairings]) {
            let cumulant = f64::from(pairing.results.n()) * system.odds()[at].third_cumulant();
            let factor = variances.gap(at) * cumulant;
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
pub(super) fn attenuation(system: &System<'_>, variances: &Variances) -> f64 {
    (1.0 + ATTENUATION * variances.mean_gap(system)).sqrt()
}

/// Returns the factor by which the standard deviation of strengths must grow, because the first-order correction of Laplace's
/// method leaves a bias that grows with the square of the variance of `x`. It matters if players have few games.
pub(super) fn growth_of_strength_sd(system: &System<'_>, variances: &Variances) -> f64 {
    1.0 + SECOND_ORDER * variances.mean_gap(system).powi(2)
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
    (system, variances): (&System<'_>, &Variances),
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
    let mut responses = vec![vec![0.0; 2 * league.n_players]; n];
    let rhs = columns.iter().map(|column| column.players.clone()).collect();
    system.solve_players(&mut responses, rhs, 1e-4);
    let mut matrix = vec![0.0; n * n];
    for (row, column) in columns.iter().enumerate() {
        for (other, response) in responses.iter().enumerate() {
            let direct = if other < n_fixed { column.fixed_effects[other] } else { column.log_draw_weight };
            matrix[row * n + other] = direct - dot(&column.players, response);
        }
    }
    let responses: Vec<SideTerms> = responses.iter().map(|response| terms(response)).collect();
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
    (system, variances): (&System<'_>, &Variances),
    point: &Unknowns,
    responses: &[SideTerms],
) -> Vec<f64> {
    let n_fixed = point.fixed_effects.len();
    let mut gradient = vec![0.0; responses.len()];
    // The derivatives by the effects of players at the mode, which change with each unknown.
    let mut by_players = SideTerms::zero(league.n_players);
    for (at, pairing) in league.pairings().iter().enumerate() {
        let g = pairing.group as usize;
        let odds = system.odds()[at];
        let scale = -0.5 * f64::from(pairing.results.n()) * variances.gap(at);
        let by_x = scale * odds.third_cumulant();
        gradient[g] += by_x;
        if responses.len() > n_fixed {
            gradient[n_fixed] += scale * odds.variance_by_draws();
        }
        by_players.attackers[pairing.attackers as usize] += by_x;
        by_players.defenders[pairing.defenders as usize] += by_x;
    }
    for (own, effect) in gradient[league.n_groups..n_fixed].iter_mut().zip(side_choices.effects()) {
        *own += by_players.dot(effect);
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
    (system, variances): (&System<'_>, &Variances),
    responses: &[SideTerms],
) -> Vec<f64> {
    let mut curvatures = vec![0.0; league.n_groups];
    for (at, pairing) in league.pairings().iter().enumerate() {
        let g = pairing.group as usize;
        let fourth = system.odds()[at].fourth_cumulant();
        let moved = 1.0 - responses[g].of_pairing(pairing);
        let n = f64::from(pairing.results.n());
        curvatures[g] -= 0.5 * n * variances.gap(at) * fourth * moved * moved;
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
