//! The split of games into training data and held-out data.

use tafl_rules::split_mix;

/// The reason why training is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There are too few positions.
    #[error("too few positions: {train_split} for training and {held_out} held out")]
    TooFew {
        /// The number of positions for training.
        train_split: usize,
        /// The number of held-out positions.
        held_out: usize,
    },
}

/// Returns whether a game is held out; depends only on its number.
pub(super) fn is_held_out(game: u32, one_in: u32) -> bool {
    // Hashed, so that patterns in the numbers of games do not matter.
    split_mix(u64::from(game)).is_multiple_of(u64::from(one_in.max(2)))
}
