//! Reliability: what was expected against what happened.

use super::axis::{Axis, Scale, grouped, is_drawable};
use super::canvas::{Canvas, Letters, Stroke};
use super::frame::Frame;
use super::ink::{self, Mark};
use super::{WIDTH, Whisker};

/// What was expected of a group of cases, and what happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The mean of what was expected, from 0 to 1.
    pub expected: f64,
    /// What happened, from 0 to 1, with its interval.
    pub happened: Whisker,
    /// How many cases there were.
    pub n: u64,
}

/// How well expectations were met.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// What was expected, for the axis at the bottom.
    pub expected: Axis,
    /// What happened, for the axis at the left.
    pub happened: Axis,
    /// The groups.
    pub bins: Vec<Bin>,
}

impl Reliability {
    fn sound(&self) -> impl Iterator<Item = &Bin> {
        self.bins.iter().filter(|bin| {
            let Whisker { value, low, high } = bin.happened;
            [bin.expected, value, low, high].iter().all(|value| is_drawable(*value))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sound().next().is_none()
    }

    pub(crate) fn draw(&self, canvas: &mut dyn Canvas) {
        let expected = self.sound().map(|bin| bin.expected);
        let happened = self.sound().flat_map(|bin| [bin.happened.low, bin.happened.high]);
        let side = 460.0 - 68.0;
        let left = (WIDTH - side) / 2.0;
        let frame = Frame {
            left,
            top: 16.0,
            right: left + side,
            bottom: 16.0 + side,
            x: Scale::of(&self.expected, expected),
            y: Scale::of(&self.happened, happened),
        };
        frame.draw_x(canvas, &self.expected);
        frame.draw_y(canvas, &self.happened);
        let stroke = Stroke { dash: Some((4.0, 3.0)), ..Stroke::new(ink::MUTED, 1.0) };
        canvas.line(&[frame.at(0.0, 0.0), frame.at(1.0, 1.0)], stroke);
        let muted = Letters::label().muted();
        canvas.text((frame.right + 8.0, frame.top + 8.0), "as expected", &muted);
        let most = self.sound().map(|bin| bin.n).max().unwrap_or(1).max(1) as f64;
        let color = ink::look(0).color;
        for bin in self.sound() {
            let at = frame.at(bin.expected, bin.happened.value);
            let ends = [bin.happened.low, bin.happened.high].map(|end| frame.at(bin.expected, end));
            canvas.line(&ends, Stroke::new(color, 2.0));
            canvas.mark(at, 3.0 + 4.0 * (bin.n as f64 / most).sqrt(), Mark::Disc, color);
            let n = format!("n = {}", grouped(&bin.n.to_string()));
            canvas.text((at.0 + 11.0, at.1 + 9.0), &n, &Letters { size: 11.0, ..muted });
        }
    }
}
