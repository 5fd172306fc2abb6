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
const LABEL_HEIGHT: f64 = 13.0;
/// The minimum horizontal distance between two labels, in units.
const LABEL_SPACE: f64 = 4.0;
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
        let field_area =
            PlotArea { x: (MARGIN + LEFT, WIDTH), y: (TOP - LABEL_HEIGHT / 2.0, HEIGHT - BELOW - MARGIN) };
        let mut placer = LabelPlacer { field: field_area, marks, places: Vec::new() };
        for (nth, (point, label)) in points.into_iter().enumerate() {
            let Some(place) = placer.place(nth, small_text_width(&label)) else { continue };
            if let Some(line) = place.line {
                canvas.stroke(line, canvas.line(ink::GRID, 1.0))?;
            }
            canvas.note(&field, (point.x, point.y), &label, place.offset, place.anchor())?;
        }
        Ok(())
    }
}

/// A rectangle, in units.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PlotArea {
    x: (f64, f64),
    y: (f64, f64),
}

impl PlotArea {
    fn of_mark((x, y): (f64, f64)) -> PlotArea {
        PlotArea { x: (x - MARK_RADIUS, x + MARK_RADIUS), y: (y - MARK_RADIUS, y + MARK_RADIUS) }
    }

    fn overlaps(&self, other: &PlotArea) -> bool {
        let is_common = |one: (f64, f64), two: (f64, f64)| one.0 < two.1 && two.0 < one.1;
        is_common(self.x, other.x) && is_common(self.y, other.y)
    }

    fn is_within(&self, other: &PlotArea) -> bool {
        let is_part = |one: (f64, f64), two: (f64, f64)| one.0 >= two.0 && one.1 <= two.1;
        is_part(self.x, other.x) && is_part(self.y, other.y)
    }

    /// Returns whether a part of a straight line is in the area (Liang and Barsky).
    fn is_crossed_by(&self, [from, to]: [(f64, f64); 2]) -> bool {
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for (from, to, (low, high)) in [(from.0, to.0, self.x), (from.1, to.1, self.y)] {
            let step = to - from;
            if step == 0.0 {
                if from <= low || from >= high {
                    return false;
                }
                continue;
            }
            let (one, two) = ((low - from) / step, (high - from) / step);
            start = start.max(one.min(two));
            end = end.min(one.max(two));
        }
        start < end
    }
}

/// The place of a label.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LabelPlace {
    /// The offset of its left or right end from the mark, in units.
    offset: (f64, f64),
    area: PlotArea,
    /// The line to a mark that is not beside the label.
    line: Option<[(f64, f64); 2]>,
}

impl LabelPlace {
    fn of((x, y): (f64, f64), (right, down): (f64, f64), width: f64) -> LabelPlace {
        let x_range = if right > 0.0 {
            (x + right, x + right + width + LABEL_SPACE)
        } else {
            (x + right - width - LABEL_SPACE, x + right)
        };
        let area = PlotArea { x: x_range, y: (y + down - LABEL_HEIGHT / 2.0, y + down + LABEL_HEIGHT / 2.0) };
        let line = (down.abs() > LABEL_HEIGHT).then(|| {
            let near = (x + right / 2.0, y + down - down.signum() * LABEL_HEIGHT / 2.0);
            [(x, y + down.signum() * MARK_RADIUS), near]
        });
        LabelPlace { offset: (right, down), area, line }
    }

    /// Returns the end of the text at the offset.
    fn anchor(&self) -> HPos {
        if self.offset.0 > 0.0 { HPos::Left } else { HPos::Right }
    }
}

/// Chooses the places of labels beside their marks, in units.
struct LabelPlacer {
    /// The area in which labels can be.
    field: PlotArea,
    /// The centers of all marks.
    marks: Vec<(f64, f64)>,
    /// The places of the labels that have one.
    places: Vec<LabelPlace>,
}

impl LabelPlacer {
    /// Chooses the place of the label of a mark: the nearest one, right or left of it, that covers no mark, label, or line, and
    /// whose line covers no label and the fewest marks. `None` if there is no such place.
    fn place(&mut self, nth: usize, width: f64) -> Option<LabelPlace> {
        let mark = self.marks[nth];
        let steps = (0..=MAX_LABEL_SHIFT).flat_map(|step| [f64::from(step), -f64::from(step)]).skip(1);
        let places = steps
            .map(|step| step * LABEL_HEIGHT / 2.0)
            .flat_map(|down| [(LABEL_GAP, down), (-LABEL_GAP, down)])
            .map(|offset| LabelPlace::of(mark, offset, width));
        let is_free = |place: &LabelPlace| {
            let crosses = |other: &LabelPlace| {
                place.area.overlaps(&other.area)
                    || other.line.is_some_and(|line| place.area.is_crossed_by(line))
                    || place.line.is_some_and(|line| other.area.is_crossed_by(line))
            };
            place.area.is_within(&self.field)
                && !self.places.iter().any(crosses)
                && !self.marks.iter().any(|mark| place.area.overlaps(&PlotArea::of_mark(*mark)))
        };
        let n_marks = |place: &LabelPlace| {
            let Some(line) = place.line else { return 0 };
            self.marks.iter().filter(|mark| PlotArea::of_mark(**mark).is_crossed_by(line)).count()
        };
        // The first of equal numbers is the nearest.
        let place = places.filter(is_free).min_by_key(n_marks)?;
        self.places.push(place);
        Some(place)
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

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    /// Returns a placer after it placed labels of random widths at random marks.
    fn placed(n: usize, seed: u64) -> LabelPlacer {
        let mut rng = Rng::new(seed);
        let field = PlotArea { x: (70.0, 780.0), y: (16.0, 500.0) };
        let marks = (0..n).map(|_| (70.0 + 500.0 * rng.unit(), 16.0 + 484.0 * rng.unit())).collect();
        let mut placer = LabelPlacer { field, marks, places: Vec::new() };
        for nth in 0..n {
            placer.place(nth, 60.0 + 120.0 * rng.unit());
        }
        placer
    }

    #[test]
    fn labels_cover_no_marks_labels_or_lines() {
        for (n, min) in [(1, 1), (12, 11), (60, 25)] {
            let LabelPlacer { field, marks, places } = placed(n, n as u64);
            assert!(places.len() >= min, "{} of {n}", places.len());
            for (nth, place) in places.iter().enumerate() {
                assert!(place.area.is_within(&field), "{place:?}");
                assert!(
                    !marks.iter().any(|mark| place.area.overlaps(&PlotArea::of_mark(*mark))),
                    "{place:?}"
                );
                for other in places[..nth].iter().chain(&places[nth + 1..]) {
                    assert!(!place.area.overlaps(&other.area), "{place:?} {other:?}");
                    let is_on_line = |line| place.area.is_crossed_by(line);
                    assert!(!other.line.is_some_and(is_on_line), "{place:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn lines_cross_areas() {
        let area = PlotArea { x: (0.0, 10.0), y: (0.0, 4.0) };
        for (line, crosses) in [
            ([(5.0, -3.0), (5.0, 9.0)], true),
            ([(-2.0, 2.0), (12.0, 2.0)], true),
            ([(-4.0, 0.0), (4.0, 8.0)], false),
            ([(11.0, -3.0), (11.0, 9.0)], false),
            ([(2.0, 1.0), (3.0, 2.0)], true),
            ([(5.0, -3.0), (5.0, -1.0)], false),
        ] {
            assert_eq!(area.is_crossed_by(line), crosses, "{line:?}");
        }
    }
}
