//! The file format of networks: a text header followed by the weights.
//!
//! ```text
//! taflbase network 1
//! shape: square 11
//! ...
//! checksum: 0123456789abcdef
//!
//! (weights, little-endian)
//! ```

use std::fmt::Write as _;

use tafl_rules::Shape;

use super::{FILTERS, HIDDEN, Network, NetworkHead, NetworkInputs, POOLS, signals};
use crate::hash::fnv1a;

/// The first line of a network file, with the version of the format.
const FIRST_LINE: &str = "taflbase network 1";

/// The provenance of a network and the rules for which it was trained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkProvenance {
    /// The board, such as `square 11`.
    pub shape: String,
    /// The kinds of pieces with a plane of their own, by letter.
    pub kinds: String,
    /// The number of symmetries that share the weights.
    pub n_symmetries: usize,
    /// The rules strings for which it was trained, the main one first.
    pub rules: Vec<String>,
    /// A description of its training: samples, games, seed, and held-out error.
    pub training: String,
}

impl NetworkProvenance {
    /// Returns the provenance of a network with these inputs.
    pub fn new(inputs: &NetworkInputs, rules: Vec<String>, training: String) -> NetworkProvenance {
        NetworkProvenance {
            shape: shape_words(inputs.shape()),
            kinds: inputs.kinds().to_string(),
            n_symmetries: inputs.n_images(),
            rules,
            training: training.replace('\n', " "),
        }
    }

    /// Checks that a network fits these inputs.
    ///
    /// # Errors
    ///
    /// Returns the first mismatch.
    pub fn check(&self, inputs: &NetworkInputs) -> Result<(), NetError> {
        let mine = NetworkProvenance::new(inputs, Vec::new(), String::new());
        let differs = |what: &'static str, found: &str, expected: &str| {
            let misfit = NetError::Misfit { what, found: found.to_owned(), expected: expected.to_owned() };
            if found == expected { Ok(()) } else { Err(misfit) }
        };
        differs("board", &self.shape, &mine.shape)?;
        differs("special pieces", &self.kinds, &mine.kinds)?;
        differs("symmetries", &self.n_symmetries.to_string(), &mine.n_symmetries.to_string())
    }
}

fn shape_words(shape: Shape) -> String {
    format!("{} {}", if shape.is_hex() { "hex" } else { "square" }, shape.side())
}

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
    /// The size of the network differs from its header or from the rules.
    #[error("the network has the wrong size: expected {expected}, found {found}")]
    Length {
        /// The expected size.
        expected: usize,
        /// The size found.
        found: usize,
    },
    /// A weight is not a finite number.
    #[error("the network file has a weight that is not a finite number")]
    NotANumber,
    /// The network was trained for something else.
    #[error("the network does not fit: expected {what} `{expected}`, found `{found}`")]
    Misfit {
        /// The property that does not fit.
        what: &'static str,
        /// The property of the network.
        found: String,
        /// The property of the rules.
        expected: String,
    },
}

impl Network {
    /// Returns a hash of the network's file.
    pub fn hash(&self) -> u64 {
        fnv1a(&self.to_bytes())
    }

    /// Returns the contents of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut numbers = Vec::new();
        let whole = self.filters.iter().chain([&self.bias]).flatten();
        whole.for_each(|weight| numbers.extend(weight.to_le_bytes()));
        for head in &self.heads {
            head.numbers().for_each(|weight| numbers.extend(weight.to_le_bytes()));
        }
        let about = &self.provenance;
        let mut text = format!("{FIRST_LINE}\nshape: {}\nkinds: {}\n", about.shape, about.kinds);
        let sizes = format!("{FILTERS} filters, {HIDDEN} hidden, signals {}", signals::VERSION);
        let _ = write!(
            text,
            "symmetries: {}\nsizes: {sizes}\ninputs: {}\nscale: {}\ntraining: {}\n",
            about.n_symmetries,
            self.filters.len(),
            self.scale,
            about.training
        );
        about.rules.iter().for_each(|rules| {
            let _ = writeln!(text, "rules: {rules}");
        });
        let _ = write!(text, "checksum: {:016x}\n\n", fnv1a(&numbers));
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
        let line = |name: &'static str| -> Result<&str, NetError> {
            let value = |line: &'_ str| -> Option<usize> {
                line.strip_prefix(name)?.strip_prefix(": ").map(str::len)
            };
            let found = text.lines().find_map(|line| value(line).map(|len| &line[line.len() - len..]));
            found.ok_or(NetError::Line(name))
        };
        let expected = u64::from_str_radix(line("checksum")?, 16).map_err(|_| NetError::Line("checksum"))?;
        let numbers = &bytes[end + 2..];
        let found = fnv1a(numbers);
        if found != expected {
            return Err(NetError::Checksum { expected, found });
        }
        let sizes = format!("{FILTERS} filters, {HIDDEN} hidden, signals {}", signals::VERSION);
        let misfit = |found: &str| NetError::Misfit {
            what: "sizes",
            found: found.to_owned(),
            expected: sizes.clone(),
        };
        line("sizes").and_then(|found| if found == sizes { Ok(()) } else { Err(misfit(found)) })?;
        let n_inputs: usize = line("inputs")?.parse().map_err(|_| NetError::Line("inputs"))?;
        let scale: f32 = line("scale")?.parse().map_err(|_| NetError::Line("scale"))?;
        let provenance = NetworkProvenance {
            shape: line("shape")?.to_owned(),
            kinds: text
                .lines()
                .find_map(|line| line.strip_prefix("kinds:"))
                .ok_or(NetError::Line("kinds"))?
                .trim()
                .to_owned(),
            n_symmetries: line("symmetries")?.parse().map_err(|_| NetError::Line("symmetries"))?,
            rules: text.lines().filter_map(|line| line.strip_prefix("rules: ")).map(str::to_owned).collect(),
            training: line("training")?.to_owned(),
        };
        numbers_of(numbers, n_inputs, scale, provenance)
    }
}

impl NetworkHead {
    /// The number of weights of a head.
    pub(crate) const LENGTH: usize = POOLS * HIDDEN + signals::COUNT * (HIDDEN + 1) + 2 * HIDDEN + 1;

    /// Creates a head from [`NetworkHead::LENGTH`] weights.
    pub(crate) fn of(numbers: &[f32]) -> NetworkHead {
        let mut rest = numbers.iter().copied();
        let mut next = || rest.next().expect("a head has `NetworkHead::LENGTH` weights");
        NetworkHead {
            pools: std::array::from_fn(|_| std::array::from_fn(|_| next())),
            signals: (0..signals::COUNT).map(|_| std::array::from_fn(|_| next())).collect(),
            bias: std::array::from_fn(|_| next()),
            hidden: std::array::from_fn(|_| next()),
            direct: (0..signals::COUNT).map(|_| next()).collect(),
            base: next(),
        }
    }

    /// Returns the weights of the head in the order in which [`NetworkHead::of`] takes them.
    fn numbers(&self) -> impl Iterator<Item = &f32> {
        let layers = self.pools.iter().flatten().chain(self.signals.iter().flatten()).chain(&self.bias);
        layers.chain(&self.hidden).chain(&self.direct).chain([&self.base])
    }
}

fn numbers_of(
    bytes: &[u8],
    n_inputs: usize,
    scale: f32,
    provenance: NetworkProvenance,
) -> Result<Network, NetError> {
    let whole = n_inputs.saturating_add(1).saturating_mul(2 * FILTERS);
    let expected = whole.saturating_add(8 * NetworkHead::LENGTH);
    if bytes.len() != expected {
        return Err(NetError::Length { expected, found: bytes.len() });
    }
    let (filters, heads) = bytes.split_at(whole);
    let row = |row: &[u8]| -> [i16; FILTERS] {
        std::array::from_fn(|at| i16::from_le_bytes([row[2 * at], row[2 * at + 1]]))
    };
    let mut filters: Vec<[i16; FILTERS]> = filters.chunks_exact(2 * FILTERS).map(row).collect();
    let bias = filters.pop().expect("the length includes a row for the biases");
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let numbers: Vec<f32> = heads.chunks_exact(4).map(number).collect();
    if !numbers.iter().chain([&scale]).all(|number| number.is_finite()) {
        return Err(NetError::NotANumber);
    }
    let heads =
        [NetworkHead::of(&numbers[..NetworkHead::LENGTH]), NetworkHead::of(&numbers[NetworkHead::LENGTH..])];
    Ok(Network { provenance, scale, filters, bias, heads })
}
