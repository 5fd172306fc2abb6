//! The differences between a record and the game under the rules.

use tafl_rules::{Cell, Coord, IllegalMove, Move, Outcome, Piece, Shape, Side, counted, describe_piece};

/// A difference between a record and the game under the rules.
///
/// The reconciler finds discrepancies, and its policies decide how to continue: replay turns them into
/// diagnostics, repair stops at the first one, and inference counts them against the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discrepancy {
    /// A move names a cell that is not on the board.
    OffBoard {
        /// The cell.
        cell: Coord,
    },
    /// The letter of a move does not match the piece.
    WrongLetter {
        /// The piece that moves.
        piece: Piece,
    },
    /// The first move is made by the side that does not move first.
    FirstMover {
        /// The piece that moves.
        piece: Piece,
    },
    /// A move is written as another step of a turn that cannot continue with its piece.
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
        /// The rule.
        why: IllegalMove,
    },
    /// Play continues after the rules have ended the game.
    AfterEnd(Outcome),
    /// The rules capture a piece that the record does not list.
    MissingCapture {
        /// The cell of the captured piece.
        cell: Cell,
        /// The piece.
        piece: Piece,
    },
    /// The record lists a capture that the rules do not make.
    UnrealCapture {
        /// The listed cell.
        cell: Cell,
    },
    /// The record lists a capture on a cell that is not on the board.
    CaptureOffBoard {
        /// The cell.
        cell: Coord,
    },
    /// The record lists a capture twice.
    DoubledCapture {
        /// The cell.
        cell: Cell,
    },
    /// The letter of a listed capture does not match the captured piece.
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
    /// The numbers of captures differ from the listed captures.
    Counts,
    /// The result by the rules differs from the record's.
    Result {
        /// The result on the board.
        board: Outcome,
        /// The winner according to the record; `None` for a draw.
        winner: Option<Side>,
    },
    /// The rules end a game that has no result in the record.
    Unrecorded(Outcome),
    /// The last statement among the moves, such as a resignation, contradicts the result.
    LastWord {
        /// The winner according to the result; `None` for a draw.
        recorded: Option<Side>,
        /// The winner according to the statement.
        stated: Side,
    },
    /// The record names an end that does not occur under the rules.
    NotOnBoard {
        /// The end according to the record.
        claimed: Outcome,
    },
    /// A player resigned or ran out of time after the rules had ended the game.
    EndedBefore(Outcome),
    /// The side that moved last wins, but neither the rules nor the record give a reason.
    SilentWin {
        /// The winner according to the record.
        winner: Side,
    },
    /// The game stops with a draw or a loss of the side that moved last, without a reason.
    SilentStop {
        /// The winner according to the record; `None` for a draw.
        winner: Option<Side>,
    },
    /// The record has no result, and the game is not over by the rules.
    Unfinished,
    /// The players exchanged sides, which the rules do not allow, or not after this number of plies.
    Swap {
        /// The number of plies before the exchange.
        after: u32,
        /// The number of plies after which the rules allow it, if they do.
        allowed: Option<u32>,
    },
}

impl Discrepancy {
    /// Returns the stable name: lowercase words joined by hyphens.
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
            Discrepancy::Swap { .. } => "swap",
        }
    }

    /// Returns the stable name of the rule in question, if any: the reason of an illegal move or of the end
    /// of the game.
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Discrepancy::Illegal { why, .. } | Discrepancy::Impossible { why, .. } => Some(why.name()),
            Discrepancy::AfterEnd(outcome)
            | Discrepancy::EndedBefore(outcome)
            | Discrepancy::Unrecorded(outcome)
            | Discrepancy::NotOnBoard { claimed: outcome }
            | Discrepancy::Result { board: outcome, .. } => Some(outcome.reason.as_str()),
            _ => None,
        }
    }

    /// Returns the message, on one line.
    pub fn describe(&self, shape: Shape) -> String {
        let name = |cell: &Cell| shape.coord(*cell);
        match self {
            Discrepancy::OffBoard { cell } | Discrepancy::CaptureOffBoard { cell } => {
                format!("`{cell}` is not on this board")
            }
            Discrepancy::WrongLetter { piece } | Discrepancy::CaptureLetter { piece } => {
                format!("the letter does not match the {}", describe_piece(*piece))
            }
            Discrepancy::FirstMover { piece } => {
                format!("the {} make the first move, but the {} move first", piece.side, piece.side.other())
            }
            Discrepancy::BrokenChain => "the turn cannot continue with this piece".to_owned(),
            Discrepancy::WrongSide { piece, .. } => {
                format!("the {} moves out of turn", describe_piece(*piece))
            }
            Discrepancy::Illegal { mv, why } => why.describe(shape, *mv),
            Discrepancy::Impossible { mv, why } => format!("no rules allow it: {}", why.describe(shape, *mv)),
            Discrepancy::AfterEnd(outcome) => format!("the game was over: {outcome}"),
            Discrepancy::MissingCapture { cell, piece } => {
                format!(
                    "the {} on `{}` is captured, but the record does not list it",
                    describe_piece(*piece),
                    name(cell)
                )
            }
            Discrepancy::UnrealCapture { cell } => {
                format!("the record lists a capture on `{}` that does not happen", name(cell))
            }
            Discrepancy::DoubledCapture { cell } => format!("`{}` is listed twice", name(cell)),
            Discrepancy::Board { cell } => format!("the board in the record differs on `{}`", name(cell)),
            Discrepancy::SideToMove { found } => format!("it is the {found}' turn"),
            Discrepancy::Counts => "the numbers of captures do not match the moves".to_owned(),
            Discrepancy::Result { board, winner: Some(side) } => {
                format!("the board shows: {board}, but the record has a win of the {side}")
            }
            Discrepancy::Result { board, winner: None } => {
                format!("the board shows: {board}, but the record has a draw")
            }
            Discrepancy::Unrecorded(board) => {
                format!("the board shows: {board}, but the record has no result")
            }
            Discrepancy::LastWord { recorded: Some(side), .. } => {
                format!("the {side} won, but the last statement contradicts it")
            }
            Discrepancy::LastWord { recorded: None, .. } => {
                "the game was drawn, but the last statement contradicts it".to_owned()
            }
            Discrepancy::NotOnBoard { claimed } => format!("the board does not show: {claimed}"),
            Discrepancy::EndedBefore(outcome) => {
                format!("the resignation or timeout comes after the end of the game: {outcome}")
            }
            Discrepancy::SilentWin { winner } => {
                format!("the {winner} won with the last move, but no reason is visible")
            }
            Discrepancy::SilentStop { winner: Some(side) } => {
                format!("the {side} won, but no reason is visible")
            }
            Discrepancy::SilentStop { winner: None } => {
                "the game was drawn, but no reason is visible".to_owned()
            }
            Discrepancy::Unfinished => "the game has no result".to_owned(),
            Discrepancy::Swap { after, .. } => {
                let plies = counted((*after).into(), "ply", "plies");
                format!("the rules do not allow an exchange of sides after {plies}")
            }
        }
    }
}
