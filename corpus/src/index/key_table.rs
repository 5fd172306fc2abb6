//! The key table of a segment: the blocks of every canonical key, sorted by key and compressed.
//!
//! ```text
//! file      magic "TAFLKEYS", version u32, blocks u32, entries u32, bits of a block u8, of a bucket u8, of a Rice
//!           remainder u8, of a key u8, checksum u32, then the directory and the buckets
//! directory the offset u32 of each bucket after the directory, and of the end
//! bucket    checksum u32, number of entries (varint), entries as bits, the low ones first
//! entry     the difference from the entry before (of the first entry: from the least entry of the bucket) as a Rice
//!           code
//! ```
//!
//! All numbers are little endian; checksums are the low halves of XXH3, that of the header over the header and the
//! directory. An entry is the low bits of a key, followed by the number of a block that has it. Entries are sorted and
//! distinct; the high bits of an entry are the number of its bucket. A bucket has about [`BUCKET_ENTRIES`] entries, so
//! a lookup reads an offset and a few hundred bytes, regardless of the size of the segment.

use std::ops::ControlFlow;

use tafl_rules::CanonicalKey;
use tantivy::HasLen;
use tantivy::directory::{FileSlice, OwnedBytes};
use xxhash_rust::xxh3::xxh3_64;

use super::rice::{BitReader, BitWriter};
use super::{IndexError, head_checksum, read_error};
use crate::binary::{put_varint, take_varint, u32_at};

/// The file of the table, in the folder of the index.
pub(super) const KEYS_FILE: &str = "keys.bin";

/// The version of the format. Readers reject other versions.
const VERSION: u32 = 1;

/// The number of bits of a canonical key that are stored. Replay decides which blocks have the position: in a segment
/// of four million positions, one key in four leads to a block too many. Each further bit takes a bit per position.
pub(super) const KEY_BITS: u32 = 24;

/// The number of entries of a bucket that is aimed at. Smaller ones are read faster, but 9 bytes come with each.
const BUCKET_ENTRIES: usize = 64;

const MAGIC: [u8; 8] = *b"TAFLKEYS";
const HEADER: usize = 28;

/// Returns the part of a canonical key that is stored.
pub(super) fn stored_bits(key: CanonicalKey) -> u64 {
    // Low bits, because the canonical key is the least of several numbers: its high bits are not uniform.
    key.0 & ((1 << KEY_BITS) - 1)
}

/// The bits of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyTableLayout {
    block_bits: u32,
    bucket_bits: u32,
    rice_bits: u32,
}

impl KeyTableLayout {
    fn new(n_blocks: u32, n_entries: usize) -> KeyTableLayout {
        let block_bits = u32::BITS - n_blocks.leading_zeros();
        let bucket_bits = (n_entries / BUCKET_ENTRIES).checked_ilog2().unwrap_or(0).min(KEY_BITS);
        let entry_bits = KEY_BITS + block_bits;
        // The mean difference is below the next power of two, which makes the quotients short.
        let rice_bits = entry_bits.saturating_sub(n_entries.max(1).ilog2() + 1);
        KeyTableLayout { block_bits, bucket_bits, rice_bits }
    }

    /// Returns the number of the low bits of an entry, which its bucket leaves open.
    fn low_bits(self) -> u32 {
        KEY_BITS + self.block_bits - self.bucket_bits
    }
}

/// A builder of a key table.
#[derive(Debug, Default)]
pub(super) struct KeyTableBuilder {
    /// The stored bits of a key in the high half, and a block in the low half: numbers are sorted faster than pairs.
    entries: Vec<u64>,
}

impl KeyTableBuilder {
    /// Adds a position of a block.
    pub(super) fn add(&mut self, key: CanonicalKey, block: u32) {
        self.entries.push(stored_bits(key) << 32 | u64::from(block));
    }

    /// Returns the bytes of the file.
    pub(super) fn finish(mut self, n_blocks: u32) -> Vec<u8> {
        self.entries.sort_unstable();
        self.entries.dedup();
        let layout = KeyTableLayout::new(n_blocks, self.entries.len());
        let n_buckets = 1usize << layout.bucket_bits;
        let mut head = Vec::with_capacity(HEADER + 4 * (n_buckets + 1));
        head.extend(MAGIC);
        [VERSION, n_blocks, self.entries.len() as u32].iter().for_each(|n| head.extend(n.to_le_bytes()));
        head.extend([layout.block_bits, layout.bucket_bits, layout.rice_bits, KEY_BITS].map(|n| n as u8));
        head.extend([0; 4]);
        let mut buckets = Vec::with_capacity(self.entries.len() * 3);
        let mut rest = &self.entries[..];
        let packed = |entry: &u64| (entry >> 32) << layout.block_bits | (entry & u64::from(u32::MAX));
        for bucket in 0..n_buckets as u64 {
            head.extend((buckets.len() as u32).to_le_bytes());
            let n = rest.partition_point(|entry| packed(entry) >> layout.low_bits() <= bucket);
            let (own, others) = rest.split_at(n);
            rest = others;
            put_bucket(&mut buckets, own.iter().map(packed), bucket << layout.low_bits(), layout.rice_bits);
        }
        head.extend((buckets.len() as u32).to_le_bytes());
        let sum = head_checksum(&head, HEADER);
        head[HEADER - 4..HEADER].copy_from_slice(&sum.to_le_bytes());
        head.extend(buckets);
        head
    }
}

/// Appends a bucket whose entries are not below `least`.
fn put_bucket(out: &mut Vec<u8>, entries: impl ExactSizeIterator<Item = u64>, least: u64, rice_bits: u32) {
    let at = out.len();
    out.extend([0; 4]);
    put_varint(out, entries.len() as u64);
    let mut bits = BitWriter::new(out);
    let mut before = least;
    for entry in entries {
        bits.rice(entry - before, rice_bits);
        before = entry;
    }
    bits.finish();
    let sum = xxh3_64(&out[at + 4..]) as u32;
    out[at..at + 4].copy_from_slice(&sum.to_le_bytes());
}

/// The key table of a segment, open for reading.
#[derive(Debug)]
pub(super) struct KeyTable {
    file: FileSlice,
    /// The header and the directory.
    head: OwnedBytes,
    layout: KeyTableLayout,
    n_blocks: u32,
}

impl KeyTable {
    /// Opens a table. The header and the directory are checked now, and each bucket when it is read.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a key table of this version for a move log with `n_blocks` blocks.
    pub(super) fn open(file: FileSlice, n_blocks: u32) -> Result<KeyTable, IndexError> {
        let len = file.len();
        if len < HEADER {
            return Err(IndexError::Content);
        }
        let start = file.read_bytes_slice(0..HEADER).map_err(read_error)?;
        if start[..8] != MAGIC {
            return Err(IndexError::Content);
        }
        if u32_at(&start, 8) != VERSION || u32::from(start[23]) != KEY_BITS {
            return Err(IndexError::Schema);
        }
        let [block_bits, bucket_bits, rice_bits] = [20, 21, 22].map(|at| u32::from(start[at]));
        let layout = KeyTableLayout { block_bits, bucket_bits, rice_bits };
        if layout != KeyTableLayout::new(u32_at(&start, 12), u32_at(&start, 16) as usize) {
            return Err(IndexError::Content);
        }
        let first = HEADER + 4 * ((1usize << bucket_bits) + 1);
        if first > len {
            return Err(IndexError::Content);
        }
        let head = file.read_bytes_slice(0..first).map_err(read_error)?;
        if head_checksum(&head, HEADER) != u32_at(&head, HEADER - 4)
            || u32_at(&head, first - 4) as usize != len - first
        {
            return Err(IndexError::Content);
        }
        if u32_at(&start, 12) != n_blocks {
            return Err(IndexError::OtherMoveLog);
        }
        Ok(KeyTable { file, head, layout, n_blocks })
    }

    /// Passes the blocks with the stored bits of a key to `take`, in rising order, until it returns `Break`.
    ///
    /// # Errors
    ///
    /// Fails if the bucket of the key is damaged.
    pub(super) fn blocks(
        &self,
        key: CanonicalKey,
        mut take: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<(), IndexError> {
        let KeyTableLayout { block_bits, rice_bits, .. } = self.layout;
        let wanted = stored_bits(key) << block_bits;
        let end = wanted + (1 << block_bits);
        let bucket = wanted >> self.layout.low_bits();
        let bucket_bytes = self.bucket(bucket as usize)?;
        let (mut n, bytes) = entries(&bucket_bytes).ok_or(IndexError::Content)?;
        let mut bits = BitReader::new(bytes);
        let mut entry = bucket << self.layout.low_bits();
        while n > 0 {
            entry = entry.saturating_add(bits.rice(rice_bits).ok_or(IndexError::Content)?);
            if entry >= end {
                break;
            }
            if entry >= wanted {
                let block = (entry - wanted) as u32;
                if block >= self.n_blocks {
                    return Err(IndexError::Content);
                }
                if take(block).is_break() {
                    break;
                }
            }
            n -= 1;
        }
        Ok(())
    }

    /// Reads a bucket.
    fn bucket(&self, bucket: usize) -> Result<OwnedBytes, IndexError> {
        let offset = |number: usize| self.head.len() + u32_at(&self.head, HEADER + 4 * number) as usize;
        let range = offset(bucket)..offset(bucket + 1);
        if range.start > range.end || range.end > self.file.len() {
            return Err(IndexError::Content);
        }
        self.file.read_bytes_slice(range).map_err(read_error)
    }
}

/// Returns the number of entries of a bucket and their bits; `None` if it is damaged.
fn entries(bucket: &[u8]) -> Option<(usize, &[u8])> {
    let (sum, mut rest) = bucket.split_first_chunk::<4>()?;
    if xxh3_64(rest) as u32 != u32::from_le_bytes(*sum) {
        return None;
    }
    let n = usize::try_from(take_varint(&mut rest)?).ok()?;
    Some((n, rest))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use tafl_rules::Rng;

    use super::*;

    /// Returns random keys with their blocks: some are frequent, and some differ only in bits that are not stored.
    fn random(rng: &mut Rng, n_keys: usize, n_blocks: u32) -> Vec<(CanonicalKey, u32)> {
        let keys: Vec<u64> = (0..n_keys / 2 + 1).map(|_| rng.next_u64()).collect();
        let mut all = Vec::new();
        for _ in 0..n_keys {
            let key = match rng.below(4) {
                0 => keys[0],
                1 => keys[rng.below(keys.len())],
                2 => keys[rng.below(keys.len())] ^ 1 << 63,
                _ => rng.next_u64(),
            };
            all.push((CanonicalKey(key), rng.below(n_blocks as usize) as u32));
        }
        all
    }

    fn table(all: &[(CanonicalKey, u32)], n_blocks: u32) -> Vec<u8> {
        let mut builder = KeyTableBuilder::default();
        all.iter().for_each(|(key, block)| builder.add(*key, *block));
        builder.finish(n_blocks)
    }

    fn all_blocks(table: &KeyTable, key: CanonicalKey, found: &mut Vec<u32>) -> Result<(), IndexError> {
        table.blocks(key, |block| {
            found.push(block);
            ControlFlow::Continue(())
        })
    }

    fn found(table: &KeyTable, key: u64) -> Vec<u32> {
        let mut found = Vec::new();
        all_blocks(table, CanonicalKey(key), &mut found).unwrap();
        found
    }

    #[test]
    fn a_table_has_exactly_the_blocks_of_each_key() {
        let mut rng = Rng::new(1);
        for (n_keys, n_blocks) in [(0, 1), (1, 1), (3, 1), (200, 1), (200, 40), (5000, 3), (40_000, 70_000)] {
            let all = random(&mut rng, n_keys, n_blocks);
            let mut wanted: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
            for (key, block) in &all {
                wanted.entry(stored_bits(*key)).or_default().insert(*block);
            }
            let table = KeyTable::open(FileSlice::from(table(&all, n_blocks)), n_blocks).unwrap();
            for (key, blocks) in &wanted {
                assert_eq!(found(&table, *key), blocks.iter().copied().collect::<Vec<_>>());
            }
            for _ in 0..500 {
                let key = rng.next_u64();
                let blocks = wanted.get(&stored_bits(CanonicalKey(key)));
                assert_eq!(found(&table, key), blocks.into_iter().flatten().copied().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn every_changed_byte_is_an_error_or_makes_no_difference() {
        let all = random(&mut Rng::new(2), 300, 50);
        let sound = table(&all, 50);
        let answers = |bytes: Vec<u8>| -> Result<Vec<Vec<u32>>, IndexError> {
            let table = KeyTable::open(FileSlice::from(bytes), 50)?;
            let answer = |(key, _): &(CanonicalKey, u32)| {
                let mut found = Vec::new();
                all_blocks(&table, *key, &mut found).map(|()| found)
            };
            all.iter().map(answer).collect()
        };
        assert!(answers(sound.clone()).is_ok());
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(answers(changed).is_err(), "byte {at}");
            assert!(answers(sound[..at].to_vec()).is_err(), "the first {at} bytes");
        }
    }

    #[test]
    fn other_versions_and_other_move_logs_are_refused() {
        let sound = table(&random(&mut Rng::new(3), 100, 9), 9);
        let open = |bytes: &[u8], n_blocks| KeyTable::open(FileSlice::from(bytes.to_vec()), n_blocks).err();
        assert!(open(&sound, 9).is_none());
        assert!(matches!(open(&sound, 8), Some(IndexError::OtherMoveLog)));
        let mut newer = sound.clone();
        newer[8] += 1;
        assert!(matches!(open(&newer, 9), Some(IndexError::Schema)));
    }
}
