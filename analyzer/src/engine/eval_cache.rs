//! A cache of static evaluations.
//!
//! The transposition table has no entries for most nodes at the horizon: a node that ends with its static evaluation is not
//! stored, and quiescence stores only its first ply. Other orders of moves and re-searches meet these positions again, and
//! with a network the evaluation is most of their cost.

use crate::score::Score;

/// The number of entries: half a mebibyte, which the second-level caches of most processors hold.
const N_ENTRIES: usize = 1 << 16;

/// The static evaluations of positions, by their keys. An entry has the upper 48 bits of a key and the evaluation; the
/// lower bits of the key are its index. One evaluator fills it, so entries never become invalid.
#[derive(Debug)]
pub(super) struct StaticEvalCache {
    entries: Vec<u64>,
}

impl StaticEvalCache {
    pub(super) fn new() -> StaticEvalCache {
        StaticEvalCache { entries: vec![0; N_ENTRIES] }
    }

    /// Returns the static evaluation of the position with a key, relative to the side to move.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Score> {
        let entry = self.entries[key as usize % N_ENTRIES];
        let is_found = (entry ^ key) >> 16 == 0 && entry != 0;
        is_found.then(|| Score::from_value(entry as u16 as i16))
    }

    /// Stores the static evaluation of a position.
    #[inline]
    pub(super) fn insert(&mut self, key: u64, eval: Score) {
        self.entries[key as usize % N_ENTRIES] = key & !0xffff | u64::from(eval.value() as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_found_by_their_whole_key() {
        let mut cache = StaticEvalCache::new();
        let key = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for n in 1..1000 {
            cache.insert(key(n), Score::evaluation(n as i32 - 500));
            assert_eq!(cache.get(key(n)), Some(Score::evaluation(n as i32 - 500)));
            assert_eq!(cache.get(key(n) ^ 1 << 16), None, "another position with the same index");
        }
        assert_eq!(cache.get(0), None);
    }
}
