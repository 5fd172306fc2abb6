//! What is marked on a board.

use tafl_rules::{Cell, Move, Piece};

/// What is marked on a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// The last move; a piece that went on after a capture has one entry for each step.
    pub moves: Vec<Move>,
    /// The pieces that the move captured.
    pub captured: Vec<Captured>,
    /// Cells that explain something.
    pub highlights: Vec<Highlight>,
    /// What the kinds of highlights mean here, listed under the board.
    pub legend: Vec<LegendEntry>,
    /// How often something was so on each cell.
    pub heat: Vec<Heat>,
}

impl Marks {
    /// Returns the marks of a move: an arrow, and a cross for each captured piece.
    pub fn of_move(mv: Move, captured: Vec<Captured>) -> Marks {
        Marks { moves: vec![mv], captured, ..Marks::default() }
    }

    /// Returns the highlight of a cell; the first one counts.
    pub fn highlight(&self, cell: Cell) -> Option<&Highlight> {
        self.highlights.iter().find(|highlight| highlight.cell == cell)
    }
}

/// How often something was so on a cell, such as how long the king stood there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The cell.
    pub cell: Cell,
    /// How strong its color is, from 0, which shows nothing, to 100. More counts as 100.
    pub level: u8,
    /// A short text in the cell, such as a percentage; four signs can be read.
    pub label: Option<String>,
}

/// A piece that was captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Captured {
    /// Where it stood.
    pub cell: Cell,
    /// What it was, where that is known.
    pub piece: Option<Piece>,
}

/// A cell that explains something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// The cell.
    pub cell: Cell,
    /// What it stands for.
    pub kind: HighlightKind,
    /// A short text in the cell; three letters can be read.
    pub label: Option<String>,
}

impl Highlight {
    /// Returns a highlight without a label.
    pub const fn new(cell: Cell, kind: HighlightKind) -> Highlight {
        Highlight { cell, kind, label: None }
    }
}

/// What a highlighted cell stands for. Each kind has a pattern as well as a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// A room: cells that can be reached, such as the inside of a fort. Dotted.
    Room,
    /// A wall: pieces that hold, such as the ring around enclosed defenders. Framed.
    Wall,
    /// A breach: the cell at which something fails. Cross-hatched.
    Breach,
    /// A note: any other cell worth a look. Hatched.
    Note,
}

impl HighlightKind {
    /// Every kind.
    pub const ALL: [HighlightKind; 4] =
        [HighlightKind::Room, HighlightKind::Wall, HighlightKind::Breach, HighlightKind::Note];

    /// Returns the word for the kind: `room`, `wall`, `breach`, `note`.
    pub const fn word(self) -> &'static str {
        match self {
            HighlightKind::Room => "room",
            HighlightKind::Wall => "wall",
            HighlightKind::Breach => "breach",
            HighlightKind::Note => "note",
        }
    }
}

/// What a kind of highlight means in one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegendEntry {
    /// The kind.
    pub kind: HighlightKind,
    /// What it means here, such as `cells the king can reach`.
    pub text: String,
}
