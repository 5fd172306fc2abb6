//! Plots: intervals of many rows, curves, bars, and how well expectations were met.
//!
//! A [`Plot`] says what is to be seen; [`Plot::to_svg`] and [`Plot::to_png`] draw the same with plotters and the embedded
//! font. Every plot has named axes with units and says how much it stands for. Colors are those of Okabe and Ito, and
//! none of them is the only sign: lines differ in dashes and in marks, bars in hatching, and each has its name beside it.
//!
//! Numbers that are not finite are left out of a drawing; a plot with nothing left says so in words.

pub(crate) mod axis;
mod bars;
mod canvas;
mod curves;
mod forest;
mod ink;
mod marks;
mod reliability;

use std::io;

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

pub use axis::{Axis, Spread, Unit};
pub use bars::{BarLayer, Bars};
pub use curves::{CurvePlot, Line, PlotCurve, Point};
pub use forest::{Forest, ForestRow, Whisker};
pub use reliability::{Reliability, ReliabilityBin};

use canvas::{Canvas, Drawing, Drawn};

use crate::markup::Escaped;

/// How wide every plot is, in units of the drawing.
pub(crate) const WIDTH: f64 = 780.0;

/// What a plot shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    /// An estimate with its interval for each row.
    Forest(Forest),
    /// Lines over a common axis.
    Curves(CurvePlot),
    /// Counts in bins.
    Bars(Bars),
    /// What was expected against what happened.
    Reliability(Reliability),
}

/// A plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// A name for files and for programs: lower case letters, digits and `-`.
    pub key: String,
    /// What is to be seen, in a few words.
    pub title: String,
    /// What stands under it: how many games, what the bars mean.
    pub note: String,
    /// What it shows.
    pub chart: Chart,
}

/// Why a plot could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The library for drawing failed.
    #[error("the plot `{key}` could not be drawn: {reason}")]
    Drawing {
        /// The plot.
        key: String,
        /// What the library says.
        reason: String,
    },
    /// The picture could not be compressed.
    #[error("the plot could not be written")]
    Write(#[from] io::Error),
}

impl Plot {
    /// Returns the size of the drawing, in units.
    pub fn size(&self) -> (f64, f64) {
        let height = match &self.chart {
            Chart::Forest(forest) => forest.height(),
            Chart::Curves(_) => 360.0,
            Chart::Bars(_) => 320.0,
            Chart::Reliability(_) => 460.0,
        };
        (WIDTH, height)
    }

    /// Returns whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match &self.chart {
            Chart::Forest(forest) => forest.is_empty(),
            Chart::Curves(curves) => curves.is_empty(),
            Chart::Bars(bars) => bars.is_empty(),
            Chart::Reliability(reliability) => reliability.is_empty(),
        }
    }

    /// Returns the plot as an SVG document, which can also stand in HTML.
    ///
    /// Its colors are attributes that a style sheet may replace; the class of the root is `plot`.
    ///
    /// # Errors
    ///
    /// [`PlotError::Drawing`] when the library for drawing fails, which it does for no known input.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let (width, height) = self.size();
        let body = canvas::svg_body((width, height), self).map_err(|reason| self.failed(reason))?;
        let (label, note) = (Escaped(&self.title), Escaped(&self.note));
        Ok(format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{label}</title>\n<desc>{note}</desc>\n{body}</svg>\n"
        ))
    }

    /// Returns the plot as a PNG picture on white, two pixels for a unit.
    ///
    /// # Errors
    ///
    /// [`PlotError`] when drawing or compressing fails, which they do for no known input.
    pub fn to_png(&self) -> Result<Vec<u8>, PlotError> {
        let (size, pixels) = canvas::pixels(self.size(), self).map_err(|reason| self.failed(reason))?;
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, size.0, size.1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(io::Error::from)?;
        writer.write_image_data(&pixels).map_err(io::Error::from)?;
        writer.finish().map_err(io::Error::from)?;
        Ok(out)
    }

    fn failed(&self, reason: String) -> PlotError {
        PlotError::Drawing { key: self.key.clone(), reason }
    }
}

impl Drawing for Plot {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        if self.is_empty() {
            let (width, height) = self.size();
            let style = canvas.text_style();
            return canvas.text((width / 2.0, height / 2.0), "nothing to draw", &style, HPos::Center);
        }
        match &self.chart {
            Chart::Forest(forest) => forest.draw(canvas),
            Chart::Curves(curves) => curves.draw(canvas),
            Chart::Bars(bars) => bars.draw(canvas),
            Chart::Reliability(reliability) => reliability.draw(canvas),
        }
    }
}

#[cfg(test)]
mod tests;
