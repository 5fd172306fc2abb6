//! Keys that are unique in a report or a table.

use std::collections::HashMap;

/// The keys that are in use, each with the next suffix to try for a duplicate.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct UniqueKeys(HashMap<String, u64>);

impl UniqueKeys {
    /// Returns the key; if it is in use, with a numeric suffix.
    pub(crate) fn unique(&mut self, key: String) -> String {
        self.unique_by(key, str::to_owned)
    }

    /// Returns the key; with a numeric suffix if the form of a key is in use in which it is written.
    pub(crate) fn unique_by(&mut self, key: String, form: impl Fn(&str) -> String) -> String {
        let written = form(&key);
        let Some(next) = self.0.get(&written).copied() else {
            self.0.insert(written, 2);
            return key;
        };
        let mut numbered = (next..).map(|n| (n, format!("{key} {n}")));
        let free = numbered.find(|(_, other)| !self.0.contains_key(&form(other)));
        let (n, other) = free.expect("some number is free");
        self.0.insert(written, n + 1);
        self.0.insert(form(&other), 2);
        other
    }
}
