//! Diagnostics about illegal moves.

use tafl_rules::{Coord, IllegalMove, Move, Piece, Shape, Side, describe_piece};

use super::{Page, Severity, TextPart};

/// The reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LegalityFinding {
    /// The rules forbid the move.
    Illegal {
        /// The move.
        mv: Move,
        /// The board.
        shape: Shape,
        /// The rule, and what is in the way of the move.
        why: IllegalMove,
    },
    /// The first cell is empty.
    NoPiece {
        /// The cell.
        cell: Coord,
    },
    /// The piece belongs to the side that is not to move.
    WrongSide {
        /// The piece.
        piece: Piece,
        /// The side to move.
        to_move: Side,
    },
    /// A cell that is not on the board.
    UnknownCell {
        /// The cell.
        cell: Coord,
    },
    /// A piece letter that does not match the piece on the first cell.
    WrongLetter {
        /// The piece on the first cell.
        found: Piece,
    },
    /// A later step of a turn that the piece may not make.
    BrokenChain,
}

impl LegalityFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            LegalityFinding::Illegal { .. } => &ILLEGAL,
            LegalityFinding::NoPiece { .. } => &NO_PIECE,
            LegalityFinding::WrongSide { .. } => &WRONG_SIDE,
            LegalityFinding::UnknownCell { .. } => &UNKNOWN_CELL,
            LegalityFinding::WrongLetter { .. } => &LETTER,
            LegalityFinding::BrokenChain => &BROKEN_CHAIN,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            LegalityFinding::Illegal { mv, shape, why } => {
                format!("illegal move {part}: {}", why.describe(*shape, *mv))
            }
            LegalityFinding::NoPiece { cell } => format!("{part} starts from `{cell}`, which is empty"),
            LegalityFinding::WrongSide { piece, to_move } => {
                format!("{part} moves the {}, but it is the {to_move}' turn", describe_piece(*piece))
            }
            LegalityFinding::UnknownCell { cell } => {
                format!("{part} names `{cell}`, which is not on this board")
            }
            LegalityFinding::WrongLetter { found } => {
                format!(
                    "{part} has the wrong letter for the piece on its first cell, the {}",
                    describe_piece(*found)
                )
            }
            LegalityFinding::BrokenChain => format!("{part} cannot be another step of the same turn"),
        }
    }
}

pub(super) static PAGES: &[&Page] =
    &[&ILLEGAL, &NO_PIECE, &WRONG_SIDE, &UNKNOWN_CELL, &LETTER, &BROKEN_CHAIN];

static ILLEGAL: Page = Page {
    code: "L001",
    name: "illegal-move",
    severity: Severity::Error,
    help: "check the record; `tafl move` explains what blocks a piece",
    explain: "The rules forbid this move: for example, another piece is in the way, the piece may not stop \
        on that cell, or the cell is too far away. The message names the rule. Replay stops before this \
        move, because the position after it is unknown.",
};

static NO_PIECE: Page = Page {
    code: "L002",
    name: "no-piece",
    severity: Severity::Error,
    help: "check the variant (`tafl validate --attribute`), and whether a move is missing before this one",
    explain: "The move starts from an empty cell. Often an earlier move is missing or was misread, or the \
        record belongs to another variant or start.",
};

static WRONG_SIDE: Page = Page {
    code: "L003",
    name: "wrong-side",
    severity: Severity::Error,
    help: "check whether a move is missing or written twice, and which side moves first",
    explain: "The piece on the first cell belongs to the side that is not to move. If this is the first \
        move of the game, the other side probably moved first.",
};

static UNKNOWN_CELL: Page = Page {
    code: "L004",
    name: "unknown-cell",
    severity: Severity::Error,
    help: "check the cell, and whether the variant has the right board",
    explain: "The move names a cell that is not on this board, such as `k4` on a board with nine files. \
        The record may belong to a larger board, or a letter was skipped: file letters include `i`.",
};

static LETTER: Page = Page {
    code: "L005",
    name: "wrong-piece-letter",
    severity: Severity::Warning,
    help: "correct the letter",
    explain: "The letter before the move does not match the piece on its first cell, as in `Kd1-d3` when a \
        man is on d1. The move is played with the piece on the board.",
};

static BROKEN_CHAIN: Page = Page {
    code: "L006",
    name: "broken-chain",
    severity: Severity::Error,
    help: "start every step of a turn from the cell where the previous step ended",
    explain: "In variants such as Berserk a piece that captured may move again in the same turn. This move \
        is written as such a step, but the rules do not let the piece move again, or a different piece \
        moved before.",
};
