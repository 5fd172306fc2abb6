//! Edits in words.

use std::fmt::{self, Write};

use tafl_rules::Coord;

use super::edit::{CaptureChange, Edit, EditScope, MoveCaptures, count_changes};
use crate::record::WrittenVerdict;

/// An edit in words: `ply 12: d1-d3 instead of d1-d4`, `before ply 12: insert d1-d3`.
///
/// Lists of alternatives leave out the parts that are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditWords {
    /// The place, such as `ply 12`, or what changes, such as `result`.
    pub place: String,
    /// The action there: `insert`; empty if `object` takes the place of something else.
    pub action: &'static str,
    /// The object of the action: a move, a name, a result; may be empty.
    pub object: String,
    /// The written text, if `object` takes its place.
    pub written: Option<String>,
}

impl EditWords {
    fn new(place: impl Into<String>, action: &'static str, object: impl Into<String>) -> EditWords {
        EditWords { place: place.into(), action, object: object.into(), written: None }
    }

    fn instead(place: impl Into<String>, object: String, written: Option<String>) -> EditWords {
        EditWords { written, ..EditWords::new(place, "", object) }
    }

    /// Returns the action and its object, such as `insert d1-d3`.
    pub fn change(&self) -> String {
        [self.action, self.object.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl fmt::Display for EditWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.change())?;
        self.written.as_ref().map_or(Ok(()), |written| write!(f, " instead of {written}"))
    }
}

/// Writes the change in words: `ply 12: d1-d3 instead of d1-d4`.
impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

impl Edit {
    /// Returns the parts of the words for the change.
    pub fn words(&self) -> EditWords {
        let ply = |at: &usize| format!("ply {}", at + 1);
        let before = |at: &usize| format!("before ply {}", at + 1);
        match self {
            Edit::Replace { at, written, right, .. } => {
                EditWords::instead(ply(at), mv(*right), Some(mv(*written)))
            }
            Edit::Read { at, right, captures, .. } => {
                EditWords::new(ply(at), "read the word as", mv(*right) + &cells(captures))
            }
            Edit::Ignore { at, .. } => EditWords::new(before(at), "remove the word", ""),
            Edit::Insert { at, right, captures } => {
                EditWords::new(before(at), "insert", mv(*right) + &cells(captures))
            }
            Edit::Remove { at, n: 1, .. } => EditWords::new(ply(at), "remove the move", ""),
            Edit::Remove { at, n, .. } => {
                EditWords::new(format!("plies {} to {}", at + 1, at + n), "remove the moves", "")
            }
            Edit::Swap { at, with } => {
                EditWords::new(format!("plies {} and {}", at + 1, with + 1), "exchange the moves", "")
            }
            Edit::Captures { at, changes, .. } => EditWords::new(ply(at), "", words_of(changes)),
            Edit::AllCaptures { moves } => all_captures(moves),
            Edit::Relabel { relabel, scope, shape } => {
                let scope = match scope {
                    EditScope::Whole => "all moves".to_owned(),
                    EditScope::From(at) => format!("moves from ply {} on", at + 1),
                    EditScope::Moves(side) => format!("moves of the {side}"),
                };
                EditWords::new(scope, "read the board", relabel.describe(*shape))
            }
            Edit::Result { written, right } => {
                EditWords::instead("result", verdict(*right), Some(verdict(*written)))
            }
            Edit::ExchangeSides => EditWords::new("result and numbers of captures", "exchange the sides", ""),
            Edit::Counts { written, right } => {
                let both = |numbers: &[u32; 2]| format!("{} and {}", numbers[0], numbers[1]);
                EditWords::instead("numbers of captures", both(right), Some(both(written)))
            }
            Edit::Variant { written, right } => {
                EditWords::instead("variant", (*right).to_owned(), written.map(str::to_owned))
            }
            Edit::Start { from, .. } => EditWords::new("start", "", from.as_ref()),
            Edit::FirstMover { right } => EditWords::new("first mover", "", format!("the {right}")),
        }
    }
}

fn mv((from, to): (Coord, Coord)) -> String {
    format!("{from}-{to}")
}

fn cells(captures: &[Coord]) -> String {
    captures.iter().map(|cell| format!("x{cell}")).collect()
}

fn verdict(verdict: WrittenVerdict) -> String {
    match verdict {
        WrittenVerdict::Win(side) => format!("the {side} win"),
        WrittenVerdict::Draw => "a draw".to_owned(),
        WrittenVerdict::Ongoing => "ongoing".to_owned(),
        WrittenVerdict::Unknown => "unknown".to_owned(),
    }
}

/// Returns the words for a change of many lists of captures: `captures in 4 moves from ply 12 on: as the rules make them (4
/// added)`.
fn all_captures(moves: &[MoveCaptures]) -> EditWords {
    let first = moves.first().map_or(0, |mv| mv.at + 1);
    let place = format!("captures in {} moves from ply {first} on", moves.len());
    let [missing, extra, wrong] = count_changes(moves);
    let parts = [(missing, "added"), (extra, "removed"), (wrong, "moved")];
    let parts: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, verb)| format!("{n} {verb}")).collect();
    EditWords::new(place, "", format!("as the rules make them ({})", parts.join(", ")))
}

fn words_of(changes: &[CaptureChange]) -> String {
    let mut words = String::new();
    for change in changes {
        if !words.is_empty() {
            words.push_str(", ");
        }
        match change {
            CaptureChange::Missing(cell) => write!(words, "add the capture on {cell}"),
            CaptureChange::Extra(cell) => write!(words, "remove the capture on {cell}"),
            CaptureChange::Wrong { written, right } => {
                write!(words, "the capture was on {right}, not on {written}")
            }
        }
        .expect("a String takes everything");
    }
    words
}
