//! Bars: counts in bins, in one or more layers.

use super::axis::{Axis, Scale, is_drawable};
use super::canvas::{At, Canvas, Letters, Stroke, width};
use super::frame::Frame;
use super::{WIDTH, axis, ink};

/// A layer of bars, which stands on those before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
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
    /// The ends of the bins: one more than there are bins.
    pub edges: Vec<f64>,
    /// The layers, lowest first; three can be told apart.
    pub layers: Vec<Layer>,
}

impl Bars {
    /// Returns the bins: where they begin and end, and how high each layer reaches.
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

    pub(crate) fn draw(&self, canvas: &mut dyn Canvas) {
        let tops = self.bins().filter_map(|(_, _, heights)| heights.last().copied());
        let frame = Frame {
            left: 76.0,
            top: 34.0,
            right: WIDTH - 12.0,
            bottom: 320.0 - 52.0,
            x: Scale::filled(&self.x, self.edges.iter().copied()),
            y: Scale::of(&self.y, tops),
        };
        frame.draw_y(canvas, &self.y);
        frame.draw_x(canvas, &self.x);
        for (from, to, heights) in self.bins() {
            let mut floor = 0.0;
            for (layer, height) in heights.into_iter().enumerate() {
                if height > floor {
                    let (left, bottom) = frame.at(from, floor);
                    let (right, top) = frame.at(to, height);
                    let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
                    bar(canvas, (left, top), (right - gap, bottom), layer);
                }
                floor = height;
            }
        }
        self.draw_names(canvas, &frame);
    }

    fn draw_names(&self, canvas: &mut dyn Canvas, frame: &Frame) {
        let letters = Letters::label();
        let mut x = frame.left;
        for (at, layer) in self.layers.iter().enumerate() {
            let n: u64 = layer.counts.iter().sum();
            let name = format!("{} ({})", layer.label, axis::grouped(&n.to_string()));
            bar(canvas, (x, 8.0), (x + 18.0, 22.0), at);
            canvas.text((x + 24.0, 15.0), &name, &letters);
            x += 44.0 + width(&name, &letters);
        }
    }
}

/// Draws a bar between two corners: plain, hatched or crossed by its layer.
fn bar(canvas: &mut dyn Canvas, from: At, to: At, layer: usize) {
    let color = ink::look(layer).color;
    canvas.rect(from, to, color);
    if !layer.is_multiple_of(3) {
        let slant = if layer % 3 == 1 { 1.0 } else { -1.0 };
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        let mut offset = 3.0;
        while offset < width + height && width > 1.0 && height > 1.0 {
            // The line x + y = offset, cut to the bar, mirrored for the other slant.
            let ends = [
                (offset.min(width), (offset - width).max(0.0)),
                ((offset - height).max(0.0), offset.min(height)),
            ];
            let place = |(x, y): At| {
                let x = if slant > 0.0 { x } else { width - x };
                (from.0 + x, from.1 + y)
            };
            canvas.line(&[place(ends[0]), place(ends[1])], Stroke::new(ink::PAGE, 1.0));
            offset += 6.0;
        }
    }
}
