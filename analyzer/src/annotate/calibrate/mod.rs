//! Calibration: fits curves to games and measures their reliability.
//!
//! A sample is a position with its score and the result of its game. Curves are fitted to all
//! samples of a variant. Their quality is measured by cross-validation: each fifth of the games is
//! predicted by a curve fitted to the other four. Intervals are bootstrapped over games, not
//! positions, because the positions of a game share its result. The calibration error is compared with
//! the one that perfectly calibrated predictions would have by chance.

mod fit;
mod forecast;
mod reliability;
mod slope;

use std::collections::BTreeMap;

use tafl_rules::{BySide, Side};

use super::curves::{Curves, FittedCurve, POOLED, VariantCurves};
use super::expect::Phase;
use crate::score::PovScore;

pub use reliability::{CALIBRATION_PLIES, CalibrationBin, HeldOutReliability, N_CALIBRATION_BINS};

/// The minimum number of games for which a variant gets its own curves. The standard error of an expectation is then
/// at most 3.5 %, less than an inaccuracy.
pub const MIN_CALIBRATION_GAMES: usize = 200;

/// A position of a finished game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationSample {
    /// The number of the game.
    pub game: u64,
    /// The side to move.
    pub to_move: Side,
    /// The engine's score.
    pub score: PovScore,
    /// The phase of the game.
    pub phase: Phase,
    /// The result for the attackers: 1 for a win, 0 for a loss, one half for a draw.
    pub result: f64,
}

/// Curves with their diagnostics.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The curves.
    pub curves: Curves,
    /// The reliability of the curves of each variant and side to move, with the pooled ones first.
    pub held_out: Vec<(String, BySide<HeldOutReliability>)>,
    /// The number of positions in which the search found a win, and the number of those whose games
    /// had this result.
    pub proven: (u64, u64),
}

/// The provenance of a calibration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CalibrationOrigin {
    /// The engine.
    pub engine: String,
    /// The limits of its searches.
    pub limits: String,
    /// The games.
    pub source: String,
    /// The seed of the bootstrap.
    pub seed: u64,
}

/// Fits curves. Returns `None` if there are not enough samples for a pooled curve, which needs both
/// results with both sides to move.
pub fn calibrate(
    by_variant: &BTreeMap<String, Vec<CalibrationSample>>,
    origin: &CalibrationOrigin,
) -> Option<Calibration> {
    let all: Vec<CalibrationSample> = by_variant.values().flatten().copied().collect();
    let mut variants = Vec::new();
    let mut held_out = Vec::new();
    let mut groups: Vec<(&str, &[CalibrationSample])> = vec![(POOLED, &all)];
    groups.extend(by_variant.iter().map(|(name, samples)| (name.as_str(), samples.as_slice())));
    for (name, samples) in groups {
        if name != POOLED && n_games(samples) < MIN_CALIBRATION_GAMES {
            continue;
        }
        let fitted = |side| fit_side(samples, side, origin.seed);
        let (Some(attackers), Some(defenders)) = (fitted(Side::Attackers), fitted(Side::Defenders)) else {
            continue;
        };
        let by = BySide { attackers: attackers.0, defenders: defenders.0 };
        variants.push(VariantCurves { variant: name.to_owned(), by });
        held_out.push((name.to_owned(), BySide { attackers: attackers.1, defenders: defenders.1 }));
    }
    let CalibrationOrigin { engine, limits, source, .. } = origin.clone();
    let curves = Curves::new(engine, limits, source, variants)?;
    Some(Calibration { curves, held_out, proven: proven(&all) })
}

fn n_games(samples: &[CalibrationSample]) -> usize {
    let mut games: Vec<u64> = samples.iter().map(|sample| sample.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

/// Fits and measures the curve for one side to move.
fn fit_side(
    samples: &[CalibrationSample],
    side: Side,
    seed: u64,
) -> Option<(FittedCurve, HeldOutReliability)> {
    let open: Vec<CalibrationSample> = samples
        .iter()
        .filter(|sample| sample.to_move == side && !sample.score.for_side(side).is_decisive())
        .copied()
        .collect();
    let curve = fit::fit(open.iter())?;
    let predictions = reliability::held_out(&open);
    let (reliability, quality) = reliability::measure(&predictions, seed);
    Some((FittedCurve { curve, reliability }, quality))
}

/// Returns the number of positions that a search called won, and the number of those in which that
/// side won the game.
fn proven(samples: &[CalibrationSample]) -> (u64, u64) {
    let wins = samples.iter().filter(|sample| sample.score.for_side(Side::Attackers).is_decisive());
    wins.fold((0, 0), |(all, right), sample| {
        let part = if sample.score.for_side(Side::Attackers).value() > 0 { 1.0 } else { 0.0 };
        (all + 1, right + u64::from(sample.result == part))
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::annotate::expect::Curve;
    use crate::score::Score;

    /// Simulates games whose results follow a curve.
    fn simulated(curve: &Curve, n_games: u64, seed: u64) -> Vec<CalibrationSample> {
        let mut rng = Rng::new(seed);
        let mut samples = Vec::new();
        for game in 0..n_games {
            let to_move = if game % 2 == 0 { Side::Attackers } else { Side::Defenders };
            let value = ((rng.unit() - 0.5) * 1600.0) as i32;
            let phase = Phase { left: 1.0 - 0.7 * rng.unit(), ply: (rng.unit() * 120.0) as u32 };
            let score = Score::evaluation(value).of(Side::Attackers);
            let part = curve.expect(score, phase).for_side(Side::Attackers);
            let result = if rng.unit() < part { 1.0 } else { 0.0 };
            samples.push(CalibrationSample { game, to_move, score, phase, result });
        }
        samples
    }

    #[test]
    fn a_known_curve_is_recovered() {
        let truth = Curve::new([-0.3, 0.9, 0.4, 0.5, -0.3, 0.2]).unwrap();
        let samples = BTreeMap::from([("some".to_owned(), simulated(&truth, 28_000, 1))]);
        let found =
            calibrate(&samples, &CalibrationOrigin { seed: 7, ..CalibrationOrigin::default() }).unwrap();
        let choice = found.curves.of(Some("some"));
        assert_eq!(choice.name(), "some");
        for value in [-600, -200, 0, 200, 600] {
            for phase in [Phase { left: 1.0, ply: 0 }, Phase { left: 0.5, ply: 60 }] {
                let score = Score::evaluation(value).of(Side::Attackers);
                let expected = truth.expect(score, phase).for_side(Side::Attackers);
                for side in Side::ALL {
                    let got = choice.expect(side, score, phase).for_side(Side::Attackers);
                    assert!((got - expected).abs() < 0.03, "{value} {phase:?}: {got} instead of {expected}");
                }
            }
        }
        let (_, held_out) = &found.held_out[0];
        for side in Side::ALL {
            let quality = held_out[side];
            assert!((quality.slope.value - 1.0).abs() < 0.05, "{:?}", quality.slope);
            assert!(quality.log_loss.value < 0.693, "{:?}", quality.log_loss);
            let fit = choice.reliability(side);
            let skill = 1.0 - fit.brier.value / fit.brier_of_base;
            assert!((quality.skill.value - skill).abs() < 1e-9, "{:?} {skill}", quality.skill);
            for range in quality.plies {
                assert!(range.positions > 1000, "{range:?}");
                assert!((range.expected - range.result.value).abs() < 0.03, "{range:?}");
            }
            let ece = choice.reliability(side).ece;
            assert!(ece.low <= ece.value && ece.value <= ece.high, "{ece:?}");
        }
        let reliability = choice.reliability(Side::Attackers);
        assert!(reliability.ece.value < 0.02, "{reliability:?}");
        assert!(reliability.brier.value < reliability.brier_of_base);
        assert!(
            reliability.brier.low < reliability.brier.value
                && reliability.brier.value < reliability.brier.high
        );
    }

    #[test]
    fn variants_with_few_games_use_the_pooled_curve() {
        let truth = Curve::new([0.0, 0.9, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let samples = BTreeMap::from([
            ("large".to_owned(), simulated(&truth, 3000, 1)),
            ("small".to_owned(), simulated(&truth, 50, 2)),
        ]);
        let found = calibrate(&samples, &CalibrationOrigin::default()).unwrap();
        assert_eq!(found.curves.of(Some("small")).name(), POOLED);
        assert_eq!(found.curves.of(Some("large")).name(), "large");
    }

    #[test]
    fn without_results_no_curve_is_fitted() {
        assert_eq!(calibrate(&BTreeMap::new(), &CalibrationOrigin::default()), None);
        let truth = Curve::new([0.0, 0.9, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let mut one_sided = simulated(&truth, 500, 1);
        one_sided.iter_mut().for_each(|sample| sample.result = 1.0);
        assert_eq!(
            calibrate(&BTreeMap::from([("x".to_owned(), one_sided)]), &CalibrationOrigin::default()),
            None
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_intervals() {
        let truth = Curve::new([0.0, 0.9, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let samples = BTreeMap::from([("x".to_owned(), simulated(&truth, 1000, 1))]);
        let origin = CalibrationOrigin { seed: 3, ..CalibrationOrigin::default() };
        assert_eq!(calibrate(&samples, &origin), calibrate(&samples, &origin));
    }
}
