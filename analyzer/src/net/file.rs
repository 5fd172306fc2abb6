//! The file format of networks: a text header followed by the weights.
//!
//! ```text
//! taflbase network 2
//! sizes: 6384 inputs, 55 terms, 32 hidden, 16 second, 4 stages
//! scale: 500
//! training: ...
//! checksum: 0123456789abcdef
//!
//! (weights, little-endian: the table in 16 bits, the rest as 32-bit floats)
//! ```

use std::array::from_fn;

use super::inputs::N_INPUTS;
use super::{HIDDEN_1, HIDDEN_2, LayerStack, N_BUCKETS, Network};
use crate::eval_term::N_TERMS;
use crate::hash::fnv1a;

/// The first line of a network file, with the version of the format. It also changes with the meaning of inputs and terms.
const FIRST_LINE: &str = "taflbase network 2";

/// The number of weights of a stack.
pub(crate) const STACK_LENGTH: usize = HIDDEN_2 * HIDDEN_1 + 2 * HIDDEN_2 + 1;
/// The number of weights besides the table.
pub(crate) const FLOATS: usize = (N_TERMS + 1) * HIDDEN_1 + 2 * N_BUCKETS * STACK_LENGTH;
const TABLE_BYTES: usize = 2 * N_INPUTS * HIDDEN_1;

/// The reason why a network cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The file is not a network file, or has another version.
    #[error("not a network file of this version: the first line is not `{FIRST_LINE}`")]
    FirstLine,
    /// A line of the header is missing or invalid.
    #[error("the network file has no valid line `{0}:`")]
    Line(&'static str),
    /// The weights do not have the checksum in the header.
    #[error("the network file is damaged: expected checksum {expected:016x}, found {found:016x}")]
    Checksum {
        /// The checksum in the header.
        expected: u64,
        /// The checksum of the weights.
        found: u64,
    },
    /// The network has other layers than this program.
    #[error("the network has other sizes: expected `{expected}`, found `{found}`")]
    Sizes {
        /// The sizes of this program.
        expected: String,
        /// The sizes of the network.
        found: String,
    },
    /// The number of weights differs from the sizes.
    #[error("the network file has the wrong length: expected {expected} bytes of weights, found {found}")]
    Length {
        /// The expected number of bytes.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A weight is not a finite number.
    #[error("the network file has a weight that is not a finite number")]
    NotANumber,
}

fn sizes() -> String {
    format!("{N_INPUTS} inputs, {N_TERMS} terms, {HIDDEN_1} hidden, {HIDDEN_2} second, {N_BUCKETS} stages")
}

impl Network {
    /// Returns a hash of the network's file.
    pub fn hash(&self) -> u64 {
        fnv1a(&self.to_bytes())
    }

    /// Returns the contents of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut numbers = Vec::with_capacity(TABLE_BYTES + 4 * FLOATS);
        self.table.iter().flatten().for_each(|weight| numbers.extend(weight.to_le_bytes()));
        self.floats().for_each(|weight| numbers.extend(weight.to_le_bytes()));
        let text = format!(
            "{FIRST_LINE}\nsizes: {}\nscale: {}\ntraining: {}\nchecksum: {:016x}\n\n",
            sizes(),
            self.scale,
            self.training.replace('\n', " "),
            fnv1a(&numbers)
        );
        [text.into_bytes(), numbers].concat()
    }

    /// Parses a network file.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file cannot be used, see [`NetError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetError> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(NetError::FirstLine)?;
        let text = std::str::from_utf8(&bytes[..end]).map_err(|_| NetError::FirstLine)?;
        if text.lines().next() != Some(FIRST_LINE) {
            return Err(NetError::FirstLine);
        }
        let line = |name: &'static str| {
            let value = |line: &'_ str| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned());
            text.lines().find_map(value).ok_or(NetError::Line(name))
        };
        let expected = u64::from_str_radix(&line("checksum")?, 16).map_err(|_| NetError::Line("checksum"))?;
        let numbers = &bytes[end + 2..];
        let found = fnv1a(numbers);
        if found != expected {
            return Err(NetError::Checksum { expected, found });
        }
        let found = line("sizes")?;
        if found != sizes() {
            return Err(NetError::Sizes { expected: sizes(), found });
        }
        let expected = TABLE_BYTES + 4 * FLOATS;
        if numbers.len() != expected {
            return Err(NetError::Length { expected, found: numbers.len() });
        }
        let scale: f32 = line("scale")?.parse().map_err(|_| NetError::Line("scale"))?;
        let (table, floats) = numbers.split_at(TABLE_BYTES);
        let floats: Vec<f32> = floats.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if !floats.iter().chain([&scale]).all(|number| number.is_finite()) {
            return Err(NetError::NotANumber);
        }
        let row = |row: &[u8]| from_fn(|at| i16::from_le_bytes([row[2 * at], row[2 * at + 1]]));
        let table = table.chunks_exact(2 * HIDDEN_1).map(row).collect();
        Ok(Network::of_floats(line("training")?, scale, table, &floats))
    }

    /// Creates a network from its table and its other weights, of which there are [`FLOATS`].
    pub(crate) fn of_floats(
        training: String,
        scale: f32,
        table: Vec<[i16; HIDDEN_1]>,
        floats: &[f32],
    ) -> Network {
        let mut rest = floats.iter().copied();
        let mut next = || rest.next().expect("a network has `FLOATS` weights besides the table");
        let terms = from_fn(|_| from_fn(|_| next()));
        let bias = from_fn(|_| next());
        let stacks = from_fn(|_| {
            from_fn(|_| LayerStack {
                hidden_2: from_fn(|_| from_fn(|_| next())),
                bias: from_fn(|_| next()),
                output: from_fn(|_| next()),
                output_bias: next(),
            })
        });
        Network { training, scale, table, terms, bias, stacks }
    }

    /// Returns the weights besides the table in the order in which [`Network::of_floats`] takes them.
    fn floats(&self) -> impl Iterator<Item = &f32> {
        let stacks = self.stacks.iter().flatten().flat_map(|stack| {
            stack
                .hidden_2
                .iter()
                .flatten()
                .chain(&stack.bias)
                .chain(&stack.output)
                .chain([&stack.output_bias])
        });
        self.terms.iter().flatten().chain(&self.bias).chain(stacks)
    }
}
