//! Bar charts: counts in bins, in one or more stacked layers.

use plotters::prelude::DrawingBackend;
use tafl_rules::Count;

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{Canvas, Drawing, Drawn, Margins, legend_width};
use super::marks::{Bar, LegendSample};

/// A layer of bars, stacked on the previous ones.
#[derive(Debug, Clone, PartialEq)]
pub struct BarLayer {
    /// Its name.
    pub label: String,
    /// The count of each bin.
    pub counts: Vec<u64>,
}

/// Counts in bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// The axis at the bottom.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// The edges of the bins: one more than the number of bins.
    pub edges: Vec<f64>,
    /// Whether the last bin contains all values from its lower edge on; its upper edge is only that of the drawn bar.
    pub last_is_open: bool,
    /// The layers, bottom first; at most three can be distinguished.
    pub layers: Vec<BarLayer>,
}

impl Bars {
    /// Returns the bins: their edges, and the top of each layer.
    fn bins(&self) -> impl Iterator<Item = (f64, f64, Vec<f64>)> {
        let is_sound = |(_, pair): &(usize, &[f64])| is_drawable(pair[0]) && is_drawable(pair[1]);
        self.edges.windows(2).enumerate().filter(is_sound).map(|(bin, pair)| {
            let mut sum = 0.0;
            let heights = self.layers.iter().map(|layer| {
                sum += layer.counts.get(bin).copied().unwrap_or(0) as f64;
                sum
            });
            (pair[0], pair[1], heights.collect())
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bins().all(|(_, _, heights)| heights.last().is_none_or(|height| *height == 0.0))
    }
}

impl Drawing for Bars {
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB> {
        let name = |layer: &BarLayer| {
            let n: u64 = layer.counts.iter().sum();
            format!("{} ({})", layer.label, Count(n))
        };
        let names: Vec<String> = self.layers.iter().map(name).collect();
        let bins: Vec<(f64, f64, Vec<f64>)> = self.bins().collect();
        let tops = bins.iter().filter_map(|(_, _, heights)| heights.last().copied());
        let mut x = Scale::filled(&self.x, self.edges.iter().copied());
        if let (true, Some((from, to, _))) = (self.last_is_open, bins.last()) {
            x = x.with_open_end(*from, *to);
        }
        let y = Scale::of(&self.y, tops);
        let room = Margins { top: 16.0, right: legend_width(&names), left: 10.0 };
        let mut field = canvas.field(room, (&self.x, x), (Some(&self.y), y))?;
        let zoom = canvas.px(1.0);
        let mut entries = Vec::new();
        // The legend lists the layers from the top, as they are stacked.
        for (layer, name) in names.iter().enumerate().rev() {
            let bar = |(from, to, heights): &(f64, f64, Vec<f64>)| {
                let floor = layer.checked_sub(1).map_or(0.0, |below| heights[below]);
                (heights[layer] > floor)
                    .then(|| Bar::new([(*from, floor), (*to, heights[layer])], layer, zoom))
            };
            field.draw_series(bins.iter().filter_map(bar))?;
            entries.push((name.clone(), LegendSample::Bar(layer)));
        }
        canvas.legend(room, entries)
    }
}
