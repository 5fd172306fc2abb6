//! Pictures as PDF 1.7: vector figures, with letters as outlines, so that no font is needed.

use std::fmt::Write as _;

use super::font::{self, Pencil};
use super::paint::BoardDrawing;
use super::scene::{
    CIRCLE_BEND, Color, Outline, Paint, PathSegment, Pen, SceneItem, ScenePath, ScenePoint, SceneText,
};
use super::svg::title;
use super::svg_canvas::Short;
use super::theme::Palette;
use super::{BoardPicture, pieces};

/// The size of a page of A4, in points.
pub(crate) const A4: (f32, f32) = (595.28, 841.89);

/// The maximum width of a page with one board, in points: A4 between margins.
const MAX_WIDTH: f32 = 480.0;

/// A page of a document.
pub(crate) struct PdfPage {
    pub(crate) drawing: BoardDrawing,
    /// The width of the page in points.
    pub(crate) width: f32,
    pub(crate) palette: &'static Palette,
}

impl BoardPicture {
    /// Renders the picture as a PDF document with one page, at most 480 points wide.
    pub fn to_pdf(&self) -> Vec<u8> {
        let drawing = BoardDrawing::of(self);
        let width = drawing.width.min(MAX_WIDTH);
        document(&title(self), &[PdfPage { drawing, width, palette: self.view.theme.palette() }])
    }
}

/// Returns a document with these pages.
pub(crate) fn document(title: &str, pages: &[PdfPage]) -> Vec<u8> {
    // Objects 1 to 3 are the catalog, the list of pages, and the title; then each page has two, it and its figures.
    let page_object = |nth: usize| 4 + 2 * nth;
    let list: Vec<String> = (0..pages.len()).map(|nth| format!("{} 0 R", page_object(nth))).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", list.join(" "), pages.len()),
        format!("<< /Title {} >>", text_string(title)),
    ];
    for (nth, page) in pages.iter().enumerate() {
        let scale = page.width / page.drawing.width;
        let (width, height) = (Short(page.width), Short(page.drawing.height * scale));
        let content = PdfContent::of(page, scale);
        let states: String = (1..=100).filter(|percent| content.opacities.contains(percent)).fold(
            String::new(),
            |mut states, percent| {
                let opacity = Short(f32::from(percent) / 100.0);
                let _ = write!(states, "/O{percent} << /ca {opacity} /CA {opacity} >> ");
                states
            },
        );
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] \
             /Resources << /ExtGState << {states}>> >> /Contents {} 0 R >>",
            page_object(nth) + 1
        ));
        let out = content.out;
        objects.push(format!("<< /Length {} >>\nstream\n{out}\nendstream", out.len()));
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(file.len());
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let start = file.len();
    let size = objects.len() + 1;
    let table: String = offsets.iter().map(|offset| format!("{offset:010} 00000 n \n")).collect();
    file.extend(
        format!(
            "xref\n0 {size}\n0000000000 65535 f \n{table}\
             trailer\n<< /Size {size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n{start}\n%%EOF\n"
        )
        .bytes(),
    );
    file
}

/// Returns a text as a hexadecimal string in UTF-16.
fn text_string(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{units}>")
}

/// The operators that draw a page.
struct PdfContent {
    out: String,
    /// The opacities that are used, in percent.
    opacities: Vec<u8>,
    /// The current opacity.
    opacity: u8,
}

impl PdfContent {
    fn of(page: &PdfPage, scale: f32) -> PdfContent {
        let mut content = PdfContent { out: String::new(), opacities: Vec::new(), opacity: 100 };
        // In PDF, y increases upward.
        let height = Short(page.drawing.height * scale);
        content.line(format_args!("{scale} 0 0 -{scale} 0 {height} cm 1 J 1 j"));
        for item in &page.drawing.items {
            match item {
                SceneItem::ScenePath(figure) => content.figure(figure),
                SceneItem::SceneText(line) => content.text(line),
                SceneItem::Piece(piece, at) => {
                    for figure in pieces::figures(*piece, page.palette) {
                        content.figure(&figure.shifted(*at));
                    }
                }
            }
        }
        content
    }

    fn line(&mut self, operators: std::fmt::Arguments<'_>) {
        self.out.write_fmt(operators).expect("a String takes any text");
        self.out.push('\n');
    }

    fn figure(&mut self, figure: &ScenePath) {
        if let Some(paint) = figure.fill {
            self.paint(paint, "rg");
            self.outline(&figure.outline);
            self.line(format_args!("f"));
        }
        if let Some(pen) = figure.pen {
            self.pen(pen);
            self.outline(&figure.outline);
            self.line(format_args!("S"));
        }
    }

    fn text(&mut self, line: &SceneText) {
        self.paint(line.color.into(), "rg");
        font::outlines(line, &mut PdfPencil { content: self, at: line.at });
        self.line(format_args!("f"));
    }

    /// Sets a color by its operator, and the opacity.
    fn paint(&mut self, paint: Paint, operator: &str) {
        let percent = (paint.opacity * 100.0).round().clamp(1.0, 100.0) as u8;
        if percent != self.opacity || self.opacities.is_empty() {
            self.opacity = percent;
            if !self.opacities.contains(&percent) {
                self.opacities.push(percent);
            }
            self.line(format_args!("/O{percent} gs"));
        }
        let Color { red, green, blue } = paint.color;
        let [red, green, blue] = [red, green, blue].map(|part| f32::from(part) / 255.0);
        self.line(format_args!("{red:.3} {green:.3} {blue:.3} {operator}"));
    }

    fn pen(&mut self, pen: Pen) {
        self.paint(pen.paint, "RG");
        let width = Short(pen.width);
        match pen.dash {
            Some((dash, gap)) => {
                self.line(format_args!("{width} w [{} {}] 0 d", Short(dash), Short(gap)));
            }
            None => self.line(format_args!("{width} w [] 0 d")),
        }
    }

    fn outline(&mut self, outline: &Outline) {
        match outline {
            Outline::Circle { center, radius } => {
                let min = center.shifted(-radius, -radius);
                self.rounded(min, (2.0 * radius, 2.0 * radius), *radius);
            }
            Outline::Rect { min, width, height, radius } if *radius <= 0.0 => {
                let (x, y) = (Short(min.x), Short(min.y));
                self.line(format_args!("{x} {y} {} {} re", Short(*width), Short(*height)));
            }
            Outline::Rect { min, width, height, radius } => self.rounded(*min, (*width, *height), *radius),
            Outline::Path(segments) => segments.iter().for_each(|segment| self.segment(*segment)),
        }
    }

    /// Draws a rectangle with rounded corners.
    fn rounded(&mut self, min: ScenePoint, (width, height): (f32, f32), radius: f32) {
        let radius = radius.min(width / 2.0).min(height / 2.0);
        let near = radius * (1.0 - CIRCLE_BEND);
        let at = |x: f32, y: f32| min.shifted(x, y);
        let (right, bottom) = (width, height);
        let segments = [
            PathSegment::Move(at(radius, 0.0)),
            PathSegment::Line(at(right - radius, 0.0)),
            PathSegment::Cubic(at(right - near, 0.0), at(right, near), at(right, radius)),
            PathSegment::Line(at(right, bottom - radius)),
            PathSegment::Cubic(
                at(right, bottom - near),
                at(right - near, bottom),
                at(right - radius, bottom),
            ),
            PathSegment::Line(at(radius, bottom)),
            PathSegment::Cubic(at(near, bottom), at(0.0, bottom - near), at(0.0, bottom - radius)),
            PathSegment::Line(at(0.0, radius)),
            PathSegment::Cubic(at(0.0, near), at(near, 0.0), at(radius, 0.0)),
            PathSegment::Close,
        ];
        segments.into_iter().for_each(|segment| self.segment(segment));
    }

    fn segment(&mut self, segment: PathSegment) {
        let (points, operator): (&[ScenePoint], &str) = match &segment {
            PathSegment::Move(to) => (&[*to], "m"),
            PathSegment::Line(to) => (&[*to], "l"),
            PathSegment::Cubic(first, second, to) => (&[*first, *second, *to], "c"),
            PathSegment::Close => (&[], "h"),
        };
        for point in points {
            let _ = write!(self.out, "{} {} ", Short(point.x), Short(point.y));
        }
        self.line(format_args!("{operator}"));
    }
}

/// Draws the outlines of letters.
struct PdfPencil<'c> {
    content: &'c mut PdfContent,
    at: ScenePoint,
}

impl Pencil for PdfPencil<'_> {
    fn start(&mut self, to: ScenePoint) {
        self.at = to;
        self.content.segment(PathSegment::Move(to));
    }

    fn line(&mut self, to: ScenePoint) {
        self.at = to;
        self.content.segment(PathSegment::Line(to));
    }

    fn quad(&mut self, control: ScenePoint, to: ScenePoint) {
        // PDF has cubic curves only; these control points give the same curve.
        let (first, second) = (self.at.toward(control, 2.0 / 3.0), to.toward(control, 2.0 / 3.0));
        self.at = to;
        self.content.segment(PathSegment::Cubic(first, second, to));
    }

    fn end(&mut self) {
        self.content.segment(PathSegment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tafl_rules::RuleSet;

    #[test]
    fn the_table_of_a_document_has_the_offsets_of_its_objects() {
        let rules = RuleSet::named("brandubh7").unwrap();
        let file = BoardPicture { caption: Some("(x) λ".into()), ..BoardPicture::of(&rules) }.to_pdf();
        let text = String::from_utf8(file).unwrap();
        let (body, rest) = text.split_once("xref\n").unwrap();
        assert!(rest.contains(&format!("startxref\n{}\n%%EOF", body.len())));
        let offsets: Vec<usize> = rest
            .lines()
            .filter_map(|line| line.strip_suffix(" 00000 n ").map(|offset| offset.parse().unwrap()))
            .collect();
        assert_eq!(offsets.len(), 5);
        for (number, offset) in (1..).zip(offsets) {
            assert!(text[offset..].starts_with(&format!("{number} 0 obj\n")), "{number}");
        }
        assert!(text.contains("/Title <FEFF00280078002900200"), "the title is a hexadecimal string");
    }

    #[test]
    fn the_length_of_the_content_is_that_of_its_stream() {
        let text =
            String::from_utf8(BoardPicture::of(&RuleSet::named("hexentafl4").unwrap()).to_pdf()).unwrap();
        let stream = text.split("stream\n").nth(1).unwrap().strip_suffix("\nend").unwrap();
        assert!(text.contains(&format!("/Length {} >>", stream.len())));
        assert!(!stream.contains("NaN") && !stream.contains("inf"));
    }
}
