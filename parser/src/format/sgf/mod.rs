//! Smart Game Format: the Tablut of BoardSpace.net, and a plain form for viewers.
//!
//! ```text
//! tree     = "(" , { node } , { tree } , ")" ;
//! node     = ";" , { property } ;
//! property = name , { "[" , text , "]" } ;             `\` escapes `]`, `\`, and `:`; blanks between the parts
//! ```
//!
//! The first subtree of a node continues its line, and each further one is a variation. `GM[29]` is hnefatafl; the moves of
//! BoardSpace are commands in `P0` and `P1`, see [`boardspace`], those of the plain form are in `MV`, see [`plain`].

mod boardspace;
mod games;
mod lines;
mod names;
mod plain;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use super::Format;
use crate::diagnostic::{Diagnostic, Findings, HeaderFinding, Parsed, TextFinding};
use crate::record::Record;
use crate::source::Source;

pub(crate) use lines::{is_second, reading_order, second_players};
pub(crate) use names::{ANNOTATIONS, NAMES};
pub(crate) use value::{escape, is_day, is_iso_day, is_simple, line_feeds};

use tree::GameTree;

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Sgf);
    let mut diagnostics = Findings::default();
    let tree = tree::read(source, &mut diagnostics);
    if let Some((span, game)) = games::other_game(source, tree) {
        diagnostics.push(Diagnostic::new(span, HeaderFinding::OtherGame { game: game.into() }));
    } else if is_boardspace(source, tree) {
        boardspace::read(source, tree, &mut record, &mut diagnostics);
    } else {
        plain::read(source, tree, &mut record, &mut diagnostics);
    }
    diagnostics.sort();
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Returns the name of the game of a record that is not of hnefatafl.
pub(crate) fn other_game(text: &[u8]) -> Option<Box<str>> {
    let source = Source::new(std::str::from_utf8(text).ok()?);
    let tree = tree::read(&source, &mut Findings::default());
    games::other_game(&source, tree).map(|(_, game)| game.into())
}

/// Returns whether a tree has the properties of BoardSpace.
fn is_boardspace(source: &Source<'_>, tree: GameTree<'_>) -> bool {
    tree.properties().any(|property| match &*property.name {
        "SU" => property.first(source).trim_start().to_ascii_lowercase().starts_with("tablut"),
        "P0" | "P1" => true,
        _ => false,
    })
}

/// Reports a property that has no place in a record.
fn skip(diagnostics: &mut Findings, property: &tree::SgfProperty<'_>) {
    diagnostics.push(Diagnostic::new(property.span, TextFinding::SkippedProperty));
}
