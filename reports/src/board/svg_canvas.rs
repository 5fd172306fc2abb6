//! The markup of SVG documents: outlines, texts, and pieces.

use std::fmt::{self, Write};

use tafl_rules::Piece;

use super::font;
use super::pieces;
use super::scene::{
    Color, Outline, Paint, PathSegment, Pen, SceneItem, ScenePath, ScenePoint, SceneText, TextAnchor,
};
use super::theme::Theme;
use crate::markup::Escaped;

/// A number with at most two decimals.
pub(crate) struct Short(pub(crate) f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (f64::from(self.0) * 100.0).round() as i64;
        let (sign, whole, rest) =
            (if hundredths < 0 { "-" } else { "" }, hundredths.abs() / 100, hundredths.abs() % 100);
        match (rest / 10, rest % 10) {
            (0, 0) => write!(f, "{sign}{whole}"),
            (tenth, 0) => write!(f, "{sign}{whole}.{tenth}"),
            (tenth, hundredth) => write!(f, "{sign}{whole}.{tenth}{hundredth}"),
        }
    }
}

/// A color formatted for attributes.
struct Rgb(Color);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0.red, self.0.green, self.0.blue)
    }
}

/// An SVG document under construction.
#[derive(Debug)]
pub(crate) struct SvgCanvas {
    theme: Theme,
    out: String,
}

impl SvgCanvas {
    pub(crate) fn new(theme: Theme) -> SvgCanvas {
        SvgCanvas { theme, out: String::with_capacity(16 * 1024) }
    }

    /// Appends raw markup.
    pub(crate) fn raw(&mut self, markup: fmt::Arguments<'_>) {
        self.out.write_fmt(markup).expect("a String takes any text");
    }

    /// Writes the start tag, the title, and the description.
    pub(crate) fn open(&mut self, size: (f32, f32), title: &str, description: &str) {
        let (width, height) = (Short(size.0), Short(size.1));
        self.raw(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-label=\"{0}\" font-family=\"{1}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
             <title>{0}</title>\n<desc>{2}</desc>\n",
            Escaped(title),
            font::FAMILY,
            Escaped(description),
        ));
    }

    /// Writes the drawings of the pieces, once for each kind.
    pub(crate) fn define(&mut self, present: impl Iterator<Item = Piece>) {
        let present: Vec<Piece> = present.collect();
        self.raw(format_args!("<defs>\n"));
        for piece in Piece::all().filter(|piece| present.contains(piece)) {
            self.raw(format_args!("<g id=\"{}\">", piece_id(self.theme, piece)));
            for figure in pieces::figures(piece, self.theme.palette()) {
                self.figure(&figure);
            }
            self.raw(format_args!("</g>\n"));
        }
        self.raw(format_args!("</defs>\n"));
    }

    /// Writes items. Consecutive outlines of the same style become one path, and consecutive texts of the same style one group: this
    /// takes a third of the markup of a heat map away.
    pub(crate) fn items<'s>(&mut self, items: impl IntoIterator<Item = &'s SceneItem>) {
        let items: Vec<&SceneItem> = items.into_iter().collect();
        for run in items.chunk_by(|one, two| are_alike(one, two)) {
            match run {
                [SceneItem::ScenePath(first), _, ..] => {
                    self.raw(format_args!("<path d=\""));
                    for item in run {
                        if let SceneItem::ScenePath(ScenePath { outline: Outline::Path(segments), .. }) = item
                        {
                            self.segments(segments);
                        }
                    }
                    self.raw(format_args!("\""));
                    self.style(first);
                    self.raw(format_args!("/>\n"));
                }
                [SceneItem::SceneText(first), _, ..] => {
                    self.raw(format_args!("<g{}>\n", TextStyle(first)));
                    for item in run {
                        if let SceneItem::SceneText(line) = item {
                            self.line_of_text(line, "");
                        }
                    }
                    self.raw(format_args!("</g>\n"));
                }
                run => run.iter().for_each(|item| self.item(item)),
            }
        }
    }

    pub(crate) fn item(&mut self, item: &SceneItem) {
        match item {
            SceneItem::ScenePath(figure) => {
                self.figure(figure);
                self.raw(format_args!("\n"));
            }
            SceneItem::SceneText(line) => self.line_of_text(line, &TextStyle(line).to_string()),
            SceneItem::Piece(piece, at) => self.raw(format_args!(
                "<use xlink:href=\"#{}\" x=\"{}\" y=\"{}\"/>\n",
                piece_id(self.theme, *piece),
                Short(at.x),
                Short(at.y)
            )),
        }
    }

    /// Writes the end tag and returns the document.
    pub(crate) fn close(mut self) -> String {
        self.raw(format_args!("</svg>\n"));
        self.out
    }

    fn line_of_text(&mut self, line: &SceneText, style: &str) {
        self.raw(format_args!(
            "<text x=\"{}\" y=\"{}\"{style}>{}</text>\n",
            Short(line.at.x),
            Short(line.at.y),
            Escaped(&line.text)
        ));
    }

    fn figure(&mut self, figure: &ScenePath) {
        match &figure.outline {
            Outline::Circle { center, radius } => self.raw(format_args!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"",
                Short(center.x),
                Short(center.y),
                Short(*radius)
            )),
            Outline::Rect { min, width, height, radius } => {
                self.raw(format_args!(
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                    Short(min.x),
                    Short(min.y),
                    Short(*width),
                    Short(*height)
                ));
                if *radius > 0.0 {
                    self.raw(format_args!(" rx=\"{}\"", Short(*radius)));
                }
            }
            Outline::Path(segments) => {
                self.raw(format_args!("<path d=\""));
                self.segments(segments);
                self.raw(format_args!("\""));
            }
        }
        self.style(figure);
        self.raw(format_args!("/>"));
    }

    fn style(&mut self, figure: &ScenePath) {
        match figure.fill {
            Some(paint) => self.paint("fill", paint),
            None => self.raw(format_args!(" fill=\"none\"")),
        }
        if let Some(pen) = figure.pen {
            self.pen(pen);
        }
    }

    fn segments(&mut self, segments: &[PathSegment]) {
        // No coordinate equals NaN, so that the first line after a closed outline has both.
        const NOWHERE: ScenePoint = ScenePoint::new(f32::NAN, f32::NAN);
        let mut from = NOWHERE;
        for segment in segments {
            from = match *segment {
                PathSegment::Move(to) => {
                    self.points('M', &[to]);
                    to
                }
                PathSegment::Line(to) => {
                    if to.y == from.y {
                        self.raw(format_args!("H{}", Short(to.x)));
                    } else if to.x == from.x {
                        self.raw(format_args!("V{}", Short(to.y)));
                    } else {
                        self.points('L', &[to]);
                    }
                    to
                }
                PathSegment::Cubic(first, second, to) => {
                    self.points('C', &[first, second, to]);
                    to
                }
                PathSegment::Close => {
                    self.raw(format_args!("Z"));
                    NOWHERE
                }
            };
        }
    }

    fn points(&mut self, letter: char, points: &[ScenePoint]) {
        for (index, point) in points.iter().enumerate() {
            let before = if index == 0 { letter } else { ' ' };
            self.raw(format_args!("{before}{} {}", Short(point.x), Short(point.y)));
        }
    }

    fn paint(&mut self, attribute: &str, paint: Paint) {
        self.raw(format_args!(" {attribute}=\"{}\"", Rgb(paint.color)));
        if paint.opacity < 1.0 {
            self.raw(format_args!(" {attribute}-opacity=\"{}\"", Short(paint.opacity)));
        }
    }

    fn pen(&mut self, pen: Pen) {
        self.paint("stroke", pen.paint);
        self.raw(format_args!(" stroke-width=\"{}\"", Short(pen.width)));
        if let Some((dash, gap)) = pen.dash {
            self.raw(format_args!(" stroke-dasharray=\"{} {}\"", Short(dash), Short(gap)));
        }
    }
}

/// The attributes of a line of text.
struct TextStyle<'a>(&'a SceneText);

impl fmt::Display for TextStyle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let anchor = match self.0.anchor {
            TextAnchor::Start => "",
            TextAnchor::Middle => " text-anchor=\"middle\"",
        };
        write!(f, " font-size=\"{}\"{anchor} fill=\"{}\"", Short(self.0.size), Rgb(self.0.color))
    }
}

/// Returns whether two items have the same style, so that they can be drawn as one.
///
/// One path looks like several overlapping ones only if they are opaque and either filled or stroked.
fn are_alike(one: &SceneItem, two: &SceneItem) -> bool {
    match (one, two) {
        (SceneItem::ScenePath(one), SceneItem::ScenePath(two)) => {
            let is_opaque = |paint: Option<Paint>| paint.is_none_or(|paint| paint.opacity >= 1.0);
            let are_paths = [one, two].iter().all(|path| matches!(path.outline, Outline::Path(_)));
            are_paths
                && (one.fill, one.pen) == (two.fill, two.pen)
                && one.fill.is_some() != one.pen.is_some()
                && is_opaque(one.fill)
                && is_opaque(one.pen.map(|pen| pen.paint))
        }
        (SceneItem::SceneText(one), SceneItem::SceneText(two)) => {
            (one.size, one.anchor, one.color) == (two.size, two.anchor, two.color)
        }
        _ => false,
    }
}

/// Returns the id of the drawing of a piece. It contains the theme because a page may contain several
/// pictures.
pub(crate) fn piece_id(theme: Theme, piece: Piece) -> String {
    format!("tafl-{}-{}-{}", theme.as_str(), piece.side.as_str(), piece.role.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_the_same_style_are_written_once() {
        let cell = |x: f32, color| {
            let corners = [(x, 0.0), (x + 2.0, 0.0), (x + 2.0, 2.0), (x, 2.0)];
            let outline = Outline::polygon(&corners.map(|(x, y)| ScenePoint::new(x, y)));
            SceneItem::from(ScenePath::filled(outline, Paint::thin(Color::hex(0xff), color)))
        };
        let text = |x: f32, size: f32| {
            let (at, color) = (ScenePoint::new(x, 1.0), Color::hex(0));
            SceneItem::from(SceneText { at, size, anchor: TextAnchor::Middle, color, text: "7".to_owned() })
        };
        let written = |items: &[SceneItem]| {
            let mut canvas = SvgCanvas::new(Theme::Light);
            canvas.items(items);
            canvas.out
        };
        let both = written(&[cell(0.0, 1.0), cell(4.0, 1.0)]);
        assert_eq!(both, "<path d=\"M0 0H2V2H0ZM4 0H6V2H4Z\" fill=\"#0000ff\"/>\n");
        // Where thin colors overlap, they add up.
        assert_eq!(written(&[cell(0.0, 0.5), cell(1.0, 0.5)]).matches("<path").count(), 2);
        let texts = written(&[text(1.0, 9.0), text(3.0, 9.0), text(5.0, 8.0)]);
        assert_eq!(texts.matches("font-size").count(), 2, "{texts}");
        assert!(texts.contains("<text x=\"3\" y=\"1\">7</text>\n</g>"), "{texts}");
    }

    #[test]
    fn numbers_are_short() {
        let cases =
            [(0.0, "0"), (-0.5, "-0.5"), (1.005, "1"), (12.346, "12.35"), (-3.0, "-3"), (0.04, "0.04")];
        for (number, text) in cases {
            assert_eq!(Short(number).to_string(), text);
        }
    }
}
