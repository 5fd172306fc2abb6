//! The field of a plot: two axes with ticks and names around it.

use super::axis::{Axis, Scale};
use super::canvas::{At, Canvas, Letters, Stroke};
use super::ink;

/// A field between two axes.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) x: Scale,
    pub(crate) y: Scale,
}

impl Frame {
    /// Returns the place of a pair of values.
    pub(crate) fn at(&self, x: f64, y: f64) -> At {
        (self.x_at(x), self.bottom - (self.bottom - self.top) * self.y.part(y))
    }

    /// Returns how far from the left a value is.
    pub(crate) fn x_at(&self, x: f64) -> f64 {
        self.left + (self.right - self.left) * self.x.part(x)
    }

    /// Draws the axis at the bottom with its lines across the field.
    pub(crate) fn draw_x(&self, canvas: &mut dyn Canvas, axis: &Axis) {
        for tick in self.x.ticks() {
            let x = self.x_at(tick);
            canvas.line(&[(x, self.top), (x, self.bottom + 4.0)], Stroke::new(ink::GRID, 1.0));
            canvas.text((x, self.bottom + 14.0), &self.x.text(tick), &Letters::label().muted().middle());
        }
        let middle = (self.left + self.right) / 2.0;
        canvas.line(&[(self.left, self.bottom), (self.right, self.bottom)], Stroke::new(ink::MUTED, 1.0));
        canvas.text((middle, self.bottom + 34.0), &axis.label, &Letters::label().middle());
    }

    /// Draws the axis at the left with its lines across the field.
    pub(crate) fn draw_y(&self, canvas: &mut dyn Canvas, axis: &Axis) {
        for tick in self.y.ticks() {
            let (_, y) = self.at(0.0, tick);
            canvas.line(&[(self.left - 4.0, y), (self.right, y)], Stroke::new(ink::GRID, 1.0));
            canvas.text((self.left - 8.0, y), &self.y.text(tick), &Letters::label().muted().end());
        }
        let middle = (self.top + self.bottom) / 2.0;
        canvas.line(&[(self.left, self.top), (self.left, self.bottom)], Stroke::new(ink::MUTED, 1.0));
        canvas.text((self.left - 56.0, middle), &axis.label, &Letters::label().middle().upward());
    }
}
