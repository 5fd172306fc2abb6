//! The colors of plots, and how lines and bars differ without them.

use plotters::style::RGBColor;

/// Letters and axes. A style sheet replaces it on dark pages.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x24, 0x2a);
/// Letters that say less.
pub(crate) const MUTED: RGBColor = RGBColor(0x5c, 0x60, 0x6b);
/// Lines behind the data.
pub(crate) const GRID: RGBColor = RGBColor(0xdd, 0xdf, 0xe4);
/// The page.
pub(crate) const PAGE: RGBColor = RGBColor(0xff, 0xff, 0xff);

/// The colors of Okabe and Ito that are dark enough for lines on white.
const SERIES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// Strokes and gaps of lines, in units; no gaps for a line that is not broken.
const DASHES: [Option<(f64, f64)>; 3] = [None, Some((7.0, 4.0)), Some((2.0, 3.0))];

/// A mark on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlotMark {
    Disc,
    Square,
    Triangle,
    Diamond,
}

/// How a series is told from the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) color: RGBColor,
    pub(crate) dash: Option<(f64, f64)>,
    pub(crate) mark: PlotMark,
}

/// Returns the look of the series with a number, from 0.
pub(crate) fn look(series: usize) -> Look {
    let marks = [PlotMark::Disc, PlotMark::Square, PlotMark::Triangle, PlotMark::Diamond];
    Look {
        color: SERIES[series % SERIES.len()],
        dash: DASHES[series % DASHES.len()],
        mark: marks[series % marks.len()],
    }
}
