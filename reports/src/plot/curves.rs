//! Line charts with bands of uncertainty.

use plotters::element::Polygon;
use plotters::prelude::{DashedLineSeries, DrawingBackend, LineSeries};
use plotters::style::Color;
use tafl_rules::Count;

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{Canvas, Drawing, Drawn, Field, Margins, legend_width};
use super::ink::{self, Look};
use super::marks::{LegendSample, MarkAt};

/// The maximum number of marked points of a curve; marks on every point of a long curve would look like a
/// thick line.
const MAX_MARKED: usize = 24;

/// The interpolation between the points of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// Straight lines, with a mark at each point.
    Straight,
    /// Steps: constant up to the next point, for cumulative counts.
    Steps,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The value along the axis at the bottom.
    pub x: f64,
    /// The value of the curve.
    pub y: f64,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

impl Point {
    fn is_sound(&self) -> bool {
        let ends = self.interval.is_none_or(|(low, high)| is_drawable(low) && is_drawable(high));
        is_drawable(self.x) && is_drawable(self.y) && ends
    }
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotCurve {
    /// Its name.
    pub label: String,
    /// The number of items that it represents, such as games.
    pub n: u64,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// Curves over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePlot {
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// The interpolation of the curves.
    pub line: Line,
    /// A labeled reference value on the left axis.
    pub reference: Option<(f64, String)>,
    /// The curves; at most six can be distinguished.
    pub curves: Vec<PlotCurve>,
    /// Items without a line between them, in any order.
    pub scatter: Option<PlotCurve>,
}

impl CurvePlot {
    fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        let curves = self.curves.iter().chain(&self.scatter);
        curves.flat_map(|curve| &curve.points).filter(|point| point.is_sound())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    fn sound_reference(&self) -> Option<&(f64, String)> {
        self.reference.as_ref().filter(|(value, _)| is_drawable(*value))
    }

    /// Draws a curve with its band and marks, and returns its legend sample.
    fn draw_curve<'a, DB: DrawingBackend + 'a>(
        &self,
        canvas: &Canvas<'a, DB>,
        field: &mut Field<'a, DB>,
        points: &[Point],
        look: Look,
    ) -> Drawn<DB, LegendSample> {
        if points.iter().any(|point| point.interval.is_some()) {
            let mut band = self.path(points, |point| point.interval.map_or(point.y, |(_, high)| high));
            let low = self.path(points, |point| point.interval.map_or(point.y, |(low, _)| low));
            band.extend(low.into_iter().rev());
            field.draw_series([Polygon::new(band, look.color.mix(0.16).filled())])?;
        }
        let style = canvas.line(look.color, 2.0);
        let dash = look.dash.map(|(on, off)| (canvas.px(on), canvas.px(off)));
        let path = self.path(points, |point| point.y);
        match dash {
            None => field.draw_series(LineSeries::new(path, style))?,
            Some((on, off)) => field.draw_series(DashedLineSeries::new(path, on, off, style))?,
        };
        let radius = canvas.px(4.0);
        let is_marked = self.line == Line::Straight && points.len() <= MAX_MARKED;
        let mark = is_marked.then_some((radius, look.mark, look.color));
        if is_marked {
            let Look { mark, color, .. } = look;
            let at = |point: &Point| MarkAt { place: (point.x, point.y), radius, mark, color };
            field.draw_series(points.iter().map(at))?;
        }
        Ok(LegendSample::Line { style, dash, mark })
    }

    /// Returns the vertices of a line through points.
    fn path(&self, points: &[Point], y: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
        let places: Vec<(f64, f64)> = points.iter().map(|point| (point.x, y(point))).collect();
        match self.line {
            Line::Straight => places,
            Line::Steps => {
                let corners = places.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
                corners.chain(places.last().copied()).collect()
            }
        }
    }
}

impl Drawing for CurvePlot {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        let name = |curve: &PlotCurve| {
            let n = Count(curve.n);
            format!("{} ({n})", curve.label)
        };
        let names: Vec<String> = self.curves.iter().chain(&self.scatter).map(name).collect();
        let reference = self.sound_reference().map(|(value, name)| (*value, name.clone()));
        let right = legend_width(names.iter().chain(reference.iter().map(|(_, name)| name)));
        let ys = self.points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        let x = Scale::filled(&self.x, self.points().map(|point| point.x));
        let y = Scale::of(&self.y, ys.chain(reference.iter().map(|(value, _)| *value)));
        let (from, to) = x.ends();
        let room = Margins { top: 16.0, right, left: 10.0 };
        let mut field = canvas.field(room, (&self.x, x), (Some(&self.y), y))?;
        let mut curves: Vec<(usize, Vec<Point>)> = self
            .curves
            .iter()
            .map(|curve| curve.points.iter().copied().filter(Point::is_sound).collect())
            .enumerate()
            .filter(|(_, points): &(usize, Vec<Point>)| !points.is_empty())
            .collect();
        // The legend lists the curves in the order of their right ends, from the top.
        let end = |(_, points): &(usize, Vec<Point>)| points.last().map_or(0.0, |point| point.y);
        curves.sort_by(|one, two| end(two).total_cmp(&end(one)).then(one.0.cmp(&two.0)));
        let mut entries = Vec::new();
        for (at, points) in &curves {
            let sample = self.draw_curve(canvas, &mut field, points, ink::look(*at))?;
            entries.push((names[*at].clone(), sample));
        }
        if let Some(scatter) = &self.scatter {
            let look = ink::look(self.curves.len());
            let (radius, mark, color) = (canvas.px(3.0), look.mark, look.color);
            let at = |point: &Point| MarkAt { place: (point.x, point.y), radius, mark, color };
            field.draw_series(scatter.points.iter().filter(|point| point.is_sound()).map(at))?;
            let name = names[self.curves.len()].clone();
            entries.push((name, LegendSample::Mark(radius, mark, color)));
        }
        if let Some((value, name)) = reference {
            entries.push((name, canvas.reference(&mut field, [(from, value), (to, value)])?));
        }
        canvas.legend(room, entries)
    }
}
