//! Maximum likelihood ratings of few players with many games, such as engines in a league.
//!
//! The model is that of [`strength`](super::strength), without its distributions of strengths and side skills, which few
//! players can't inform. With `x = rating of the attackers' player - rating of the defenders' player + advantage of the
//! attackers in the group`, the attackers win, draw, and lose in the proportion `e^(x/2) : nu : e^(-x/2)`. The logarithm of
//! the likelihood is concave, so Newton's method finds its maximum.
//!
//! For each player, a half won and half lost game against the rating 0 is added, so that a player who has won every game gets
//! a finite rating, and for each group such a game between equals. The variance is that of sums over clusters of games that
//! are not independent, usually the two games of an opening (Liang and Zeger 1986).

use super::interval::Estimate;
use super::matrix::Matrix;
use super::missing::NotEstimable;
use super::normal::normal_cdf;
use super::strength::{Pairing, elo, expectation};

/// The weight of each half of a game that is added.
const HALF: f64 = 0.5;
/// The maximum number of Newton steps; the method converges in fewer than twenty.
const MAX_STEPS: usize = 100;
/// The method has converged when no unknown changes by more than this.
const TOLERANCE: f64 = 1e-10;

/// Ratings of players, in Elo around their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The rating of each player; `None` for players without games.
    pub players: Vec<Option<Estimate>>,
    /// The advantage of the attackers over equal opponents in each group; `None` for groups without games.
    pub advantages: Vec<Option<Estimate>>,
    /// The weight of a draw between equals, relative to 1 for a win of either: `nu`. 0 if no game was drawn.
    pub draw_weight: f64,
    /// Ratings in log odds, and their covariances.
    values: Vec<f64>,
    covariance: Matrix,
}

impl Ratings {
    /// Returns the difference of two ratings in Elo, with its interval.
    pub fn difference(&self, one: usize, other: usize) -> Estimate {
        let (value, error) = self.contrast(one, other);
        Estimate::normal(value, error).map(elo)
    }

    /// Returns the probability that one player is stronger than another, from the normal approximation.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let (value, error) = self.contrast(one, other);
        if error > 0.0 { normal_cdf(value / error) } else { 0.5 }
    }

    fn contrast(&self, one: usize, other: usize) -> (f64, f64) {
        let mut weights = vec![0.0; self.values.len()];
        weights[one] += 1.0;
        weights[other] -= 1.0;
        (self.values[one] - self.values[other], self.covariance.error_of(&weights))
    }
}

/// Rates players. The games of a cluster depend on each other, those of different clusters do not. A pairing may stand for
/// several games.
///
/// # Errors
///
/// Returns [`NotEstimable::NoGames`] without games, and [`NotEstimable::NoneDecided`] if all games were drawn.
///
/// # Panics
///
/// Panics if a pairing has a player or a group out of range.
pub fn rate<C: AsRef<[Pairing]>>(
    (n_players, n_groups): (usize, usize),
    clusters: &[C],
) -> Result<Ratings, NotEstimable> {
    let games = || clusters.iter().flat_map(|cluster| cluster.as_ref());
    let (mut drawn, mut all) = (0, 0);
    let (mut has_player, mut has_group) = (vec![false; n_players], vec![false; n_groups]);
    for game in games().filter(|game| game.results.n() > 0) {
        (drawn, all) = (drawn + game.results.draws, all + game.results.n());
        has_player[game.attackers as usize] = true;
        has_player[game.defenders as usize] = true;
        has_group[game.group as usize] = true;
    }
    if all == 0 {
        return Err(NotEstimable::NoGames);
    }
    if drawn == all {
        return Err(NotEstimable::NoneDecided);
    }
    let model = Model { n_players, n_groups, has_group: &has_group, has_draws: drawn > 0 };
    let values = model.maximum(games)?;
    let covariance = model.covariance(&values, clusters).ok_or(NotEstimable::Unsettled)?;
    let n_rated = has_player.iter().filter(|has| **has).count() as f64;
    let mean = values.iter().zip(&has_player).filter(|(_, has)| **has).map(|(value, _)| value).sum::<f64>()
        / n_rated;
    let rating = |player: usize| {
        let share = |other: usize| if has_player[other] { 1.0 / n_rated } else { 0.0 };
        let mut weights: Vec<f64> =
            (0..values.len()).map(|at| if at < n_players { -share(at) } else { 0.0 }).collect();
        weights[player] += 1.0;
        Estimate::normal(values[player] - mean, covariance.error_of(&weights)).map(elo)
    };
    let advantage = |group: usize| {
        let at = n_players + group;
        Estimate::normal(values[at], covariance.0[at][at].max(0.0).sqrt()).map(elo)
    };
    Ok(Ratings {
        players: (0..n_players).map(|player| has_player[player].then(|| rating(player))).collect(),
        advantages: (0..n_groups).map(|group| has_group[group].then(|| advantage(group))).collect(),
        draw_weight: if drawn > 0 { values[n_players + n_groups].exp() } else { 0.0 },
        values,
        covariance,
    })
}

/// The unknowns: the ratings of players, the advantages of groups, and the logarithm of the weight of draws.
struct Model<'a> {
    n_players: usize,
    n_groups: usize,
    has_group: &'a [bool],
    has_draws: bool,
}

impl Model<'_> {
    fn n(&self) -> usize {
        self.n_players + self.n_groups + 1
    }

    fn maximum<'g, G: Iterator<Item = &'g Pairing>>(
        &self,
        games: impl Fn() -> G,
    ) -> Result<Vec<f64>, NotEstimable> {
        let mut values = vec![0.0; self.n()];
        let mut likelihood = self.log_likelihood(&values, games());
        for _ in 0..MAX_STEPS {
            let mut gradient = vec![0.0; self.n()];
            games().for_each(|game| self.add_gradient(game, &values, &mut gradient));
            self.added_gradients(&values).for_each(|(at, slope)| gradient[at] += slope);
            let inverse = self.curvature(&values, games()).inverse().ok_or(NotEstimable::Unsettled)?;
            let mut step = inverse.times(&gradient);
            // Far from the maximum, a whole step may go too far.
            loop {
                let next: Vec<f64> = values.iter().zip(&step).map(|(value, step)| value + step).collect();
                let reached = self.log_likelihood(&next, games());
                let is_small = step.iter().all(|step| step.abs() < TOLERANCE);
                if reached >= likelihood || is_small {
                    (values, likelihood) = (next, reached);
                    break;
                }
                step.iter_mut().for_each(|step| *step /= 2.0);
            }
            if step.iter().all(|step| step.abs() < TOLERANCE) {
                return Ok(values);
            }
        }
        Err(NotEstimable::Unsettled)
    }

    /// Returns the covariance of the unknowns: the inverse curvature around the sum of squared gradients of clusters.
    fn covariance<C: AsRef<[Pairing]>>(&self, values: &[f64], clusters: &[C]) -> Option<Matrix> {
        let inverse =
            self.curvature(values, clusters.iter().flat_map(|cluster| cluster.as_ref())).inverse()?;
        if clusters.len() < 2 {
            // One cluster shows nothing about the variance between clusters; at the maximum, its gradient is nearly zero.
            return Some(inverse);
        }
        let mut squares = Matrix::zero(self.n());
        for cluster in clusters {
            let mut gradient = vec![0.0; self.n()];
            cluster.as_ref().iter().for_each(|game| self.add_gradient(game, values, &mut gradient));
            squares.add_square(&gradient);
        }
        for (at, win) in self.added(values) {
            squares.0[at][at] += HALF * ((1.0 - win).powi(2) + win.powi(2));
        }
        // Few clusters follow the estimates closely, which makes their gradients too small.
        let n = clusters.len() as f64;
        squares.scale(n / (n - 1.0));
        Some(inverse.product(&squares).product(&inverse))
    }

    fn x(&self, game: &Pairing, values: &[f64]) -> f64 {
        values[game.attackers as usize] - values[game.defenders as usize]
            + values[self.n_players + game.group as usize]
    }

    /// Returns the probabilities of a win, a draw, and a loss of the attackers.
    fn probabilities(&self, game: &Pairing, values: &[f64]) -> [f64; 3] {
        let x = self.x(game, values);
        let draw_weight = if self.has_draws { values[self.n() - 1].exp() } else { 0.0 };
        super::strength::wdl_probabilities(x, draw_weight)
    }

    fn log_likelihood<'g>(&self, values: &[f64], games: impl Iterator<Item = &'g Pairing>) -> f64 {
        let of_game = |game: &Pairing| {
            let [win, draw, loss] = self.probabilities(game, values).map(|p| p.max(f64::MIN_POSITIVE).ln());
            let results = game.results;
            let draws = if results.draws > 0 { f64::from(results.draws) * draw } else { 0.0 };
            f64::from(results.attackers) * win + draws + f64::from(results.defenders) * loss
        };
        let added = |(_, win): (usize, f64)| HALF * (win.ln() + (1.0 - win).ln());
        games.map(of_game).sum::<f64>() + self.added(values).map(added).sum::<f64>()
    }

    fn add_gradient(&self, game: &Pairing, values: &[f64], gradient: &mut [f64]) {
        let [win, draw, loss] = self.probabilities(game, values);
        let results = game.results;
        let n = f64::from(results.n());
        let slope = (f64::from(results.attackers) - f64::from(results.defenders) - n * (win - loss)) / 2.0;
        gradient[game.attackers as usize] += slope;
        gradient[game.defenders as usize] -= slope;
        gradient[self.n_players + game.group as usize] += slope;
        if self.has_draws {
            gradient[self.n() - 1] += f64::from(results.draws) - n * draw;
        }
    }

    /// Returns the index of each unknown for which a game is added, with the probability to win it.
    fn added<'v>(&'v self, values: &'v [f64]) -> impl Iterator<Item = (usize, f64)> + 'v {
        let is_used = |at: usize| at < self.n_players || self.has_group[at - self.n_players];
        (0..self.n_players + self.n_groups)
            .filter(move |at| is_used(*at))
            .map(|at| (at, expectation(values[at])))
    }

    /// Returns the slopes of the likelihood of the added games.
    fn added_gradients<'v>(&'v self, values: &'v [f64]) -> impl Iterator<Item = (usize, f64)> + 'v {
        self.added(values).map(|(at, win)| (at, HALF * (1.0 - 2.0 * win)))
    }

    /// Returns the negative second derivatives of the logarithm of the likelihood.
    fn curvature<'g>(&self, values: &[f64], games: impl Iterator<Item = &'g Pairing>) -> Matrix {
        let mut matrix = Matrix::zero(self.n());
        let at_draws = self.n() - 1;
        for game in games {
            let [win, draw, loss] = self.probabilities(game, values);
            let n = f64::from(game.results.n());
            let weight = n * ((win + loss) - (win - loss).powi(2)) / 4.0;
            let signs = [
                (game.attackers as usize, 1.0),
                (game.defenders as usize, -1.0),
                (self.n_players + game.group as usize, 1.0),
            ];
            for (one, sign) in signs {
                for (other, other_sign) in signs {
                    matrix.0[one][other] += sign * other_sign * weight;
                }
                let with_draw = -sign * n * (win - loss) * draw / 2.0;
                matrix.0[one][at_draws] += with_draw;
                matrix.0[at_draws][one] += with_draw;
            }
            matrix.0[at_draws][at_draws] += n * draw * (1.0 - draw);
        }
        for (at, win) in self.added(values) {
            matrix.0[at][at] += 2.0 * HALF * win * (1.0 - win);
        }
        // An unknown that no game informs stays 0.
        for group in (0..self.n_groups).filter(|group| !self.has_group[*group]) {
            matrix.0[self.n_players + group][self.n_players + group] = 1.0;
        }
        if !self.has_draws {
            matrix.0[at_draws][at_draws] = 1.0;
        }
        matrix
    }
}

#[cfg(test)]
mod tests;
