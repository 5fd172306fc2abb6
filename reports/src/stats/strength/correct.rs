//! What strengths that are not known for certain do to the advantage: its standard error, and a correction.

use super::league::League;
use super::leaning::Leanings;
use super::scale::chances;
use super::system::{Part, System, Unknowns};

/// Variances of the strengths of players, sides and draws being known.
pub(super) struct Variances {
    players: Vec<f64>,
    /// Of all pairs where there are few players.
    exact: Option<Vec<f64>>,
    /// The information that a pair has about its difference, else; in the order of the pairings.
    shared: Vec<f64>,
}

/// With more players than this the variances are approximated.
const EXACT: usize = 120;

impl Variances {
    pub(super) fn of(league: &League, system: &System<'_>) -> Variances {
        let n = league.n_players;
        let diagonal = &system.diagonal.players;
        let mut players = diagonal.clone();
        if n <= EXACT {
            let mut matrix = vec![0.0; n * n];
            (0..n).for_each(|at| matrix[at * n + at] = diagonal[at]);
            for (pairing, weight) in league.pairings().iter().zip(system.weights()) {
                let (a, d) = (pairing.attackers as usize, pairing.defenders as usize);
                matrix[a * n + d] -= weight;
                matrix[d * n + a] -= weight;
            }
            invert(&mut matrix, n);
            let players = (0..n).map(|at| matrix[at * n + at]).collect();
            return Variances { players, exact: Some(matrix), shared: Vec::new() };
        }
        // Both ways of a pair, summed up, by the pair.
        let mut pairs: Vec<(u32, u32, u32)> = Vec::with_capacity(league.pairings().len());
        for (at, pairing) in (0u32..).zip(league.pairings()) {
            let (a, d) = (pairing.attackers, pairing.defenders);
            pairs.push((a.min(d), a.max(d), at));
        }
        pairs.sort_unstable();
        let weights: Vec<f64> = system.weights().collect();
        let mut shared = vec![0.0; weights.len()];
        for alike in pairs.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
            let sum: f64 = alike.iter().map(|(_, _, at)| weights[*at as usize]).sum();
            let (a, d) = (alike[0].0 as usize, alike[0].1 as usize);
            players[a] -= sum * sum / diagonal[d];
            players[d] -= sum * sum / diagonal[a];
            alike.iter().for_each(|(_, _, at)| shared[*at as usize] = sum);
        }
        // What a neighbor knows is never all that a player knows.
        for (own, all) in players.iter_mut().zip(diagonal) {
            *own = 1.0 / own.max(all * 0.05);
        }
        Variances { players, exact: None, shared }
    }

    /// Returns the variance of a player's strength.
    pub(super) fn player(&self, player: usize) -> f64 {
        self.players[player]
    }

    /// Returns the variance of the difference of the players of a pairing.
    fn gap(&self, at: usize, [a, d]: [usize; 2]) -> f64 {
        let both = match &self.exact {
            Some(matrix) => matrix[a * self.players.len() + d],
            None => {
                let (one, two, shared) = (1.0 / self.players[a], 1.0 / self.players[d], self.shared[at]);
                shared / (one * two + shared * shared).max(1e-300)
            }
        };
        (self.players[a] + self.players[d] - 2.0 * both).max(0.0)
    }
}

/// Turns a positive matrix into its inverse, by Gauss and Jordan.
fn invert(matrix: &mut [f64], n: usize) {
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot * n + pivot];
        matrix[pivot * n + pivot] = 1.0;
        for column in 0..n {
            matrix[pivot * n + column] *= scale;
        }
        let row: Vec<f64> = matrix[pivot * n..(pivot + 1) * n].to_vec();
        for other in (0..n).filter(|other| *other != pivot) {
            let factor = std::mem::replace(&mut matrix[other * n + pivot], 0.0);
            if factor != 0.0 {
                for column in 0..n {
                    matrix[other * n + column] -= factor * row[column];
                }
            }
        }
    }
}

/// What is known of advantages and draws when the strengths are integrated out.
pub(super) struct Marginal {
    /// The standard error of each advantage.
    pub(super) errors: Vec<f64>,
    /// What is to be added to each advantage.
    pub(super) corrections: Vec<f64>,
}

/// Integrates the strengths out by Laplace's method.
///
/// At its highest point the likelihood favors small advantages, because games between players whose strength is not known
/// for certain seem less even than they are. The first derivative of the determinant in Laplace's formula says by how much.
pub(super) fn marginal(
    (league, leanings): (&League, &Leanings),
    (system, variances): (&System<'_>, &Variances),
    point: &Unknowns,
) -> Marginal {
    let has_draws = point.draw.is_finite();
    let n_sides = point.sides.len();
    let n = n_sides + usize::from(has_draws);
    let columns: Vec<Unknowns> = (0..n)
        .map(|at| if at < n_sides { system.column_of_side(at) } else { system.column_of_draws() })
        .collect();
    let shifts: Vec<Unknowns> =
        columns.iter().map(|column| system.solve(column.clone(), Part::Players, 1e-6)).collect();
    let mut matrix = vec![0.0; n * n];
    for (row, column) in columns.iter().enumerate() {
        for (other, shift) in shifts.iter().enumerate() {
            let direct = if other < n_sides { column.sides[other] } else { column.draw };
            let through: f64 = column.players.iter().zip(&shift.players).map(|(one, two)| one * two).sum();
            matrix[row * n + other] = direct - through;
        }
    }
    invert(&mut matrix, n);
    let slopes = slopes((league, leanings), variances, point, &shifts);
    let errors = (0..n_sides).map(|at| matrix[at * n + at].max(0.0).sqrt()).collect();
    let corrections = (0..n_sides).map(|row| {
        let terms = slopes.iter().enumerate().map(|(at, slope)| matrix[row * n + at] * slope);
        terms.sum()
    });
    let corrections = corrections.collect();
    Marginal { errors, corrections }
}

/// Returns the derivatives of minus half of the logarithm of the determinant by advantages and draws.
fn slopes(
    (league, leanings): (&League, &Leanings),
    variances: &Variances,
    point: &Unknowns,
    shifts: &[Unknowns],
) -> Vec<f64> {
    let nu = point.draw.exp();
    let n_sides = point.sides.len();
    let mut slopes = vec![0.0; shifts.len()];
    for (at, pairing) in league.pairings().iter().enumerate() {
        let (a, d, g) = (pairing.attackers as usize, pairing.defenders as usize, pairing.group as usize);
        let [win, even, loss] = chances(point.x(league, leanings, at), nu);
        let mean = win + even / 2.0;
        let third = win * (1.0 - mean).powi(3) + even * (0.5 - mean).powi(3) - loss * mean.powi(3);
        let square = win * (1.0 - mean).powi(2) + even * (0.5 - mean).powi(2) + loss * mean.powi(2);
        let scale = -0.5 * f64::from(pairing.points.n()) * variances.gap(at, [a, d]);
        slopes[g] += scale * third;
        for (k, leaning) in leanings.of_pairing(at).iter().enumerate() {
            slopes[league.n_groups + k] += scale * third * leaning;
        }
        if shifts.len() > n_sides {
            // The derivative of the variance by the logarithm of the weight of draws.
            slopes[n_sides] += scale * even * ((0.5 - mean).powi(2) - square);
        }
        if shifts.len() <= 12 {
            for (slope, shift) in slopes.iter_mut().zip(shifts) {
                *slope -= scale * third * (shift.players[a] - shift.players[d]);
            }
        }
    }
    slopes
}
