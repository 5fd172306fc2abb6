//! Forest plots: a row for each estimate, with its interval.

use super::axis::{Axis, Scale, Unit, is_drawable};
use super::canvas::{Canvas, Letters, Stroke, fitted, width};
use super::frame::Frame;
use super::ink::{self, Mark};
use super::{WIDTH, axis};

/// The height of a row.
const ROW: f64 = 22.0;
/// Space above the first row, for the names of the columns, and below the last, for the axis.
const ABOVE: f64 = 30.0;
const BELOW: f64 = 52.0;
/// The widest that names of rows may be.
const NAMES: f64 = 250.0;

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whisker {
    /// The estimate.
    pub value: f64,
    /// The low end of its interval.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

impl Whisker {
    fn is_sound(&self) -> bool {
        is_drawable(self.value) && is_drawable(self.low) && is_drawable(self.high)
    }
}

/// A row of a forest plot.
#[derive(Debug, Clone, PartialEq)]
pub struct ForestRow {
    /// The name of the row.
    pub label: String,
    /// The estimate; nothing where there is too little to say.
    pub whisker: Option<Whisker>,
    /// A second estimate of the same, such as one that leans on the other rows.
    pub second: Option<Whisker>,
    /// How much the row stands for, such as games.
    pub n: u64,
}

/// Estimates with intervals, a row each.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// The common axis.
    pub axis: Axis,
    /// A value that means something, such as 0.5 for a balanced game, and its name.
    pub reference: Option<(f64, String)>,
    /// The rows, first at the top.
    pub rows: Vec<ForestRow>,
    /// What `n` counts: `games`.
    pub counts: String,
}

impl Forest {
    pub(crate) fn is_empty(&self) -> bool {
        self.whiskers().next().is_none()
    }

    fn whiskers(&self) -> impl Iterator<Item = Whisker> {
        let all = self.rows.iter().flat_map(|row| [row.whisker, row.second]);
        all.flatten().filter(Whisker::is_sound)
    }

    pub(crate) fn height(&self) -> f64 {
        ABOVE + ROW * self.rows.len().max(1) as f64 + BELOW
    }

    pub(crate) fn draw(&self, canvas: &mut dyn Canvas) {
        let letters = Letters::label();
        let names: Vec<String> = self.rows.iter().map(|row| fitted(&row.label, &letters, NAMES)).collect();
        let counts: Vec<String> = self.rows.iter().map(|row| axis::grouped(&row.n.to_string())).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| width(text, &letters)).fold(30.0, f64::max);
        let values = self.whiskers().flat_map(|whisker| [whisker.value, whisker.low, whisker.high]);
        let reference = self.reference.iter().map(|(value, _)| *value);
        let count_width = widest(&counts).max(width(&self.counts, &letters));
        let frame = Frame {
            left: 16.0 + widest(&names),
            top: ABOVE,
            right: WIDTH - 136.0 - count_width,
            bottom: ABOVE + ROW * self.rows.len() as f64,
            x: Scale::of(&self.axis, values.chain(reference)),
            y: Scale::of(&Axis::from_zero(""), [0.0, 1.0].into_iter()),
        };
        frame.draw_x(canvas, &self.axis);
        self.draw_reference(canvas, &frame);
        let head = Letters::label().muted();
        canvas.text((WIDTH - 4.0, ABOVE - 14.0), &self.counts, &head.end());
        canvas.text((frame.right + 16.0, ABOVE - 14.0), "with interval", &head);
        for (at, row) in self.rows.iter().enumerate() {
            let y = ABOVE + ROW * (at as f64 + 0.5);
            canvas.text((frame.left - 10.0, y), &names[at], &letters.end());
            canvas.text((WIDTH - 4.0, y), &counts[at], &letters.end());
            match row.whisker.filter(Whisker::is_sound) {
                Some(whisker) => {
                    if let Some(second) = row.second.filter(Whisker::is_sound) {
                        draw_whisker(canvas, &frame, second, (y + 5.0, Mark::Diamond));
                        draw_whisker(canvas, &frame, whisker, (y - 3.0, Mark::Disc));
                    } else {
                        draw_whisker(canvas, &frame, whisker, (y, Mark::Disc));
                    }
                    canvas.text((frame.right + 16.0, y), &self.words(whisker), &Letters::label().muted());
                }
                None => canvas.text((frame.right + 16.0, y), "too few to say", &Letters::label().muted()),
            }
        }
    }

    fn draw_reference(&self, canvas: &mut dyn Canvas, frame: &Frame) {
        let Some((value, name)) = self.reference.as_ref().filter(|(value, _)| is_drawable(*value)) else {
            return;
        };
        let x = frame.x_at(*value);
        let stroke = Stroke { dash: Some((4.0, 3.0)), ..Stroke::new(ink::MUTED, 1.0) };
        canvas.line(&[(x, frame.top), (x, frame.bottom)], stroke);
        canvas.text((x, ABOVE - 14.0), name, &Letters::label().muted().middle());
    }

    /// Returns an estimate in figures: `54 % (51–57)`.
    fn words(&self, whisker: Whisker) -> String {
        let Whisker { value, low, high } = whisker;
        match self.axis.unit {
            Unit::Percent => {
                format!("{:.0} % ({:.0}\u{2013}{:.0})", value * 100.0, low * 100.0, high * 100.0)
            }
            Unit::Number => format!("{value:.2} ({low:.2}\u{2013}{high:.2})"),
            Unit::Signed => {
                let most = value.abs().max(low.abs()).max(high.abs());
                let decimals = if most < 10.0 { 2 } else { 0 };
                format!("{value:+.decimals$} ({low:+.decimals$}\u{2026}{high:+.decimals$})")
                    .replace('-', "\u{2212}")
            }
        }
    }
}

/// Draws an estimate: a line from end to end with ticks, and a mark.
fn draw_whisker(canvas: &mut dyn Canvas, frame: &Frame, whisker: Whisker, (y, mark): (f64, Mark)) {
    let color = ink::look(usize::from(mark == Mark::Diamond)).color;
    let (low, high) = (frame.x_at(whisker.low), frame.x_at(whisker.high));
    canvas.line(&[(low, y), (high, y)], Stroke::new(color, 2.0));
    for end in [low, high] {
        canvas.line(&[(end, y - 4.0), (end, y + 4.0)], Stroke::new(color, 2.0));
    }
    canvas.mark((frame.x_at(whisker.value), y), 4.5, mark, color);
}
