//! Changes of a record that may mend it.

use std::fmt::Write;

use tafl_rules::{Coord, Setup, Shape, Side, Span};

use super::relabel::Relabel;
use crate::record::Verdict;

/// A small change of a record. Places are indices of the game's moves in the record as it is when the change is made,
/// the first move being 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// Another move stands there.
    Replace {
        /// Where.
        at: usize,
        /// The move that is written: from, to.
        written: (Coord, Coord),
        /// The move that was meant.
        right: (Coord, Coord),
        /// How one may have become the other.
        slip: Slip,
    },
    /// A word that could not be read is a move.
    Read {
        /// Before which move.
        at: usize,
        /// The place of the word.
        word: Span,
        /// The move.
        right: (Coord, Coord),
        /// What it captures, as the record's notation lists it.
        captures: Box<[Coord]>,
    },
    /// A word that could not be read does not belong there.
    Ignore {
        /// Before which move.
        at: usize,
        /// The place of the word.
        word: Span,
    },
    /// A move is missing.
    Insert {
        /// Before which move.
        at: usize,
        /// The move.
        right: (Coord, Coord),
        /// What it captures, as the record's notation lists it.
        captures: Box<[Coord]>,
    },
    /// Moves stand there that were not played.
    Remove {
        /// The first of them.
        at: usize,
        /// How many: one or two.
        n: usize,
        /// Whether the same stands just before.
        doubled: bool,
    },
    /// Two moves stand in each other's place.
    Swap {
        /// The first.
        at: usize,
        /// The other.
        with: usize,
    },
    /// The captures of a move are others.
    Captures {
        /// Where.
        at: usize,
        /// What was captured, as the record's notation lists it.
        right: Box<[Coord]>,
        /// What was wrong.
        changes: Box<[CaptureChange]>,
    },
    /// The cells have other names.
    Relabel {
        /// How the writer saw the board.
        relabel: Relabel,
        /// Where.
        scope: Scope,
        /// The board.
        shape: Shape,
    },
    /// The result is another one.
    Result {
        /// What is written.
        written: Verdict,
        /// What was meant.
        right: Verdict,
    },
    /// The sides were taken for each other, in the result and the counts of captures.
    ExchangeSides,
    /// The counts of captures are others: by attackers, by defenders.
    Counts {
        /// What is written.
        written: [u32; 2],
        /// What was meant.
        right: [u32; 2],
    },
    /// The game was played by the rules of another variant.
    Variant {
        /// What the record was taken for; nothing where it names no known variant.
        written: Option<&'static str>,
        /// The variant of the catalog.
        right: &'static str,
    },
    /// The game began with another arrangement.
    Start {
        /// The arrangement.
        right: Setup,
        /// Where it comes from, in words.
        from: Box<str>,
    },
    /// The other side moved first.
    FirstMover {
        /// Who did.
        right: Side,
    },
}

/// How a move may have become another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slip {
    /// One file or rank is another one.
    Character,
    /// From and to stand in each other's place.
    Exchanged,
    /// File and rank stand in each other's place, in both cells.
    Transposed,
    /// File and rank stand in each other's place, in one cell.
    TransposedCell,
    /// The whole line along which the piece moves is another one.
    Line,
    /// In no way that is known.
    Other,
}

/// What was wrong with a list of captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureChange {
    /// A cell was missing.
    Missing(Coord),
    /// A cell stood there where nothing fell.
    Extra(Coord),
    /// One cell stood for another.
    Wrong {
        /// The cell that was written.
        written: Coord,
        /// The cell on which a piece fell.
        right: Coord,
    },
}

/// Where cells have other names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In the whole record.
    Whole,
    /// From a move on.
    From(usize),
    /// In the moves of a side.
    Moves(Side),
}

impl Slip {
    /// Returns the word of the JSON interface.
    pub const fn name(self) -> &'static str {
        match self {
            Slip::Character => "character",
            Slip::Exchanged => "from-to",
            Slip::Transposed => "transposed",
            Slip::TransposedCell => "transposed-cell",
            Slip::Line => "line",
            Slip::Other => "other-move",
        }
    }
}

impl Edit {
    /// Returns the stable name of the kind of fault that the change mends.
    pub const fn name(&self) -> &'static str {
        match self {
            Edit::Replace { slip, .. } => slip.name(),
            Edit::Read { .. } => "unread-word",
            Edit::Ignore { .. } => "stray-word",
            Edit::Insert { .. } => "missing-ply",
            Edit::Remove { doubled: true, .. } => "doubled-ply",
            Edit::Remove { doubled: false, .. } => "extra-ply",
            Edit::Swap { .. } => "swapped-plies",
            Edit::Captures { .. } => "captures",
            Edit::Relabel { .. } => "board",
            Edit::Result { .. } => "result",
            Edit::ExchangeSides => "sides",
            Edit::Counts { .. } => "capture-counts",
            Edit::Variant { .. } => "variant",
            Edit::Start { .. } => "start",
            Edit::FirstMover { .. } => "first-mover",
        }
    }

    /// Returns the move at which the change is made; nothing where the record as a whole changes.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Edit::Replace { at, .. }
            | Edit::Read { at, .. }
            | Edit::Ignore { at, .. }
            | Edit::Insert { at, .. }
            | Edit::Remove { at, .. }
            | Edit::Swap { at, .. }
            | Edit::Captures { at, .. }
            | Edit::Relabel { scope: Scope::From(at), .. } => Some(*at),
            Edit::Relabel { scope: Scope::Whole | Scope::Moves(_), .. }
            | Edit::Result { .. }
            | Edit::ExchangeSides
            | Edit::Counts { .. }
            | Edit::Variant { .. }
            | Edit::Start { .. }
            | Edit::FirstMover { .. } => None,
        }
    }

    /// Returns what to change, in words: `ply 12: d1-d3 instead of d1-d4`.
    pub fn words(&self) -> String {
        match self {
            Edit::Replace { at, written, right, .. } => {
                format!("ply {}: {} instead of {}", at + 1, mv(*right), mv(*written))
            }
            Edit::Read { at, right, captures, .. } => {
                format!("ply {}: read the word as {}{}", at + 1, mv(*right), cells(captures))
            }
            Edit::Ignore { at, .. } => format!("before ply {}: leave the word out", at + 1),
            Edit::Insert { at, right, captures } => {
                format!("before ply {}: insert {}{}", at + 1, mv(*right), cells(captures))
            }
            Edit::Remove { at, n: 1, .. } => format!("ply {}: leave the move out", at + 1),
            Edit::Remove { at, n, .. } => format!("plies {} to {}: leave the moves out", at + 1, at + n),
            Edit::Swap { at, with } => format!("plies {} and {}: exchange the moves", at + 1, with + 1),
            Edit::Captures { at, changes, .. } => format!("ply {}: {}", at + 1, words_of(changes)),
            Edit::Relabel { relabel, scope, shape } => {
                let scope = match scope {
                    Scope::Whole => "all moves".to_owned(),
                    Scope::From(at) => format!("moves from ply {} on", at + 1),
                    Scope::Moves(side) => format!("moves of the {side}"),
                };
                format!("{scope}: read the board {}", relabel.words(*shape))
            }
            Edit::Result { written, right } => {
                format!("result: {} instead of {}", verdict(*right), verdict(*written))
            }
            Edit::ExchangeSides => "result and counts of captures: exchange the sides".to_owned(),
            Edit::Counts { written, right } => format!(
                "counts of captures: {} and {} instead of {} and {}",
                right[0], right[1], written[0], written[1]
            ),
            Edit::Variant { written: Some(written), right } => {
                format!("variant: {right} instead of {written}")
            }
            Edit::Variant { written: None, right } => format!("variant: {right}"),
            Edit::Start { from, .. } => format!("start: {from}"),
            Edit::FirstMover { right } => format!("first mover: the {right}"),
        }
    }

    /// Returns why it may have happened, in a few words.
    pub fn reason(&self) -> &'static str {
        match self {
            Edit::Replace { slip, .. } => match slip {
                Slip::Character => "one file or rank was written wrongly",
                Slip::Exchanged => "from and to were exchanged",
                Slip::Transposed => "file and rank were exchanged",
                Slip::TransposedCell => "file and rank of a cell were exchanged",
                Slip::Line => "the whole line was written wrongly",
                Slip::Other => "another move was written",
            },
            Edit::Read { .. } => "the word was miswritten",
            Edit::Ignore { .. } => "the word is no move",
            Edit::Insert { .. } => "a move was left out",
            Edit::Remove { doubled: true, .. } => "it was written twice",
            Edit::Remove { doubled: false, .. } => "it was not played",
            Edit::Swap { .. } => "the order was confused",
            Edit::Captures { .. } => "the list of captures was wrong",
            Edit::Relabel { .. } => "the board was seen from another side",
            Edit::Result { .. } => "the board shows another result",
            Edit::ExchangeSides => "the sides were confused",
            Edit::Counts { .. } => "the captures were miscounted",
            Edit::Variant { .. } => "it is another game",
            Edit::Start { .. } => "the game began from another position",
            Edit::FirstMover { .. } => "the other side moved first",
        }
    }
}

fn mv((from, to): (Coord, Coord)) -> String {
    format!("{from}-{to}")
}

fn cells(captures: &[Coord]) -> String {
    captures.iter().map(|cell| format!("x{cell}")).collect()
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Win(side) => format!("the {side} win"),
        Verdict::Draw => "a draw".to_owned(),
        Verdict::Ongoing => "ongoing".to_owned(),
        Verdict::Unknown => "unknown".to_owned(),
    }
}

fn words_of(changes: &[CaptureChange]) -> String {
    let mut words = String::new();
    for change in changes {
        if !words.is_empty() {
            words.push_str(", ");
        }
        match change {
            CaptureChange::Missing(cell) => write!(words, "add the capture on {cell}"),
            CaptureChange::Extra(cell) => write!(words, "leave out the capture on {cell}"),
            CaptureChange::Wrong { written, right } => {
                write!(words, "the capture was on {right}, not on {written}")
            }
        }
        .expect("a String takes everything");
    }
    words
}
