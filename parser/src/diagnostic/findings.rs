//! The findings of a reader, bounded in number.

use std::ops::{Deref, DerefMut};

use tafl_rules::Span;

use super::{Code, Diagnostic, TextFinding};

/// The maximum number of text diagnostics kept for one record. Beyond it, only the first diagnostic of each
/// code is kept.
pub const MAX_REPORTED: usize = 1000;

/// The diagnostics about one record, while it is read. Those of a text in which every word is a fault would not fit into
/// memory: each takes fifty times the size of the shortest word. Beyond [`MAX_REPORTED`], all but
/// the first of each code are therefore only counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    kept: Vec<Diagnostic>,
    n_dropped: u32,
    /// The codes of the kept diagnostics, once their number has reached the maximum.
    codes: Vec<Code>,
}

impl Findings {
    /// Adds a diagnostic.
    #[inline]
    pub(crate) fn push(&mut self, finding: Diagnostic) {
        if self.kept.len() < MAX_REPORTED {
            self.kept.push(finding);
        } else {
            self.push_beyond(finding);
        }
    }

    #[cold]
    fn push_beyond(&mut self, finding: Diagnostic) {
        if self.codes.is_empty() {
            self.codes = self.kept.iter().map(Diagnostic::code).collect();
            self.codes.sort_unstable();
            self.codes.dedup();
        }
        let code = finding.code();
        if self.codes.contains(&code) {
            self.n_dropped += 1;
        } else {
            self.codes.push(code);
            self.kept.push(finding);
        }
    }

    /// Sorts the diagnostics by their spans. One function for all readers: each closure would compile the sort again.
    #[inline(never)]
    pub(crate) fn sort(&mut self) {
        self.kept.sort_by_key(|finding| finding.span);
    }

    /// Returns the diagnostics, after one that reports their number if some were dropped.
    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        let mut kept = self.kept;
        if self.n_dropped > 0 {
            let found = kept.len() as u32 + self.n_dropped;
            kept.insert(0, Diagnostic::new(Span::default(), TextFinding::TooMany { found }));
        }
        kept
    }
}

impl Deref for Findings {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.kept
    }
}

impl DerefMut for Findings {
    fn deref_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.kept
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::DiagnosticKind;

    #[test]
    fn of_very_many_findings_the_first_ones_and_one_of_each_kind_are_kept() {
        let at = |nth| Diagnostic::new(Span::at(nth), TextFinding::Stray);
        let mut findings = Findings::default();
        findings.extend((0..MAX_REPORTED).map(at));
        assert_eq!(findings.clone().into_vec().len(), MAX_REPORTED);
        findings.extend((MAX_REPORTED..5000).map(at));
        findings.push(Diagnostic::new(Span::at(5000), TextFinding::NoMoves));
        let findings = findings.into_vec();
        assert_eq!(findings.len(), MAX_REPORTED + 2);
        assert_eq!(findings[0].kind, DiagnosticKind::Text(TextFinding::TooMany { found: 5001 }));
        assert_eq!(findings.last().map(|finding| finding.code().as_str()), Some("T011"));
    }
}
