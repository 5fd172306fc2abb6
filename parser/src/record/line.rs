//! Written moves, in lines.

use tafl_rules::{Coord, Role, Side, Span};

/// The number of a line in [`Record::lines`](super::Record::lines). The main line is [`MoveLineId::MAIN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveLineId(pub u32);

impl MoveLineId {
    /// The main line: the game as played.
    pub const MAIN: MoveLineId = MoveLineId(0);

    /// Returns the index in [`Record::lines`](super::Record::lines).
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The moves of the game as played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MainLine {
    /// Whether the line is written as beginning with the player who moves second in a turn, as in `1. .....
    /// e5-e2`.
    pub opens_with_second: bool,
    /// The moves, each a single step of a piece.
    pub moves: Vec<WrittenMove>,
}

/// A sequence of moves of a record: the main line or a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveLine<'r> {
    /// The branch point of a variation; `None` for the main line.
    pub branch: Option<LineBranch>,
    /// Whether the line is written as beginning with the player who moves second in a turn.
    pub opens_with_second: bool,
    /// The moves, each a single step of a piece.
    pub moves: &'r [WrittenMove],
}

/// The point where a variation leaves its parent line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineBranch {
    /// The parent line; it precedes the variation in [`Record::lines`](super::Record::lines).
    pub parent: MoveLineId,
    /// The index, in the parent's moves, of the move replaced by the variation; at most the parent's length.
    pub at: u32,
    /// The number of the variation among those that replace the same move, from 1.
    pub number: u32,
}

/// A single written step of a piece.
///
/// A turn of several steps, as in Berserk, consists of several of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenMove {
    /// The written start cell; it may be off the board.
    pub from: Coord,
    /// The written destination; it may be off the board.
    pub to: Coord,
    /// The span of the whole token, including captures and marks.
    pub span: Span,
    /// The index of the first captured cell in [`Record::captures`](super::Record::captures).
    pub first_capture: u32,
    /// The number of written captured cells.
    pub n_captures: u16,
    /// The letter before the move, if any.
    pub letter: Letter,
    /// The mark after the move.
    pub mark: MoveMark,
    /// Whether the move is written as a jump.
    pub jump: bool,
    /// Whether it continues the turn of the previous move: a later step of a chain.
    pub chained: bool,
    /// The side of the move, if the notation writes it with every move.
    pub side: Option<Side>,
}

impl WrittenMove {
    /// Creates a plain move between two cells, written at `span`.
    #[inline]
    pub const fn new(from: Coord, to: Coord, span: Span) -> WrittenMove {
        WrittenMove {
            from,
            to,
            span,
            first_capture: 0,
            n_captures: 0,
            letter: Letter::NONE,
            mark: MoveMark::None,
            jump: false,
            chained: false,
            side: None,
        }
    }
}

/// The piece letter of a move as written: `K` in `Kd1-c1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Letter(u8);

impl Letter {
    /// No letter.
    pub const NONE: Letter = Letter(0);

    /// Creates a letter from an ASCII byte; [`Letter::NONE`] for bytes that are not letters.
    #[inline]
    pub const fn new(byte: u8) -> Letter {
        if byte.is_ascii_alphabetic() { Letter(byte) } else { Letter::NONE }
    }

    /// Returns the letter, if any.
    #[inline]
    pub const fn get(self) -> Option<char> {
        if self.0 == 0 { None } else { Some(self.0 as char) }
    }

    /// Returns the role of the letter, ignoring case.
    pub fn role(self) -> Option<Role> {
        self.get().and_then(Role::from_letter)
    }
}

/// The mark after a move. Marks are opinions and never evidence for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoveMark {
    /// No mark.
    #[default]
    None,
    /// `+`: in OpenTafl, the king is in danger; in Cyningstan's notation, a win is threatened.
    Plus,
    /// `-`: in OpenTafl, the king has an escape.
    Minus,
    /// `++`: in OpenTafl, the king is captured; in Cyningstan's notation, the move wins.
    PlusPlus,
    /// `--`: in OpenTafl, the king escapes; in Cyningstan's notation, a bad move.
    MinusMinus,
    /// `!`: in Cyngesheall's notation, the move wins; elsewhere, a good move.
    Bang,
    /// `==`: a draw, as written by the crate `hnefatafl`.
    Equal,
    /// `*`: in HEN, the move captures.
    Star,
    /// `?`: a mistake.
    Question,
    /// `!!`: a brilliant move.
    BangBang,
    /// `??`: a blunder.
    QuestionQuestion,
    /// `!?`: an interesting move.
    BangQuestion,
    /// `?!`: a dubious move.
    QuestionBang,
    /// `#`: the move wins, as checkmate in chess.
    Hash,
}

impl MoveMark {
    /// Every mark, without [`MoveMark::None`].
    pub const ALL: [MoveMark; 13] = [
        MoveMark::Plus,
        MoveMark::Minus,
        MoveMark::PlusPlus,
        MoveMark::MinusMinus,
        MoveMark::Bang,
        MoveMark::Equal,
        MoveMark::Star,
        MoveMark::Question,
        MoveMark::BangBang,
        MoveMark::QuestionQuestion,
        MoveMark::BangQuestion,
        MoveMark::QuestionBang,
        MoveMark::Hash,
    ];

    /// Returns the written form of the mark.
    pub const fn as_str(self) -> &'static str {
        match self {
            MoveMark::None => "",
            MoveMark::Plus => "+",
            MoveMark::Minus => "-",
            MoveMark::PlusPlus => "++",
            MoveMark::MinusMinus => "--",
            MoveMark::Bang => "!",
            MoveMark::Equal => "==",
            MoveMark::Star => "*",
            MoveMark::Question => "?",
            MoveMark::BangBang => "!!",
            MoveMark::QuestionQuestion => "??",
            MoveMark::BangQuestion => "!?",
            MoveMark::QuestionBang => "?!",
            MoveMark::Hash => "#",
        }
    }

    /// Returns the mark of a numeric annotation glyph of PGN: `$1` to `$6`.
    pub(crate) const fn from_glyph(number: u32) -> Option<MoveMark> {
        Some(match number {
            1 => MoveMark::Bang,
            2 => MoveMark::Question,
            3 => MoveMark::BangBang,
            4 => MoveMark::QuestionQuestion,
            5 => MoveMark::BangQuestion,
            6 => MoveMark::QuestionBang,
            _ => return None,
        })
    }

    /// Returns the number of the mark's annotation glyph in PGN, if it has one.
    pub(crate) const fn glyph(self) -> Option<u32> {
        Some(match self {
            MoveMark::Bang => 1,
            MoveMark::Question => 2,
            MoveMark::BangBang => 3,
            MoveMark::QuestionQuestion => 4,
            MoveMark::BangQuestion => 5,
            MoveMark::QuestionBang => 6,
            MoveMark::None
            | MoveMark::Plus
            | MoveMark::Minus
            | MoveMark::PlusPlus
            | MoveMark::MinusMinus
            | MoveMark::Equal
            | MoveMark::Star
            | MoveMark::Hash => return None,
        })
    }
}

/// A cell on which a capture is recorded. The same cell may appear twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCapture {
    /// The cell; it may be off the board.
    pub cell: Coord,
    /// The letter before the cell, if any.
    pub letter: Letter,
    /// The span of the cell and its letter.
    pub span: Span,
}

/// A position in a line, given by the number of moves before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MovePlace {
    /// The line.
    pub line: MoveLineId,
    /// The number of moves of the line before it; 0 is the start.
    pub after: u32,
}

impl MovePlace {
    /// Returns the position after `after` moves of the main line.
    pub const fn in_main(after: usize) -> MovePlace {
        MovePlace { line: MoveLineId::MAIN, after: after as u32 }
    }
}
