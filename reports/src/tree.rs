//! Trees of positions as pictures: small boards from left to right, connected by lines.

use std::fmt::Write as _;

use crate::board::BoardPicture;
use crate::markup::Escaped;

/// A position of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureNode {
    /// The board.
    pub board: BoardPicture,
    /// The lines of text next to it.
    pub label: Vec<String>,
    /// The child positions, from top to bottom.
    pub children: Vec<PictureNode>,
}

/// The width of a small board.
const BOARD: f32 = 110.0;
/// The vertical space of a board.
const ROW: f32 = 124.0;
/// The horizontal space of a position, including its text.
const COLUMN: f32 = 300.0;
const MARGIN: f32 = 12.0;

/// The coordinates of a position.
struct PlacedNode<'t> {
    node: &'t PictureNode,
    left: f32,
    top: f32,
    parent: Option<(f32, f32)>,
}

/// Draws a tree as an SVG document.
///
/// # Examples
///
/// ```
/// use tafl_reports::{BoardPicture, PictureNode, tree_svg};
/// use tafl_rules::RuleSet;
///
/// let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let node = PictureNode { board: BoardPicture::of(&rules), label: vec!["start".to_owned()], children: Vec::new() };
/// assert!(tree_svg(&node).contains(">start</text>"));
/// ```
pub fn tree_svg(root: &PictureNode) -> String {
    let mut placed = Vec::new();
    let mut next_row = 0.0;
    place(root, 0, &mut next_row, &mut placed);
    let width = placed.iter().map(|placed| placed.left).fold(0.0, f32::max) + COLUMN + MARGIN;
    let height = next_row * ROW + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        Escaped(root.label.first().map_or("", String::as_str))
    );
    for PlacedNode { left, top, parent, .. } in &placed {
        if let Some((x, y)) = parent {
            let (end_x, end_y) = (left - 6.0, top + BOARD / 2.0);
            let middle = (x + end_x) / 2.0;
            let _ = writeln!(
                out,
                "<path d=\"M{x} {y}C{middle} {y} {middle} {end_y} {end_x} {end_y}\" fill=\"none\" stroke=\"#8a8378\" \
                 stroke-width=\"1.5\"/>"
            );
        }
    }
    for PlacedNode { node, left, top, .. } in &placed {
        let board = node.board.to_svg();
        let scale = BOARD / widest(&board).max(1.0);
        let _ = writeln!(out, "<g transform=\"translate({left} {top}) scale({scale})\">\n{board}</g>");
        for (line, text) in (1u8..).zip(&node.label) {
            let (x, y) = (left + BOARD + 10.0, top + 20.0 * f32::from(line));
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" fill=\"#222222\">{}</text>", Escaped(text));
        }
    }
    out + "</svg>\n"
}

/// Centers a position vertically among its children, and returns the top of its board.
fn place<'t>(node: &'t PictureNode, depth: u16, next_row: &mut f32, placed: &mut Vec<PlacedNode<'t>>) -> f32 {
    let left = MARGIN + f32::from(depth) * COLUMN;
    let at = placed.len();
    placed.push(PlacedNode { node, left, top: 0.0, parent: None });
    let mut tops = Vec::new();
    for child in &node.children {
        let index = placed.len();
        tops.push((index, place(child, depth + 1, next_row, placed)));
    }
    let top = match (tops.first(), tops.last()) {
        (Some((_, first)), Some((_, last))) => (first + last) / 2.0,
        _ => {
            *next_row += 1.0;
            MARGIN + (*next_row - 1.0) * ROW
        }
    };
    placed[at].top = top;
    let end = left + COLUMN - 40.0;
    tops.iter().for_each(|(index, _)| placed[*index].parent = Some((end, top + BOARD / 2.0)));
    top
}

/// Returns the larger side of a picture, from its first element.
fn widest(svg: &str) -> f32 {
    let attribute = |name: &str| {
        let (_, rest) = svg.split_once(name)?;
        rest.split('"').next()?.parse::<f32>().ok()
    };
    let sides = [attribute(" width=\""), attribute(" height=\"")];
    sides.into_iter().flatten().fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    fn node(label: &str, children: Vec<PictureNode>) -> PictureNode {
        let rules: RuleSet = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        PictureNode { board: BoardPicture::of(&rules), label: vec![label.to_owned()], children }
    }

    #[test]
    fn a_tree_is_well_formed_and_its_boards_lie_apart() {
        let tree = node(
            "a < b",
            vec![node("one", vec![node("two", vec![]), node("three", vec![])]), node("four", vec![])],
        );
        let svg = tree_svg(&tree);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let groups = document.root_element().children().filter(|child| child.has_tag_name("g"));
        let mut places: Vec<&str> = groups.map(|group| group.attribute("transform").unwrap()).collect();
        assert_eq!(places.len(), 5);
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 5);
        let lines = document.root_element().children().filter(|child| child.has_tag_name("path"));
        assert_eq!(lines.count(), 4);
        assert!(svg.contains(">a &lt; b</text>"));
    }

    #[test]
    fn control_characters_in_labels_do_no_harm() {
        let svg = tree_svg(&node("a\u{1b}[31m & \u{0}", vec![]));
        roxmltree::Document::parse(&svg).unwrap();
    }
}
