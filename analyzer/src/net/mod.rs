//! A small neural network that corrects the evaluation terms, for every rule set.
//!
//! ```text
//! pieces, kings, rules --> rows of the table, summed --+
//!                                                      +--> hidden layer --> second layer --> correction of the score
//! evaluation terms --> weights ------------------------+    (one of each for the side to move and the stage of the game)
//! ```
//!
//! The rows are selected by descriptions of pieces (`inputs`), not by the cells of a board, so that one network serves
//! all boards and rules, also those that it has never seen. When a rule set is loaded, the rows of a piece are added up once for
//! each cell and each cell of the king ([`CompiledNet`]); a position then takes one addition for each piece, as in an NNUE
//! (<https://www.chessprogramming.org/NNUE>).

mod builtin;
mod compiled;
mod file;
pub(crate) mod inputs;

#[cfg(test)]
mod tests;

use crate::eval_term::N_TERMS;

pub use builtin::builtin_network;
pub(crate) use compiled::CompiledNet;
pub use file::NetError;
pub(crate) use file::{FLOATS, HEAD_LENGTH};

/// The number of units in the hidden layer.
pub(crate) const HIDDEN: usize = 32;
/// The number of units in the second layer.
pub(crate) const SECOND: usize = 16;
/// The number of stages of a game.
pub(crate) const STAGES: usize = 4;
/// The integer that represents 1 in the table.
pub(crate) const TABLE_UNIT: f32 = 1024.0;

/// The layers after the hidden one, for one side to move and one stage of the game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NetworkHead {
    /// The weights from each unit of the hidden layer to the second layer.
    pub(crate) second: [[f32; SECOND]; HIDDEN],
    /// The biases of the second layer.
    pub(crate) bias: [f32; SECOND],
    /// The weights of the output.
    pub(crate) output: [f32; SECOND],
    /// The bias of the output.
    pub(crate) output_bias: f32,
}

/// A network, as stored in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// A description of its training: positions, games, seed, and held-out error.
    pub training: String,
    /// The factor from the output to hundredths.
    pub(crate) scale: f32,
    /// The weights of each input; [`TABLE_UNIT`] represents 1.
    pub(crate) table: Vec<[i16; HIDDEN]>,
    /// The weights of each evaluation term.
    pub(crate) terms: [[f32; HIDDEN]; N_TERMS],
    /// The biases of the hidden layer.
    pub(crate) bias: [f32; HIDDEN],
    /// The heads by side to move and stage.
    pub(crate) heads: [[NetworkHead; STAGES]; 2],
}

/// `Eq` is sound because weights are never NaN: reading rejects them, and only a diverging training
/// would produce them.
impl Eq for Network {}

/// Returns the stage of a game by its numbers of pieces, now and at the start: 0 if nearly all are left, up to 3.
pub(crate) fn stage(pieces: u32, at_start: u32) -> usize {
    match 100 * pieces / at_start.max(1) {
        81.. => 0,
        61..=80 => 1,
        41..=60 => 2,
        0..=40 => 3,
    }
}
