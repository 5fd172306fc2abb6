//! The names of the tags of a record, to find tags that appear twice.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, Findings, HeaderFinding};

/// The names of tags, ignoring case. Only hashes are kept: a record of 16 MiB may have a million tags.
#[derive(Debug, Default)]
pub(super) struct TagNames {
    hashes: HashSet<u64>,
}

impl TagNames {
    /// Adds the name of a tag that was already reported.
    pub(super) fn add(&mut self, name: &str) {
        self.hashes.insert(hash(name));
    }

    /// Adds the name of a tag with its value at `span`, and reports the tag if it repeats an earlier one.
    pub(super) fn insert(&mut self, name: &str, span: Span, diagnostics: &mut Findings) {
        if !self.hashes.insert(hash(name)) {
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
    fn repeated_names_are_reported_whatever_their_case_is() {
        let mut names = TagNames::default();
        let mut found = Findings::default();
        for name in ["event", "Event", "site"] {
            names.insert(name, Span::at(0), &mut found);
        }
        assert_eq!(found.len(), 1);
    }
}
