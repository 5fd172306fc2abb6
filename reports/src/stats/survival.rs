//! How long games last, where several ends compete and some games are cut off.
//!
//! The share of games that have ended in a way by a ply is estimated by Aalen and Johansen: unfinished games count as long
//! as they were seen, and nothing is said of what would have become of them.

use super::interval::{Estimate, Z95, wilson_of};
use super::missing::NotEstimable;

/// The last thing that is known of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurvivalEnding {
    /// How many plies it lasted.
    pub plies: u32,
    /// The number of the way in which it ended; nothing for a game that was cut off.
    pub cause: Option<usize>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurvivalPoint {
    /// After so many plies.
    pub ply: u32,
    /// This share of all games.
    pub share: Estimate,
}

/// How games of a kind end in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Incidence {
    /// For each cause, which share has ended so by each ply at which a game ended.
    pub causes: Vec<Vec<SurvivalPoint>>,
    /// Which share has not ended.
    pub lasting: Vec<SurvivalPoint>,
    /// After how many plies half of the games has ended; nothing where so many never did.
    pub median: Option<Median>,
    /// How many games there are.
    pub n: u64,
    /// How many of them were cut off.
    pub cut_off: u64,
}

/// A median of lengths; an end of its interval may lie beyond what was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Median {
    /// The median, in plies.
    pub value: u32,
    /// The lower end of its interval.
    pub low: u32,
    /// The upper end; nothing where the games seen do not reach it.
    pub high: Option<u32>,
}

/// What happened at a ply.
struct Step {
    ply: u32,
    at_risk: f64,
    ends: f64,
    lasting_before: f64,
    by_cause: Vec<f64>,
}

/// Returns how games end in time.
///
/// # Errors
///
/// Returns [`NotEstimable::NoGames`] without games, [`NotEstimable::NoneDecided`] where all were cut off.
pub fn incidence(endings: &[SurvivalEnding], n_causes: usize) -> Result<Incidence, NotEstimable> {
    if endings.is_empty() {
        return Err(NotEstimable::NoGames);
    }
    let steps = steps(endings, n_causes);
    if steps.is_empty() {
        return Err(NotEstimable::NoneDecided);
    }
    let lasting = lasting(&steps);
    let causes = (0..n_causes).map(|cause| curve(&steps, cause)).collect();
    let first = |below: &dyn Fn(&Estimate) -> bool| {
        lasting.iter().find(|point| below(&point.share)).map(|point| point.ply)
    };
    let median = first(&|share| share.value <= 0.5).map(|value| Median {
        value,
        low: first(&|share| share.low <= 0.5).unwrap_or(value).min(value),
        high: first(&|share| share.high <= 0.5),
    });
    let cut_off = endings.iter().filter(|ending| ending.cause.is_none()).count() as u64;
    Ok(Incidence { causes, lasting, median, n: endings.len() as u64, cut_off })
}

/// Returns the plies at which games ended, in order.
fn steps(endings: &[SurvivalEnding], n_causes: usize) -> Vec<Step> {
    let mut sorted: Vec<SurvivalEnding> = endings.to_vec();
    sorted.sort_by_key(|ending| ending.plies);
    let (mut left, mut lasting) = (sorted.len(), 1.0);
    let mut steps = Vec::new();
    for alike in sorted.chunk_by(|one, two| one.plies == two.plies) {
        let mut by_cause = vec![0.0; n_causes];
        for cause in alike.iter().filter_map(|ending| ending.cause).filter(|cause| *cause < n_causes) {
            by_cause[cause] += 1.0;
        }
        let ends: f64 = by_cause.iter().sum();
        if ends > 0.0 {
            let at_risk = left as f64;
            steps.push(Step { ply: alike[0].plies, at_risk, ends, lasting_before: lasting, by_cause });
            lasting *= 1.0 - ends / at_risk;
        }
        left -= alike.len();
    }
    steps
}

/// Returns Kaplan and Meier's curve with Greenwood's variance, on the scale log(-log).
fn lasting(steps: &[Step]) -> Vec<SurvivalPoint> {
    let (mut share, mut sum) = (1.0, 0.0);
    let point = |step: &Step| {
        share *= 1.0 - step.ends / step.at_risk;
        sum += greenwood(step);
        SurvivalPoint { ply: step.ply, share: bounded(share, share * share * sum, step) }
    };
    steps.iter().map(point).collect()
}

fn greenwood(step: &Step) -> f64 {
    let left = step.at_risk - step.ends;
    if left > 0.0 { step.ends / (step.at_risk * left) } else { 0.0 }
}

/// Returns the curve of a cause with the variance of the delta method.
fn curve(steps: &[Step], cause: usize) -> Vec<SurvivalPoint> {
    let mut share = 0.0;
    // Sums of the terms of the variance by the power of the share that they are multiplied with.
    let [mut a, mut ab, mut abb, mut b, mut c, mut bc] = [0.0f64; 6];
    let point = |step: &Step| {
        let ends = step.by_cause[cause];
        let lasting = step.lasting_before;
        share += lasting * ends / step.at_risk;
        let weight = greenwood(step);
        a += weight;
        ab += weight * share;
        abb += weight * share * share;
        b += lasting * lasting * ends * (step.at_risk - ends) / step.at_risk.powi(3);
        let cross = lasting * ends / (step.at_risk * step.at_risk);
        c += cross;
        bc += cross * share;
        let variance = share * share * a - 2.0 * share * ab + abb + b - 2.0 * share * c + 2.0 * bc;
        SurvivalPoint { ply: step.ply, share: bounded(share, variance, step) }
    };
    steps.iter().map(point).collect()
}

/// Returns a share after a step with an interval that stays between 0 and 1.
///
/// Of none and of all the variance says nothing. There it is Wilson's interval for as many games as would, without cut off
/// ones, leave those at risk that there are (Peto and others, 1977).
fn bounded(share: f64, variance: f64, step: &Step) -> Estimate {
    // A sum of shares misses 1 by its last digits.
    let share = if share > 1.0 - 1e-9 { 1.0 } else { share.max(0.0) };
    if share <= 0.0 || share >= 1.0 || variance <= 0.0 {
        return wilson_of(share, step.at_risk / step.lasting_before);
    }
    let reach = Z95 * variance.sqrt() / (share * share.ln()).abs();
    let at = |reach: f64| share.powf(reach.exp());
    Estimate { value: share, low: at(reach), high: at(-reach) }
}

impl Incidence {
    /// Returns the share of games that end in a way, as far as games were seen; nothing for an unknown cause.
    pub fn total(&self, cause: usize) -> Option<Estimate> {
        self.causes.get(cause)?.last().map(|point| point.share)
    }
}

/// Returns a curve with at most so many points, the first and the last among them.
pub fn thinned(points: &[SurvivalPoint], most: usize) -> Vec<SurvivalPoint> {
    if points.len() <= most || most < 2 {
        return points.to_vec();
    }
    let at = |number: usize| points[number * (points.len() - 1) / (most - 1)];
    (0..most).map(at).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    fn ending(plies: u32, cause: Option<usize>) -> SurvivalEnding {
        SurvivalEnding { plies, cause }
    }

    #[test]
    fn without_cut_off_games_it_counts() {
        let all: Vec<SurvivalEnding> =
            (1..=10).map(|ply| ending(ply, Some(usize::from(ply % 2 == 0)))).collect();
        let found = incidence(&all, 2).unwrap();
        assert!((found.total(0).unwrap().value - 0.5).abs() < 1e-12);
        assert!((found.causes[1][5].share.value - 0.3).abs() < 1e-12);
        // The variance of a share of 3 among 10, without the transformation: 0.3 * 0.7 / 10.
        let share = found.causes[1][5].share;
        let log_reach = ((share.low.ln() / share.value.ln()).ln() / Z95).abs();
        let variance = (log_reach * (share.value * share.value.ln()).abs()).powi(2);
        assert!((variance - 0.021).abs() < 1e-6, "{variance}");
        assert_eq!(found.median.unwrap().value, 5);
    }

    #[test]
    fn a_worked_example_with_cut_off_games() {
        // At risk 5, 4, 2: shares 1/5, then 4/5 * 1/4 of the other cause, then after a cut 3/5 * 1/2.
        let all =
            [ending(1, Some(0)), ending(2, Some(1)), ending(3, None), ending(4, Some(0)), ending(5, None)];
        let found = incidence(&all, 2).unwrap();
        let shares: Vec<f64> = found.causes[0].iter().map(|point| point.share.value).collect();
        for (share, wanted) in shares.iter().zip([0.2, 0.2, 0.5]) {
            assert!((share - wanted).abs() < 1e-12, "{shares:?}");
        }
        assert_eq!((found.n, found.cut_off), (5, 2));
        assert_eq!(found.median.map(|median| (median.value, median.high)), Some((4, None)));
    }

    #[test]
    fn intervals_hold_the_truth() {
        let mut rng = Rng::new(9);
        let mut held = 0;
        for _ in 0..1500 {
            // Two causes with constant rates in the ratio 2:1, cut off at random.
            let all: Vec<SurvivalEnding> = (0..120)
                .map(|_| {
                    let end = -(1.0 - rng.unit()).ln() * 30.0;
                    let cut = -(1.0 - rng.unit()).ln() * 60.0;
                    let cause = usize::from(rng.unit() < 1.0 / 3.0);
                    let plies = (end.min(cut) * 1000.0) as u32;
                    ending(plies, (end <= cut).then_some(cause))
                })
                .collect();
            let found = incidence(&all, 2).unwrap();
            let by = found.causes[0].iter().take_while(|point| point.ply <= 30_000).last().unwrap();
            let truth = 2.0 / 3.0 * (1.0 - (-1.0f64).exp());
            held += usize::from(by.share.holds(truth));
        }
        let share = held as f64 / 1500.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn none_and_all_are_not_certain() {
        let all: Vec<SurvivalEnding> = (1..=20).map(|ply| ending(ply, Some(0))).collect();
        let found = incidence(&all, 2).unwrap();
        // Newcombe (1998), table I: 0 of 20.
        let (none, gone) = (found.causes[1][9].share, found.lasting[19].share);
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 5e-5, "{none:?}");
        assert!(gone.low == 0.0 && (gone.high - 0.1611).abs() < 5e-5, "{gone:?}");
        let whole = found.total(0).unwrap();
        assert!((whole.low - 0.8389).abs() < 5e-5 && whole.high >= whole.value, "{whole:?}");
    }

    #[test]
    fn odd_inputs_are_answered() {
        assert_eq!(incidence(&[], 2), Err(NotEstimable::NoGames));
        assert_eq!(incidence(&[ending(3, None)], 2), Err(NotEstimable::NoneDecided));
        let one = incidence(&[ending(3, Some(0))], 1).unwrap();
        assert!(one.causes[0][0].share.is_sound() && one.median.unwrap().value == 3);
        assert_eq!(thinned(&one.lasting, 1).len(), 1);
    }
}
