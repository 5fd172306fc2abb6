//! Reports that were made before, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Reports take at most so many bytes together.
const MOST_BYTES: usize = 64 << 20;

/// A report as it was written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The document.
    pub(super) bytes: Vec<u8>,
}

/// Reports by everything that they depend on, the one that was asked for last at the end.
pub(super) struct Shelf(Mutex<VecDeque<(String, Arc<Written>)>>);

impl Shelf {
    /// Returns an empty shelf.
    pub(super) const fn new() -> Shelf {
        Shelf(Mutex::new(VecDeque::new()))
    }

    /// Returns a report, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<Arc<Written>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| other == key)?;
        let entry = kept.remove(at)?;
        let written = Arc::clone(&entry.1);
        kept.push_back(entry);
        Some(written)
    }

    /// Keeps a report, and drops those that were asked for longest ago where there are too many bytes.
    pub(super) fn put(&self, key: String, written: &Arc<Written>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != key);
        let mut bytes: usize = kept.iter().map(|(_, kept)| kept.bytes.len()).sum();
        while bytes + written.bytes.len() > MOST_BYTES {
            let Some((_, oldest)) = kept.pop_front() else { return };
            bytes -= oldest.bytes.len();
        }
        kept.push_back((key, Arc::clone(written)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_that_were_asked_for_longest_ago_make_room() {
        let shelf = Shelf::new();
        let third = Arc::new(Written { bytes: vec![0; MOST_BYTES / 3] });
        ["a", "b", "c"].into_iter().for_each(|key| shelf.put(key.to_owned(), &third));
        assert!(shelf.get("a").is_some());
        shelf.put("d".to_owned(), &third);
        let kept = ["a", "b", "c", "d"].map(|key| shelf.get(key).is_some());
        assert_eq!(kept, [true, false, true, true]);
        shelf.put("large".to_owned(), &Arc::new(Written { bytes: vec![0; MOST_BYTES + 1] }));
        assert!(shelf.get("large").is_none());
    }
}
