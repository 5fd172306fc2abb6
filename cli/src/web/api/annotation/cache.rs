//! Annotations that were made before, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tafl_corpus::Corpus;
use tafl_corpus::id::GameId;

/// So many annotations are kept.
const MOST: usize = 64;
/// A longer game is not kept: with more plies than this, its annotation has about a megabyte.
const MOST_PLIES: usize = 1_000;

/// What an annotation depends on, besides this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The state of the corpus: the record of a game may be replaced by a better copy.
    manifest: String,
    game: GameId,
    nodes: u64,
}

impl Key {
    /// Returns what the annotation of a game depends on.
    pub(super) fn of(corpus: &Corpus, game: GameId, nodes: u64) -> Key {
        Key { manifest: corpus.manifest().checksum.clone(), game, nodes }
    }
}

/// Annotations, the one that was used last at the end.
pub(super) struct Cache(Mutex<VecDeque<(Key, Arc<Value>)>>);

impl Cache {
    /// Returns an empty cache.
    pub(super) const fn new() -> Cache {
        Cache(Mutex::new(VecDeque::new()))
    }

    /// Returns an annotation, if it is there.
    pub(super) fn get(&self, key: &Key) -> Option<Arc<Value>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| other == key)?;
        let entry = kept.remove(at)?;
        let value = Arc::clone(&entry.1);
        kept.push_back(entry);
        Some(value)
    }

    /// Keeps an annotation, and drops the one that was used longest ago where there are too many.
    pub(super) fn put(&self, key: Key, value: &Value) {
        if value["plies"].as_array().is_some_and(|plies| plies.len() > MOST_PLIES) {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != key);
        if kept.len() >= MOST {
            kept.pop_front();
        }
        kept.push_back((key, Arc::new(value.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(nodes: u64) -> Key {
        Key { manifest: String::new(), game: GameId::from_i64(1), nodes }
    }

    #[test]
    fn what_was_used_longest_ago_is_dropped() {
        let cache = Cache::new();
        (0..MOST as u64).for_each(|nodes| cache.put(key(nodes), &nodes.into()));
        assert!(cache.get(&key(0)).is_some());
        cache.put(key(1000), &Value::Null);
        assert_eq!(cache.get(&key(0)).as_deref(), Some(&0.into()));
        assert_eq!(cache.get(&key(1)), None);
    }
}
