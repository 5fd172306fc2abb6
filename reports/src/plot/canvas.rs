//! The drawing surface of plots: a plotters area for SVG and PNG, the embedded font, and the axes shared by
//! all charts.

use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition, SeriesLabelPosition};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::element::{PathElement, Text};
use plotters::prelude::{
    BitMapBackend, DashedLineSeries, DrawingArea, DrawingBackend, IntoDrawingArea, IntoFont, RGBColor,
    SVGBackend,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, ShapeStyle, TRANSPARENT, TextStyle};

use super::axis::{Axis, Scale};
use super::compact::compact;
use super::marks::{LegendSample, SampleAt};
use super::{WIDTH, ink};
use crate::board::font;
use crate::markup::is_unsafe;

/// The number of pixels per unit in PNG.
const ZOOM: f64 = 2.0;
/// The size of normal text, in units.
const TEXT: f64 = 13.0;
/// The size of ticks and notes, in units.
const SMALL_TEXT: f64 = 12.0;
/// The height of the area for ticks and label below a chart, in units.
pub(super) const BELOW: f64 = 40.0;
/// The width of the area for ticks and label to the left of a chart, in units.
pub(super) const LEFT: f64 = 66.0;
/// The margin around a chart and its labels, in units.
pub(super) const MARGIN: f64 = 6.0;
/// The width of the samples of a legend, in units.
const SAMPLE: f64 = 26.0;
/// The maximum width of the names in a legend, in units; longer ones have two lines.
const LEGEND_NAMES: f64 = 220.0;
/// The gap between a sample and its name, in units.
const GAP: f64 = 5.0;

/// The result of drawing on a backend.
pub(super) type Drawn<DB, T = ()> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A chart between two axes.
pub(super) type Field<'a, DB> = ChartContext<'a, DB, Cartesian2d<Scale, Scale>>;

/// Something that can be drawn with every backend.
pub(super) trait Drawing {
    /// Draws it.
    fn draw<'a, DB: DrawingBackend + 'a>(&self, canvas: &Canvas<'a, DB>) -> Drawn<DB>;
}

/// A plotters area with sizes in units: one pixel in SVG, [`ZOOM`] pixels in PNG.
pub(super) struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    zoom: f64,
}

/// The space left free on each side of the axes and labels of a chart, in units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Margins {
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) left: f64,
}

impl<'a, DB: DrawingBackend + 'a> Canvas<'a, DB> {
    /// Converts a length to pixels.
    pub(super) fn px(&self, units: f64) -> i32 {
        (units * self.zoom).round().clamp(-1e6, 1e6) as i32
    }

    /// Returns the style of a line.
    pub(super) fn line(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.stroke_width(self.px(width).max(1) as u32)
    }

    /// Returns the style of normal text.
    pub(super) fn text_style(&self) -> TextStyle<'static> {
        self.letters(TEXT, &ink::INK)
    }

    /// Returns the style of ticks and notes.
    pub(super) fn small_text_style(&self) -> TextStyle<'static> {
        self.letters(SMALL_TEXT, &ink::MUTED)
    }

    fn letters(&self, size: f64, color: &'static RGBColor) -> TextStyle<'static> {
        TextStyle::from((font::FAMILY, size * self.zoom).into_font()).color(color)
    }

    /// Draws a line of text next to the chart; `place` is in units, and `anchor` is the part of the text at
    /// this position.
    pub(super) fn text(
        &self,
        place: (f64, f64),
        text: &str,
        style: &TextStyle<'static>,
        anchor: HPos,
    ) -> Drawn<DB> {
        let style = style.clone().pos(Pos::new(anchor, VPos::Center));
        self.area.draw(&Text::new(plain(text), (self.px(place.0), self.px(place.1)), style))
    }

    /// Draws a straight line between two places in units.
    pub(super) fn stroke(&self, ends: [(f64, f64); 2], style: ShapeStyle) -> Drawn<DB> {
        self.area.draw(&PathElement::new(ends.map(|(x, y)| (self.px(x), self.px(y))), style))
    }

    /// Draws axes with ticks, grid, and labels, and returns the field between them. A `y` of `None` has no axis.
    pub(super) fn field(
        &self,
        room: Margins,
        (x_axis, x): (&Axis, Scale),
        (y_axis, y): (Option<&Axis>, Scale),
    ) -> Drawn<DB, Field<'a, DB>> {
        let mut builder = ChartBuilder::on(self.area);
        builder
            .margin_top(self.px(room.top))
            .margin_right(self.px(room.right))
            .margin_bottom(self.px(MARGIN))
            .margin_left(self.px(room.left))
            .x_label_area_size(self.px(BELOW));
        if y_axis.is_some() {
            builder.y_label_area_size(self.px(LEFT));
        }
        let mut field = builder.build_cartesian_2d(x, y)?;
        let mut mesh = field.configure_mesh();
        mesh.max_light_lines(0)
            .bold_line_style(self.line(ink::GRID, 1.0))
            .light_line_style(TRANSPARENT)
            .axis_style(self.line(ink::MUTED, 1.0))
            .label_style(self.small_text_style())
            .axis_desc_style(self.text_style())
            .set_tick_mark_size(LabelAreaPosition::Bottom, self.px(4.0))
            .set_tick_mark_size(LabelAreaPosition::Left, self.px(4.0))
            .x_desc(plain(&x_axis.label));
        match y_axis {
            Some(axis) => mesh.y_desc(plain(&axis.label)),
            None => mesh.disable_y_mesh().y_labels(0),
        };
        mesh.draw()?;
        Ok(field)
    }

    /// Draws a dashed reference line, and returns its legend sample.
    pub(super) fn reference(
        &self,
        field: &mut Field<'a, DB>,
        ends: [(f64, f64); 2],
    ) -> Drawn<DB, LegendSample> {
        let (on, off) = (self.px(4.0), self.px(3.0));
        let style = self.line(ink::MUTED, 1.0);
        field.draw_series(DashedLineSeries::new(ends, on, off, style))?;
        Ok(LegendSample::Line { style, dash: Some((on, off)), mark: None })
    }

    /// Draws a note in the field; `anchor` is the part of the text at the position, moved right and down by an offset in units.
    pub(super) fn note(
        &self,
        field: &Field<'a, DB>,
        place: (f64, f64),
        text: &str,
        (right, down): (f64, f64),
        anchor: HPos,
    ) -> Drawn<DB> {
        let (x, y) = self.units(field.backend_coord(&place));
        self.text((x + right, y + down), text, &self.small_text_style(), anchor)
    }

    /// Converts pixels to units.
    pub(super) fn units(&self, (x, y): (i32, i32)) -> (f64, f64) {
        (f64::from(x) / self.zoom, f64::from(y) / self.zoom)
    }

    /// Draws a legend to the right of a field.
    ///
    /// Plotters clips everything outside a chart to its border, so the legend has an area of its own.
    pub(super) fn legend(&self, room: Margins, entries: Vec<(String, LegendSample)>) -> Drawn<DB> {
        let (_, beside) = self.area.split_horizontally(self.px(WIDTH - room.right));
        let mut builder = ChartBuilder::on(&beside);
        let mut legend = builder.margin_top(self.px(room.top)).build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
        let (width, zoom) = (self.px(SAMPLE), self.px(1.0));
        for (name, sample) in entries {
            for (nth, line) in legend_lines(&name).into_iter().enumerate() {
                let entry = legend.draw_series(std::iter::empty::<PathElement<(f64, f64)>>())?.label(line);
                // The sample is beside the first line of its name.
                if nth == 0 {
                    entry.legend(move |place| SampleAt { place, width, zoom, sample });
                }
            }
        }
        legend
            .configure_series_labels()
            .position(SeriesLabelPosition::Coordinate(self.px(MARGIN), 0))
            .margin(self.px(MARGIN))
            .legend_area_size(self.px(SAMPLE + GAP))
            .label_font(self.text_style())
            .draw()
    }
}

/// Returns the lines of a name in a legend: at most two.
fn legend_lines(name: &str) -> Vec<String> {
    let lines = font::wrap(&plain(name), TEXT as f32, LEGEND_NAMES as f32, 2);
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Returns the width of a legend with these names, in units.
pub(super) fn legend_width<'n>(names: impl IntoIterator<Item = &'n String>) -> f64 {
    let lines = names.into_iter().flat_map(|name| legend_lines(name));
    lines.map(|line| text_width(&line)).fold(0.0, f64::max) + SAMPLE + GAP + 3.0 * MARGIN
}

/// Returns the width of a line of text, in units.
pub(super) fn text_width(text: &str) -> f64 {
    f64::from(font::width(text, TEXT as f32))
}

/// Returns the width of a tick or note, in units.
pub(super) fn small_text_width(text: &str) -> f64 {
    f64::from(font::width(text, SMALL_TEXT as f32))
}

/// Truncates a line of text to `max_width` units.
pub(super) fn fitted(text: &str, max_width: f64) -> String {
    let line = plain(text);
    font::wrap(&line, TEXT as f32, max_width.max(1.0) as f32, 1).into_iter().next().unwrap_or_default()
}

/// Replaces characters that XML cannot contain, and invisible ones; plotters escapes the markup.
pub(super) fn plain(text: &str) -> String {
    let shown = |sign: char| match sign {
        sign if sign.is_control() => ' ',
        sign if is_unsafe(sign) => '\u{fffd}',
        sign => sign,
    };
    text.chars().map(shown).collect()
}

/// Registers the embedded font. In a browser, plotters uses the browser's fonts instead, and has no function for it.
fn register_font() {
    #[cfg(not(target_arch = "wasm32"))]
    register_embedded_font();
}

#[cfg(not(target_arch = "wasm32"))]
fn register_embedded_font() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        assert!(
            plotters::style::register_font(font::FAMILY, plotters::style::FontStyle::Normal, font::BYTES)
                .is_ok(),
            "the embedded font is valid"
        );
    });
}

/// Draws on a backend; an error is the message of the library.
fn draw_on<DB: DrawingBackend>(backend: DB, zoom: f64, drawing: &impl Drawing) -> Result<(), String> {
    register_font();
    let area = backend.into_drawing_area();
    let drawn = drawing.draw(&Canvas { area: &area, zoom });
    drawn.and_then(|()| area.present()).map_err(|error| error.to_string())
}

/// Returns the elements of an SVG document without the outermost tags, or the error message of the library.
pub(super) fn svg_body(size: (f64, f64), drawing: &impl Drawing) -> Result<String, String> {
    let mut text = String::new();
    draw_on(SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)), 1.0, drawing)?;
    let start = text.find('>').map_or(0, |end| end + 1);
    let end = text.rfind("</svg>").unwrap_or(text.len());
    Ok(compact(text.get(start..end).unwrap_or_default().trim_start()))
}

/// A picture: its size and its pixels, three bytes each.
pub(super) type Pixels = ((u32, u32), Vec<u8>);

/// Returns a picture on a white background, or the error message of the library.
pub(super) fn pixels(size: (f64, f64), drawing: &impl Drawing) -> Result<Pixels, String> {
    let (width, height) = ((size.0 * ZOOM) as u32, (size.1 * ZOOM) as u32);
    let mut pixels = vec![0xff; width as usize * height as usize * 3];
    draw_on(BitMapBackend::with_buffer(&mut pixels, (width, height)), ZOOM, drawing)?;
    Ok(((width, height), pixels))
}
