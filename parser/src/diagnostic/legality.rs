//! Findings about moves that the rules do not allow.

use tafl_rules::{Coord, IllegalMove, Move, Piece, Shape, Side};

use super::{Page, Severity, TextPart};

/// Why a move cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Legality {
    /// The rules do not allow it.
    Illegal {
        /// The move.
        mv: Move,
        /// The board.
        shape: Shape,
        /// Which rule, and what stands against the move.
        why: IllegalMove,
    },
    /// Nobody stands on the first cell.
    NoPiece {
        /// The cell.
        cell: Coord,
    },
    /// The piece belongs to the side that is not to move.
    WrongSide {
        /// The piece.
        piece: Piece,
        /// Who is to move.
        to_move: Side,
    },
    /// A cell that the board does not have.
    UnknownCell {
        /// The cell.
        cell: Coord,
    },
    /// A letter for another piece than the one that stands there.
    WrongLetter {
        /// The piece that stands there.
        found: Piece,
    },
    /// A later step of a turn that the piece may not make.
    BrokenChain,
}

impl Legality {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Legality::Illegal { .. } => &ILLEGAL,
            Legality::NoPiece { .. } => &NO_PIECE,
            Legality::WrongSide { .. } => &WRONG_SIDE,
            Legality::UnknownCell { .. } => &UNKNOWN_CELL,
            Legality::WrongLetter { .. } => &LETTER,
            Legality::BrokenChain => &BROKEN_CHAIN,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            Legality::Illegal { mv, shape, why } => {
                format!("illegal move {part}: {}", why.words(*shape, *mv))
            }
            Legality::NoPiece { cell } => format!("{part}: no piece stands on `{cell}`"),
            Legality::WrongSide { piece, to_move } => {
                format!(
                    "{part} moves a {} of the {}, but the {to_move} are to move",
                    piece.role.word(),
                    piece.side
                )
            }
            Legality::UnknownCell { cell } => format!("{part}: this board has no cell `{cell}`"),
            Legality::WrongLetter { found } => {
                format!(
                    "{part} names another piece than the {} of the {} there",
                    found.role.word(),
                    found.side
                )
            }
            Legality::BrokenChain => format!("{part} cannot be a further step of the same turn"),
        }
    }
}

pub(super) static PAGES: &[&Page] =
    &[&ILLEGAL, &NO_PIECE, &WRONG_SIDE, &UNKNOWN_CELL, &LETTER, &BROKEN_CHAIN];

static ILLEGAL: Page = Page {
    code: "L001",
    name: "illegal-move",
    severity: Severity::Error,
    help: "check the record; `tafl move` explains what stops a piece",
    explain: "The rules do not allow this move: another piece is in the way, the cell is one on which \
        that piece may not stop, it is too far, and so on; the message names the rule. The game is \
        replayed up to this move and not further, because the position behind it is not known.",
};

static NO_PIECE: Page = Page {
    code: "L002",
    name: "no-piece",
    severity: Severity::Error,
    help: "check whether a move is missing before this one",
    explain: "The move begins on a cell on which no piece stands. Often an earlier move is missing or was \
        misread, or the record was made for another variant or start.",
};

static WRONG_SIDE: Page = Page {
    code: "L003",
    name: "wrong-side",
    severity: Severity::Error,
    help: "check whether a move is missing or stands twice, and who moves first",
    explain: "The piece on the first cell belongs to the side that is not to move. If it is the first move \
        of the game, the record was probably played with the other side first.",
};

static UNKNOWN_CELL: Page = Page {
    code: "L004",
    name: "unknown-cell",
    severity: Severity::Error,
    help: "check the cell, and whether the variant has the right board",
    explain: "The move names a cell that this board does not have, such as `k4` on a board of nine files. \
        Perhaps the record belongs to a larger board, or a letter was skipped: files are lettered \
        without skipping `i`.",
};

static LETTER: Page = Page {
    code: "L005",
    name: "wrong-piece-letter",
    severity: Severity::Warning,
    help: "correct the letter",
    explain: "The letter before the move says another piece than the one that stands there, as `Kd1-d3` \
        when a man stands on d1. The move is played with the piece that stands there.",
};

static BROKEN_CHAIN: Page = Page {
    code: "L006",
    name: "broken-chain",
    severity: Severity::Error,
    help: "write every step of a turn from the cell on which the one before ended",
    explain: "In variants such as Berserk a piece that captured may move again in the same turn. This step \
        is written as such a later step, but the rules do not let the piece go on, or another piece \
        moved before.",
};
