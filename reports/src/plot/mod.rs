//! Plots: forest plots, curves, bar charts, reliability diagrams, planes, and trees.
//!
//! A [`Plot`] describes the content; [`Plot::to_svg`] and [`Plot::to_png`] draw it with plotters and the
//! embedded font. Every plot has labeled axes with units and shows its sample size. The colors are those of
//! Okabe and Ito and are never the only distinction: lines differ in dashes and marks, bars in hatching, and
//! each has its name next to it.
//!
//! Non-finite numbers are omitted; an empty plot shows a message.

pub(crate) mod axis;
mod bars;
mod canvas;
mod compact;
mod curves;
mod dendrogram;
mod forest;
mod ink;
mod labels;
mod marks;
mod plane;
mod reliability;

use std::io;

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

pub use axis::{Axis, ScaleKind, Unit};
pub use bars::{BarLayer, Bars};
pub use curves::{CurvePlot, Line, PlotCurve, Point};
pub use dendrogram::{Dendrogram, DendrogramJoin};
pub use forest::{Forest, ForestRow, Whisker};
pub use labels::PlotLabel;
pub use plane::{PlanePlot, PlanePoint};
pub use reliability::{Reliability, ReliabilityBin};

use canvas::{Canvas, Drawing, Drawn};

use crate::board::font;
use crate::markup::Escaped;

/// The width of every plot, in units.
pub(crate) const WIDTH: f64 = 780.0;

/// The content of a plot.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    /// One estimate with its interval per row.
    Forest(Forest),
    /// Lines over a common axis.
    Curves(CurvePlot),
    /// Counts in bins.
    Bars(Bars),
    /// Expected against observed results.
    Reliability(Reliability),
    /// Items in a plane.
    Plane(PlanePlot),
    /// A tree of items.
    Dendrogram(Dendrogram),
}

/// A plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// A key for files and programs: lowercase letters, digits, and `-`.
    pub key: String,
    /// The title.
    pub title: String,
    /// The note under it, such as the number of games or the meaning of the bars.
    pub note: String,
    /// The content.
    pub chart: Chart,
}

/// The reason why a plot could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing library failed.
    #[error("the plot `{key}` could not be drawn: {reason}")]
    Drawing {
        /// The plot.
        key: String,
        /// The message of the library.
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
            Chart::Reliability(_) => reliability::HEIGHT,
            Chart::Plane(_) => plane::HEIGHT,
            Chart::Dendrogram(tree) => tree.height(),
        };
        (WIDTH, height)
    }

    /// Returns whether the plot has no data.
    pub fn is_empty(&self) -> bool {
        match &self.chart {
            Chart::Forest(forest) => forest.is_empty(),
            Chart::Curves(curves) => curves.is_empty(),
            Chart::Bars(bars) => bars.is_empty(),
            Chart::Reliability(reliability) => reliability.is_empty(),
            Chart::Plane(plane) => plane.is_empty(),
            Chart::Dendrogram(tree) => tree.is_empty(),
        }
    }

    /// Renders the plot as an SVG document, which can also be embedded in HTML.
    ///
    /// Its colors are attributes that a style sheet may override; the class of the root is `plot`.
    ///
    /// # Errors
    ///
    /// Returns [`PlotError::Drawing`] if the drawing library fails, which happens for no known input.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let (width, height) = self.size();
        let body = canvas::svg_body((width, height), self).map_err(|reason| self.failed(reason))?;
        let (label, note) = (Escaped(&self.title), Escaped(&self.note));
        Ok(format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"{family}\">\n<title>{label}</title>\n\
             <desc>{note}</desc>\n{body}</svg>\n",
            family = font::FAMILY
        ))
    }

    /// Renders the plot as a PNG picture on white, with two pixels per unit.
    ///
    /// # Errors
    ///
    /// Returns [`PlotError`] if drawing or compression fails, which happens for no known input.
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
            return canvas.text((width / 2.0, height / 2.0), "no data", &style, HPos::Center);
        }
        match &self.chart {
            Chart::Forest(forest) => forest.draw(canvas),
            Chart::Curves(curves) => curves.draw(canvas),
            Chart::Bars(bars) => bars.draw(canvas),
            Chart::Reliability(reliability) => reliability.draw(canvas),
            Chart::Plane(plane) => plane.draw(canvas),
            Chart::Dendrogram(tree) => tree.draw(canvas),
        }
    }
}

#[cfg(test)]
mod tests;
