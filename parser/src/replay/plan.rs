//! How to play a record that cannot be played as it is written.

use tafl_rules::Move;

/// One thing to do with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanStep {
    /// Play the next move that is written.
    Written,
    /// Play a step that is not written, behind a written one of the same turn.
    Unwritten(Move),
    /// Play a step of a turn of which the next written move names only the start and the end.
    Within(Move),
    /// Play the last step of such a turn.
    LastWithin(Move),
    /// Play the next move that is written, and leave what it captures by the rules alone and is not marked on the board.
    WithoutCapture,
    /// Go back before so many written moves that were played.
    TakeBack {
        /// How many.
        plies: usize,
    },
    /// Pass over the next move that is written: it was played already.
    LeaveOut,
    /// Let the other side move: a move of the side to move is missing.
    PassTurn,
}

/// What to do with a record, from its first move on. Moves behind the last step are played as they are written.
pub(super) type Plan = Vec<PlanStep>;
