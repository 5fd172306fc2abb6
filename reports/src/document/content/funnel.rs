//! The funnel plot of variants: the advantage between equals over its standard error.

use tafl_rules::counted;

use super::formatting::games;
use crate::measure::{CommonAdvantage, VariantFindings};
use crate::plot::{Axis, Chart, CurvePlot, Line, Plot, PlotCurve, Point};
use crate::stats::interval::Z95;
use crate::stats::strength::elo;

/// The minimum number of variants: with fewer, the shape of a funnel cannot be seen (Sterne and others 2011).
const MIN_VARIANTS: usize = 10;

/// The number of points of the limits.
const STEPS: u32 = 40;

/// Returns the plot of the variants with an advantage beside the range that their common distribution predicts; `None` for few
/// variants.
pub(super) fn funnel_plot(variants: &[&VariantFindings], common: &CommonAdvantage) -> Option<Plot> {
    let adjusted = || variants.iter().filter_map(|variant| variant.adjusted.as_ref().ok());
    let points: Vec<Point> = adjusted()
        .map(|found| Point { x: elo(found.advantage.error), y: found.elo.value, interval: None })
        .collect();
    if points.len() < MIN_VARIANTS {
        return None;
    }
    let limits = |error: f64| {
        let half = Z95 * common.sd.hypot(error);
        (common.mean.value - half, common.mean.value + half)
    };
    let is_outside = |point: &&Point| {
        let (low, high) = limits(point.x);
        !(low..=high).contains(&point.y)
    };
    let outside = points.iter().filter(is_outside).count() as u64;
    let widest = points.iter().map(|point| point.x).fold(0.0, f64::max);
    let expected = (0..=STEPS).map(|step| {
        let x = widest * f64::from(step) / f64::from(STEPS);
        Point { x, y: common.mean.value, interval: Some(limits(x)) }
    });
    let all = points.len() as u64;
    let n = adjusted().map(|found| found.games).sum();
    Some(Plot {
        key: "funnel".to_owned(),
        title: "Advantage and its precision".to_owned(),
        note: format!(
            "The {} of the previous plot, with {}. Band: contains 95 % of variants with average features, as expected from their mean, their standard \
             deviation, and the standard error; {outside} of {all} are outside.",
            counted(all, "variant", "variants"),
            games(n)
        ),
        chart: Chart::Curves(CurvePlot {
            x: Axis::from_zero("standard error (Elo)"),
            y: Axis::signed("attackers' advantage between equals (Elo)"),
            line: Line::Straight,
            reference: Some((0.0, "even".to_owned())),
            curves: vec![PlotCurve { label: "expected".to_owned(), n, points: expected.collect() }],
            scatter: Some(PlotCurve { label: "variants".to_owned(), n: all, points }),
        }),
    })
}
