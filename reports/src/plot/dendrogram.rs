//! Trees of items: a name per row, and the joins of groups to the right of them.

use plotters::prelude::DrawingBackend;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

use super::WIDTH;
use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, MARGIN, Margins, small_text_width, text_width};
use super::ink;
use super::labels::{PlotLabel, distinct_labels};

/// The height of a row, in units.
const ROW: f64 = 20.0;
/// The space above the first row, in units.
const ABOVE: f64 = 16.0;
/// The maximum width of a label, in units.
const MAX_LABEL_WIDTH: f64 = 300.0;
/// The distance of a number from the lines of its join, in units.
const NUMBER_GAP: f64 = 3.0;
/// The height of the digits of a number with some space, in units.
const NUMBER_HEIGHT: f64 = 11.0;

/// A join of two parts of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DendrogramJoin {
    /// The parts: a row, or the number of rows plus the index of an earlier join.
    pub parts: [usize; 2],
    /// The distance between the parts.
    pub height: f64,
    /// The proportion of repetitions with the same group, from 0 to 1; `None` without repetitions.
    pub support: Option<f64>,
}

/// A tree of items.
#[derive(Debug, Clone, PartialEq)]
pub struct Dendrogram {
    /// The axis of distances, at the bottom.
    pub axis: Axis,
    /// The labels of the items, the first one at the top, so that no branches cross.
    pub rows: Vec<PlotLabel>,
    /// The joins, the lowest one first.
    pub joins: Vec<DendrogramJoin>,
}

impl Dendrogram {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty() || !self.joins.iter().all(|join| is_drawable(join.height))
    }

    pub(crate) fn height(&self) -> f64 {
        ABOVE + ROW * self.rows.len().max(1) as f64 + BELOW + MARGIN
    }
}

impl Drawing for Dendrogram {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        let names = distinct_labels(&self.rows, MAX_LABEL_WIDTH);
        let left = 12.0 + names.iter().map(|name| text_width(name)).fold(30.0, f64::max);
        let n = self.rows.len() as f64;
        let max = self.joins.iter().map(|join| join.height).fold(0.0, f64::max);
        let room = Margins { top: ABOVE, right: 40.0, left };
        let x = Scale::between(0.0, if max > 0.0 { max * 1.03 } else { 1.0 });
        let mut field = canvas.field(room, (&self.axis, x), (None, Scale::between(0.0, n)))?;
        let text = canvas.text_style();
        for (at, name) in names.iter().enumerate() {
            canvas.text((left - 8.0, ABOVE + ROW * (at as f64 + 0.5)), name, &text, HPos::Right)?;
        }
        // The place of each row and each join.
        let mut nodes: Vec<(f64, f64)> = (0..self.rows.len()).map(|at| (0.0, n - at as f64 - 0.5)).collect();
        let style = canvas.line(ink::look(0).color, 1.5);
        let mut placer = NumberPlacer { left, taken: Vec::new() };
        let mut numbers = Vec::new();
        for join in &self.joins {
            let at = |part: usize| nodes.get(part).copied().unwrap_or((0.0, 0.0));
            let [one, other] = join.parts.map(at);
            let corners = [one, (join.height, one.1), (join.height, other.1), other];
            field.draw_series(LineSeries::new(corners, style))?;
            let corners = corners.map(|corner| canvas.units(field.backend_coord(&corner)));
            placer.taken.extend(corners.windows(2).map(TreeBox::around));
            if let Some(support) = join.support.filter(|support| is_drawable(*support)) {
                numbers.push((format!("{:.0}", support * 100.0), TreeBox::around(&corners[1..3])));
            }
            nodes.push((join.height, (one.1 + other.1) / 2.0));
        }
        let small = canvas.small_text_style();
        for (number, join) in numbers {
            let place = placer.place(join, small_text_width(&number));
            canvas.text((place.left, place.middle()), &number, &small, HPos::Left)?;
        }
        Ok(())
    }
}

/// A rectangle of a drawing that something covers, in units.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TreeBox {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl TreeBox {
    /// Returns the smallest rectangle that contains some places.
    fn around(places: &[(f64, f64)]) -> TreeBox {
        let empty = TreeBox {
            left: f64::INFINITY,
            top: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::NEG_INFINITY,
        };
        places.iter().fold(empty, |all, (x, y)| TreeBox {
            left: all.left.min(*x),
            top: all.top.min(*y),
            right: all.right.max(*x),
            bottom: all.bottom.max(*y),
        })
    }

    fn middle(&self) -> f64 {
        (self.top + self.bottom) / 2.0
    }

    fn overlaps(&self, other: &TreeBox) -> bool {
        self.left <= other.right
            && other.left <= self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }
}

/// Chooses the places of numbers beside the lines of a tree.
struct NumberPlacer {
    /// The left end of the tree, in units.
    left: f64,
    /// The lines, and the numbers that have a place.
    taken: Vec<TreeBox>,
}

impl NumberPlacer {
    /// Chooses the place of the number of a join, of which the vertical line is given: the nearest one to its middle, on either
    /// side of it, that covers the fewest lines and numbers.
    fn place(&mut self, join: TreeBox, width: f64) -> TreeBox {
        let at = |left: f64, middle: f64| TreeBox {
            left,
            top: middle - NUMBER_HEIGHT / 2.0,
            right: left + width,
            bottom: middle + NUMBER_HEIGHT / 2.0,
        };
        // The line of the next join begins at the middle, on the right side.
        let beside = NUMBER_HEIGHT / 2.0 + 2.5;
        let half = (join.bottom - join.top) / 2.0;
        let steps =
            (0..).map(|step| f64::from(step) * NUMBER_HEIGHT / 2.0).take_while(|step| *step <= half + 1.0);
        let right_side = |down: f64| at(join.right + NUMBER_GAP, join.middle() + down);
        let left_side = |down: f64| at(join.left - NUMBER_GAP - width, join.middle() + down);
        let places = steps.flat_map(|step| {
            [right_side(-beside - step), right_side(beside + step), left_side(-step), left_side(step)]
        });
        let is_inside = |place: &TreeBox| place.left > self.left && place.right < WIDTH;
        let n_covered = |place: &TreeBox| self.taken.iter().filter(|other| place.overlaps(other)).count();
        // The first of equal numbers is the nearest.
        let place = places.filter(is_inside).min_by_key(n_covered).unwrap_or_else(|| right_side(-beside));
        self.taken.push(place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(left: f64, top: f64, right: f64, bottom: f64) -> TreeBox {
        TreeBox { left, top, right, bottom }
    }

    #[test]
    fn numbers_are_beside_the_lines() {
        // The join of two rows, and a longer one to the right of it, too near for a number between them.
        let joins = [line(300.0, 10.0, 300.0, 30.0), line(310.0, 0.0, 310.0, 50.0)];
        let across = [
            line(280.0, 10.0, 300.0, 10.0),
            line(280.0, 30.0, 300.0, 30.0),
            line(300.0, 20.0, 310.0, 20.0),
            line(280.0, 50.0, 310.0, 50.0),
            line(310.0, 25.0, 500.0, 25.0),
        ];
        let lines = [joins.as_slice(), &across].concat();
        let mut placer = NumberPlacer { left: 250.0, taken: lines.clone() };
        let places = joins.map(|join| placer.place(join, 15.0));
        assert!(places[0].right < 300.0 && places[1].left > 310.0, "{places:?}");
        assert!(places.iter().all(|place| !lines.iter().any(|line| place.overlaps(line))), "{places:?}");
    }

    #[test]
    fn numbers_cover_as_little_as_possible() {
        let join = line(300.0, 10.0, 300.0, 12.0);
        let above = line(300.0, 0.0, WIDTH, 4.0);
        // There is no room on the left.
        let mut placer = NumberPlacer { left: 299.0, taken: vec![join, above] };
        let [below, other] = [placer.place(join, 15.0), placer.place(join, 15.0)];
        assert!(below.top > 12.0 && !other.overlaps(&below), "{below:?} {other:?}");
    }
}
