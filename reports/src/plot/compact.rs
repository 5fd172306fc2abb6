//! Shortens the SVG of `plotters`, which repeats every attribute on every element, to less than a half.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::board::font;
use crate::board::svg_canvas::Short;

/// The start of a polyline without a fill.
const POLYLINE: &str = "<polyline fill=\"none\"";

/// Returns SVG elements, one per line, without attributes that have the default value or that the root has. Lines of the same
/// style that follow each other become one path, such as the dashes of a dashed line.
pub(super) fn compact(elements: &str) -> String {
    let mut out = String::with_capacity(elements.len() / 2);
    let lines: Vec<Cow<'_, str>> = elements.lines().map(without_defaults).collect();
    for run in lines.chunk_by(|one, two| match (Stroke::of(one), Stroke::of(two)) {
        (Some(one), Some(two)) => one.style == two.style && one.is_opaque(),
        _ => false,
    }) {
        if let [_, _, ..] = run {
            out.push_str("<path fill=\"none\"");
            for (at, stroke) in run.iter().filter_map(|line| Stroke::of(line)).enumerate() {
                if at == 0 {
                    let _ = write!(out, "{} d=\"", stroke.style);
                }
                let _ = write!(out, "M{}", stroke.points);
            }
            out.push_str("\"/>\n");
        } else {
            run.iter().for_each(|line| {
                out.push_str(line);
                out.push('\n');
            });
        }
    }
    out
}

/// Returns an element without attributes that have the default value, and with short numbers.
fn without_defaults(line: &str) -> Cow<'_, str> {
    if !line.starts_with('<') {
        return Cow::Borrowed(line);
    }
    let short = line.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "").replace(" \"/>", "\"/>");
    Cow::Owned(with_rounded_font_size(&short.replace(&format!(" font-family=\"{}\"", font::FAMILY), "")))
}

/// Rounds the font size to two decimals.
fn with_rounded_font_size(element: &str) -> String {
    const SIZE: &str = " font-size=\"";
    let found = element.split_once(SIZE).and_then(|(before, rest)| {
        let (size, after) = rest.split_once('"')?;
        Some((before, size.parse::<f32>().ok()?, after))
    });
    match found {
        Some((before, size, after)) => {
            format!("{before}{SIZE}{}\"{after}", Short(size))
        }
        None => element.to_owned(),
    }
}

/// A line or polyline of plotters.
struct Stroke<'t> {
    style: &'t str,
    points: Cow<'t, str>,
}

impl<'t> Stroke<'t> {
    /// Returns the stroke of an element; `None` for other elements.
    fn of(element: &'t str) -> Option<Stroke<'t>> {
        if let Some(polyline) = element.strip_prefix(POLYLINE) {
            let (style, points) = polyline.split_once(" points=\"")?;
            return Some(Stroke { style, points: Cow::Borrowed(points.strip_suffix("\"/>")?) });
        }
        let (style, ends) = element.strip_prefix("<line")?.split_once(" x1=\"")?;
        let mut numbers = ends.split('"').step_by(2);
        let [x1, y1, x2, y2] = [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
        Some(Stroke { style, points: Cow::Owned(format!("{x1},{y1} {x2},{y2}")) })
    }

    /// Returns whether overlapping strokes look the same in one path.
    fn is_opaque(&self) -> bool {
        !self.style.contains("opacity")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_of_the_same_style_are_one_path() {
        let plotters = "<line opacity=\"1\" stroke=\"#DDDFE4\" stroke-width=\"1\" x1=\"3\" y1=\"4\" x2=\"5\" y2=\"4\"/>\n\
             <polyline fill=\"none\" opacity=\"1\" stroke=\"#DDDFE4\" stroke-width=\"1\" points=\"1,2 3,4 5,6 \"/>\n\
             <polyline fill=\"none\" opacity=\"1\" stroke=\"#009E73\" stroke-width=\"1\" points=\"1,2 3,4 \"/>\n";
        assert_eq!(
            compact(plotters),
            "<path fill=\"none\" stroke=\"#DDDFE4\" stroke-width=\"1\" d=\"M3,4 5,4M1,2 3,4 5,6\"/>\n\
             <polyline fill=\"none\" stroke=\"#009E73\" stroke-width=\"1\" points=\"1,2 3,4\"/>\n"
        );
        let thin = "<line opacity=\"0.5\" stroke=\"#DDDFE4\" stroke-width=\"1\" x1=\"3\" y1=\"4\" x2=\"5\" y2=\"4\"/>\n";
        assert_eq!(compact(&thin.repeat(2)), thin.repeat(2));
    }

    #[test]
    fn texts_keep_their_content() {
        let family = font::FAMILY;
        let text = format!(
            "<text x=\"68\" y=\"16\" font-family=\"{family}\" font-size=\"9.67741935483871\" opacity=\"1\" fill=\"#5C606B\">\n\
             opacity=\"1\" \"/>\n</text>\n"
        );
        let short =
            "<text x=\"68\" y=\"16\" font-size=\"9.68\" fill=\"#5C606B\">\nopacity=\"1\" \"/>\n</text>\n";
        assert_eq!(compact(&text), short);
    }
}
