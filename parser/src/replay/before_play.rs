//! The parts of a record that precede its moves: a rearranged start, and an exchange of sides.

use tafl_rules::RuleSet;

use crate::diagnostic::{Diagnostic, HeaderFinding};
use crate::record::Record;

/// Reports a start to which the sides may not rearrange their pieces, and an exchange of sides that the rules do not
/// allow.
///
/// Rules without rearrangement do not restrict the start: a record can begin with any position.
pub(super) fn check(record: &Record, rules: &RuleSet, findings: &mut Vec<Diagnostic>) {
    if let Some(start) = record.start.as_ref().filter(|_| rules.has_rearrangement())
        && let Err(fault) = rules.check_start(&start.setup)
    {
        findings.push(Diagnostic::new(start.span, HeaderFinding::StartNotAllowed { fault }));
    }
    if let Some((after, span)) = record.swap().filter(|(after, _)| rules.swap != Some(*after)) {
        let kind = HeaderFinding::SwapNotAllowed { after, allowed: rules.swap };
        findings.push(Diagnostic::new(span, kind));
    }
}
