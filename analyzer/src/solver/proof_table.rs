//! The transposition table of the proof-number search.

/// The proof or disproof number of a settled position: no finite effort can change its value.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// The value of a position with respect to one goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// The proof number: a lower bound on the number of positions left to prove; 0 if proven.
    pub(super) pn: u32,
    /// The disproof number, likewise.
    pub(super) dn: u32,
    /// The number of plies within which a proven win occurs.
    pub(super) plies: u16,
    /// Whether a disproof depends on the path, because it relies on a repeated position; it may be
    /// wrong on another path. This is the graph history interaction problem.
    pub(super) path_dependent: bool,
}

impl ProofNumbers {
    /// Returns the value of a win within a number of plies.
    pub(super) const fn proven(plies: u16) -> ProofNumbers {
        ProofNumbers { pn: 0, dn: INFINITE, plies, path_dependent: false }
    }

    /// The value of a position from which the goal is not reached.
    pub(super) const DISPROVEN: ProofNumbers =
        ProofNumbers { pn: INFINITE, dn: 0, plies: 0, path_dependent: false };

    /// The value of a position that is already on the path.
    pub(super) const CYCLE: ProofNumbers =
        ProofNumbers { pn: INFINITE, dn: 0, plies: 0, path_dependent: true };

    /// Returns the value of a position that is not settled.
    pub(super) const fn open(pn: u32, dn: u32) -> ProofNumbers {
        ProofNumbers { pn, dn, plies: 0, path_dependent: false }
    }

    #[inline]
    pub(super) const fn is_proven(self) -> bool {
        self.pn == 0
    }

    #[inline]
    pub(super) const fn is_disproven(self) -> bool {
        self.dn == 0
    }

    #[inline]
    pub(super) const fn is_settled(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

#[derive(Debug, Clone, Copy)]
struct ProofEntry {
    key: u64,
    pn: u32,
    dn: u32,
    /// The number of nodes visited below the position, which would be lost by a replacement; 0 for
    /// an empty entry.
    work: u32,
    plies: u16,
    path_dependent: bool,
}

const EMPTY: ProofEntry = ProofEntry { key: 0, pn: 0, dn: 0, work: 0, plies: 0, path_dependent: false };

/// The number of entries in a bucket.
const WAYS: usize = 4;

/// A table of fixed size. If a bucket is full, the entry with the least work is replaced; proofs
/// are replaced last.
#[derive(Debug)]
pub(super) struct ProofTable {
    entries: Vec<ProofEntry>,
    mask: usize,
    /// The number of proofs that were replaced.
    lost_proofs: u64,
    used: usize,
}

impl ProofTable {
    /// Creates an empty table of at most the given size, with no more entries than are useful.
    pub(super) fn new(mebibytes: usize, entries: u64) -> ProofTable {
        let room = (mebibytes.max(1) << 20) / (size_of::<ProofEntry>() * WAYS);
        let wanted = usize::try_from(entries / WAYS as u64).unwrap_or(usize::MAX).clamp(64, room.max(64));
        let wanted = wanted.checked_next_power_of_two().unwrap_or(room);
        let places = if wanted > room { prev_power_of_two(room) } else { wanted };
        ProofTable { entries: vec![EMPTY; places * WAYS], mask: places - 1, lost_proofs: 0, used: 0 }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        // The low bits select the bucket. A canonical key is the minimum of several keys, so its
        // high bits are not uniform.
        (key as usize & self.mask) * WAYS
    }

    /// Returns the value of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let first = self.place(key);
        let found =
            self.entries[first..first + WAYS].iter().find(|entry| entry.work != 0 && entry.key == key)?;
        Some(ProofNumbers {
            pn: found.pn,
            dn: found.dn,
            plies: found.plies,
            path_dependent: found.path_dependent,
        })
    }

    /// Stores the value of a position after an amount of work.
    pub(super) fn put(&mut self, key: u64, value: ProofNumbers, work: u64) {
        let first = self.place(key);
        let entries = &mut self.entries[first..first + WAYS];
        let known = entries.iter().position(|entry| entry.work != 0 && entry.key == key);
        let at = known.unwrap_or_else(|| {
            let worth = |entry: &ProofEntry| {
                if entry.pn == 0 && entry.work != 0 { u64::MAX } else { entry.work.into() }
            };
            (0..WAYS).min_by_key(|at| worth(&entries[*at])).unwrap_or(0)
        });
        let entry = &mut entries[at];
        let mut total = work.max(1);
        match (entry.work, known) {
            (0, _) => self.used += 1,
            (before, Some(_)) => {
                total += u64::from(before);
                if entry.pn == 0 && (value.pn != 0 || value.plies >= entry.plies) {
                    return;
                }
            }
            (_, None) => self.lost_proofs += u64::from(entry.pn == 0),
        }
        let work = u32::try_from(total).unwrap_or(u32::MAX);
        *entry = ProofEntry {
            key,
            pn: value.pn,
            dn: value.dn,
            work,
            plies: value.plies,
            path_dependent: value.path_dependent,
        };
    }

    /// Returns the fill level of the table, in thousandths.
    pub(super) fn hashfull(&self) -> u32 {
        (self.used as u64 * 1000 / self.entries.len() as u64) as u32
    }

    /// Returns the number of proofs that were replaced.
    pub(super) fn lost_proofs(&self) -> u64 {
        self.lost_proofs
    }
}

fn prev_power_of_two(n: usize) -> usize {
    1 << (usize::BITS - 1 - n.max(1).leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_replaces_the_least_work_and_proofs_last() {
        let mut table = ProofTable::new(1, 256);
        let key = |n: u64| (n << 32) | 7;
        table.put(key(1), ProofNumbers::proven(3), 1);
        for n in 2..=4 {
            table.put(key(n), ProofNumbers::open(5, 5), n * 100);
        }
        table.put(key(5), ProofNumbers::open(1, 1), 1);
        assert_eq!(table.get(key(1)), Some(ProofNumbers::proven(3)));
        assert_eq!(table.get(key(2)), None);
        assert_eq!(table.get(key(5)), Some(ProofNumbers::open(1, 1)));
        assert_eq!(table.lost_proofs(), 0);
    }

    #[test]
    fn a_proof_is_never_replaced_by_an_unsettled_value() {
        let mut table = ProofTable::new(1, 64);
        table.put(9, ProofNumbers::proven(5), 1);
        table.put(9, ProofNumbers::open(2, 2), 50);
        table.put(9, ProofNumbers::proven(7), 50);
        assert_eq!(table.get(9), Some(ProofNumbers::proven(5)));
        table.put(9, ProofNumbers::proven(3), 1);
        assert_eq!(table.get(9), Some(ProofNumbers::proven(3)));
    }
}
