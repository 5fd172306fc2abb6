//! What speaks against rules: single differences between a record and the game that the rules make of it.

use tafl_rules::illegal::describe;
use tafl_rules::{Cell, IllegalMove, Move, Outcome, Piece, Reason, Shape, Side};

/// A difference between a record and what the rules make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A piece moved whose side was not to move.
    WrongSide {
        /// The piece.
        piece: Piece,
    },
    /// A move that the rules forbid.
    Illegal {
        /// The move.
        mv: Move,
        /// The rule.
        why: IllegalMove,
    },
    /// A move that no rules allow on the board which the record itself describes.
    Impossible {
        /// The move.
        mv: Move,
        /// What stands against it.
        why: IllegalMove,
    },
    /// The rules capture a piece, and the record does not say so.
    Unmarked {
        /// Where it stood.
        cell: Cell,
        /// What fell.
        piece: Piece,
    },
    /// The record says that a piece fell which the rules do not capture.
    Unreal {
        /// Where it is said to have fallen.
        cell: Cell,
    },
    /// Play goes on after the rules have ended the game.
    PlaysOn(Outcome),
    /// Somebody gave up, or ran out of time, after the rules had ended the game.
    EndedBefore(Outcome),
    /// The rules end the game in another way than the record.
    Result {
        /// What the board shows.
        board: Outcome,
        /// Who is said to have won; nobody in a draw or a game that is not over.
        winner: Option<Side>,
    },
    /// The record names an end that the rules do not see.
    NotOnBoard(Outcome),
    /// The game stops with a win of the side that moved last, and the rules see no end.
    Silent {
        /// Who is said to have won.
        winner: Side,
    },
    /// The game stops with a draw or with a loss of the side that moved last, and the rules see no end.
    Stopped {
        /// Who is said to have won.
        winner: Option<Side>,
    },
}

/// How many kinds of faults are told apart when they are counted.
pub(super) const N_KINDS: usize = 11 + Reason::ALL.len();

impl Fault {
    /// Returns the number of its kind, below [`N_KINDS`]. Ends after which play goes on are told apart by their reasons:
    /// a place may call some of them and not others.
    pub(super) fn kind(&self) -> usize {
        match self {
            Fault::WrongSide { .. } => 0,
            Fault::Illegal { .. } => 1,
            Fault::Impossible { .. } => 2,
            Fault::Unmarked { .. } => 3,
            Fault::Unreal { .. } => 4,
            Fault::EndedBefore(_) => 5,
            Fault::Result { .. } => 6,
            Fault::NotOnBoard(_) => 7,
            Fault::Silent { .. } => SILENT,
            Fault::Stopped { winner: Some(_) } => SILENT + 1,
            Fault::Stopped { winner: None } => SILENT + 2,
            Fault::PlaysOn(outcome) => PLAYS_ON + outcome.reason as usize,
        }
    }

    /// Returns whether it contradicts the rules; a game may also stop in silence for other reasons.
    pub(super) const fn is_hard(&self) -> bool {
        !matches!(self, Fault::Silent { .. } | Fault::Stopped { .. } | Fault::EndedBefore(_))
    }

    /// Returns the stable name, in words joined by hyphens.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::WrongSide { .. } => "wrong-side",
            Fault::Illegal { .. } => "illegal-move",
            Fault::Impossible { .. } => "impossible-move",
            Fault::Unmarked { .. } => "capture-not-written",
            Fault::Unreal { .. } => "capture-not-made",
            Fault::PlaysOn(_) => "play-after-end",
            Fault::EndedBefore(_) => "ended-before",
            Fault::Result { .. } => "other-result",
            Fault::NotOnBoard(_) => "end-not-on-board",
            Fault::Silent { .. } => "silent-win",
            Fault::Stopped { .. } => "silent-stop",
        }
    }

    /// Returns the stable name of the rule that it is about, where there is one: why a move is illegal, how a game ended.
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Fault::Illegal { why, .. } | Fault::Impossible { why, .. } => Some(why.name()),
            Fault::PlaysOn(outcome) | Fault::EndedBefore(outcome) | Fault::NotOnBoard(outcome) => {
                Some(outcome.reason.words())
            }
            Fault::Result { board, .. } => Some(board.reason.words()),
            Fault::WrongSide { .. }
            | Fault::Unmarked { .. }
            | Fault::Unreal { .. }
            | Fault::Silent { .. }
            | Fault::Stopped { .. } => None,
        }
    }

    /// Returns it in words, on one line, for a board.
    pub fn words(&self, shape: Shape) -> String {
        let name = |cell: Cell| shape.coord(cell);
        match self {
            Fault::WrongSide { piece } => format!("it is not the turn of the {}", describe(*piece)),
            Fault::Illegal { mv, why } => why.words(shape, *mv),
            Fault::Impossible { mv, why } => format!("no rules allow it: {}", why.words(shape, *mv)),
            Fault::Unmarked { cell, piece } => {
                format!("the {} on `{}` falls, and the record does not say so", describe(*piece), name(*cell))
            }
            Fault::Unreal { cell } => {
                format!("the record says that `{}` falls, and it does not", name(*cell))
            }
            Fault::PlaysOn(outcome) => format!("the game was over: {outcome}"),
            Fault::EndedBefore(outcome) => format!("nobody gives up a game that is over: {outcome}"),
            Fault::Result { board, winner } => match winner {
                Some(side) => format!("the board shows: {board}, the record says that the {side} won"),
                None => format!("the board shows: {board}, the record names no winner"),
            },
            Fault::NotOnBoard(claimed) => format!("the board does not show: {claimed}"),
            Fault::Silent { winner } => format!("the {winner} won with the last move, and nothing shows why"),
            Fault::Stopped { winner: Some(side) } => format!("the {side} won, and nothing shows why"),
            Fault::Stopped { winner: None } => "the game was drawn, and nothing shows why".to_owned(),
        }
    }
}

/// The number of [`Fault::Silent`]; the two kinds of [`Fault::Stopped`] follow.
pub(super) const SILENT: usize = 8;
/// The first number of [`Fault::PlaysOn`].
pub(super) const PLAYS_ON: usize = 11;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_numbers_below_their_count() {
        for reason in Reason::ALL {
            assert!(Fault::PlaysOn(Outcome::draw(reason)).kind() < N_KINDS);
        }
        assert_eq!(Fault::Silent { winner: Side::Attackers }.kind(), SILENT);
    }
}
