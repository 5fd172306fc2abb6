//! The marks on a board.

use tafl_rules::{Cell, Move, Piece};

/// The marks on a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The last move; a chain has one entry for each step.
    pub moves: Vec<Move>,
    /// The pieces that the move captured.
    pub captured: Vec<Captured>,
    /// Highlighted cells.
    pub highlights: Vec<Highlight>,
    /// The meanings of the highlights in this picture, listed under the board.
    pub legend: Vec<LegendEntry>,
    /// The heat map: a frequency for each cell.
    pub heat: Vec<Heat>,
}

impl Marks {
    /// Creates the marks of a move: an arrow, and a cross for each captured piece.
    pub fn of_move(mv: Move, captured: Vec<Captured>) -> Marks {
        Marks { moves: vec![mv], captured, ..Marks::default() }
    }

    /// Returns the first highlight of a cell.
    pub fn highlight(&self, cell: Cell) -> Option<&Highlight> {
        self.highlights.iter().find(|highlight| highlight.cell == cell)
    }
}

/// A frequency on a cell, such as the proportion of time that the king was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The cell.
    pub cell: Cell,
    /// The strength of its color, from 0 (invisible) to 100. Higher values count as 100.
    pub level: u8,
    /// A short text in the cell, such as a percentage; four characters are readable.
    pub label: Option<String>,
}

/// A piece that was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Captured {
    /// The cell.
    pub cell: Cell,
    /// The piece, if it is known.
    pub piece: Option<Piece>,
}

/// A highlighted cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// The cell.
    pub cell: Cell,
    /// The meaning of the highlight.
    pub kind: HighlightKind,
    /// A short text in the cell; three letters are readable.
    pub label: Option<String>,
}

impl Highlight {
    /// Creates a highlight without a label.
    pub const fn new(cell: Cell, kind: HighlightKind) -> Highlight {
        Highlight { cell, kind, label: None }
    }
}

/// The meaning of a highlighted cell. Each kind has a pattern as well as a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// A room: reachable cells, such as the inside of a fort. Dotted.
    Room,
    /// A wall: pieces that form a barrier, such as the ring around enclosed defenders. Framed.
    Wall,
    /// A breach: the cell at which a structure fails. Cross-hatched.
    Breach,
    /// A note: any other cell of interest. Hatched.
    Note,
}

impl HighlightKind {
    /// Every kind.
    pub const ALL: [HighlightKind; 4] =
        [HighlightKind::Room, HighlightKind::Wall, HighlightKind::Breach, HighlightKind::Note];

    /// Returns the name of the kind: `room`, `wall`, `breach`, or `note`.
    pub const fn as_str(self) -> &'static str {
        match self {
            HighlightKind::Room => "room",
            HighlightKind::Wall => "wall",
            HighlightKind::Breach => "breach",
            HighlightKind::Note => "note",
        }
    }
}

/// The meaning of a kind of highlight in one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// The kind.
    pub kind: HighlightKind,
    /// The meaning, such as `cells the king can reach`.
    pub text: String,
}
