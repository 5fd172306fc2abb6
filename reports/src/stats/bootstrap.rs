//! Bootstrap intervals: resampling with replacement.

use tafl_rules::Rng;

use super::interval::Estimate;

/// The parameters of resampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BootstrapOptions {
    /// The number of samples.
    pub rounds: usize,
    /// The seed: the same seed gives the same result.
    pub seed: u64,
}

impl Default for BootstrapOptions {
    fn default() -> BootstrapOptions {
        BootstrapOptions { rounds: 999, seed: 1 }
    }
}

/// Returns a statistic with its percentile interval over samples in which players are drawn with replacement.
/// A game's weight is the product of the numbers of times that its players were drawn, so the interval shows
/// how much the statistic would vary with other players.
///
/// `games` are the indices of the players of each game, below `n_players`. `statistic` is given a weight for
/// each game. Samples where it is `None` are skipped. The result is `None` if the statistic is `None` for the
/// games themselves or for more than a tenth of the samples, or if fewer than 20 samples are left.
pub fn bootstrap_by_player(
    (games, n_players): (&[[u32; 2]], usize),
    draws: BootstrapOptions,
    statistic: impl Fn(&[u32]) -> Option<f64>,
) -> Option<Estimate> {
    let mut rng = Rng::new(draws.seed);
    let mut players = vec![1; n_players];
    let mut weights = vec![1; games.len()];
    let value = statistic(&weights)?;
    let drawn = (0..draws.rounds).filter_map(|_| {
        draw(&mut players, &mut rng);
        let of = |player: u32| players.get(player as usize).copied().unwrap_or(0);
        for (weight, [one, two]) in weights.iter_mut().zip(games) {
            *weight = if one == two { of(*one) } else { of(*one) * of(*two) };
        }
        statistic(&weights)
    });
    percentiles(value, drawn.collect(), draws.rounds)
}

fn draw(weights: &mut [u32], rng: &mut Rng) {
    weights.fill(0);
    for _ in 0..weights.len() {
        let at = rng.below(weights.len());
        weights[at] += 1;
    }
}

fn percentiles(value: f64, mut drawn: Vec<f64>, rounds: usize) -> Option<Estimate> {
    drawn.retain(|number| number.is_finite());
    if drawn.len() < 20 || drawn.len() * 10 < rounds * 9 || !value.is_finite() {
        return None;
    }
    drawn.sort_by(f64::total_cmp);
    let at = |proportion: f64| drawn[((drawn.len() - 1) as f64 * proportion).round() as usize];
    Some(Estimate { value, low: at(0.025).min(value), high: at(0.975).max(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One game per player, against himself: drawing players is then equivalent to drawing games.
    fn single(n: u32) -> Vec<[u32; 2]> {
        (0..n).map(|game| [game, game]).collect()
    }

    #[test]
    fn it_matches_known_values() {
        let numbers: Vec<f64> = (0..200).map(|at| f64::from(at % 10)).collect();
        let mean = |weights: &[u32]| {
            let n: u32 = weights.iter().sum();
            let sum: f64 =
                weights.iter().zip(&numbers).map(|(weight, number)| f64::from(*weight) * number).sum();
            (n > 0).then(|| sum / f64::from(n))
        };
        let found = bootstrap_by_player((&single(200), 200), BootstrapOptions::default(), mean).unwrap();
        let known = 1.96 * (8.25f64 / 200.0).sqrt();
        assert!((found.value - 4.5).abs() < 1e-12 && (found.width() / 2.0 - known).abs() < 0.05, "{found:?}");
        assert_eq!(
            found,
            bootstrap_by_player((&single(200), 200), BootstrapOptions::default(), mean).unwrap()
        );
        assert_eq!(bootstrap_by_player((&[], 0), BootstrapOptions::default(), mean), None);
    }

    #[test]
    fn players_make_it_wider() {
        // Ten pairs of players, each with twenty games with the same result.
        let games: Vec<[u32; 2]> = (0..200).map(|game| [game / 20 * 2, game / 20 * 2 + 1]).collect();
        let proportion = |weights: &[u32]| {
            let n: u32 = weights.iter().sum();
            let wins: u32 =
                weights.iter().zip(0..).filter(|(_, game)| game / 20 % 2 == 0).map(|(w, _)| w).sum();
            (n > 0).then(|| f64::from(wins) / f64::from(n))
        };
        let by_games =
            bootstrap_by_player((&single(200), 200), BootstrapOptions::default(), proportion).unwrap();
        let by_players =
            bootstrap_by_player((&games, 20), BootstrapOptions { rounds: 499, seed: 2 }, proportion).unwrap();
        assert!(by_players.width() > 2.0 * by_games.width(), "{by_players:?} {by_games:?}");
    }
}
