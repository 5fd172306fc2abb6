//! Moves as they were written, in lines.

use tafl_rules::{Coord, Role, Side, Span};

/// The number of a line in [`Record::lines`](super::Record::lines). The game itself is [`LineId::MAIN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

impl LineId {
    /// The game as it was played.
    pub const MAIN: LineId = LineId(0);

    /// Returns the index in [`Record::lines`](super::Record::lines).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Moves one after another: the game, or a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Where a variation leaves its parent; nothing for the game itself.
    pub branch: Option<Branch>,
    /// Whether the line is written as beginning with the player who moves second in a turn, as `1. ..... e5-e2`.
    pub opens_with_second: bool,
    /// The moves, each a single step of a piece.
    pub moves: Vec<WrittenMove>,
}

/// Where a variation leaves its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The line it leaves; it stands before the variation in [`Record::lines`](super::Record::lines).
    pub parent: LineId,
    /// The index, in the parent's moves, of the move that the variation replaces. Never more than the parent's length.
    pub at: u32,
    /// The number of this variation among those that replace the same move, counted from 1.
    pub number: u32,
}

/// A piece that is said to have moved once.
///
/// A turn of several steps, as Berserk has it, is several of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenMove {
    /// Where the piece is said to have stood; perhaps on no board.
    pub from: Coord,
    /// Where it is said to have gone; perhaps on no board.
    pub to: Coord,
    /// The place of the whole token, captures and marks included.
    pub span: Span,
    /// The index of the first captured cell in [`Record::captures`](super::Record::captures).
    pub first_capture: u32,
    /// How many captured cells are written.
    pub n_captures: u16,
    /// The letter before the move, if any.
    pub letter: Letter,
    /// The mark behind the move.
    pub mark: Mark,
    /// Whether the move is written as a jump.
    pub jump: bool,
    /// Whether the same side, in the same turn, moved just before: a later step of a chain.
    pub chained: bool,
    /// The side that is said to have moved, where the notation says so move by move.
    pub side: Option<Side>,
}

impl WrittenMove {
    /// Returns a plain move between two places, written at `span`.
    #[inline]
    pub const fn new(from: Coord, to: Coord, span: Span) -> WrittenMove {
        WrittenMove {
            from,
            to,
            span,
            first_capture: 0,
            n_captures: 0,
            letter: Letter::NONE,
            mark: Mark::None,
            jump: false,
            chained: false,
            side: None,
        }
    }
}

/// The letter of a piece in a move, as written: `K` in `Kd1-c1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Letter(u8);

impl Letter {
    /// No letter.
    pub const NONE: Letter = Letter(0);

    /// Returns the letter of an ASCII byte; no letter for every other byte.
    #[inline]
    pub const fn new(byte: u8) -> Letter {
        if byte.is_ascii_alphabetic() { Letter(byte) } else { Letter::NONE }
    }

    /// Returns the letter, if there is one.
    #[inline]
    pub const fn get(self) -> Option<char> {
        if self.0 == 0 { None } else { Some(self.0 as char) }
    }

    /// Returns the role that the letter stands for, in either case.
    pub fn role(self) -> Option<Role> {
        self.get().and_then(Role::from_letter)
    }
}

/// The mark behind a move. Marks are opinions, never evidence for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mark {
    /// None.
    #[default]
    None,
    /// `+`: OpenTafl, the king is in danger; Cyningstan, a win is threatened.
    Plus,
    /// `-`: OpenTafl, the king has a way out.
    Minus,
    /// `++`: OpenTafl, the king is captured; Cyningstan, the move wins.
    PlusPlus,
    /// `--`: OpenTafl, the king escapes; Cyningstan, a bad move.
    MinusMinus,
    /// `!`: Cyngesheall, the move wins.
    Bang,
    /// `==`: a draw, as the crate `hnefatafl` writes it.
    Equal,
}

impl Mark {
    /// Returns the mark as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Plus => "+",
            Mark::Minus => "-",
            Mark::PlusPlus => "++",
            Mark::MinusMinus => "--",
            Mark::Bang => "!",
            Mark::Equal => "==",
        }
    }
}

/// A cell on which a piece is said to have been captured. The same cell may stand twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCapture {
    /// The cell; perhaps on no board.
    pub cell: Coord,
    /// The letter before the cell, if any.
    pub letter: Letter,
    /// The place of the cell with its letter.
    pub span: Span,
}

/// A place in a line: behind so many of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: LineId,
    /// How many moves of the line stand before; 0 is before the first.
    pub after: u32,
}

impl Place {
    /// Returns the place behind `after` moves of the game itself.
    pub const fn in_main(after: usize) -> Place {
        Place { line: LineId::MAIN, after: after as u32 }
    }
}
