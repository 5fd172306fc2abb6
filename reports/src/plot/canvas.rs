//! What plots are drawn on: plotters behind a few simple strokes.

use std::sync::Once;

use plotters::coord::Shift;
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{BitMapBackend, DrawingArea, DrawingBackend, IntoDrawingArea, IntoFont, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle};

use super::ink::{self, Mark};
use crate::board::font;

/// A place in units of the drawing: from the left, from the top.
pub(crate) type At = (f64, f64);

/// How many pixels a unit has in PNG.
const ZOOM: f64 = 2.0;

/// How a line is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) color: RGBColor,
    pub(crate) width: f64,
    pub(crate) dash: Option<(f64, f64)>,
}

impl Stroke {
    pub(crate) const fn new(color: RGBColor, width: f64) -> Stroke {
        Stroke { color, width, dash: None }
    }
}

/// How letters are set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letters {
    pub(crate) size: f64,
    pub(crate) color: RGBColor,
    pub(crate) anchor: Anchor,
    pub(crate) upward: Upward,
}

/// Which part of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Which way text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upward {
    No,
    Yes,
}

impl Letters {
    /// Returns letters that begin where they are put.
    pub(crate) const fn label() -> Letters {
        Letters { size: 13.0, color: ink::INK, anchor: Anchor::Start, upward: Upward::No }
    }

    pub(crate) const fn muted(self) -> Letters {
        Letters { color: ink::MUTED, size: 12.0, ..self }
    }

    pub(crate) const fn middle(self) -> Letters {
        Letters { anchor: Anchor::Middle, ..self }
    }

    pub(crate) const fn end(self) -> Letters {
        Letters { anchor: Anchor::End, ..self }
    }

    pub(crate) const fn upward(self) -> Letters {
        Letters { upward: Upward::Yes, ..self }
    }
}

/// What plots are drawn on. All places and sizes are in units; a failure shows when the drawing is finished.
pub(crate) trait Canvas {
    /// Draws a line through places; it may be dashed.
    fn line(&mut self, places: &[At], stroke: Stroke);
    /// Fills an area; `opacity` goes from 0 to 1.
    fn area(&mut self, corners: &[At], color: RGBColor, opacity: f64);
    /// Fills a rectangle between two corners.
    fn rect(&mut self, from: At, to: At, color: RGBColor);
    /// Draws a filled mark.
    fn mark(&mut self, at: At, radius: f64, mark: Mark, color: RGBColor);
    /// Writes a line of text, its middle at the height of the place.
    fn text(&mut self, at: At, text: &str, letters: &Letters);
}

/// Returns how wide a line of text is.
pub(crate) fn width(text: &str, letters: &Letters) -> f64 {
    f64::from(font::width(text, letters.size as f32))
}

/// Returns a text of one line, cut where it is wider than `most`.
pub(crate) fn fitted(text: &str, letters: &Letters, most: f64) -> String {
    let line = text.replace(['\n', '\r', '\t'], " ");
    font::wrap(&line, letters.size as f32, most.max(1.0) as f32, 1).into_iter().next().unwrap_or_default()
}

/// A drawing area of plotters, and the first thing that went wrong on it.
struct Area<DB: DrawingBackend> {
    area: DrawingArea<DB, Shift>,
    zoom: f64,
    failure: Option<String>,
}

impl<DB: DrawingBackend> Area<DB> {
    fn new(backend: DB, zoom: f64) -> Area<DB> {
        register_font();
        Area { area: backend.into_drawing_area(), zoom, failure: None }
    }

    fn px(&self, (x, y): At) -> (i32, i32) {
        let round = |unit: f64| (unit * self.zoom).round().clamp(-1e6, 1e6) as i32;
        (round(x), round(y))
    }

    fn keep<T, E: std::fmt::Display>(&mut self, result: Result<T, E>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error.to_string());
        }
    }

    fn stroke(&mut self, from: &[At], stroke: Stroke) {
        let places: Vec<(i32, i32)> = from.iter().map(|at| self.px(*at)).collect();
        let width = (stroke.width * self.zoom).round().max(1.0) as u32;
        let style = ShapeStyle { color: stroke.color.to_rgba(), filled: false, stroke_width: width };
        let drawn = self.area.draw(&PathElement::new(places, style));
        self.keep(drawn);
    }

    fn finish(mut self) -> Result<(), String> {
        let presented = self.area.present();
        self.keep(presented);
        self.failure.map_or(Ok(()), Err)
    }
}

impl<DB: DrawingBackend> Canvas for Area<DB> {
    fn line(&mut self, places: &[At], stroke: Stroke) {
        match stroke.dash {
            None => self.stroke(places, stroke),
            Some((on, off)) => {
                for dash in dashes(places, on, off) {
                    self.stroke(&dash, stroke);
                }
            }
        }
    }

    fn area(&mut self, corners: &[At], color: RGBColor, opacity: f64) {
        let corners: Vec<(i32, i32)> = corners.iter().map(|at| self.px(*at)).collect();
        let drawn = self.area.draw(&Polygon::new(corners, color.mix(opacity).filled()));
        self.keep(drawn);
    }

    fn rect(&mut self, from: At, to: At, color: RGBColor) {
        let corners = [self.px(from), self.px(to)];
        let drawn = self.area.draw(&Rectangle::new(corners, color.filled()));
        self.keep(drawn);
    }

    fn mark(&mut self, at: At, radius: f64, mark: Mark, color: RGBColor) {
        let corner = |x: f64, y: f64| (at.0 + x * radius, at.1 + y * radius);
        match mark {
            Mark::Disc => {
                let radius = (radius * self.zoom).round() as i32;
                let drawn = self.area.draw(&Circle::new(self.px(at), radius, color.filled()));
                self.keep(drawn);
            }
            Mark::Square => self.rect(corner(-0.9, -0.9), corner(0.9, 0.9), color),
            Mark::Triangle => {
                self.area(&[corner(0.0, -1.2), corner(1.1, 0.8), corner(-1.1, 0.8)], color, 1.0)
            }
            Mark::Diamond => {
                let corners = [corner(0.0, -1.25), corner(1.25, 0.0), corner(0.0, 1.25), corner(-1.25, 0.0)];
                self.area(&corners, color, 1.0);
            }
        }
    }

    fn text(&mut self, at: At, text: &str, letters: &Letters) {
        let mut face = (font::FAMILY, letters.size * self.zoom).into_font();
        if letters.upward == Upward::Yes {
            face = face.transform(FontTransform::Rotate270);
        }
        let anchor = match letters.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = TextStyle::from(face).color(&letters.color).pos(Pos::new(anchor, VPos::Center));
        // Control characters have no place in XML, and plotters escapes only what marks text up.
        let text: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        let drawn = self.area.draw(&Text::new(text, self.px(at), style));
        self.keep(drawn);
    }
}

/// Returns the strokes of a dashed line.
fn dashes(places: &[At], on: f64, off: f64) -> Vec<Vec<At>> {
    let mut strokes = Vec::new();
    let mut stroke: Vec<At> = places.first().copied().into_iter().collect();
    let (mut is_on, mut left) = (true, on);
    for pair in places.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left {
                left -= length;
                if is_on {
                    stroke.push(to);
                }
                break;
            }
            let part = left / length;
            let at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            if is_on {
                stroke.push(at);
                strokes.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![at];
            }
            is_on = !is_on;
            left = if is_on { on } else { off };
            from = at;
        }
    }
    if stroke.len() > 1 {
        strokes.push(stroke);
    }
    strokes
}

fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        assert!(
            plotters::style::register_font(font::FAMILY, FontStyle::Normal, font::BYTES).is_ok(),
            "the embedded font is sound"
        );
    });
}

/// Returns what stands between the tags of an SVG document, or what went wrong.
pub(crate) fn svg_body(size: (f64, f64), draw: impl FnOnce(&mut dyn Canvas)) -> Result<String, String> {
    let mut text = String::new();
    let mut area = Area::new(SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)), 1.0);
    draw(&mut area);
    area.finish()?;
    let start = text.find('>').map_or(0, |end| end + 1);
    let end = text.rfind("</svg>").unwrap_or(text.len());
    Ok(text.get(start..end).unwrap_or_default().trim_start().to_owned())
}

/// A picture: its size and its pixels, three bytes each.
pub(crate) type Pixels = ((u32, u32), Vec<u8>);

/// Returns a picture on white, or what went wrong.
pub(crate) fn pixels(size: (f64, f64), draw: impl FnOnce(&mut dyn Canvas)) -> Result<Pixels, String> {
    let (width, height) = ((size.0 * ZOOM) as u32, (size.1 * ZOOM) as u32);
    let mut pixels = vec![0xff; width as usize * height as usize * 3];
    let mut area = Area::new(BitMapBackend::with_buffer(&mut pixels, (width, height)), ZOOM);
    draw(&mut area);
    area.finish()?;
    Ok(((width, height), pixels))
}
