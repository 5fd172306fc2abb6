//! The transposition table, shared by threads without locks.
//!
//! A slot has two words: the data, and the exclusive or of key and data. A slot that two threads
//! wrote at the same time does not match any key, so it is ignored.
//!
//! See <https://www.chessprogramming.org/Shared_Hash_Table>.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tafl_rules::{Cell, Move};

use crate::score::{Bound, Score, SearchWindow};

/// The search result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtEntry {
    /// The best move, or the refutation; `None` if no move raised alpha.
    pub(crate) mv: Option<Move>,
    /// The score relative to the side to move; wins and losses are counted from the position.
    pub(crate) score: Score,
    /// The relation of the score to the true value.
    pub(crate) bound: Bound,
    /// The depth of the search, in plies.
    pub(crate) depth: u8,
    /// The static evaluation, if it was needed.
    pub(crate) eval: Option<Score>,
}

impl TtEntry {
    /// Returns the score relative to the root if it causes a cutoff in a search with this window,
    /// `ply` plies after the root.
    ///
    /// The window and the score are relative to the side to move.
    #[inline]
    pub(crate) fn cutoff(&self, ply: u16, window: SearchWindow) -> Option<Score> {
        let score = self.score.from_tt(ply);
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        is_enough.then_some(score)
    }
}

#[derive(Debug, Default)]
struct TableSlot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The slots of a bucket; the least useful one is replaced. A bucket fills a cache line, so that a probe loads one
/// line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([TableSlot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The weight of age, in plies of depth for each search: an entry of the previous search is worth
/// as much as an entry of this search with this much less depth. A choice, not tuned; larger values discard old entries
/// sooner.
const AGE_WEIGHT: i32 = 4;

/// An entry of the same search and position is kept if its depth exceeds that of a new inexact
/// entry by more than this many plies.
const DEPTH_MARGIN: u8 = 3;

/// A transposition table that several threads may use at once.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Box<[Bucket]>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates an empty table of at most the given size, but of at least a kibibyte.
    pub(crate) fn with_mebibytes(size: usize) -> TranspositionTable {
        let n_buckets = (size << 20) / size_of::<Bucket>();
        let n_buckets = if n_buckets == 0 { 16 } else { 1_usize << n_buckets.ilog2() };
        let buckets = (0..n_buckets).map(|_| Bucket::default()).collect();
        TranspositionTable { buckets, age: AtomicU8::new(0) }
    }

    /// Clears the table.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new search: entries of earlier searches may now be replaced more easily.
    pub(crate) fn begin_search(&self) {
        self.age.store(self.age.load(Ordering::Relaxed).wrapping_add(1) & AGES, Ordering::Relaxed);
    }

    /// Starts to load the entries of a position into the cache, for a probe that follows soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        std::hint::black_box(self.bucket(key)[0].data.load(Ordering::Relaxed));
    }

    /// Returns the entry of a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Stores the entry of a position, replacing the least useful entry of its bucket.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: &TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.check.load(Ordering::Relaxed) ^ data == key {
                victim = Some((slot, data));
                break;
            }
            let searches = i32::from(age.wrapping_sub(age_of(data)) & AGES);
            let worth = i32::from(depth_of(data)) - AGE_WEIGHT * searches;
            if worth < least {
                least = worth;
                victim = Some((slot, 0));
            }
        }
        let Some((slot, old)) = victim else { return };
        let mut entry = *entry;
        if old != 0 {
            let known = unpack(old);
            if entry.bound != Bound::Exact
                && known.depth > entry.depth.saturating_add(DEPTH_MARGIN)
                && age_of(old) == age
            {
                return;
            }
            entry.mv = entry.mv.or(known.mv);
        }
        let data = pack(&entry, age);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns the proportion of the table filled by the current search, in thousandths, estimated
    /// from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 250 / sample.len()) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[TableSlot; 4] {
        // The low bits of the key select the bucket; the number of buckets is a power of two.
        &self.buckets[key as usize & (self.buckets.len() - 1)].0
    }
}

/// The bit mask of ages, which have six bits.
const AGES: u8 = 63;
/// An index that no cell of any board has.
const NO_CELL: u64 = 511;
/// The value of 14 bits that stands for no evaluation.
const NO_EVAL: i16 = -8192;

/// The layout from the lowest bit: from 9 bits, to 9, depth 8, bound 2, age 6, score 16, evaluation
/// 14.
fn pack(entry: &TtEntry, age: u8) -> u64 {
    let cell = |cell: Option<Cell>| cell.map_or(NO_CELL, |cell| cell.index() as u64);
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    // The evaluation is clamped to 14 bits. It is never a win, and an extreme evaluation loses
    // nothing by this.
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.value().clamp(-8191, 8191)) as u64 & 0x3fff;
    cell(entry.mv.map(|mv| mv.from))
        | cell(entry.mv.map(|mv| mv.to)) << 9
        | u64::from(entry.depth) << 18
        | bound << 26
        | u64::from(age) << 28
        | u64::from(entry.score.value() as u16) << 34
        | eval << 50
}

fn unpack(data: u64) -> TtEntry {
    let cell = |bits: u64| (bits & 511 != NO_CELL).then(|| Cell::new((bits & 511) as usize));
    let eval = ((data >> 50) as i16) << 2 >> 2;
    TtEntry {
        mv: cell(data).zip(cell(data >> 9)).map(|(from, to)| Move::new(from, to)),
        score: Score::from_value((data >> 34) as u16 as i16),
        bound: match data >> 26 & 3 {
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => Bound::Exact,
        },
        depth: depth_of(data),
        eval: (eval != NO_EVAL).then(|| Score::from_value(eval)),
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 18) as u8
}

fn age_of(data: u64) -> u8 {
    (data >> 28) as u8 & AGES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let table = TranspositionTable::with_mebibytes(1);
        for n in 0..1000_u64 {
            let key = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let entry = TtEntry {
                mv: (n % 3 != 0).then(|| Move::new(Cell::new(n as usize % 441), Cell::new(n as usize % 7))),
                score: if n % 5 == 0 {
                    Score::loss_in(n as u16 % 500)
                } else {
                    Score::evaluation(n as i32 - 500)
                },
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][n as usize % 3],
                depth: n as u8,
                eval: (n % 7 != 0).then(|| Score::evaluation(8 * (500 - n as i32))),
            };
            table.store(key, &entry);
            assert_eq!(table.probe(key), Some(entry), "{n}");
        }
    }

    #[test]
    fn other_keys_are_not_found() {
        let table = TranspositionTable::with_mebibytes(0);
        let entry = TtEntry { mv: None, score: Score::DRAW, bound: Bound::Exact, depth: 1, eval: None };
        (1..5000_u64).for_each(|n| table.store(n << 32 | n, &entry));
        assert_eq!(table.probe(77), None);
    }
}
