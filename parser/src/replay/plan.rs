//! Plans for records that cannot be played as written.

use tafl_rules::Move;

/// One step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanStep {
    /// Play the next written move.
    Written,
    /// Play an unwritten step after a written one of the same turn.
    Unwritten(Move),
    /// Play an intermediate step of a turn that is written as one move with only its start and end.
    Within(Move),
    /// Play the last step of such a turn.
    LastWithin(Move),
    /// Play the next written move, but keep the pieces on the board that it captures by the rules without a
    /// mark.
    WithoutCapture,
    /// Take back played moves.
    TakeBack {
        /// The number of written moves.
        plies: usize,
    },
    /// Skip the next written move because it was already played.
    SkipMove,
    /// Let the other side move, because a move of the side to move is missing.
    PassTurn,
}

/// A plan for a record, from its first move on. Moves after the last step are played as written.
pub(super) type Plan = Vec<PlanStep>;
