//! Chart elements that plotters doesn't have: marks with different shapes, legend samples, and hatched bars.

use plotters::element::{DashedPathElement, Drawable, PointCollection};
use plotters::prelude::{DrawingBackend, RGBColor};
use plotters::style::{Color, ShapeStyle};
use plotters_backend::{BackendCoord, DrawingErrorKind};

use super::ink::{self, PlotMark};

/// A filled mark whose radius is in pixels. The composed elements of plotters can't be used here because they
/// require backends without borrows.
pub(super) struct MarkAt<C> {
    pub(super) place: C,
    pub(super) radius: i32,
    pub(super) mark: PlotMark,
    pub(super) color: RGBColor,
}

impl<'b, C: 'b> PointCollection<'b, C> for &'b MarkAt<C> {
    type Point = &'b C;
    type IntoIter = std::iter::Once<&'b C>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.place)
    }
}

impl<C, DB: DrawingBackend> Drawable<DB> for MarkAt<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let (radius, color) = (f64::from(self.radius), self.color.to_rgba());
        for (x, y) in places {
            let corner = |(right, down): (f64, f64)| {
                (x + (right * radius).round() as i32, y + (down * radius).round() as i32)
            };
            match self.mark {
                PlotMark::Disc => backend.draw_circle((x, y), self.radius as u32, &color, true)?,
                PlotMark::Square => {
                    backend.draw_rect(corner((-0.9, -0.9)), corner((0.9, 0.9)), &color, true)?
                }
                PlotMark::Triangle => {
                    backend.fill_polygon([(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)].map(corner), &color)?;
                }
                PlotMark::Diamond => {
                    let corners = [(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)];
                    backend.fill_polygon(corners.map(corner), &color)?;
                }
            }
        }
        Ok(())
    }
}

/// The legend sample of a series. Lengths are in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) enum LegendSample {
    /// A horizontal line with a mark in its center.
    Line {
        style: ShapeStyle,
        /// The lengths of dashes and gaps of a dashed line.
        dash: Option<(i32, i32)>,
        /// The radius, shape, and color of the mark.
        mark: Option<(i32, PlotMark, RGBColor)>,
    },
    /// A mark alone: its radius, shape, and color.
    Mark(i32, PlotMark, RGBColor),
    /// A bar of a layer.
    Bar(usize),
}

/// A [`LegendSample`] at a position.
pub(super) struct SampleAt {
    pub(super) place: BackendCoord,
    pub(super) width: i32,
    /// The number of pixels per unit.
    pub(super) zoom: i32,
    pub(super) sample: LegendSample,
}

impl<'b> PointCollection<'b, BackendCoord> for &'b SampleAt {
    type Point = &'b BackendCoord;
    type IntoIter = std::iter::Once<&'b BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.place)
    }
}

impl<DB: DrawingBackend> Drawable<DB> for SampleAt {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        places: I,
        backend: &mut DB,
        size: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let width = self.width;
        for (x, y) in places {
            // The visual center of letters is slightly above that of their line.
            let y = y - 2 * self.zoom;
            match self.sample {
                LegendSample::Bar(layer) => {
                    let half = 6 * self.zoom;
                    let corners = [(x, y - half), (x + width, y + half)];
                    Bar::new(corners, layer, self.zoom).draw(corners.into_iter(), backend, size)?;
                }
                LegendSample::Mark(radius, mark, color) => {
                    let place = (x + width / 2, y);
                    MarkAt { place, radius, mark, color }.draw(std::iter::once(place), backend, size)?;
                }
                LegendSample::Line { style, dash, mark } => {
                    let ends = [(x, y), (x + width, y)];
                    match dash {
                        None => backend.draw_path(ends, &style)?,
                        Some((on, off)) => {
                            let line = DashedPathElement::new(ends, on, off, style);
                            line.draw(ends.into_iter(), backend, size)?;
                        }
                    }
                    if let Some((radius, mark, color)) = mark {
                        let place = (x + width / 2, y);
                        MarkAt { place, radius, mark, color }.draw(std::iter::once(place), backend, size)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A bar between two corners with a layer pattern that is visible without color: plain, hatched, or hatched
/// the other way.
pub(super) struct Bar<C> {
    corners: [C; 2],
    layer: usize,
    zoom: i32,
}

impl<C> Bar<C> {
    /// Creates a bar of a layer; `zoom` is the number of pixels per unit.
    pub(super) fn new(corners: [C; 2], layer: usize, zoom: i32) -> Bar<C> {
        Bar { corners, layer, zoom }
    }
}

impl<'b, C: 'b> PointCollection<'b, C> for &'b Bar<C> {
    type Point = &'b C;
    type IntoIter = &'b [C; 2];

    fn point_iter(self) -> Self::IntoIter {
        &self.corners
    }
}

impl<C, DB: DrawingBackend> Drawable<DB> for Bar<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut corners: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let (Some(one), Some(two)) = (corners.next(), corners.next()) else { return Ok(()) };
        let (left, right) = (one.0.min(two.0), one.0.max(two.0));
        let (top, bottom) = (one.1.min(two.1), one.1.max(two.1));
        let gap = if right - left > 4 * self.zoom { self.zoom } else { 0 };
        let right = right - gap;
        backend.draw_rect((left, top), (right, bottom), &ink::look(self.layer).color.to_rgba(), true)?;
        let (width, height) = (right - left, bottom - top);
        if self.layer.is_multiple_of(3) || width <= self.zoom || height <= self.zoom {
            return Ok(());
        }
        let style = ink::PAGE.stroke_width(self.zoom as u32);
        // The lines x + y = offset, clipped to the bar and mirrored for the third layer.
        for offset in (3 * self.zoom..width + height).step_by(6 * self.zoom as usize) {
            let place = |x: i32, y: i32| {
                let x = if self.layer % 3 == 1 { x } else { width - x };
                (left + x, top + y)
            };
            let upper = place(offset.min(width), (offset - width).max(0));
            let lower = place((offset - height).max(0), offset.min(height));
            backend.draw_line(upper, lower, &style)?;
        }
        Ok(())
    }
}
