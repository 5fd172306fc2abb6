//! Curves: lines over a common axis, with bands of uncertainty.

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{At, Canvas, Letters, Stroke, fitted, width};
use super::frame::Frame;
use super::ink::{self, Look};
use super::{WIDTH, axis};

/// The widest that names of curves may be.
const NAMES: f64 = 235.0;
/// How far names beside curves are apart at least.
const APART: f64 = 16.0;

/// How a curve goes from point to point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// Straight, with a mark at each point.
    Straight,
    /// Level up to the next point, then up or down: what was counted so far.
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
pub struct Curve {
    /// Its name.
    pub label: String,
    /// How much it stands for, such as games.
    pub n: u64,
    /// Its points, from left to right.
    pub points: Vec<Point>,
}

/// Curves over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// How curves go from point to point.
    pub line: Line,
    /// A value of the left axis that means something, and its name.
    pub reference: Option<(f64, String)>,
    /// The curves; six can be told apart.
    pub curves: Vec<Curve>,
}

impl Curves {
    fn points(&self) -> impl Iterator<Item = &Point> + Clone {
        self.curves.iter().flat_map(|curve| &curve.points).filter(|point| point.is_sound())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points().next().is_none()
    }

    pub(crate) fn draw(&self, canvas: &mut dyn Canvas) {
        let letters = Letters::label();
        let name = |curve: &Curve| {
            let n = axis::grouped(&curve.n.to_string());
            fitted(&format!("{} ({n})", curve.label), &letters, NAMES)
        };
        let names: Vec<String> = self.curves.iter().map(name).collect();
        let widest = names.iter().map(|name| width(name, &letters)).fold(0.0, f64::max);
        let ys = self.points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [point.y, low, high]
        });
        let frame = Frame {
            left: 76.0,
            top: 16.0,
            right: WIDTH - 28.0 - widest,
            bottom: 360.0 - 52.0,
            x: Scale::filled(&self.x, self.points().map(|point| point.x)),
            y: Scale::of(&self.y, ys.chain(self.reference.iter().map(|(value, _)| *value))),
        };
        frame.draw_x(canvas, &self.x);
        frame.draw_y(canvas, &self.y);
        if let Some((value, name)) = self.reference.as_ref().filter(|(value, _)| is_drawable(*value)) {
            let (_, y) = frame.at(0.0, *value);
            let stroke = Stroke { dash: Some((4.0, 3.0)), ..Stroke::new(ink::MUTED, 1.0) };
            canvas.line(&[(frame.left, y), (frame.right, y)], stroke);
            canvas.text((frame.left + 6.0, y - 9.0), name, &Letters::label().muted());
        }
        let mut ends = Vec::new();
        for (at, curve) in self.curves.iter().enumerate() {
            let points: Vec<Point> = curve.points.iter().copied().filter(Point::is_sound).collect();
            if let Some(last) = points.last() {
                ends.push((frame.at(last.x, last.y), at));
                draw_curve(canvas, &frame, &points, (self.line, ink::look(at)));
            }
        }
        for (y, (end, at)) in apart(ends, &frame) {
            let from = (frame.right + 4.0, end.1);
            canvas.line(&[end, from, (frame.right + 14.0, y)], Stroke::new(ink::GRID, 1.0));
            canvas.mark((frame.right + 18.0, y), 4.0, ink::look(at).mark, ink::look(at).color);
            canvas.text((frame.right + 26.0, y), &names[at], &letters);
        }
    }
}

/// Returns the heights of the names beside the ends of curves, so that none covers another.
fn apart(mut ends: Vec<(At, usize)>, frame: &Frame) -> Vec<(f64, (At, usize))> {
    ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1).then(a.1.cmp(&b.1)));
    let mut heights: Vec<f64> = ends.iter().map(|(end, _)| end.1).collect();
    for at in 1..heights.len() {
        heights[at] = heights[at].max(heights[at - 1] + APART);
    }
    let most = frame.bottom - 6.0;
    for at in (0..heights.len()).rev() {
        let below = heights.get(at + 1).map_or(most, |below| below - APART);
        heights[at] = heights[at].min(below);
    }
    heights.into_iter().zip(ends).collect()
}

fn draw_curve(canvas: &mut dyn Canvas, frame: &Frame, points: &[Point], (line, look): (Line, Look)) {
    let path = |y: &dyn Fn(&Point) -> f64| -> Vec<At> {
        let places = points.iter().map(|point| frame.at(point.x, y(point)));
        match line {
            Line::Straight => places.collect(),
            Line::Steps => {
                let places: Vec<At> = places.collect();
                let corner = |pair: &[At]| [pair[0], (pair[1].0, pair[0].1)];
                places.windows(2).flat_map(corner).chain(places.last().copied()).collect()
            }
        }
    };
    if points.iter().any(|point| point.interval.is_some()) {
        let mut band = path(&|point| point.interval.map_or(point.y, |(_, high)| high));
        band.extend(path(&|point| point.interval.map_or(point.y, |(low, _)| low)).into_iter().rev());
        canvas.area(&band, look.color, 0.16);
    }
    let stroke = Stroke { dash: look.dash, ..Stroke::new(look.color, 2.0) };
    canvas.line(&path(&|point| point.y), stroke);
    // Marks on every point of a long curve would be a thick line.
    if line == Line::Straight && points.len() <= 24 {
        for point in points {
            canvas.mark(frame.at(point.x, point.y), 4.0, look.mark, look.color);
        }
    }
}
