//! Items in a plane, each with its name.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::WIDTH;
use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, LEFT, MARGIN, Margins, fitted};
use super::ink;
use super::marks::MarkAt;

/// The space above the field, in units.
const TOP: f64 = 16.0;
/// The height of the plot, in units.
pub(super) const HEIGHT: f64 = 560.0;
/// The maximum width of a name.
const NAMES: f64 = 170.0;
/// The height of a line of small text.
const LINE: f64 = 12.0;

/// An item of a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanePoint {
    /// The name.
    pub label: String,
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
    /// The group, which decides the mark and its color; items of other groups differ.
    pub group: usize,
    /// The number of cases.
    pub n: u64,
}

/// Items in a plane. Only distances have a meaning, so both axes have the same scale.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanePlot {
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// The items.
    pub points: Vec<PlanePoint>,
}

impl PlanePlot {
    fn sound(&self) -> impl Iterator<Item = &PlanePoint> {
        self.points.iter().filter(|point| is_drawable(point.x) && is_drawable(point.y))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sound().next().is_none()
    }
}

impl Drawing for PlanePlot {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        // Room for the names at the right.
        let room = Margins { top: TOP, right: 150.0, left: MARGIN };
        let size = (WIDTH - room.right - room.left - LEFT, HEIGHT - TOP - BELOW - MARGIN);
        let (x, y) = scales(self.sound().map(|point| (point.x, point.y)), size.0 / size.1);
        let mut field = canvas.field(room, (&self.x, x), (Some(&self.y), y))?;
        let marks = self.sound().map(|point| {
            let look = ink::look(point.group);
            MarkAt { place: (point.x, point.y), radius: canvas.px(4.0), mark: look.mark, color: look.color }
        });
        field.draw_series(marks)?;
        // Names in rising order, each moved down until it is free of those that were written before.
        let mut written: Vec<(i32, i32)> = Vec::new();
        let mut points: Vec<&PlanePoint> = self.sound().collect();
        points.sort_by(|one, two| two.y.total_cmp(&one.y).then(one.label.cmp(&two.label)));
        for point in points {
            let (left, top) = field.backend_coord(&(point.x, point.y));
            let mut down = 0.0;
            let is_taken = |down: f64| {
                let top = top + canvas.px(down);
                written.iter().any(|(other, at)| {
                    (other - left).abs() < canvas.px(NAMES * 0.7) && (at - top).abs() < canvas.px(LINE)
                })
            };
            while down < 8.0 * LINE && is_taken(down) {
                down += 2.0;
            }
            written.push((left, top + canvas.px(down)));
            let label = fitted(&point.label, NAMES);
            canvas.note(&field, (point.x, point.y), &label, ((8.0, down), HPos::Left))?;
        }
        Ok(())
    }
}

/// Returns scales with the same units in both directions for a field of the given proportion of width to height.
fn scales(points: impl Iterator<Item = (f64, f64)>, proportion: f64) -> (Scale, Scale) {
    let empty = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    let [x, y] = points
        .fold(empty, |[x, y], (right, up)| [(x.0.min(right), x.1.max(right)), (y.0.min(up), y.1.max(up))]);
    let half = |(low, high): (f64, f64)| (high - low) / 2.0 * 1.08;
    let center = |(low, high): (f64, f64)| (low + high) / 2.0;
    let up = half(y).max(half(x) / proportion).max(1e-9);
    let right = up * proportion;
    (Scale::between(center(x) - right, center(x) + right), Scale::between(center(y) - up, center(y) + up))
}
