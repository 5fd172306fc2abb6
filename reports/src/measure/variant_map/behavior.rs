//! The behavior of variants: means over games with intervals, and distances that do not count noise.

use tafl_rules::Rng;

use super::MapOptions;
use super::game_values::{BehaviorMetric, METRICS, MappedGames, MetricScale};
use crate::stats::cluster::Distances;
use crate::stats::interval::{Estimate, SMALL_SAMPLE};

/// The minimum number of games with a value for the mean of a metric.
const MIN_GAMES: u64 = 10;

/// The mean of a metric over the games of a variant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BehaviorValue {
    /// The mean, on the scale of the metric.
    mean: f64,
    /// Its standard error, which allows for games that share players.
    error: f64,
    /// The factor by which the squared error exceeds that of independent games.
    design_effect: f64,
    /// The number of games with a value.
    pub games: u64,
}

/// The behavior of variants.
#[derive(Debug, Clone, PartialEq)]
pub struct BehaviorTable {
    /// The values of each variant, by metric; `None` for fewer than ten games with a value.
    rows: Vec<[Option<BehaviorValue>; METRICS]>,
    /// The standard deviation of each metric between the variants; `None` if it cannot be estimated.
    sds: [Option<f64>; METRICS],
}

impl BehaviorTable {
    /// Returns the behavior of variants, given the values of their games.
    pub(super) fn of(values: &[MappedGames]) -> BehaviorTable {
        let rows: Vec<[Option<BehaviorValue>; METRICS]> =
            values.iter().map(|games| std::array::from_fn(|metric| mean(games, metric))).collect();
        let sds = std::array::from_fn(|metric| standard_deviation(rows.iter().filter_map(|row| row[metric])));
        BehaviorTable { rows, sds }
    }

    /// Returns the value of a variant with its interval, in the unit of the metric.
    pub fn value(&self, variant: usize, metric: BehaviorMetric) -> Option<(Estimate, u64)> {
        let BehaviorValue { mean, error, games, .. } = self.rows.get(variant)?[metric as usize]?;
        let estimate = Estimate::normal(mean, error);
        Some(match metric.scale() {
            MetricScale::Geometric => (estimate.map(f64::exp), games),
            // No metric has negative values, and most are proportions.
            MetricScale::Mean => {
                let (low, high) =
                    (estimate.low.max(0.0).min(mean), estimate.high.min(metric.max()).max(mean));
                (Estimate { low, high, ..estimate }, games)
            }
        })
    }

    /// Returns the difference of two variants in a metric, in standard deviations between variants.
    pub fn difference(&self, one: usize, other: usize, metric: BehaviorMetric) -> Option<f64> {
        let at = metric as usize;
        let (first, second) = (self.rows.get(one)?[at]?, self.rows.get(other)?[at]?);
        Some((first.mean - second.mean) / self.sds[at]?)
    }

    /// Returns the distances between the variants.
    ///
    /// A distance is the root of the mean squared difference over the metrics that both variants have, in standard
    /// deviations between variants. What the errors of both means add to the squares on average is subtracted, so that
    /// variants with few games are not distant for that reason.
    pub fn distances(&self) -> Distances {
        self.distances_of(&self.rows, 1.0)
    }

    /// Returns the distances of other values of the same variants, whose noise is `noise` times the squared errors.
    fn distances_of(&self, rows: &[[Option<BehaviorValue>; METRICS]], noise: f64) -> Distances {
        Distances::new(rows.len(), |one, other| {
            let (mut sum, mut n) = (0.0, 0.0);
            for (metric, sd) in self.sds.iter().enumerate() {
                let (Some(sd), Some(first), Some(second)) = (sd, rows[one][metric], rows[other][metric])
                else {
                    continue;
                };
                let error = first.error.powi(2) + second.error.powi(2);
                sum += ((first.mean - second.mean).powi(2) - noise * error) / (sd * sd);
                n += 1.0;
            }
            if n > 0.0 { (sum / n).max(0.0).sqrt() } else { 0.0 }
        })
    }

    /// Returns the distances of repetitions in which the games of each variant are drawn at random with replacement. Draws of games
    /// vary as if games were independent, so the deviations of their means are enlarged by the roots of the design effects.
    pub(super) fn repeated<'v>(
        &'v self,
        values: &'v [MappedGames],
        options: &MapOptions,
    ) -> impl Iterator<Item = Distances> + 'v {
        let mut rng = Rng::new(options.seed);
        (0..options.repetitions.get()).map(move |_| {
            let rows: Vec<[Option<BehaviorValue>; METRICS]> = values
                .iter()
                .zip(&self.rows)
                .map(|(MappedGames { values: games, .. }, known)| {
                    let (mut sums, mut counts) = ([0.0; METRICS], [0_u64; METRICS]);
                    for _ in 0..games.len() {
                        let drawn = &games[rng.below(games.len())];
                        for metric in 0..METRICS {
                            if let Some(value) = drawn[metric] {
                                sums[metric] += value;
                                counts[metric] += 1;
                            }
                        }
                    }
                    std::array::from_fn(|metric| {
                        let games = counts[metric];
                        let drawn = sums[metric] / games.max(1) as f64;
                        known[metric].filter(|_| games > 0).map(|known| BehaviorValue {
                            mean: known.mean + (drawn - known.mean) * known.design_effect.sqrt(),
                            ..known
                        })
                    })
                })
                .collect();
            // The draw adds its own noise to that of the games.
            self.distances_of(&rows, 2.0)
        })
    }
}

/// Returns the mean of a metric over the games of a variant that have a value.
fn mean(games: &MappedGames, metric: usize) -> Option<BehaviorValue> {
    let with_value = (0..).zip(&games.values).filter_map(|(at, values)| Some((at, values[metric]?)));
    let values: Vec<(u32, f64)> = with_value.collect();
    let n = values.len() as f64;
    if (values.len() as u64) < MIN_GAMES {
        return None;
    }
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / n;
    let deviations = values.iter().map(|(at, value)| (*at, value - mean));
    let squares: f64 = deviations.clone().map(|(_, deviation)| deviation * deviation).sum();
    let effect = games.shared.effect_on_mean(deviations).filter(|_| values.len() as u64 >= SMALL_SAMPLE);
    let design_effect = effect.unwrap_or(1.0);
    let error = (design_effect * squares / (n - 1.0) / n).sqrt();
    Some(BehaviorValue { mean, error, design_effect, games: values.len() as u64 })
}

/// Returns the standard deviation between variants: that of their means, without what the errors of the means add.
fn standard_deviation(values: impl Iterator<Item = BehaviorValue>) -> Option<f64> {
    let values: Vec<BehaviorValue> = values.collect();
    let n = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let center = values.iter().map(|value| value.mean).sum::<f64>() / n;
    let variance = values.iter().map(|value| (value.mean - center).powi(2)).sum::<f64>() / (n - 1.0);
    let noise = values.iter().map(|value| value.error.powi(2)).sum::<f64>() / n;
    // The differences must exceed the noise: otherwise, a metric would add mostly noise to the distances.
    (variance > 2.0 * noise && variance > 1e-18).then(|| (variance - noise).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::game_values::GameValues;
    use super::*;
    use crate::stats::dyadic::SharedPlayers;
    use crate::stats::standard_normal;

    /// Returns the values of games that differ from a mean by chance, the same in every metric.
    fn noisy(rng: &mut Rng, center: f64, n: usize) -> MappedGames {
        independent((0..n).map(|_| [Some(center + standard_normal(rng)); METRICS]).collect())
    }

    fn independent(values: Vec<GameValues>) -> MappedGames {
        MappedGames { shared: SharedPlayers::default(), values }
    }

    #[test]
    fn noise_is_not_a_distance() {
        let mut rng = Rng::new(5);
        let (mut near, mut apart) = (0.0, 0.0);
        for _ in 0..60 {
            // The first two variants are the same and have few games; the others are 2 apart from them.
            let values = [
                noisy(&mut rng, 0.0, 15),
                noisy(&mut rng, 0.0, 15),
                noisy(&mut rng, 2.0, 400),
                noisy(&mut rng, -2.0, 400),
            ];
            let table = BehaviorTable::of(&values);
            let distances = table.distances();
            near += distances.between(0, 1).powi(2) / 60.0;
            apart += distances.between(0, 2).powi(2) / 60.0;
        }
        // The squared distance of two equal variants is half of the noise on average, because it is cut off at 0.
        assert!(near < 0.05 && apart > 0.9, "{near} {apart}");
    }

    #[test]
    fn repetitions_are_around_the_distances() {
        let mut rng = Rng::new(9);
        let values: Vec<MappedGames> =
            [0.0, 0.4, 3.0].iter().map(|center| noisy(&mut rng, *center, 60)).collect();
        let table = BehaviorTable::of(&values);
        let distance = table.distances().between(0, 2).powi(2);
        let options = MapOptions::default();
        let repeated: Vec<f64> =
            table.repeated(&values, &options).map(|distances| distances.between(0, 2).powi(2)).collect();
        let mean = repeated.iter().sum::<f64>() / repeated.len() as f64;
        assert!((mean - distance).abs() < 0.03 * distance, "{mean} {distance}");
        assert_eq!(table.difference(0, 2, BehaviorMetric::Score).map(f64::signum), Some(-1.0));
    }

    #[test]
    fn players_with_habits_are_not_distances() {
        // Two variants are the same, but each has twenty players of its own with habits.
        let mut rng = Rng::new(11);
        let (mut near, mut near_if_independent, mut apart) = (0.0, 0.0, 0.0);
        for _ in 0..60 {
            let games: Vec<MappedGames> = [0.0, 0.0, 3.0, -3.0]
                .iter()
                .map(|center| {
                    let habits: Vec<f64> = (0..20).map(|_| standard_normal(&mut rng)).collect();
                    let players: Vec<[usize; 2]> =
                        (0..300).map(|_| [rng.below(10), 10 + rng.below(10)]).collect();
                    let value = |players: &[usize; 2]| {
                        let habits: f64 = players.iter().map(|player| habits[*player]).sum();
                        [Some(center + habits + standard_normal(&mut rng)); METRICS]
                    };
                    MappedGames {
                        values: players.iter().map(value).collect(),
                        shared: SharedPlayers::of(
                            players.iter().map(|players| Some(players.map(|player| player as u32))),
                        ),
                    }
                })
                .collect();
            let unshared: Vec<MappedGames> =
                games.iter().map(|games| independent(games.values.clone())).collect();
            let distances = BehaviorTable::of(&games).distances();
            near += distances.between(0, 1).powi(2) / 60.0;
            apart += distances.between(0, 2).powi(2) / 60.0;
            near_if_independent += BehaviorTable::of(&unshared).distances().between(0, 1).powi(2) / 60.0;
        }
        assert!(
            near < 0.6 * near_if_independent && apart > 10.0 * near,
            "{near} {near_if_independent} {apart}"
        );
    }

    #[test]
    fn intervals_of_proportions_end_at_1() {
        let values = (0..40).map(|at| [Some(if at == 0 { 0.0 } else { 1.0 }); METRICS]).collect();
        let table = BehaviorTable::of(&[independent(values)]);
        let high = |metric| table.value(0, metric).unwrap().0.high;
        assert_eq!(high(BehaviorMetric::Draws), 1.0);
        assert!(high(BehaviorMetric::LeadChanges) > 1.0);
    }

    #[test]
    fn missing_values_have_no_mean() {
        let few = || independent(vec![[Some(1.0); METRICS]; 9]);
        let table = BehaviorTable::of(&[few(), few()]);
        assert_eq!(table.value(0, BehaviorMetric::Score), None);
        assert_eq!(table.distances().between(0, 1), 0.0);
    }
}
