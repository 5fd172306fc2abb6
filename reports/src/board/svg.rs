//! Pictures as SVG 1.1: a single file without scripts, style sheets, or external references.

use std::fmt::{self, Write};

use tafl_rules::{Piece, Setup, Side};

use super::font;
use super::paint::Painting;
use super::scene::{
    Color, Outline, Paint, PathSegment, Pen, SceneItem, ScenePath, ScenePoint, SceneText, TextAnchor,
};
use super::theme::Theme;
use super::{BoardPicture, pieces};
use crate::markup::Escaped;

impl BoardPicture {
    /// Renders the picture as an SVG document.
    ///
    /// It has a title (the caption, or the shape of the board) and a description that lists the pieces for
    /// screen readers. It can be embedded in HTML unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_reports::{BoardPicture, Zones};
    /// use tafl_rules::{Setup, Shape};
    ///
    /// let board = Shape::hex(4).unwrap();
    /// let setup = Setup::parse(board, "/t2t/5/3T2/t1TK2t/3T2/5/t2t/").unwrap();
    /// let mut picture = BoardPicture::new(setup, Zones::default());
    /// picture.caption = Some("4 < 5".to_owned());
    /// assert!(picture.to_svg().contains("<title>4 &lt; 5</title>"));
    /// ```
    pub fn to_svg(&self) -> String {
        let painting = Painting::of(self);
        let mut canvas = SvgCanvas::new(self.view.theme);
        let size = (painting.layout.width, painting.layout.height);
        canvas.open(size, &title(self), &describe(self));
        canvas.define(self.setup.pieces().map(|(_, piece)| piece));
        for item in painting.items() {
            canvas.item(item);
        }
        canvas.close()
    }
}

/// Returns the title of a picture.
pub(crate) fn title(picture: &BoardPicture) -> String {
    let caption = picture.caption.as_deref().map(str::trim).filter(|caption| !caption.is_empty());
    caption.map_or_else(|| format!("Tafl board, {}", picture.setup.shape()), ToOwned::to_owned)
}

/// Describes the picture in words.
fn describe(picture: &BoardPicture) -> String {
    let setup = &picture.setup;
    let shape = setup.shape();
    let mut text = describe_setup(setup);
    for mv in picture
        .marks
        .moves
        .iter()
        .filter(|mv| mv.from.index() < shape.n_cells() && mv.to.index() < shape.n_cells())
    {
        text += &format!(" Last move: {}.", mv.display(shape));
    }
    let captured: Vec<String> = picture
        .marks
        .captured
        .iter()
        .filter(|captured| captured.cell.index() < shape.n_cells())
        .map(|captured| shape.name(captured.cell))
        .collect();
    if !captured.is_empty() {
        text += &format!(" Captured: {}.", captured.join(", "));
    }
    text
}

/// Describes the pieces of a board in words.
pub(crate) fn describe_setup(setup: &Setup) -> String {
    let shape = setup.shape();
    let mut text = format!("Board: {shape}.");
    for side in Side::ALL {
        let places: Vec<String> = setup
            .pieces()
            .filter(|(_, piece)| piece.side == side)
            .map(|(cell, piece)| match piece.role {
                tafl_rules::Role::Soldier => shape.name(cell),
                role => format!("{} {}", role.as_str(), shape.name(cell)),
            })
            .collect();
        let name = match side {
            Side::Attackers => "Attackers",
            Side::Defenders => "Defenders",
        };
        if places.is_empty() {
            text += &format!(" {name}: none.");
        } else {
            text += &format!(" {name}: {}.", places.join(", "));
        }
    }
    text
}

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

    pub(crate) fn item(&mut self, item: &SceneItem) {
        match item {
            SceneItem::ScenePath(figure) => {
                self.figure(figure);
                self.raw(format_args!("\n"));
            }
            SceneItem::SceneText(line) => self.line_of_text(line),
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

    fn line_of_text(&mut self, line: &SceneText) {
        let anchor = match line.anchor {
            TextAnchor::Start => "",
            TextAnchor::Middle => " text-anchor=\"middle\"",
        };
        self.raw(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor} fill=\"{}\">{}</text>\n",
            Short(line.at.x),
            Short(line.at.y),
            Short(line.size),
            Rgb(line.color),
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
                segments.iter().for_each(|segment| self.segment(*segment));
                self.raw(format_args!("\""));
            }
        }
        match figure.fill {
            Some(paint) => self.paint("fill", paint),
            None => self.raw(format_args!(" fill=\"none\"")),
        }
        if let Some(pen) = figure.pen {
            self.pen(pen);
        }
        self.raw(format_args!("/>"));
    }

    fn segment(&mut self, segment: PathSegment) {
        let mut points = |letter: char, points: &[ScenePoint]| {
            for (index, point) in points.iter().enumerate() {
                let before = if index == 0 { letter } else { ' ' };
                self.raw(format_args!("{before}{} {}", Short(point.x), Short(point.y)));
            }
        };
        match segment {
            PathSegment::Move(to) => points('M', &[to]),
            PathSegment::Line(to) => points('L', &[to]),
            PathSegment::Cubic(first, second, to) => points('C', &[first, second, to]),
            PathSegment::Close => self.raw(format_args!("Z")),
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

/// Returns the id of the drawing of a piece. It contains the theme because a page may contain several
/// pictures.
pub(crate) fn piece_id(theme: Theme, piece: Piece) -> String {
    format!("tafl-{}-{}-{}", theme.as_str(), piece.side.as_str(), piece.role.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(0.0, "0"), (-0.5, "-0.5"), (1.005, "1"), (12.346, "12.35"), (-3.0, "-3"), (0.04, "0.04")];
        for (number, text) in cases {
            assert_eq!(Short(number).to_string(), text);
        }
    }
}
