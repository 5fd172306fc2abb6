//! Rasterization: the same figures as in SVG, drawn by tiny-skia.

use std::io::Write;

use tiny_skia::{
    Color as SkiaColor, FillRule, LineCap, LineJoin, Paint as SkiaPaint, Path, PathBuilder, Pixmap, Rect,
    Stroke, StrokeDash, Transform,
};

use super::font::{self, Pencil};
use super::paint::Painting;
use super::scene::{
    CIRCLE_BEND, Outline, Paint, PathSegment, Pen, SceneItem, ScenePath, ScenePoint, SceneText,
};
use super::theme::Palette;
use super::{BoardPicture, PictureError, pieces};

/// The range of widths of a picture, in pixels.
pub(crate) const WIDTHS: std::ops::RangeInclusive<u32> = 32..=6000;

impl BoardPicture {
    /// Renders the picture as a PNG file, `width` pixels wide.
    ///
    /// The height depends on the board, the caption, and the legend. Letters other than Latin, Greek, and
    /// Cyrillic ones are drawn as boxes.
    ///
    /// # Errors
    ///
    /// Returns [`PictureError::Width`] unless the width is 32 to 6000.
    pub fn to_png(&self, width: u32) -> Result<Vec<u8>, PictureError> {
        let painting = Painting::of(self);
        let brush = Brush::new(&painting, width, self.view.theme.palette())?;
        Ok(brush.png(painting.items()))
    }
}

/// Checks the width of a picture in pixels.
///
/// # Errors
///
/// Returns [`PictureError::Width`] unless it is 32 to 6000.
pub(crate) fn check_width(width: u32) -> Result<(), PictureError> {
    if WIDTHS.contains(&width) {
        return Ok(());
    }
    Err(PictureError::Width { asked: width, min: *WIDTHS.start(), max: *WIDTHS.end() })
}

/// Encodes a PNG file without transparency.
fn encode(pixmap: &Pixmap) -> Vec<u8> {
    const MEMORY: &str = "writing to memory cannot fail";
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    // With flat colors, files without a filter are a sixth smaller. Setting the compression level also sets a
    // filter, so this must come later.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect(MEMORY);
    let mut rows = writer.stream_writer().expect(MEMORY);
    let mut row = Vec::with_capacity(pixmap.width() as usize * 3);
    for pixels in pixmap.data().chunks_exact(pixmap.width() as usize * 4) {
        row.clear();
        row.extend(pixels.chunks_exact(4).flat_map(|pixel| &pixel[..3]));
        rows.write_all(&row).expect("the number of pixels matches the header");
    }
    rows.finish().expect("the number of pixels matches the header");
    writer.finish().expect(MEMORY);
    file
}

/// Draws figures at one scale.
#[derive(Debug)]
pub(crate) struct Brush {
    scale: f32,
    width: u32,
    height: u32,
    palette: &'static Palette,
}

impl Brush {
    /// Creates a brush that draws the painting `width` pixels wide.
    pub(crate) fn new(
        painting: &Painting,
        width: u32,
        palette: &'static Palette,
    ) -> Result<Brush, PictureError> {
        check_width(width)?;
        let scale = width as f32 / painting.layout.width;
        let height = (painting.layout.height * scale).ceil().max(1.0) as u32;
        Ok(Brush { scale, width, height, palette })
    }

    /// Creates a brush for a page of a size in scene units.
    pub(crate) fn scaled((width, height): (f32, f32), scale: f32, palette: &'static Palette) -> Brush {
        let pixels = |length: f32| (length * scale).ceil().max(1.0) as u32;
        Brush { scale, width: pixels(width), height: pixels(height), palette }
    }

    /// Draws items, bottom first, and returns the PNG file.
    pub(crate) fn png<'a>(&self, items: impl Iterator<Item = &'a SceneItem>) -> Vec<u8> {
        let mut pixmap = self.blank();
        self.draw(&mut pixmap, items);
        encode(&pixmap)
    }

    /// Returns an empty page.
    pub(crate) fn blank(&self) -> Pixmap {
        let mut pixmap =
            Pixmap::new(self.width, self.height).expect("widths are checked and texts have few lines");
        let page = self.palette.page;
        pixmap.fill(SkiaColor::from_rgba8(page.red, page.green, page.blue, 255));
        pixmap
    }

    /// Draws items, bottom first.
    pub(crate) fn draw<'a>(&self, pixmap: &mut Pixmap, items: impl Iterator<Item = &'a SceneItem>) {
        for item in items {
            match item {
                SceneItem::ScenePath(figure) => self.figure(pixmap, figure, ScenePoint::new(0.0, 0.0)),
                SceneItem::SceneText(line) => self.line_of_text(pixmap, line),
                SceneItem::Piece(piece, at) => {
                    for figure in pieces::figures(*piece, self.palette) {
                        self.figure(pixmap, &figure, *at);
                    }
                }
            }
        }
    }

    fn figure(&self, pixmap: &mut Pixmap, figure: &ScenePath, at: ScenePoint) {
        let Some(path) = path(&figure.outline) else { return };
        let place = Transform::from_scale(self.scale, self.scale).pre_translate(at.x, at.y);
        if let Some(paint) = figure.fill {
            pixmap.fill_path(&path, &skia_paint(paint), FillRule::Winding, place, None);
        }
        if let Some(pen) = figure.pen {
            pixmap.stroke_path(&path, &skia_paint(pen.paint), &stroke(pen), place, None);
        }
    }

    fn line_of_text(&self, pixmap: &mut Pixmap, line: &SceneText) {
        let mut pencil = PathPencil(PathBuilder::new());
        font::outlines(line, &mut pencil);
        if let Some(path) = pencil.0.finish() {
            let place = Transform::from_scale(self.scale, self.scale);
            pixmap.fill_path(&path, &skia_paint(line.color.into()), FillRule::Winding, place, None);
        }
    }
}

fn skia_paint(paint: Paint) -> SkiaPaint<'static> {
    let mut skia = SkiaPaint::default();
    let alpha = (paint.opacity * 255.0).round() as u8;
    skia.set_color_rgba8(paint.color.red, paint.color.green, paint.color.blue, alpha);
    skia.anti_alias = true;
    skia
}

fn stroke(pen: Pen) -> Stroke {
    Stroke {
        width: pen.width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: pen.dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash, gap], 0.0)),
        ..Stroke::default()
    }
}

fn path(outline: &Outline) -> Option<Path> {
    match outline {
        Outline::Circle { center, radius } => PathBuilder::from_circle(center.x, center.y, *radius),
        Outline::Rect { min, width, height, radius } if *radius <= 0.0 => {
            Rect::from_xywh(min.x, min.y, *width, *height).map(PathBuilder::from_rect)
        }
        Outline::Rect { min, width, height, radius } => rounded(*min, *width, *height, *radius),
        Outline::Path(segments) => {
            let mut builder = PathBuilder::new();
            for segment in segments {
                match segment {
                    PathSegment::Move(to) => builder.move_to(to.x, to.y),
                    PathSegment::Line(to) => builder.line_to(to.x, to.y),
                    PathSegment::Cubic(a, b, to) => builder.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y),
                    PathSegment::Close => builder.close(),
                }
            }
            builder.finish()
        }
    }
}

/// Returns a rectangle with rounded corners.
fn rounded(min: ScenePoint, width: f32, height: f32, radius: f32) -> Option<Path> {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let bend = radius * (1.0 - CIRCLE_BEND);
    let (left, top, right, bottom) = (min.x, min.y, min.x + width, min.y + height);
    let mut builder = PathBuilder::new();
    builder.move_to(left + radius, top);
    builder.line_to(right - radius, top);
    builder.cubic_to(right - bend, top, right, top + bend, right, top + radius);
    builder.line_to(right, bottom - radius);
    builder.cubic_to(right, bottom - bend, right - bend, bottom, right - radius, bottom);
    builder.line_to(left + radius, bottom);
    builder.cubic_to(left + bend, bottom, left, bottom - bend, left, bottom - radius);
    builder.line_to(left, top + radius);
    builder.cubic_to(left, top + bend, left + bend, top, left + radius, top);
    builder.close();
    builder.finish()
}

/// Collects the outlines of letters.
struct PathPencil(PathBuilder);

impl Pencil for PathPencil {
    fn start(&mut self, to: ScenePoint) {
        self.0.move_to(to.x, to.y);
    }

    fn line(&mut self, to: ScenePoint) {
        self.0.line_to(to.x, to.y);
    }

    fn quad(&mut self, control: ScenePoint, to: ScenePoint) {
        self.0.quad_to(control.x, control.y, to.x, to.y);
    }

    fn end(&mut self) {
        self.0.close();
    }
}
