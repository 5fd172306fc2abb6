//! Results, and tags for the way in which a game ended.

use tafl_rules::{Reason, Span};

use crate::diagnostic::{Diagnostic, EndFinding, Findings};
use crate::record::{Record, WrittenResult, WrittenVerdict, tag};
use crate::words;

/// Stores the result of a game, unless it has one. A different one is reported, because the first result counts.
pub(super) fn set_result(
    record: &mut Record,
    diagnostics: &mut Findings,
    verdict: WrittenVerdict,
    span: Span,
) {
    match record.result {
        None => record.result = Some(WrittenResult { verdict, reason: None, span }),
        Some(result) if result.verdict == verdict => {}
        Some(_) => diagnostics.push(Diagnostic::new(span, EndFinding::SecondResult)),
    }
}

/// Reads the way in which the game ended. Words that are exactly one of our reasons are stored as the reason
/// only; other words are kept, and give the reason if they are clear.
pub(super) fn read(record: &mut Record, text: &str, span: Span) {
    if let Some(result) = &mut record.result {
        if let Ok(reason) = text.parse() {
            result.reason = Some(reason);
            return;
        }
        result.reason = result.reason.or(words::reason(text));
    }
    record.push_tag(tag::TERMINATION, text, span);
}

/// Returns the reason that was written before the result to which it belongs. A tag that is exactly a reason
/// is removed, unless there are more such tags: then writing could not restore their order.
pub(super) fn before_result(record: &mut Record) -> Option<Reason> {
    let tags = record.tags.iter().enumerate();
    let mut found = tags.filter(|(_, tag)| tag.name.eq_ignore_ascii_case(tag::TERMINATION));
    let (first, written) = found.next()?;
    let is_alone = found.next().is_none();
    let (exact, in_words) = (written.value.parse::<Reason>().ok(), words::reason(written.value));
    drop(found);
    let Some(reason) = exact.filter(|_| is_alone) else { return in_words };
    record.tags.remove(first);
    Some(reason)
}
