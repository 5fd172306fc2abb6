//! Moves whose start, destination, and captures are separate fields: `from`, `to`, `captures`.

use super::columns::CsvColumn;
use super::languages::column;
use super::value::{begins_with_move, is_missing};

/// The fields of a move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MovePath<'f> {
    from: &'f str,
    to: &'f str,
    captures: &'f str,
}

impl<'f> MovePath<'f> {
    /// Returns the path in the fields of these columns.
    pub(super) fn of(fields: impl Iterator<Item = (&'f CsvColumn, &'f str)>) -> MovePath<'f> {
        let mut path = MovePath::default();
        for (column, text) in fields.filter(|(_, text)| !is_missing(text)) {
            match column {
                CsvColumn::From => path.from = text,
                CsvColumn::To => path.to = text,
                CsvColumn::Captured => path.captures = text,
                _ => {}
            }
        }
        path
    }

    /// Returns whether the fields are a move.
    pub(super) fn is_move(&self) -> bool {
        begins_with_move(&format!("{}-{}", self.from, self.to))
    }

    /// Returns whether the field of the captures lists cells.
    pub(super) fn lists_captures(&self) -> bool {
        self.captured().next().is_some() && self.captured().all(is_cell)
    }

    fn captured(&self) -> impl Iterator<Item = &'f str> {
        self.captures.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
    }

    /// Returns the move as a word: `d3-g3xg4`. A word for an ending may be in the place of the start.
    pub(super) fn word(&self) -> String {
        let mut word = self.from.to_owned();
        if !self.to.is_empty() {
            word.extend(["-", self.to]);
        }
        if self.lists_captures() {
            self.captured().for_each(|cell| word.extend(["x", cell]));
        }
        word
    }
}

/// Returns whether a word is a cell, and not a number or the word for a truth value.
fn is_cell(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let n_letters = word.len() - digits.len();
    (1..=2).contains(&n_letters)
        && (1..=2).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the move in the members of an object, given their names; `None` if they are not a move.
pub(in crate::format) fn move_word<'m>(members: impl Iterator<Item = (&'m str, &'m str)>) -> Option<String> {
    let members: Vec<(CsvColumn, &str)> = members.map(|(name, text)| (column(name), text)).collect();
    let path = MovePath::of(members.iter().map(|(column, text)| (column, *text)));
    path.is_move().then(|| path.word())
}
