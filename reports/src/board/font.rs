//! The embedded font: widths, line breaks, and outlines.
//!
//! It has Latin, Greek, and Cyrillic letters; any other character is drawn as an empty box in PNG and GIF.
//! SVG requests the same font by its first name and falls back to the viewer's fonts.

use ttf_parser::{Face, OutlineBuilder};

use super::scene::{ScenePoint, SceneText, TextAnchor};

/// The name of the embedded font, and the fallbacks in SVG.
pub(crate) const FAMILY: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/// The font file.
pub(crate) const BYTES: &[u8] = include_bytes!("../../assets/TaflbaseSans.ttf");

/// The height of a capital letter, relative to the font size.
pub(crate) const CAPITAL: f32 = 0.729;

/// The width of a digit, relative to the font size. Layouts use it instead of [`width`], so that programs that draw no
/// text need no font.
pub(crate) const DIGIT: f32 = 1303.0 / 2048.0;

fn face() -> Face<'static> {
    Face::parse(BYTES, 0).expect("the embedded font is valid")
}

/// Returns the width of a line of text.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    width_in(&face(), text, size)
}

fn width_in(face: &Face<'_>, text: &str, size: f32) -> f32 {
    let units: u32 = text.chars().map(|letter| u32::from(advance(face, letter))).sum();
    units as f32 * size / f32::from(face.units_per_em())
}

/// Returns whether a line is at most `max_width` times its font size wide; the scan stops as soon as the line is
/// too wide.
fn fits_in(face: &Face<'_>, line: &str, max_width: f32) -> bool {
    let mut left = max_width * f32::from(face.units_per_em());
    line.chars().all(|letter| {
        left -= f32::from(advance(face, letter));
        left >= 0.0
    })
}

fn advance(face: &Face<'_>, letter: char) -> u16 {
    let glyph = face.glyph_index(letter).unwrap_or_default();
    face.glyph_hor_advance(glyph).unwrap_or_default()
}

/// Splits a text into at most `max_lines` lines, with as many words in each as fit in `max_width` units. Text that
/// does not fit is cut off and replaced by `…`.
pub(crate) fn wrap(text: &str, size: f32, max_width: f32, max_lines: usize) -> Vec<String> {
    let face = face();
    let fits = |line: &str| fits_in(&face, line, max_width / size);
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if fits(&longer) {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            // A caption of a million words must not cost more than the visible lines.
            if lines.len() > max_lines {
                break;
            }
            line = break_word(word, &fits, &mut lines, max_lines);
        }
        lines.push(line);
        if lines.len() > max_lines {
            break;
        }
    }
    if lines.len() > max_lines {
        lines.truncate(max_lines);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && !fits(&format!("{last}…")) {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

/// Splits a word that is wider than a line, and returns its last part.
fn break_word(word: &str, fits: &impl Fn(&str) -> bool, lines: &mut Vec<String>, max_lines: usize) -> String {
    let mut part = String::new();
    for letter in word.chars() {
        part.push(letter);
        if !fits(&part) && part.chars().count() > 1 {
            part.pop();
            lines.push(std::mem::take(&mut part));
            // The same applies to a word of a million letters.
            if lines.len() > max_lines {
                return part;
            }
            part.push(letter);
        }
    }
    part
}

/// Draws the outlines of a line of text with the pen.
pub(crate) fn outlines(line: &SceneText, pen: &mut impl Pencil) {
    let face = face();
    let scale = line.size / f32::from(face.units_per_em());
    let start = match line.anchor {
        TextAnchor::Start => line.at.x,
        TextAnchor::Middle => line.at.x - width_in(&face, &line.text, line.size) / 2.0,
    };
    let mut origin = ScenePoint::new(start, line.at.y);
    for letter in line.text.chars() {
        let glyph = face.glyph_index(letter).unwrap_or_default();
        face.outline_glyph(glyph, &mut PlacedGlyphs { pen, origin, scale });
        origin.x += f32::from(advance(&face, letter)) * scale;
    }
}

/// A receiver of glyph outlines.
pub(crate) trait Pencil {
    fn start(&mut self, to: ScenePoint);
    fn line(&mut self, to: ScenePoint);
    fn quad(&mut self, control: ScenePoint, to: ScenePoint);
    fn end(&mut self);
}

/// Transforms the outline of a glyph from font units, with y upwards, to its position in the scene.
struct PlacedGlyphs<'a, P> {
    pen: &'a mut P,
    origin: ScenePoint,
    scale: f32,
}

impl<P> PlacedGlyphs<'_, P> {
    fn at(&self, x: f32, y: f32) -> ScenePoint {
        self.origin.shifted(x * self.scale, -y * self.scale)
    }
}

impl<P: Pencil> OutlineBuilder for PlacedGlyphs<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pen.start(self.at(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.pen.line(self.at(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.pen.quad(self.at(x1, y1), self.at(x, y));
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
        // TrueType fonts have no cubic curves.
        self.pen.line(self.at(x, y));
    }

    fn close(&mut self) {
        self.pen.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_the_width_of_layouts() {
        for digit in '0'..='9' {
            assert_eq!(width(&digit.to_string(), 1.0), DIGIT, "{digit}");
        }
    }

    #[test]
    fn the_font_has_the_letters_of_names() {
        let face = face();
        for letter in "abcXYZ0189æøåÆØÅþðÞÐéüßčžŋłДмитрийλ–—“”…×→".chars()
        {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
    }

    #[test]
    fn long_texts_are_wrapped_and_cut() {
        let lines = wrap(&"word ".repeat(100), 10.0, 100.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| width(line, 10.0) <= 100.0), "{lines:?}");
        assert!(lines[2].ends_with('…'));
        assert_eq!(wrap("one\ntwo", 10.0, 1000.0, 3), ["one", "two"]);
        assert_eq!(wrap("", 10.0, 100.0, 3), Vec::<String>::new());
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        let lines = wrap(&"x".repeat(1_000_000), 10.0, 60.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| width(line, 10.0) <= 60.0), "{lines:?}");
    }
}
