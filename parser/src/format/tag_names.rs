//! The names of the tags of a record, to find tags that appear twice.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, HeaderFinding, MAX_REPORTED};

/// The names of tags, ignoring case. Only hashes are kept: a record of 16 MiB may have a million tags.
#[derive(Debug, Default)]
pub(super) struct TagNames {
    hashes: HashSet<u64>,
    n_repeated: usize,
}

impl TagNames {
    /// Adds the name of a tag that was already reported.
    pub(super) fn add(&mut self, name: &str) {
        self.hashes.insert(hash(name));
    }

    /// Adds the name of a tag with its value at `span`, and reports the tag if it repeats an earlier one. After
    /// [`MAX_REPORTED`] such tags, which no real record has, further ones are not reported.
    pub(super) fn insert(&mut self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        if self.hashes.insert(hash(name)) {
            return;
        }
        self.n_repeated += 1;
        if self.n_repeated <= MAX_REPORTED + 1 {
            diagnostics.push(Diagnostic::new(span, HeaderFinding::Duplicate));
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.bytes().for_each(|byte| byte.to_ascii_lowercase().hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_are_reported_whatever_their_case_is_and_not_without_end() {
        let mut names = TagNames::default();
        let mut found = Vec::new();
        for name in ["event", "Event", "site"] {
            names.insert(name, Span::at(0), &mut found);
        }
        assert_eq!(found.len(), 1);
        (0..5000).for_each(|_| names.insert("site", Span::at(0), &mut found));
        assert_eq!(found.len(), MAX_REPORTED + 1);
    }
}
