//! Edits: changes that may repair a record.

use tafl_rules::{Coord, Setup, Shape, Side, Span};

use super::relabel::Relabel;
use crate::record::WrittenVerdict;

/// A small change of a record. Positions are indices of moves of the main line at the time when the edit is
/// applied, from 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Edit {
    /// A move is replaced by another one.
    Replace {
        /// The index of the move.
        at: usize,
        /// The written move: start and destination.
        written: (Coord, Coord),
        /// The intended move.
        right: (Coord, Coord),
        /// The kind of writing error that turns one into the other.
        error: WritingError,
    },
    /// An unreadable word is read as a move.
    Read {
        /// The index of the next move.
        at: usize,
        /// The span of the word.
        word: Span,
        /// The move.
        right: (Coord, Coord),
        /// Its captures, as the record's notation lists them.
        captures: Box<[Coord]>,
    },
    /// An unreadable word is removed.
    Ignore {
        /// The index of the next move.
        at: usize,
        /// The span of the word.
        word: Span,
    },
    /// A missing move is inserted.
    Insert {
        /// The index of the next move.
        at: usize,
        /// The move.
        right: (Coord, Coord),
        /// Its captures, as the record's notation lists them.
        captures: Box<[Coord]>,
    },
    /// Moves that were not played are removed.
    Remove {
        /// The index of the first one.
        at: usize,
        /// The number of moves: one or two.
        n: usize,
        /// Whether the same moves are written directly before.
        doubled: bool,
    },
    /// Two moves are exchanged.
    Swap {
        /// The index of the first one.
        at: usize,
        /// The index of the other.
        with: usize,
    },
    /// The captures of a move change.
    Captures {
        /// The index of the move.
        at: usize,
        /// The captured cells, as the record's notation lists them.
        right: Box<[Coord]>,
        /// The changes.
        changes: Box<[CaptureChange]>,
    },
    /// The captures of several moves change at once: a habit of the writer.
    AllCaptures {
        /// The moves whose captures change, in order; at least two.
        moves: Box<[MoveCaptures]>,
    },
    /// The cells are renamed.
    Relabel {
        /// The labels that the writer used.
        relabel: Relabel,
        /// The moves that use them.
        scope: EditScope,
        /// The board.
        shape: Shape,
    },
    /// The result changes.
    Result {
        /// The written result.
        written: WrittenVerdict,
        /// The intended result.
        right: WrittenVerdict,
    },
    /// The sides are exchanged in the result and the numbers of captures.
    ExchangeSides,
    /// The numbers of captures change: by the attackers, by the defenders.
    Counts {
        /// The written numbers.
        written: [u32; 2],
        /// The intended numbers.
        right: [u32; 2],
    },
    /// The variant changes.
    Variant {
        /// The variant by which the record was read; `None` if it names no known variant.
        written: Option<&'static str>,
        /// The variant in the catalog.
        right: &'static str,
    },
    /// The start changes.
    Start {
        /// The setup.
        right: Setup,
        /// The source of the setup, in words.
        from: Box<str>,
    },
    /// The first mover changes.
    FirstMover {
        /// The side that moved first.
        right: Side,
    },
}

/// A kind of writing error that turns a move into another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WritingError {
    /// One file or rank is wrong.
    Character,
    /// Start and destination are exchanged.
    Exchanged,
    /// File and rank are exchanged in both cells.
    Transposed,
    /// File and rank are exchanged in one cell.
    TransposedCell,
    /// The whole line along which the piece moves is wrong.
    Line,
    /// No known kind.
    Other,
}

/// A change in a list of captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureChange {
    /// A missing cell is added.
    Missing(Coord),
    /// A cell without a capture is removed.
    Extra(Coord),
    /// A cell is replaced by another one.
    Wrong {
        /// The written cell.
        written: Coord,
        /// The cell of the captured piece.
        right: Coord,
    },
}

/// The captures of a move according to the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveCaptures {
    /// The index of the move.
    pub at: usize,
    /// The captured cells, as the record's notation lists them.
    pub right: Box<[Coord]>,
    /// The differences from the written cells.
    pub changes: Box<[CaptureChange]>,
}

/// The moves in which cells are renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EditScope {
    /// All moves.
    Whole,
    /// All moves from an index on.
    From(usize),
    /// The moves of one side.
    Moves(Side),
}

impl WritingError {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            WritingError::Character => "character",
            WritingError::Exchanged => "from-to",
            WritingError::Transposed => "transposed",
            WritingError::TransposedCell => "transposed-cell",
            WritingError::Line => "line",
            WritingError::Other => "other-move",
        }
    }
}

impl Edit {
    /// Returns the stable name of the kind of fault that the edit repairs.
    pub const fn name(&self) -> &'static str {
        match self {
            Edit::Replace { error, .. } => error.name(),
            Edit::Read { .. } => "unread-word",
            Edit::Ignore { .. } => "stray-word",
            Edit::Insert { .. } => "missing-ply",
            Edit::Remove { doubled: true, .. } => "doubled-ply",
            Edit::Remove { doubled: false, .. } => "extra-ply",
            Edit::Swap { .. } => "swapped-plies",
            Edit::Captures { .. } => "captures",
            Edit::AllCaptures { .. } => "all-captures",
            Edit::Relabel { .. } => "board",
            Edit::Result { .. } => "result",
            Edit::ExchangeSides => "sides",
            Edit::Counts { .. } => "capture-counts",
            Edit::Variant { .. } => "variant",
            Edit::Start { .. } => "start",
            Edit::FirstMover { .. } => "first-mover",
        }
    }

    /// Returns the index of the changed move; `None` for a change of the whole record.
    pub const fn at(&self) -> Option<usize> {
        match self {
            Edit::Replace { at, .. }
            | Edit::Read { at, .. }
            | Edit::Ignore { at, .. }
            | Edit::Insert { at, .. }
            | Edit::Remove { at, .. }
            | Edit::Swap { at, .. }
            | Edit::Captures { at, .. }
            | Edit::Relabel { scope: EditScope::From(at), .. } => Some(*at),
            Edit::Relabel { scope: EditScope::Whole | EditScope::Moves(_), .. }
            | Edit::Result { .. }
            | Edit::ExchangeSides
            | Edit::Counts { .. }
            | Edit::Variant { .. }
            | Edit::Start { .. }
            | Edit::FirstMover { .. } => None,
            Edit::AllCaptures { moves } => match moves.first() {
                Some(first) => Some(first.at),
                None => None,
            },
        }
    }

    /// Returns whether the edit counts toward [`RepairOptions::max_edits`](super::RepairOptions). A habit in the
    /// lists of captures does not: it leaves the game unchanged.
    pub(super) const fn is_counted(&self) -> bool {
        !matches!(self, Edit::AllCaptures { .. })
    }

    /// Returns the probable cause, in a few words.
    pub fn reason(&self) -> &'static str {
        match self {
            Edit::Replace { error, .. } => match error {
                WritingError::Character => "one file or rank was written wrongly",
                WritingError::Exchanged => "start and destination were exchanged",
                WritingError::Transposed => "file and rank were exchanged",
                WritingError::TransposedCell => "file and rank of a cell were exchanged",
                WritingError::Line => "the whole line was written wrongly",
                WritingError::Other => "another move was written",
            },
            Edit::Read { .. } => "the word was miswritten",
            Edit::Ignore { .. } => "the word is not a move",
            Edit::Insert { .. } => "a move was omitted",
            Edit::Remove { doubled: true, .. } => "it was written twice",
            Edit::Remove { doubled: false, .. } => "it was not played",
            Edit::Swap { .. } => "the moves were written in the wrong order",
            Edit::Captures { .. } => "the list of captures was wrong",
            Edit::AllCaptures { .. } => "the writer lists captures differently",
            Edit::Relabel { .. } => "the cells were named from another side of the board",
            Edit::Result { .. } => "the board shows another result",
            Edit::ExchangeSides => "the sides were mixed up",
            Edit::Counts { .. } => "the captures were miscounted",
            Edit::Variant { .. } => "the game was played under other rules",
            Edit::Start { .. } => "the game began from a different position",
            Edit::FirstMover { .. } => "the other side moved first",
        }
    }
}

/// Returns the numbers of missing, extra, and wrong cells.
pub(super) fn count_changes(moves: &[MoveCaptures]) -> [usize; 3] {
    let mut counts = [0; 3];
    for change in moves.iter().flat_map(|mv| &mv.changes) {
        counts[match change {
            CaptureChange::Missing(_) => 0,
            CaptureChange::Extra(_) => 1,
            CaptureChange::Wrong { .. } => 2,
        }] += 1;
    }
    counts
}
