//! Reliability diagrams: expected against observed results.

use plotters::element::ErrorBar;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use tafl_rules::Count;

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, LEFT, MARGIN, Margins};
use super::ink::{self, PlotMark};
use super::marks::{LegendSample, MarkAt};
use super::{WIDTH, Whisker};

/// The height of the plot, in units.
pub(super) const HEIGHT: f64 = 460.0;
/// The space above the field, in units.
const TOP: f64 = 16.0;

/// The expected and the observed result of a group of cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityBin {
    /// The mean expected result, from 0 to 1.
    pub expected: f64,
    /// The observed result, from 0 to 1, with its interval.
    pub happened: Whisker,
    /// The number of cases.
    pub n: u64,
}

/// A reliability diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// The axis at the bottom, for expected results.
    pub expected: Axis,
    /// The axis at the left, for observed results.
    pub happened: Axis,
    /// The groups.
    pub bins: Vec<ReliabilityBin>,
}

impl Reliability {
    fn sound(&self) -> impl Iterator<Item = &ReliabilityBin> {
        self.bins.iter().filter(|bin| {
            let Whisker { value, low, high } = bin.happened;
            [bin.expected, value, low, high].iter().all(|value| is_drawable(*value))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sound().next().is_none()
    }
}

impl Drawing for Reliability {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        let expected = self.sound().map(|bin| bin.expected);
        let happened = self.sound().flat_map(|bin| [bin.happened.low, bin.happened.high]);
        let (x, y) = (Scale::of(&self.expected, expected), Scale::of(&self.happened, happened));
        // The field is a centered square.
        let side = HEIGHT - TOP - BELOW - MARGIN;
        let beside = (WIDTH - side) / 2.0;
        let room = Margins { top: TOP, right: beside, left: beside - LEFT };
        let mut field = canvas.field(room, (&self.expected, x), (Some(&self.happened), y))?;
        let diagonal = canvas.reference(&mut field, [(0.0, 0.0), (1.0, 1.0)])?;
        let max = self.sound().map(|bin| bin.n).max().unwrap_or(1).max(1) as f64;
        let color = ink::look(0).color;
        let style = canvas.line(color, 2.0);
        let bars = self.sound().map(|bin| {
            let Whisker { value, low, high } = bin.happened;
            ErrorBar::new_vertical(bin.expected, low, value, high, style.filled(), canvas.px(5.0) as u32)
        });
        let mark = Some((canvas.px(4.0), PlotMark::Disc, color));
        let happened = LegendSample::Line { style, dash: None, mark };
        field.draw_series(bars)?;
        let discs = self.sound().map(|bin| {
            let radius = canvas.px(3.0 + 4.0 * (bin.n as f64 / max).sqrt());
            MarkAt { place: (bin.expected, bin.happened.value), radius, mark: PlotMark::Disc, color }
        });
        field.draw_series(discs)?;
        for bin in self.sound() {
            let n = format!("n = {}", Count(bin.n));
            canvas.note(&field, (bin.expected, bin.happened.value), &n, (11.0, 9.0), HPos::Left)?;
        }
        canvas.legend(room, vec![("expected".to_owned(), diagonal), ("observed".to_owned(), happened)])
    }
}
