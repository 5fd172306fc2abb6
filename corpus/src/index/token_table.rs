//! The token table of a segment: the blocks that have each token.
//!
//! ```text
//! file      magic "TAFLTOKS", version u32, shapes u32, bytes of the directory u32, checksum u32, then the shapes, the
//!           directory, and the lists
//! shape     code u32, blocks u32, tokens u32
//! directory for each token of each shape: the difference between its code and the previous one (for the first: 0), the number
//!           of its blocks, and 4 times the number of bytes of its list plus the form of the list
//! list      nothing if there is nothing to list, or a checksum u32, and
//!           form 0: a bit for each block of the shape, the low ones first
//!           form 1: the blocks that have the token: the number of others before each, as Rice codes
//!           form 2: the blocks that lack it, likewise
//! ```
//!
//! The numbers of the directory are varints. Other numbers are little endian; checksums are the low halves of XXH3.
//! That of the header covers everything before the lists. Blocks are numbered in the [`BlockOrder`]. The low bits of a
//! Rice code follow from the numbers of blocks, see [`rice_bits`].
//!
//! A list has form 0 unless another form is a third shorter. Most cells have the same content in nearly all
//! blocks, or in few, so most lists are short.

mod build;
#[cfg(test)]
mod tests;

use tantivy::HasLen;
use tantivy::directory::{FileSlice, OwnedBytes};
use xxhash_rust::xxh3::xxh3_64;

use super::block_order::BlockOrder;
use super::rice::BitReader;
use super::{IndexError, NumberSet, head_checksum, read_error};
use crate::binary::{take_varint, u32_at};

pub(super) use build::TokenTableBuilder;

/// The file of the table, in the folder of the index.
pub(super) const TOKENS_FILE: &str = "tokens.bin";

/// The version of the format. Readers reject other versions.
const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"TAFLTOKS";
const HEADER: usize = 24;
const SHAPE: usize = 12;

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListForm {
    Bits,
    Having,
    Lacking,
}

impl ListForm {
    const ALL: [ListForm; 3] = [ListForm::Bits, ListForm::Having, ListForm::Lacking];
}

/// Returns the number of the low bits of the Rice codes of `n` of `n_blocks` blocks. For gaps whose lengths are geometric,
/// two thirds of their mean make the shortest codes.
fn rice_bits(n: u32, n_blocks: u32) -> u32 {
    let mean = u64::from(n_blocks) * 2 / (3 * u64::from(n.max(1)));
    mean.checked_ilog2().unwrap_or(0)
}

/// The token table of a segment, open for reading.
#[derive(Debug)]
pub(super) struct TokenTable {
    file: FileSlice,
    /// In ascending order of their codes.
    shapes: Vec<ShapeDirectory>,
}

/// The tokens of the blocks of a shape.
#[derive(Debug)]
struct ShapeDirectory {
    shape: u32,
    /// The place of the first block.
    first: u32,
    n_blocks: u32,
    /// In ascending order of their codes.
    tokens: Vec<TokenEntry>,
}

/// The list of a token.
#[derive(Debug, Clone, Copy)]
struct TokenEntry {
    code: u32,
    /// The number of blocks.
    count: u32,
    /// The place of the list in the file.
    at: usize,
    len: usize,
    form: ListForm,
}

impl TokenTable {
    /// Opens a table. The header and the directory are checked now, and each list when it is read.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a token table of this version for a move log with these blocks.
    pub(super) fn open(file: FileSlice, order: &BlockOrder) -> Result<TokenTable, IndexError> {
        if file.len() < HEADER {
            return Err(IndexError::Content);
        }
        let start = file.read_bytes_slice(0..HEADER).map_err(read_error)?;
        if start[..8] != MAGIC {
            return Err(IndexError::Content);
        }
        if u32_at(&start, 8) != VERSION {
            return Err(IndexError::Schema);
        }
        let (n_shapes, directory) = (u32_at(&start, 12) as usize, u32_at(&start, 16) as usize);
        let end = n_shapes.checked_mul(SHAPE).and_then(|n| n.checked_add(HEADER)?.checked_add(directory));
        let end = end.filter(|end| *end <= file.len()).ok_or(IndexError::Content)?;
        let head = file.read_bytes_slice(0..end).map_err(read_error)?;
        if head_checksum(&head, HEADER) != u32_at(&head, HEADER - 4) {
            return Err(IndexError::Content);
        }
        let mut rest = &head[HEADER + n_shapes * SHAPE..];
        let (mut shapes, mut at) = (Vec::with_capacity(n_shapes), end);
        for shape in head[HEADER..HEADER + n_shapes * SHAPE].chunks_exact(SHAPE) {
            let [code, n_blocks, n_tokens] = [0, 4, 8].map(|at| u32_at(shape, at));
            let known = order.shapes().iter().find(|known| known.code == code && known.n_blocks == n_blocks);
            let first = known.ok_or(IndexError::OtherMoveLog)?.first;
            let mut tokens = Vec::new();
            for _ in 0..n_tokens {
                let before = tokens.last().map_or(0, |last: &TokenEntry| last.code);
                let entry = entry(&mut rest, before, at, n_blocks).ok_or(IndexError::Content)?;
                at += entry.len;
                tokens.push(entry);
            }
            shapes.push(ShapeDirectory { shape: code, first, n_blocks, tokens });
        }
        if !rest.is_empty() || at != file.len() {
            return Err(IndexError::Content);
        }
        if shapes.len() != order.shapes().iter().filter(|shape| shape.n_blocks > 0).count() {
            return Err(IndexError::OtherMoveLog);
        }
        Ok(TokenTable { file, shapes })
    }

    /// Returns the lists of a token in the shapes that have it: that of its shape, or those of all.
    fn lists(&self, token: u64) -> impl Iterator<Item = (&ShapeDirectory, &TokenEntry)> {
        let (shape, code) = ((token >> 32) as u32, token as u32);
        let shapes = self.shapes.iter().filter(move |known| shape == 0 || known.shape == shape);
        shapes.filter_map(move |shape| {
            let at = shape.tokens.binary_search_by_key(&code, |entry| entry.code).ok()?;
            Some((shape, &shape.tokens[at]))
        })
    }

    /// Returns the number of blocks with a token, and the approximate cost of reading them.
    pub(super) fn frequency(&self, token: u64) -> TokenFrequency {
        let shape = (token >> 32) as u32;
        let mut frequency = TokenFrequency::default();
        for known in self.shapes.iter().filter(|known| shape == 0 || known.shape == shape) {
            frequency.n_possible += known.n_blocks;
        }
        for (shape, entry) in self.lists(token) {
            let (n, words) = (entry.count, shape.n_blocks / 64);
            let listed = match entry.form {
                ListForm::Bits => 0,
                ListForm::Having => n,
                ListForm::Lacking => shape.n_blocks - n,
            };
            frequency.n_blocks += n;
            frequency.cost += u64::from(words) + 3 * u64::from(listed);
        }
        frequency
    }

    /// Returns the places of the blocks with a token, of `len` places.
    ///
    /// # Errors
    ///
    /// Fails if the list of the token is damaged.
    pub(super) fn places(&self, token: u64, len: u32) -> Result<NumberSet, IndexError> {
        let mut found = NumberSet::empty(len);
        for (shape, entry) in self.lists(token) {
            let bytes = self.list(entry)?;
            add_list(&bytes, shape, entry, &mut found).ok_or(IndexError::Content)?;
        }
        Ok(found)
    }

    /// Reads the list of a token.
    fn list(&self, entry: &TokenEntry) -> Result<OwnedBytes, IndexError> {
        let bytes = self.file.read_bytes_slice(entry.at..entry.at + entry.len).map_err(read_error)?;
        if bytes.is_empty() {
            return Ok(bytes);
        }
        let sum = bytes.first_chunk::<4>().copied().ok_or(IndexError::Content)?;
        let list = bytes.slice(4..bytes.len());
        if xxh3_64(&list) as u32 != u32::from_le_bytes(sum) {
            return Err(IndexError::Content);
        }
        Ok(list)
    }
}

/// The number of blocks with a token.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokenFrequency {
    pub(super) n_blocks: u32,
    /// The number of blocks that could have it: those of its shape.
    pub(super) n_possible: u32,
    /// The number of words that are read to find the blocks; a Rice code of a list takes the time of about three words.
    pub(super) cost: u64,
}

/// Reads an entry of the directory; `None` if it is damaged.
fn entry(rest: &mut &[u8], before: u32, at: usize, n_blocks: u32) -> Option<TokenEntry> {
    let code = u32::try_from(take_varint(rest)?).ok()?.checked_add(before)?;
    let count = u32::try_from(take_varint(rest)?).ok().filter(|count| *count <= n_blocks)?;
    let len = take_varint(rest)?;
    let form = *ListForm::ALL.get(len as usize & 3)?;
    let len = usize::try_from(len >> 2).ok()?;
    at.checked_add(len).map(|_| TokenEntry { code, count, at, len, form })
}

/// Adds the places of a list; `None` if it is damaged.
fn add_list(bytes: &[u8], shape: &ShapeDirectory, entry: &TokenEntry, found: &mut NumberSet) -> Option<()> {
    let n_blocks = shape.n_blocks;
    let n = match entry.form {
        ListForm::Bits => {
            let words = bytes.chunks(8).map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            found.add_words(shape.first, words.take(n_blocks.div_ceil(64) as usize));
            return Some(());
        }
        ListForm::Having => entry.count,
        ListForm::Lacking => {
            found.add_range(shape.first, n_blocks);
            n_blocks - entry.count
        }
    };
    // The bits of a word are changed at once.
    let (mut at, mut bits, mut next) = (0, 0, 0u64);
    let mut change = |at: u32, bits: u64| match entry.form {
        ListForm::Lacking => found.remove_bits(shape.first / 64 + at, bits),
        _ => found.add_bits(shape.first / 64 + at, bits),
    };
    BitReader::new(bytes).each_rice(n, rice_bits(n, n_blocks), |gap| {
        let block = next.checked_add(gap).filter(|block| *block < u64::from(n_blocks))? as u32;
        if block / 64 != at {
            change(at, bits);
            (at, bits) = (block / 64, 0);
        }
        bits |= 1 << (block % 64);
        next = u64::from(block) + 1;
        Some(())
    })?;
    change(at, bits);
    Some(())
}
