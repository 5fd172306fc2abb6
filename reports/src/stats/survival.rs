//! Survival analysis: lengths of games with competing ends and censoring.
//!
//! The proportion of games that have ended in a way by a ply is the Aalen-Johansen estimate: unfinished games
//! count up to their last ply, without any assumption about their result. Variances are multiplied by the design effect of
//! the proportion of all games that are known to have ended in this way by this ply.

use super::dyadic::{GrowingHits, SharedPlayers};
use super::interval::{Estimate, Z95, wilson_of};
use super::missing::NotEstimable;

/// The last known ply of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurvivalEnding {
    /// The index of the game in the [`SharedPlayers`].
    pub game: u32,
    /// The number of plies.
    pub plies: u32,
    /// The index of the cause of the end; `None` for a censored game.
    pub cause: Option<u32>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurvivalPoint {
    /// The ply.
    pub ply: u32,
    /// The proportion of all games.
    pub proportion: Estimate,
}

/// The cumulative incidence of the ends of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Incidence {
    /// For each cause, the proportion of games ended by it, at each ply where a game ended.
    pub causes: Vec<Vec<SurvivalPoint>>,
    /// The proportion of games that have not ended.
    pub lasting: Vec<SurvivalPoint>,
    /// The number of games.
    pub n: u64,
    /// The number of censored games.
    pub censored: u64,
}

/// The events at a ply.
struct SurvivalStep {
    ply: u32,
    at_risk: f64,
    ends: f64,
    lasting_before: f64,
    by_cause: Vec<f64>,
    /// The design effects of the proportions of games that ended by this ply: by each cause, and by any.
    effects: Vec<f64>,
}

/// Returns the cumulative incidence of the ends of games, with intervals that allow for games that share players; `shared`
/// has the players of the games.
///
/// # Errors
///
/// Returns [`NotEstimable::NoGames`] without games, and [`NotEstimable::NoneDecided`] if all games are censored.
pub fn incidence(
    mut endings: Vec<SurvivalEnding>,
    n_causes: usize,
    shared: &SharedPlayers,
) -> Result<Incidence, NotEstimable> {
    // Takes little time if they are sorted already.
    endings.sort_by_key(|ending| ending.plies);
    if endings.is_empty() {
        return Err(NotEstimable::NoGames);
    }
    let steps = steps(&endings, n_causes, shared);
    if steps.is_empty() {
        return Err(NotEstimable::NoneDecided);
    }
    let lasting = lasting(&steps);
    let causes = (0..n_causes).map(|cause| curve(&steps, cause)).collect();
    let censored = endings.iter().filter(|ending| ending.cause.is_none()).count() as u64;
    Ok(Incidence { causes, lasting, n: endings.len() as u64, censored })
}

/// Returns the plies at which games ended, in order; `endings` are sorted by their plies.
fn steps(endings: &[SurvivalEnding], n_causes: usize, shared: &SharedPlayers) -> Vec<SurvivalStep> {
    let (mut left, mut lasting) = (endings.len(), 1.0);
    let mut steps = Vec::new();
    // By each cause, and by any.
    let mut ended = vec![GrowingHits::new(shared); n_causes + 1];
    for alike in endings.chunk_by(|one, two| one.plies == two.plies) {
        let mut by_cause = vec![0.0; n_causes];
        for ending in alike {
            if let Some(cause) = ending.cause.map(|cause| cause as usize).filter(|cause| *cause < n_causes) {
                by_cause[cause] += 1.0;
                ended[cause].add(ending.game);
                ended[n_causes].add(ending.game);
            }
        }
        let ends: f64 = by_cause.iter().sum();
        if ends > 0.0 {
            let at_risk = left as f64;
            steps.push(SurvivalStep {
                ply: alike[0].plies,
                at_risk,
                ends,
                lasting_before: lasting,
                by_cause,
                effects: ended.iter().map(|ended| ended.design_effect().unwrap_or(1.0)).collect(),
            });
            lasting *= 1.0 - ends / at_risk;
        }
        left -= alike.len();
    }
    steps
}

/// Returns the Kaplan-Meier curve with Greenwood's variance, on the scale log(-log).
fn lasting(steps: &[SurvivalStep]) -> Vec<SurvivalPoint> {
    let (mut proportion, mut sum) = (1.0, 0.0);
    let point = |step: &SurvivalStep| {
        proportion *= 1.0 - step.ends / step.at_risk;
        sum += greenwood(step);
        let variance = proportion * proportion * sum * step.effects.last().copied().unwrap_or(1.0);
        SurvivalPoint { ply: step.ply, proportion: bounded(proportion, variance, step) }
    };
    steps.iter().map(point).collect()
}

fn greenwood(step: &SurvivalStep) -> f64 {
    let left = step.at_risk - step.ends;
    if left > 0.0 { step.ends / (step.at_risk * left) } else { 0.0 }
}

/// Returns the curve of a cause with the variance by the delta method.
fn curve(steps: &[SurvivalStep], cause: usize) -> Vec<SurvivalPoint> {
    let mut proportion = 0.0;
    // Sums of the terms of the variance, by the power of the proportion with which they are multiplied.
    let [mut a, mut ab, mut abb, mut b, mut c, mut bc] = [0.0f64; 6];
    let point = |step: &SurvivalStep| {
        let ends = step.by_cause[cause];
        let lasting = step.lasting_before;
        proportion += lasting * ends / step.at_risk;
        let weight = greenwood(step);
        a += weight;
        ab += weight * proportion;
        abb += weight * proportion * proportion;
        b += lasting * lasting * ends * (step.at_risk - ends) / step.at_risk.powi(3);
        let cross = lasting * ends / (step.at_risk * step.at_risk);
        c += cross;
        bc += cross * proportion;
        let variance =
            proportion * proportion * a - 2.0 * proportion * ab + abb + b - 2.0 * proportion * c + 2.0 * bc;
        SurvivalPoint { ply: step.ply, proportion: bounded(proportion, variance * step.effects[cause], step) }
    };
    steps.iter().map(point).collect()
}

/// Returns a proportion after a step, with an interval limited to the range from 0 to 1.
///
/// For the proportions 0 and 1 the variance is zero. In these cases the interval is Wilson's for the number of
/// games that would, without censoring, leave as many at risk (Peto and others, 1977).
fn bounded(proportion: f64, variance: f64, step: &SurvivalStep) -> Estimate {
    // A sum of proportions differs from 1 by rounding.
    let proportion = if proportion > 1.0 - 1e-9 { 1.0 } else { proportion.max(0.0) };
    if proportion <= 0.0 || proportion >= 1.0 || variance <= 0.0 {
        return wilson_of(proportion, step.at_risk / step.lasting_before);
    }
    let reach = Z95 * variance.sqrt() / (proportion * proportion.ln()).abs();
    let at = |reach: f64| proportion.powf(reach.exp());
    Estimate { value: proportion, low: at(reach), high: at(-reach) }
}

impl Incidence {
    /// Returns the final proportion of games that ended by a cause; `None` for an unknown cause.
    pub fn total(&self, cause: usize) -> Option<Estimate> {
        self.causes.get(cause)?.last().map(|point| point.proportion)
    }
}

/// Returns a curve with at most `max` points, including the first and the last.
pub fn thinned(points: &[SurvivalPoint], max: usize) -> Vec<SurvivalPoint> {
    if points.len() <= max || max < 2 {
        return points.to_vec();
    }
    let at = |number: usize| points[number * (points.len() - 1) / (max - 1)];
    (0..max).map(at).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    fn ending(plies: u32, cause: Option<usize>) -> SurvivalEnding {
        SurvivalEnding { game: 0, plies, cause: cause.map(|cause| cause as u32) }
    }

    /// Returns the incidence of the ends of games in the order of `shared`.
    fn of_all(
        endings: &[SurvivalEnding],
        n_causes: usize,
        shared: &SharedPlayers,
    ) -> Result<Incidence, NotEstimable> {
        let numbered = (0..).zip(endings).map(|(game, ending)| SurvivalEnding { game, ..*ending });
        incidence(numbered.collect(), n_causes, shared)
    }

    #[test]
    fn without_censored_games_it_counts() {
        let all: Vec<SurvivalEnding> =
            (1..=10).map(|ply| ending(ply, Some(usize::from(ply % 2 == 0)))).collect();
        let found = of_all(&all, 2, &SharedPlayers::default()).unwrap();
        assert!((found.total(0).unwrap().value - 0.5).abs() < 1e-12);
        assert!((found.causes[1][5].proportion.value - 0.3).abs() < 1e-12);
        // The variance of a proportion of 3 among 10, without the transformation: 0.3 * 0.7 / 10.
        let proportion = found.causes[1][5].proportion;
        let log_reach = ((proportion.low.ln() / proportion.value.ln()).ln() / Z95).abs();
        let variance = (log_reach * (proportion.value * proportion.value.ln()).abs()).powi(2);
        assert!((variance - 0.021).abs() < 1e-6, "{variance}");
    }

    #[test]
    fn a_worked_example_with_censored_games() {
        // At risk: 5, 4, 2. Shares: 1/5, then 4/5 * 1/4 of the other cause, then after a censored game 3/5 *
        // 1/2.
        let all =
            [ending(1, Some(0)), ending(2, Some(1)), ending(3, None), ending(4, Some(0)), ending(5, None)];
        let found = of_all(&all, 2, &SharedPlayers::default()).unwrap();
        let proportions: Vec<f64> = found.causes[0].iter().map(|point| point.proportion.value).collect();
        for (proportion, wanted) in proportions.iter().zip([0.2, 0.2, 0.5]) {
            assert!((proportion - wanted).abs() < 1e-12, "{proportions:?}");
        }
        assert_eq!((found.n, found.censored), (5, 2));
    }

    #[test]
    fn intervals_hold_the_truth() {
        let mut rng = Rng::new(9);
        let mut held = 0;
        for _ in 0..1500 {
            // Two causes with constant rates in the ratio 2:1, with random censoring.
            let all: Vec<SurvivalEnding> = (0..120)
                .map(|_| {
                    let end = -(1.0 - rng.unit()).ln() * 30.0;
                    let cut = -(1.0 - rng.unit()).ln() * 60.0;
                    let cause = usize::from(rng.unit() < 1.0 / 3.0);
                    let plies = (end.min(cut) * 1000.0) as u32;
                    ending(plies, (end <= cut).then_some(cause))
                })
                .collect();
            let found = of_all(&all, 2, &SharedPlayers::default()).unwrap();
            let by = found.causes[0].iter().take_while(|point| point.ply <= 30_000).last().unwrap();
            let truth = 2.0 / 3.0 * (1.0 - (-1.0f64).exp());
            held += usize::from(by.proportion.holds(truth));
        }
        let proportion = held as f64 / 1500.0;
        assert!((0.93..0.97).contains(&proportion), "{proportion}");
    }

    #[test]
    fn bands_allow_for_players_with_long_games() {
        let (mut held, mut held_if_independent) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let habits: Vec<f64> = (0..60).map(|_| 0.5 * standard_normal(&mut rng)).collect();
            let games: Vec<[u32; 2]> =
                (0..900).map(|_| [rng.below(30) as u32, 30 + rng.below(30) as u32]).collect();
            let all: Vec<SurvivalEnding> = games
                .iter()
                .map(|game| {
                    let habits: f64 = game.iter().map(|player| habits[*player as usize]).sum();
                    let end = 1000.0 * (habits + 0.5 * standard_normal(&mut rng)).exp();
                    // A tenth is censored, at any ply.
                    let cut = if rng.below(10) == 0 { 3000.0 * rng.unit() } else { f64::INFINITY };
                    ending(end.min(cut) as u32, (end <= cut).then_some(0))
                })
                .collect();
            let shared = SharedPlayers::of(games.iter().map(|game| Some(*game)));
            // The median of a length is 1,000 plies.
            let holds = |shared: &SharedPlayers| {
                let found = of_all(&all, 1, shared).unwrap();
                let by = found.causes[0].iter().take_while(|point| point.ply < 1000).last().unwrap();
                u32::from(by.proportion.holds(0.5))
            };
            held += holds(&shared);
            held_if_independent += holds(&SharedPlayers::default());
        }
        assert!((360..=396).contains(&held), "{held} of 400");
        assert!(held_if_independent < 260, "{held_if_independent} of 400");
    }

    #[test]
    fn none_and_all_are_not_certain() {
        let all: Vec<SurvivalEnding> = (1..=20).map(|ply| ending(ply, Some(0))).collect();
        let found = of_all(&all, 2, &SharedPlayers::default()).unwrap();
        // Newcombe (1998), table I: 0 of 20.
        let (none, gone) = (found.causes[1][9].proportion, found.lasting[19].proportion);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5, "{none:?}");
        assert!(gone.low == 0.0 && (gone.high - 0.1611).abs() < 5e-5, "{gone:?}");
        let whole = found.total(0).unwrap();
        assert!((whole.low - 0.8389).abs() < 5e-5 && whole.high >= whole.value, "{whole:?}");
    }

    #[test]
    fn odd_inputs_are_answered() {
        assert_eq!(of_all(&[], 2, &SharedPlayers::default()), Err(NotEstimable::NoGames));
        assert_eq!(of_all(&[ending(3, None)], 2, &SharedPlayers::default()), Err(NotEstimable::NoneDecided));
        let one = of_all(&[ending(3, Some(0))], 1, &SharedPlayers::default()).unwrap();
        assert!(one.causes[0][0].proportion.is_sound());
        assert_eq!(thinned(&one.lasting, 1).len(), 1);
    }
}
