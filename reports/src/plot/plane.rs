//! Items in a plane, each with its label.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::WIDTH;
use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, LEFT, MARGIN, Margins, small_text_width};
use super::ink;
use super::labels::{PlotLabel, distinct_labels};
use super::marks::MarkAt;

/// The space above the field, in units.
const TOP: f64 = 16.0;
/// The height of the plot, in units.
pub(super) const HEIGHT: f64 = 560.0;
/// The maximum width of a label in normal text, in units; it is drawn in small text.
const MAX_LABEL_WIDTH: f64 = 200.0;
/// The height of a label, in units.
const LABEL_HEIGHT: f64 = 12.0;
/// The horizontal distance of a label from its mark, in units.
const LABEL_GAP: f64 = 8.0;
/// The maximum vertical distance of a label from its mark, in halves of its height.
const MAX_LABEL_SHIFT: u32 = 9;
/// The radius of a mark, in units.
const MARK_RADIUS: f64 = 4.0;

/// An item of a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanePoint {
    /// The name and the title.
    pub label: PlotLabel,
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
        // Room for the labels at the right.
        let room = Margins { top: TOP, right: 150.0, left: MARGIN };
        let size = (WIDTH - room.right - room.left - LEFT, HEIGHT - TOP - BELOW - MARGIN);
        let (x, y) = scales(self.sound().map(|point| (point.x, point.y)), size.0 / size.1);
        let mut field = canvas.field(room, (&self.x, x), (Some(&self.y), y))?;
        let drawn = self.sound().map(|point| {
            let look = ink::look(point.group);
            MarkAt {
                place: (point.x, point.y),
                radius: canvas.px(MARK_RADIUS),
                mark: look.mark,
                color: look.color,
            }
        });
        field.draw_series(drawn)?;
        let labels = distinct_labels(self.sound().map(|point| &point.label), MAX_LABEL_WIDTH);
        let mut points: Vec<(&PlanePoint, String)> = self.sound().zip(labels).collect();
        points.sort_by(|(one, own), (two, other)| two.y.total_cmp(&one.y).then(own.cmp(other)));
        let place = |point: &PlanePoint| canvas.units(field.backend_coord(&(point.x, point.y)));
        let marks = points.iter().map(|(point, _)| place(point)).collect();
        let mut placer = LabelPlacer { marks, labels: Vec::new() };
        for (nth, (point, label)) in points.into_iter().enumerate() {
            let Some(((right, down), anchor)) = placer.place(nth, small_text_width(&label)) else { continue };
            let (x, y) = placer.marks[nth];
            if down.abs() > LABEL_HEIGHT {
                let near = (x + right / 2.0, y + down - down.signum() * LABEL_HEIGHT / 2.0);
                canvas.stroke([(x, y + down.signum() * MARK_RADIUS), near], canvas.line(ink::GRID, 1.0))?;
            }
            canvas.note(&field, (point.x, point.y), &label, (right, down), anchor)?;
        }
        Ok(())
    }
}

/// Chooses the places of labels beside their marks, in units.
struct LabelPlacer {
    /// The centers of all marks.
    marks: Vec<(f64, f64)>,
    /// The labels that have a place: left, right, and middle height.
    labels: Vec<(f64, f64, f64)>,
}

impl LabelPlacer {
    /// Chooses the place of the label of a mark: the nearest one, right or left of it, that covers no other label and the
    /// fewest marks. Returns the offset and the anchor; `None` if every place is taken.
    fn place(&mut self, nth: usize, width: f64) -> Option<((f64, f64), HPos)> {
        let (x, y) = self.marks[nth];
        let span = |right: f64| {
            if right > 0.0 { (x + right, x + right + width) } else { (x + right - width, x + right) }
        };
        let steps = (0..=MAX_LABEL_SHIFT).flat_map(|step| [f64::from(step), -f64::from(step)]).skip(1);
        let offsets = steps
            .map(|step| step * LABEL_HEIGHT / 2.0)
            .flat_map(|down| [(LABEL_GAP, down), (-LABEL_GAP, down)]);
        let is_free = |&(right, down): &(f64, f64)| {
            let (left, end) = span(right);
            let is_over = |&(other_left, other_end, other): &(f64, f64, f64)| {
                other_left < end && left < other_end && (other - (y + down)).abs() < LABEL_HEIGHT
            };
            left >= MARGIN + LEFT && end <= WIDTH && !self.labels.iter().any(is_over)
        };
        let n_marks = |&(right, down): &(f64, f64)| {
            let ((left, end), middle) = (span(right), y + down);
            let is_on = |&&(x, y): &&(f64, f64)| {
                left - MARK_RADIUS < x
                    && x < end + MARK_RADIUS
                    && (y - middle).abs() < LABEL_HEIGHT / 2.0 + MARK_RADIUS
            };
            self.marks.iter().filter(is_on).count()
        };
        // The first of equal numbers is the nearest.
        let (right, down) = offsets.filter(is_free).min_by_key(n_marks)?;
        let (left, end) = span(right);
        self.labels.push((left, end, y + down));
        Some(((right, down), if right > 0.0 { HPos::Left } else { HPos::Right }))
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
