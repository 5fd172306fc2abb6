//! Trees of items: a name per row, and the joins of groups to the right of them.

use plotters::prelude::DrawingBackend;
use plotters::series::LineSeries;
use plotters::style::text_anchor::HPos;

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, MARGIN, Margins, fitted, text_width};
use super::ink;

/// The height of a row, in units.
const ROW: f64 = 20.0;
/// The space above the first row, in units.
const ABOVE: f64 = 16.0;
/// The maximum width of names, in units.
const NAMES: f64 = 260.0;

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
    /// The names of the items, the first one at the top, so that no branches cross.
    pub rows: Vec<String>,
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
        let names: Vec<String> = self.rows.iter().map(|row| fitted(row, NAMES)).collect();
        let left = 20.0 + names.iter().map(|name| text_width(name)).fold(30.0, f64::max);
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
        for join in &self.joins {
            let at = |part: usize| nodes.get(part).copied().unwrap_or((0.0, 0.0));
            let [one, other] = join.parts.map(at);
            let corners = [one, (join.height, one.1), (join.height, other.1), other];
            field.draw_series(LineSeries::new(corners, style))?;
            let place = (join.height, (one.1 + other.1) / 2.0);
            if let Some(support) = join.support.filter(|support| is_drawable(*support)) {
                let label = format!("{:.0}", support * 100.0);
                canvas.note(&field, place, &label, (3.0, 0.0), HPos::Left)?;
            }
            nodes.push(place);
        }
        Ok(())
    }
}
