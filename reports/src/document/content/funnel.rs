//! The funnel plot of variants: the advantage between equals, without the part that features of the rules predict, over its
//! standard error.

use tafl_rules::counted;

use super::formatting::games;
use crate::measure::{AdjustedAdvantage, CommonAdvantage, VariantFindings};
use crate::plot::{Axis, Chart, CurvePlot, Line, Plot, PlotCurve, Point};
use crate::stats::interval::Z95;
use crate::stats::strength::elo;

/// The minimum number of variants: with fewer, the shape of a funnel cannot be seen (Sterne and others 2011).
const MIN_VARIANTS: usize = 10;

/// The number of points of the limits.
const STEPS: u32 = 40;

/// Returns the plot of the variants with an advantage beside the range that their common distribution predicts; `None` for few
/// variants. Points are differences from the advantage that the features of each variant predict, because the common
/// distribution is one of variants with the same features.
pub(super) fn funnel_plot(variants: &[&VariantFindings], common: &CommonAdvantage) -> Option<Plot> {
    let adjusted: Vec<(&AdjustedAdvantage, f64)> = variants
        .iter()
        .filter_map(|variant| {
            let expected = common.expected.get(&variant.variant.rules)?;
            Some((variant.adjusted.as_ref().ok()?, *expected))
        })
        .collect();
    let point = |(found, expected): &(&AdjustedAdvantage, f64)| Point {
        x: elo(found.advantage.error),
        y: found.elo.value - expected,
        interval: None,
    };
    let points: Vec<Point> = adjusted.iter().map(point).collect();
    if points.len() < MIN_VARIANTS {
        return None;
    }
    let limits = |error: f64| {
        let half = Z95 * common.sd.hypot(error);
        (-half, half)
    };
    let is_outside = |point: &&Point| {
        let (low, high) = limits(point.x);
        !(low..=high).contains(&point.y)
    };
    let outside = points.iter().filter(is_outside).count() as u64;
    let widest = points.iter().map(|point| point.x).fold(0.0, f64::max);
    let expected = (0..=STEPS).map(|step| {
        let x = widest * f64::from(step) / f64::from(STEPS);
        Point { x, y: 0.0, interval: Some(limits(x)) }
    });
    let all = points.len() as u64;
    let n = adjusted.iter().map(|(found, _)| found.games).sum();
    Some(Plot {
        key: "funnel".to_owned(),
        title: "Difference from the expected advantage, and its precision".to_owned(),
        note: format!(
            "The {} of the previous plot, with {}. Expected: by the features of the rules{}. Band: contains 95 % of variants if their \
             differences are normal with the standard deviation between variants of the same features and the standard error of each; \
             {outside} of {all} are outside.",
            counted(all, "variant", "variants"),
            games(n),
            if common.effects.is_empty() { ", which are not used, so the mean of all variants" } else { "" }
        ),
        chart: Chart::Curves(CurvePlot {
            x: Axis::from_zero("standard error (Elo)"),
            y: Axis::signed("attackers' advantage minus the expected one (Elo)"),
            line: Line::Straight,
            reference: None,
            curves: vec![PlotCurve { label: "expected".to_owned(), n, points: expected.collect() }],
            scatter: Some(PlotCurve { label: "variants".to_owned(), n: all, points }),
        }),
    })
}
