//! The reasons why a move is illegal.

use std::fmt;

use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::{Directions, Jump, ZoneKind};
use crate::shape::{Cell, Coord, Shape, Step};
use crate::side::Side;
use crate::wording::counted;

/// The rule that forbids a move, with the pieces and cells concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The cell from which the move starts is empty.
    NoPiece,
    /// The piece belongs to the other side.
    NotYourPiece {
        /// The piece.
        piece: Piece,
    },
    /// The move ends where it starts.
    NoMove,
    /// The piece does not move in that direction.
    NotInLine {
        /// The piece.
        piece: Piece,
    },
    /// The move is longer than the piece can move.
    TooFar {
        /// The piece.
        piece: Piece,
        /// The longest move of the piece, in cells.
        max: u8,
    },
    /// Another piece blocks the way.
    Blocked {
        /// The cell of the blocking piece.
        by: Cell,
        /// The blocking piece.
        piece: Piece,
    },
    /// The target cell is occupied.
    Occupied {
        /// The piece on the target cell.
        piece: Piece,
    },
    /// The piece may not pass over a special cell.
    MayNotPass {
        /// The piece.
        piece: Piece,
        /// The cell.
        cell: Cell,
        /// The kind of the cell.
        zone: ZoneKind,
    },
    /// The piece may not stop on a special cell.
    MayNotStop {
        /// The piece.
        piece: Piece,
        /// The kind of the target cell.
        zone: ZoneKind,
    },
    /// The piece may move within a zone, but not enter it from outside.
    MayNotEnter {
        /// The piece.
        piece: Piece,
        /// The kind of the target cell.
        zone: ZoneKind,
    },
    /// Another piece must continue the turn: it captured, or jumped where jumps also continue a
    /// chain.
    MustGoOn {
        /// The cell of the piece that must move.
        with: Cell,
    },
    /// The move does not capture, as a piece must that continues a chain.
    MustCapture,
    /// A capture is possible, and the move captures nothing, although the rules force captures.
    DeclinesCapture {
        /// The first capturing move, in ascending order of cells.
        capture: Move,
    },
    /// The move restores an earlier board, which is forbidden to the defenders.
    RepeatsBoard,
    /// The game is over.
    GameOver,
}

/// Writes the stable name of the rule; [`IllegalMove::describe`] writes a sentence with the cells of
/// the move.
impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move: {}", self.name())
    }
}

impl std::error::Error for IllegalMove {}

impl IllegalMove {
    /// Returns the stable name of the rule, in kebab-case, for use by programs.
    pub const fn name(&self) -> &'static str {
        match self {
            IllegalMove::NoPiece => "no-piece",
            IllegalMove::NotYourPiece { .. } => "not-your-piece",
            IllegalMove::NoMove => "no-move",
            IllegalMove::NotInLine { .. } => "not-in-line",
            IllegalMove::TooFar { .. } => "too-far",
            IllegalMove::Blocked { .. } => "blocked",
            IllegalMove::Occupied { .. } => "occupied",
            IllegalMove::MayNotPass { .. } => "may-not-pass",
            IllegalMove::MayNotStop { .. } => "may-not-stop",
            IllegalMove::MayNotEnter { .. } => "may-not-enter",
            IllegalMove::MustGoOn { .. } => "must-go-on",
            IllegalMove::MustCapture => "must-capture",
            IllegalMove::DeclinesCapture { .. } => "declines-capture",
            IllegalMove::RepeatsBoard => "repeats-board",
            IllegalMove::GameOver => "game-over",
        }
    }

    /// Returns a sentence that explains why the move is illegal on a board of this shape, without
    /// initial capital and final period.
    pub fn describe(&self, shape: Shape, mv: Move) -> String {
        let (from, to) = (shape.name(mv.from), shape.name(mv.to));
        let named = |piece: &Piece| describe_piece(*piece);
        match self {
            IllegalMove::NoPiece => format!("there is no piece on `{from}`"),
            IllegalMove::NotYourPiece { piece } => {
                let article = match piece.side {
                    Side::Attackers => "an",
                    Side::Defenders => "a",
                };
                format!(
                    "it is the {}' turn, and `{from}` holds {article} {}",
                    piece.side.other(),
                    named(piece)
                )
            }
            IllegalMove::NoMove => format!("the move starts and ends on `{to}`"),
            IllegalMove::NotInLine { piece } => {
                format!("the {} on `{from}` cannot reach `{to}` in a straight line", named(piece))
            }
            IllegalMove::TooFar { piece, max } => {
                let cells = counted((*max).into(), "cell", "cells");
                format!("the {} moves at most {cells} at a time", named(piece))
            }
            IllegalMove::Blocked { by, piece } => {
                format!("the {} on `{}` is in the way", named(piece), shape.name(*by))
            }
            IllegalMove::Occupied { piece } => {
                let article = if piece.role == Role::King { "the" } else { "a" };
                format!("`{to}` is occupied by {article} {} of the {}", piece.role.as_str(), piece.side)
            }
            IllegalMove::MayNotPass { piece, cell, zone } => {
                format!(
                    "the {} may not pass over the {} `{}`",
                    named(piece),
                    zone.as_str(),
                    shape.name(*cell)
                )
            }
            IllegalMove::MayNotStop { piece, zone } => {
                format!("the {} may not stop on the {} `{to}`", named(piece), zone.as_str())
            }
            IllegalMove::MayNotEnter { piece, zone } => {
                format!("the {} may not enter the {} `{to}` from outside", named(piece), zone.as_str())
            }
            IllegalMove::MustGoOn { with } => {
                format!("only the piece on `{}` may continue this turn", shape.name(*with))
            }
            IllegalMove::MustCapture => {
                "the piece must capture to continue this turn, and this move captures nothing".to_owned()
            }
            IllegalMove::DeclinesCapture { capture } => {
                format!(
                    "a capture such as `{}` is possible, so the move must capture",
                    capture.display(shape)
                )
            }
            IllegalMove::RepeatsBoard => "the defenders may not restore an earlier board".to_owned(),
            IllegalMove::GameOver => "the game is over".to_owned(),
        }
    }
}

/// Returns the name of a piece with its side, such as `attackers' man` or `defenders' king`.
pub fn describe_piece(piece: Piece) -> String {
    format!("{}' {}", piece.side, piece.role.as_str())
}

impl<const N: usize> Rulebook<N> {
    /// Returns the reason why a move is illegal, or `None` if it is legal. Ignores repetition
    /// rules.
    #[cold]
    pub fn why_illegal(&self, pos: &Position<N>, mv: Move) -> Option<IllegalMove> {
        if self.is_legal(pos, mv) {
            return None;
        }
        let Some(piece) = pos.piece(mv.from) else { return Some(IllegalMove::NoPiece) };
        if self.may_decline(pos) && piece.side != pos.to_move() {
            let mut declined = *pos;
            declined.end_ply(None);
            return self.why_illegal(&declined, mv);
        }
        if piece.side != pos.to_move() {
            return Some(IllegalMove::NotYourPiece { piece });
        }
        if let Some(with) = pos.chain().filter(|with| *with != mv.from) {
            return Some(IllegalMove::MustGoOn { with });
        }
        if pos.chain().is_some() && self.free_targets(pos, mv.from, piece).contains(mv.to) {
            return Some(IllegalMove::MustCapture);
        }
        if mv.from == mv.to {
            return Some(IllegalMove::NoMove);
        }
        if self.free_targets(pos, mv.from, piece).contains(mv.to)
            && let Some(capture) = self.first_capture(pos, piece.side)
        {
            return Some(IllegalMove::DeclinesCapture { capture });
        }
        Some(self.why_no_target(pos, mv, piece))
    }

    /// Follows the path of the move cell by cell and returns the first obstacle for a piece of the
    /// side to move.
    fn why_no_target(&self, pos: &Position<N>, mv: Move, piece: Piece) -> IllegalMove {
        let shape = self.shape();
        let movement = self.rules().movement[piece];
        let Some((step, distance)) = self.line(mv, movement.directions) else {
            return IllegalMove::NotInLine { piece };
        };
        let mut coord = shape.coord(mv.from);
        for walked in 1..=distance {
            coord = coord.plus(step);
            let cell = shape.cell(coord).expect("a line between two cells of a board stays on it");
            let last = cell == mv.to;
            if let Some(other) = pos.piece(cell) {
                return if last {
                    IllegalMove::Occupied { piece: other }
                } else if movement.jump == Jump::None
                    || distance != 2
                    || !self.may_cross(pos, piece.side, cell)
                {
                    IllegalMove::Blocked { by: cell, piece: other }
                } else {
                    self.why_no_stop(mv, piece).unwrap_or(IllegalMove::Blocked { by: cell, piece: other })
                };
            }
            if last {
                break;
            }
            if let Some(zone) = self.rules().zones.kind_at(cell)
                && self.ground(mv.from, piece).block.contains(cell)
            {
                return IllegalMove::MayNotPass { piece, cell, zone };
            }
            if movement.max.is_some_and(|max| walked >= i16::from(max)) {
                break;
            }
        }
        match (self.why_no_stop(mv, piece), movement.max) {
            (Some(why), _) => why,
            (None, Some(max)) => IllegalMove::TooFar { piece, max },
            (None, None) => IllegalMove::NotInLine { piece },
        }
    }

    fn why_no_stop(&self, mv: Move, piece: Piece) -> Option<IllegalMove> {
        if self.ground(mv.from, piece).stop.contains(mv.to) {
            return None;
        }
        let zones = &self.rules().zones;
        let zone = zones.kind_at(mv.to)?;
        let stops = zones.values().all(|zone| !zone.contains(mv.to) || zone.stop.contains(piece));
        Some(if stops {
            IllegalMove::MayNotEnter { piece, zone }
        } else {
            IllegalMove::MayNotStop { piece, zone }
        })
    }

    /// Returns the step and the number of steps between the cells of a move, or `None` if they are
    /// not on a common line in these directions.
    fn line(&self, mv: Move, directions: Directions) -> Option<(Step, i16)> {
        let shape = self.shape();
        let (from, to) = (shape.coord(mv.from), shape.coord(mv.to));
        let diagonals = match directions {
            Directions::Axes => &[],
            Directions::Queen => shape.diagonals(),
        };
        shape.axes().iter().chain(diagonals).flat_map(|step| [*step, step.back()]).find_map(|step| {
            (1..shape.n_ranks())
                .find(|n| Coord::new(from.file + step.file * n, from.rank + step.rank * n) == to)
                .map(|n| (step, n))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyRulebook, Game, Role};

    /// Returns the reason why a commander on c1 may not jump over the enemy commander onto the
    /// corner.
    fn why(keys: &str) -> IllegalMove {
        let rules = format!("dim:7 atkf:n cen: {keys} start:/1cC4/7/7/4K2/7/7/5t1/").parse().unwrap();
        let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
        game.check(Move::new(cell("c1"), cell("a1"))).unwrap_err()
    }

    #[test]
    fn the_piece_of_the_other_side_has_an_article() {
        let (shape, mv) = (Shape::square(7).unwrap(), Move::new(Cell::new(0), Cell::new(1)));
        let expected = [
            "it is the defenders' turn, and `a1` holds an attackers' ",
            "it is the attackers' turn, and `a1` holds a defenders' ",
        ];
        for (side, start) in Side::ALL.into_iter().zip(expected) {
            for role in Role::ALL {
                let why = IllegalMove::NotYourPiece { piece: Piece::new(side, role) };
                assert_eq!(why.describe(shape, mv), format!("{start}{}", role.as_str()));
            }
        }
    }

    #[test]
    fn a_chain_continues_with_one_piece_after_jumps_and_captures() {
        for (keys, row, first, with) in
            [("ber:m", "1t1Tt2", ("b3", "c3"), "c3"), ("ber:c cj:j xber:jump", "1cT1t2", ("b3", "d3"), "d3")]
        {
            let rules = format!("dim:7 surf:n cor: cen: {keys} start:/7/7/{row}/7/7/3K3/7/").parse().unwrap();
            let mut game = Game::new(&AnyRulebook::compile(&rules).unwrap());
            let shape = game.shape();
            let cell = |name: &str| shape.cell(name.parse::<Coord>().unwrap()).unwrap();
            game.play(Move::new(cell(first.0), cell(first.1))).unwrap();
            let why = game.check(Move::new(cell("e3"), cell("e4"))).unwrap_err();
            assert_eq!(why, IllegalMove::MustGoOn { with: cell(with) }, "{keys}");
        }
    }

    #[test]
    fn pieces_that_may_be_jumped_over_do_not_block() {
        let piece = |letter| Piece::from_letter(letter).unwrap();
        let blocked = IllegalMove::Blocked { by: Cell::new(1), piece: piece('c') };
        assert_eq!(why("xover:t"), blocked);
        assert_eq!(why("xover:tc"), IllegalMove::MayNotStop { piece: piece('C'), zone: ZoneKind::Corner });
    }
}
