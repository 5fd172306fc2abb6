//! The colors of plots, and their distinction without color.

use plotters::style::RGBColor;

/// Text and axes. A style sheet replaces it on dark pages.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x24, 0x2a);
/// Secondary text.
pub(crate) const MUTED: RGBColor = RGBColor(0x5c, 0x60, 0x6b);
/// Grid lines.
pub(crate) const GRID: RGBColor = RGBColor(0xdd, 0xdf, 0xe4);
/// The background.
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

/// Dashes and gaps of lines, in units; `None` for a solid line.
const DASHES: [Option<(f64, f64)>; 3] = [None, Some((7.0, 4.0)), Some((2.0, 3.0))];

/// A mark on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlotMark {
    Disc,
    Square,
    Triangle,
    Diamond,
}

/// The appearance of a series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) color: RGBColor,
    pub(crate) dash: Option<(f64, f64)>,
    pub(crate) mark: PlotMark,
}

/// Returns the appearance of the series with an index.
pub(crate) fn look(series: usize) -> Look {
    let marks = [PlotMark::Disc, PlotMark::Square, PlotMark::Triangle, PlotMark::Diamond];
    Look {
        color: SERIES[series % SERIES.len()],
        dash: DASHES[series % DASHES.len()],
        mark: marks[series % marks.len()],
    }
}
