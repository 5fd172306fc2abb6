//! The differences between a record and the game that the rules make of it.

use tafl_rules::illegal::describe;
use tafl_rules::{Cell, Coord, IllegalMove, Move, Outcome, Piece, Shape, Side};

/// A difference between a record and the game that the rules make of it.
///
/// The reconciler finds them, and its policies decide what follows: replay turns them into
/// diagnostics, repair stops at the first one, and inference counts them against the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discrepancy {
    /// A move names a cell that the board does not have.
    OffBoard {
        /// The cell.
        cell: Coord,
    },
    /// The letter of a move belongs to another piece.
    WrongLetter {
        /// The piece that moves.
        piece: Piece,
    },
    /// The first move of the game is one of the side that does not move first.
    FirstMover {
        /// The piece that moves.
        piece: Piece,
    },
    /// A move is written as a further step of a turn that does not go on with its piece.
    BrokenChain,
    /// A piece moves although it is the other side's turn.
    WrongSide {
        /// The move.
        mv: Move,
        /// The piece.
        piece: Piece,
    },
    /// The rules forbid a move.
    Illegal {
        /// The move.
        mv: Move,
        /// The rule.
        why: IllegalMove,
    },
    /// No rules allow a move on the board that the record itself describes.
    Impossible {
        /// The move.
        mv: Move,
        /// Why not.
        why: IllegalMove,
    },
    /// Play goes on after the rules have ended the game.
    AfterEnd(Outcome),
    /// The rules capture a piece, and the record does not list it.
    MissingCapture {
        /// Where it stood.
        cell: Cell,
        /// The piece.
        piece: Piece,
    },
    /// The record lists a capture that the rules do not make.
    UnrealCapture {
        /// The cell that it names.
        cell: Cell,
    },
    /// The record lists a capture on a cell that the board does not have.
    CaptureOffBoard {
        /// The cell.
        cell: Coord,
    },
    /// The record lists a capture twice.
    DoubledCapture {
        /// The cell.
        cell: Cell,
    },
    /// The letter of a listed capture belongs to another piece.
    CaptureLetter {
        /// The captured piece.
        piece: Piece,
    },
    /// A board in the record differs from the game.
    Board {
        /// The first cell that differs.
        cell: Cell,
    },
    /// The record names the wrong side to move.
    SideToMove {
        /// The side to move.
        found: Side,
    },
    /// The counts of captures are not those of the listed captures.
    Counts,
    /// The rules end the game in another way than the record.
    Result {
        /// What the board shows.
        board: Outcome,
        /// The winner according to the record; `None` for a draw.
        winner: Option<Side>,
    },
    /// The rules end a game that has no result in the record.
    Unrecorded(Outcome),
    /// The last word among the moves, such as a resignation, contradicts the result.
    LastWord {
        /// The winner according to the result.
        winner: Side,
    },
    /// The record names an end that the rules do not see.
    NotOnBoard {
        /// The end according to the record.
        claimed: Outcome,
    },
    /// A player resigned or ran out of time after the rules had ended the game.
    EndedBefore(Outcome),
    /// The side that moved last wins, and neither the rules nor the record show why.
    SilentWin {
        /// The winner according to the record.
        winner: Side,
    },
    /// The game stops with a draw or a loss of the side that moved last, and nothing shows why.
    SilentStop {
        /// The winner according to the record; `None` for a draw.
        winner: Option<Side>,
    },
    /// The record has no result, and the rules see none.
    Unfinished,
}

impl Discrepancy {
    /// Returns the stable name, in words joined by hyphens.
    pub const fn name(&self) -> &'static str {
        match self {
            Discrepancy::OffBoard { .. } => "cell-off-board",
            Discrepancy::WrongLetter { .. } => "wrong-letter",
            Discrepancy::FirstMover { .. } => "first-mover",
            Discrepancy::BrokenChain => "broken-chain",
            Discrepancy::WrongSide { .. } => "wrong-side",
            Discrepancy::Illegal { .. } => "illegal-move",
            Discrepancy::Impossible { .. } => "impossible-move",
            Discrepancy::AfterEnd(_) => "play-after-end",
            Discrepancy::MissingCapture { .. } => "capture-not-written",
            Discrepancy::UnrealCapture { .. } => "capture-not-made",
            Discrepancy::CaptureOffBoard { .. } => "capture-off-board",
            Discrepancy::DoubledCapture { .. } => "capture-doubled",
            Discrepancy::CaptureLetter { .. } => "capture-letter",
            Discrepancy::Board { .. } => "board-differs",
            Discrepancy::SideToMove { .. } => "side-to-move",
            Discrepancy::Counts => "capture-counts",
            Discrepancy::Result { .. } | Discrepancy::Unrecorded(_) => "other-result",
            Discrepancy::LastWord { .. } => "last-word",
            Discrepancy::NotOnBoard { .. } => "end-not-on-board",
            Discrepancy::EndedBefore(_) => "ended-before",
            Discrepancy::SilentWin { .. } => "silent-win",
            Discrepancy::SilentStop { .. } => "silent-stop",
            Discrepancy::Unfinished => "unfinished",
        }
    }

    /// Returns the stable name of the rule in question, if there is one: why a move is illegal, how a game ended.
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Discrepancy::Illegal { why, .. } | Discrepancy::Impossible { why, .. } => Some(why.name()),
            Discrepancy::AfterEnd(outcome)
            | Discrepancy::EndedBefore(outcome)
            | Discrepancy::Unrecorded(outcome)
            | Discrepancy::NotOnBoard { claimed: outcome }
            | Discrepancy::Result { board: outcome, .. } => Some(outcome.reason.words()),
            _ => None,
        }
    }

    /// Returns the message, on one line.
    pub fn words(&self, shape: Shape) -> String {
        let name = |cell: &Cell| shape.coord(*cell);
        match self {
            Discrepancy::OffBoard { cell } | Discrepancy::CaptureOffBoard { cell } => {
                format!("the board has no cell `{cell}`")
            }
            Discrepancy::WrongLetter { piece } | Discrepancy::CaptureLetter { piece } => {
                format!("the letter is not that of the {}", describe(*piece))
            }
            Discrepancy::FirstMover { piece } => format!("the {} move first", piece.side),
            Discrepancy::BrokenChain => "the turn does not go on with this piece".to_owned(),
            Discrepancy::WrongSide { piece, .. } => format!("it is not the turn of the {}", describe(*piece)),
            Discrepancy::Illegal { mv, why } => why.words(shape, *mv),
            Discrepancy::Impossible { mv, why } => format!("no rules allow it: {}", why.words(shape, *mv)),
            Discrepancy::AfterEnd(outcome) => format!("the game was over: {outcome}"),
            Discrepancy::MissingCapture { cell, piece } => {
                format!("the {} on `{}` falls, and the record does not say so", describe(*piece), name(cell))
            }
            Discrepancy::UnrealCapture { cell } => {
                format!("the record says that `{}` falls, and it does not", name(cell))
            }
            Discrepancy::DoubledCapture { cell } => format!("`{}` is listed twice", name(cell)),
            Discrepancy::Board { cell } => format!("the board in the record differs on `{}`", name(cell)),
            Discrepancy::SideToMove { found } => format!("it is the turn of the {found}"),
            Discrepancy::Counts => "the counts of captures are not those of the moves".to_owned(),
            Discrepancy::Result { board, winner: Some(side) } => {
                format!("the board shows: {board}, the record says that the {side} won")
            }
            Discrepancy::Result { board, winner: None } | Discrepancy::Unrecorded(board) => {
                format!("the board shows: {board}, the record names no winner")
            }
            Discrepancy::LastWord { winner } => {
                format!("the {winner} won, and the last word says otherwise")
            }
            Discrepancy::NotOnBoard { claimed } => format!("the board does not show: {claimed}"),
            Discrepancy::EndedBefore(outcome) => format!("nobody gives up a game that is over: {outcome}"),
            Discrepancy::SilentWin { winner } => {
                format!("the {winner} won with the last move, and nothing shows why")
            }
            Discrepancy::SilentStop { winner: Some(side) } => {
                format!("the {side} won, and nothing shows why")
            }
            Discrepancy::SilentStop { winner: None } => {
                "the game was drawn, and nothing shows why".to_owned()
            }
            Discrepancy::Unfinished => "the game has no result".to_owned(),
        }
    }
}
