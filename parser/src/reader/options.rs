//! Options for reading a stream.

use crate::record::Format;

/// The notation and the limits for reading a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The notation; `None` to detect it.
    pub format: Option<Format>,
    /// The approximate size of a batch in bytes.
    pub batch: usize,
    /// The maximum size of a record in bytes; larger ones are skipped.
    pub largest: usize,
    /// The maximum number of decompressed bytes to read; see [`Records::is_cut_off`](super::Records::is_cut_off).
    pub unpacked: u64,
    /// The container of the records.
    pub container: Container,
}

/// The container of the records of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Container {
    /// Detect it: record lines if one of the first lines is one, otherwise text in a notation.
    #[default]
    FindOut,
    /// Record lines, whatever the stream looks like: every line yields a result, even an empty one.
    RecordLines,
}

impl Default for ReadOptions {
    /// Returns the defaults: detect the notation, batches of 64 KiB, records of at most 64 MiB, streams of
    /// any length.
    fn default() -> Self {
        ReadOptions {
            format: None,
            batch: 64 << 10,
            largest: 64 << 20,
            unpacked: u64::MAX,
            container: Container::FindOut,
        }
    }
}
