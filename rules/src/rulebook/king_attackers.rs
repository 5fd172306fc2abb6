//! The pieces that can capture a king in unusual ways.

use super::MovementMask;
use crate::piece::{ByPiece, Piece, PieceSet, Role};
use crate::ruleset::{Jump, RuleSet};
use crate::side::{BySide, Side};

/// The pieces that can reach a king other than by sliding along an axis.
#[derive(Debug, Clone)]
pub(crate) struct KingAttackers {
    /// The pieces of each side that move diagonally or jump.
    pub(crate) roamers: BySide<Vec<Piece>>,
    /// Whether each side has pieces that capture a king by jumping over him.
    pub(crate) capture_by_jump: BySide<bool>,
}

impl KingAttackers {
    pub(super) fn of<const N: usize>(
        rules: &RuleSet,
        masks: &ByPiece<MovementMask<N>>,
        pieces: PieceSet,
    ) -> KingAttackers {
        let pieces_of = |side: Side| pieces.iter().filter(move |piece| piece.side == side);
        let roams = |piece: &Piece| masks[*piece].is_queen || masks[*piece].jump != Jump::None;
        let captures_kings = rules.jumped.contains(&Role::King);
        let leaps = |piece: Piece| masks[piece].jump == Jump::Capturing && captures_kings;
        KingAttackers {
            roamers: BySide::from_fn(|side| pieces_of(side).filter(roams).collect()),
            capture_by_jump: BySide::from_fn(|side| pieces_of(side).any(leaps)),
        }
    }
}
