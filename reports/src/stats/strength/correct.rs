//! The effect of uncertain strengths on the advantage: its standard error, and a correction.

use super::league::League;
use super::side_choice::SideChoices;
use super::system::{System, SystemPart, Unknowns};

/// The pairs of players that met, regardless of sides; computed once per league for [`Variances`].
pub(super) struct Pairs {
    /// The index of the pair of each pairing.
    of_pairing: Vec<u32>,
    /// Both players of each pair.
    players: Vec<[u32; 2]>,
}

impl Pairs {
    pub(super) fn of(league: &League) -> Pairs {
        let key = |at: u32| {
            let pairing = &league.pairings()[at as usize];
            [pairing.attackers.min(pairing.defenders), pairing.attackers.max(pairing.defenders)]
        };
        let mut order: Vec<([u32; 2], u32)> =
            (0..league.pairings().len() as u32).map(|at| (key(at), at)).collect();
        order.sort_unstable();
        let mut of_pairing = vec![0; order.len()];
        let mut players: Vec<[u32; 2]> = Vec::new();
        for (pair, at) in order {
            if players.last() != Some(&pair) {
                players.push(pair);
            }
            of_pairing[at as usize] = players.len() as u32 - 1;
        }
        Pairs { of_pairing, players }
    }
}

/// The variances of the players' strengths for given sides and draws.
pub(super) struct Variances<'p> {
    pairs: &'p Pairs,
    players: Vec<f64>,
    /// The variances of all pairs, for leagues with few players.
    exact: Option<Vec<f64>>,
    /// Otherwise, the information of each pair about its difference.
    shared: Vec<f64>,
}

/// The maximum number of players for exact variances.
const EXACT: usize = 120;

impl<'p> Variances<'p> {
    pub(super) fn of(league: &League, pairs: &'p Pairs, system: &System<'_>) -> Variances<'p> {
        let n = league.n_players;
        let diagonal = &system.diagonal.players;
        let mut shared = vec![0.0; pairs.players.len()];
        for (pair, weight) in pairs.of_pairing.iter().zip(system.weights()) {
            shared[*pair as usize] += weight;
        }
        let partially_pool =
            pairs.players.iter().zip(&shared).map(|(pair, sum)| (pair.map(|at| at as usize), *sum));
        if n <= EXACT {
            let mut matrix = vec![0.0; n * n];
            (0..n).for_each(|at| matrix[at * n + at] = diagonal[at]);
            for ([one, two], sum) in partially_pool {
                matrix[one * n + two] -= sum;
                matrix[two * n + one] -= sum;
            }
            invert(&mut matrix, n);
            let players = (0..n).map(|at| matrix[at * n + at]).collect();
            return Variances { pairs, players, exact: Some(matrix), shared };
        }
        let mut players = diagonal.clone();
        for ([one, two], sum) in partially_pool {
            players[one] -= sum * sum / diagonal[two];
            players[two] -= sum * sum / diagonal[one];
        }
        // The information shared with neighbors is always less than a player's total.
        for (own, all) in players.iter_mut().zip(diagonal) {
            *own = 1.0 / own.max(all * 0.05);
        }
        Variances { pairs, players, exact: None, shared }
    }

    /// Returns the variance of a player's strength.
    pub(super) fn player(&self, player: usize) -> f64 {
        self.players[player]
    }

    /// Returns the variance of the difference between the players of a pairing.
    fn gap(&self, at: usize, [a, d]: [usize; 2]) -> f64 {
        let both = match &self.exact {
            Some(matrix) => matrix[a * self.players.len() + d],
            None => {
                let (one, two) = (1.0 / self.players[a], 1.0 / self.players[d]);
                let shared = self.shared[self.pairs.of_pairing[at] as usize];
                shared / (one * two + shared * shared).max(1e-300)
            }
        };
        (self.players[a] + self.players[d] - 2.0 * both).max(0.0)
    }
}

/// Returns the third cumulant of the score of a game: the derivative of its variance by `x`.
fn third([win, even, loss]: [f64; 3]) -> f64 {
    let mean = win + even / 2.0;
    win * (1.0 - mean).powi(3) + even * (0.5 - mean).powi(3) - loss * mean.powi(3)
}

/// Returns the sum of squares of the strengths in Laplace's method for the spread: a wider spread lets
/// strengths grow, which makes games less even and therefore less informative about each strength.
pub(super) fn squares(
    league: &League,
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
) -> f64 {
    let mut shrinking = system.solve(point.clone(), SystemPart::Players, 1e-2);
    shrinking.sides.fill(0.0);
    let mut slope = 0.0;
    for (at, pairing) in league.pairings().iter().enumerate() {
        let (a, d) = (pairing.attackers as usize, pairing.defenders as usize);
        let moved = shrinking.players[a] - shrinking.players[d];
        let bend = f64::from(pairing.points.n()) * third(system.chances()[at]);
        slope += variances.gap(at, [a, d]) * bend * moved;
    }
    let plain: f64 = point.players.iter().map(|player| player * player).sum();
    // If the correction is large, its formula is not valid.
    (plain - slope).clamp(plain, 2.0 * plain)
}

/// Inverts a positive definite matrix by Gauss-Jordan elimination.
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

/// The marginal distribution of advantages and draws, with the strengths integrated out.
pub(super) struct Marginal {
    /// The standard error of each advantage.
    pub(super) errors: Vec<f64>,
    /// The correction of each advantage.
    pub(super) corrections: Vec<f64>,
}

/// Integrates out the strengths by Laplace's method.
///
/// The mode of the likelihood is biased toward small advantages, because games between players of uncertain
/// strength appear less even than they are. The first derivative of the determinant in Laplace's formula
/// gives the size of the bias.
pub(super) fn marginal(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
) -> Marginal {
    let has_draws = point.draw.is_finite();
    let n_sides = point.sides.len();
    let n = n_sides + usize::from(has_draws);
    let columns: Vec<Unknowns> = (0..n)
        .map(|at| if at < n_sides { system.column_of_side(at) } else { system.column_of_draws() })
        .collect();
    let shifts: Vec<Unknowns> =
        columns.iter().map(|column| system.solve(column.clone(), SystemPart::Players, 1e-6)).collect();
    let mut matrix = vec![0.0; n * n];
    for (row, column) in columns.iter().enumerate() {
        for (other, shift) in shifts.iter().enumerate() {
            let direct = if other < n_sides { column.sides[other] } else { column.draw };
            let through: f64 = column.players.iter().zip(&shift.players).map(|(one, two)| one * two).sum();
            matrix[row * n + other] = direct - through;
        }
    }
    let slopes = slopes((league, side_choices), (system, variances), point, &shifts);
    // The formula also has curvature: the information is less than at the mode alone.
    for (row, bend) in bends(league, (system, variances), &shifts).into_iter().enumerate() {
        let at = row * n + row;
        matrix[at] -= bend.clamp(0.0, 0.4 * matrix[at]);
    }
    invert(&mut matrix, n);
    let robust = robust((league, side_choices), (system, variances), (&shifts, &matrix));
    // Players with different skill by side, and an advantage that depends on strength, make games of a player
    // dependent. The sum over such games includes that; it is itself uncertain, and never lower in truth.
    let errors = (0..n_sides)
        .map(|at| matrix[at * n + at].max(robust.get(at).copied().unwrap_or(0.0)).max(0.0).sqrt())
        .collect();
    let corrections = (0..n_sides).map(|row| {
        let terms = slopes.iter().enumerate().map(|(at, slope)| matrix[row * n + at] * slope);
        terms.sum()
    });
    let corrections = corrections.collect();
    Marginal { errors, corrections }
}

/// Returns the variances of the advantages that allow for dependent games of the same player: the sum of the
/// products of the influences of all pairs of games that share a player, as in [`crate::stats::design_effect`].
fn robust(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances<'_>),
    (shifts, inverse): (&[Unknowns], &[f64]),
) -> Vec<f64> {
    let n = shifts.len();
    let n_players = variances.players.len();
    let influence = |group: usize, at: usize| {
        let pairing = &league.pairings()[at];
        let (a, d) = (pairing.attackers as usize, pairing.defenders as usize);
        let [win, even, _] = system.chances()[at];
        let score = f64::from(pairing.points.attackers) + f64::from(pairing.points.draws) / 2.0;
        let residual = score - f64::from(pairing.points.n()) * (win + even / 2.0);
        let mut weight = 0.0;
        let row = &inverse[group * n..(group + 1) * n];
        let n_sides = league.n_groups + side_choices.n();
        for (k, (factor, shift)) in row.iter().zip(shifts).take(n_sides).enumerate() {
            let direct = match k.checked_sub(league.n_groups) {
                None => f64::from(u8::from(k == pairing.group as usize)),
                Some(choice) => side_choices.of_pairing(at)[choice],
            };
            weight += factor * (direct - shift.players[a] + shift.players[d]);
        }
        weight * residual
    };
    let variance = |group: usize| {
        let (mut players, mut pairs) = (vec![0.0; n_players], vec![0.0; variances.shared.len()]);
        for (at, (pairing, pair)) in league.pairings().iter().zip(&variances.pairs.of_pairing).enumerate() {
            let part = influence(group, at);
            players[pairing.attackers as usize] += part;
            players[pairing.defenders as usize] += part;
            pairs[*pair as usize] += part;
        }
        let squares = |sums: &[f64]| sums.iter().map(|sum| sum * sum).sum::<f64>();
        let active =
            system.diagonal.players.iter().filter(|own| **own > system.prior_of_players()).count() as f64;
        (squares(&players) - squares(&pairs)) * active / (active - 1.0).max(1.0)
    };
    // With many groups, the time would grow with their square.
    if league.n_groups > MOST_ROBUST { Vec::new() } else { (0..league.n_groups).map(variance).collect() }
}

/// The maximum number of groups with robust errors.
const MOST_ROBUST: usize = 12;

/// Returns the derivatives of minus half the log determinant by advantages and draws.
fn slopes(
    (league, side_choices): (&League, &SideChoices),
    (system, variances): (&System<'_>, &Variances<'_>),
    point: &Unknowns,
    shifts: &[Unknowns],
) -> Vec<f64> {
    let n_sides = point.sides.len();
    let mut slopes = vec![0.0; shifts.len()];
    for (at, pairing) in league.pairings().iter().enumerate() {
        let (a, d, g) = (pairing.attackers as usize, pairing.defenders as usize, pairing.group as usize);
        let chances = system.chances()[at];
        let [win, even, loss] = chances;
        let (mean, third) = (win + even / 2.0, third(chances));
        let square = win * (1.0 - mean).powi(2) + even * (0.5 - mean).powi(2) + loss * mean.powi(2);
        let scale = -0.5 * f64::from(pairing.points.n()) * variances.gap(at, [a, d]);
        slopes[g] += scale * third;
        for (k, choice) in side_choices.of_pairing(at).iter().enumerate() {
            slopes[league.n_groups + k] += scale * third * choice;
        }
        if shifts.len() > n_sides {
            // The derivative of the variance by the logarithm of the draw weight.
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

/// Returns the negated second derivatives of minus half the log determinant by the advantages, restricted to
/// the terms with fourth cumulants of scores.
fn bends(
    league: &League,
    (system, variances): (&System<'_>, &Variances<'_>),
    shifts: &[Unknowns],
) -> Vec<f64> {
    let mut bends = vec![0.0; league.n_groups];
    for (at, pairing) in league.pairings().iter().enumerate() {
        let (a, d, g) = (pairing.attackers as usize, pairing.defenders as usize, pairing.group as usize);
        let [win, even, loss] = system.chances()[at];
        let mean = win + even / 2.0;
        let moment = |power: i32| {
            win * (1.0 - mean).powi(power) + even * (0.5 - mean).powi(power) + loss * mean.powi(power)
        };
        let fourth = moment(4) - 3.0 * moment(2).powi(2);
        let moved = 1.0 - (shifts[g].players[a] - shifts[g].players[d]);
        let n = f64::from(pairing.points.n());
        bends[g] -= 0.5 * n * variances.gap(at, [a, d]) * fourth * moved * moved;
    }
    bends
}
