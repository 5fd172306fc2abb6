//! A small neural network that corrects the evaluation terms, for every rule set.
//!
//! ```text
//! pieces, kings, rules --> rows of the table, summed --+
//!                                                      +--> first hidden layer --> second hidden layer --> correction of the score
//! evaluation terms --> weights ------------------------+    (one of each for the side to move and the bucket)
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
mod row_sums;

#[cfg(test)]
mod tests;

use crate::eval_term::N_TERMS;

pub use builtin::builtin_network;
pub(crate) use compiled::CompiledNet;
pub use file::NetError;
pub(crate) use file::{FLOATS, STACK_LENGTH};
pub(crate) use row_sums::RowSums;

/// The number of units in the first hidden layer.
pub(crate) const HIDDEN_1: usize = 32;
/// The number of units in the second hidden layer.
pub(crate) const HIDDEN_2: usize = 16;
/// The number of buckets of positions.
pub(crate) const N_BUCKETS: usize = 4;
/// The integer that represents 1 in the table.
pub(crate) const TABLE_UNIT: f32 = 1024.0;

/// The layers after the first hidden one, for one side to move and one bucket.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LayerStack {
    /// The weights from each unit of the first hidden layer to the second hidden layer.
    pub(crate) hidden_2: [[f32; HIDDEN_2]; HIDDEN_1],
    /// The biases of the second hidden layer.
    pub(crate) bias: [f32; HIDDEN_2],
    /// The weights of the output.
    pub(crate) output: [f32; HIDDEN_2],
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
    pub(crate) table: Vec<[i16; HIDDEN_1]>,
    /// The weights of each evaluation term.
    pub(crate) terms: [[f32; HIDDEN_1]; N_TERMS],
    /// The biases of the first hidden layer.
    pub(crate) bias: [f32; HIDDEN_1],
    /// The stacks by side to move and bucket.
    pub(crate) stacks: [[LayerStack; N_BUCKETS]; 2],
}

/// `Eq` is sound because weights are never NaN: reading rejects them, and only a diverging training
/// would produce them.
impl Eq for Network {}

/// Returns the bucket of a position by the numbers of pieces, now and at the start: 0 if nearly all are left, up to 3.
pub(crate) fn bucket(pieces: u32, at_start: u32) -> usize {
    match 100 * pieces / at_start.max(1) {
        81.. => 0,
        61..=80 => 1,
        41..=60 => 2,
        0..=40 => 3,
    }
}
