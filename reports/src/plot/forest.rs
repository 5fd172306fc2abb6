//! Forest plots: one row per estimate, with its interval.

use plotters::element::ErrorBar;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use tafl_rules::Count;

use super::WIDTH;
use super::axis::{Axis, Scale, Unit, is_drawable};
use super::canvas::{BELOW, Canvas, Drawing, Drawn, Field, MARGIN, Margins, fitted, text_width};
use super::ink::{self, PlotMark};
use super::marks::MarkAt;
use crate::percent::percent_text;

/// The height of a row, in units.
const ROW: f64 = 22.0;
/// The space above the first row for the column names, in units.
const ABOVE: f64 = 30.0;
/// The maximum width of row names, in units.
const NAMES: f64 = 250.0;

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Whisker {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
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
    /// The estimate; `None` if the sample is too small.
    pub whisker: Option<Whisker>,
    /// A second estimate of the same quantity, such as a partially pooled one.
    pub second: Option<Whisker>,
    /// The number of items that the row represents, such as games.
    pub n: u64,
}

/// Estimates with intervals, one per row.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// The common axis.
    pub axis: Axis,
    /// A labeled reference value, such as 0.5 for a balanced game.
    pub reference: Option<(f64, String)>,
    /// The rows, first at the top.
    pub rows: Vec<ForestRow>,
    /// The unit of `n`: `games`.
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
        ABOVE + ROW * self.rows.len().max(1) as f64 + BELOW + MARGIN
    }

    /// Formats an estimate as `54 % (51–57)`.
    fn text_of(&self, whisker: Whisker) -> String {
        let Whisker { value, low, high } = whisker;
        match self.axis.unit {
            Unit::Percent => {
                let [value, low, high] = [value, low, high].map(|part| percent_text(part, 0));
                format!("{value} % ({low}\u{2013}{high})")
            }
            Unit::Number => format!("{value:.2} ({low:.2}\u{2013}{high:.2})"),
            Unit::Signed => {
                let max = value.abs().max(low.abs()).max(high.abs());
                let decimals = if max < 10.0 { 2 } else { 0 };
                format!("{value:+.decimals$} ({low:+.decimals$}\u{2026}{high:+.decimals$})")
                    .replace('-', "\u{2212}")
            }
        }
    }
}

impl Drawing for Forest {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        let names: Vec<String> = self.rows.iter().map(|row| fitted(&row.label, NAMES)).collect();
        let counts: Vec<String> = self.rows.iter().map(|row| Count(row.n).to_string()).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| text_width(text)).fold(30.0, f64::max);
        let values = self.whiskers().flat_map(|whisker| [whisker.value, whisker.low, whisker.high]);
        let reference = self.reference.as_ref().filter(|(value, _)| is_drawable(*value));
        let x = Scale::of(&self.axis, values.chain(reference.map(|(value, _)| *value)));
        let n = self.rows.len() as f64;
        let left = 16.0 + widest(&names);
        let right = 136.0 + widest(&counts).max(text_width(&self.counts));
        let room = Margins { top: ABOVE, right, left };
        let mut field = canvas.field(room, (&self.axis, x), (None, Scale::between(0.0, n)))?;
        let (text, small) = (canvas.text_style(), canvas.small_text_style());
        let head = ABOVE - 14.0;
        if let Some((value, name)) = reference {
            canvas.reference(&mut field, [(*value, 0.0), (*value, n)])?;
            canvas.note(&field, (*value, n), name, (0.0, -14.0), HPos::Center)?;
        }
        canvas.text((WIDTH - 4.0, head), &self.counts, &small, HPos::Right)?;
        canvas.text((WIDTH - right + 16.0, head), "95 % interval", &small, HPos::Left)?;
        for (at, row) in self.rows.iter().enumerate() {
            let from_top = at as f64 + 0.5;
            let y = ABOVE + ROW * from_top;
            canvas.text((left - 10.0, y), &names[at], &text, HPos::Right)?;
            canvas.text((WIDTH - 4.0, y), &counts[at], &text, HPos::Right)?;
            let interval = match row.whisker.filter(Whisker::is_sound) {
                Some(whisker) => {
                    let second = row.second.filter(Whisker::is_sound);
                    // Two estimates share the row.
                    let [above, below] = if second.is_some() { [3.0, -5.0] } else { [0.0; 2] };
                    if let Some(second) = second {
                        draw_whisker(canvas, &mut field, second, n - from_top + below / ROW, 1)?;
                    }
                    draw_whisker(canvas, &mut field, whisker, n - from_top + above / ROW, 0)?;
                    self.text_of(whisker)
                }
                None => "small sample".to_owned(),
            };
            canvas.text((WIDTH - right + 16.0, y), &interval, &small, HPos::Left)?;
        }
        Ok(())
    }
}

/// Draws an estimate: an error bar with a disc, or with a diamond for the second series.
fn draw_whisker<'a, DB: DrawingBackend + 'a>(
    canvas: &Canvas<'a, DB>,
    field: &mut Field<'a, DB>,
    Whisker { value, low, high }: Whisker,
    y: f64,
    series: usize,
) -> Drawn<DB> {
    let color = ink::look(series).color;
    let style = canvas.line(color, 2.0).filled();
    let mark = if series == 0 { PlotMark::Disc } else { PlotMark::Diamond };
    field.draw_series([ErrorBar::new_horizontal(y, low, value, high, style, canvas.px(8.0) as u32)])?;
    field.draw_series([MarkAt { place: (value, y), radius: canvas.px(4.5), mark, color }])?;
    Ok(())
}
