//! Tags that say how a game ended.

use tafl_rules::{Reason, Span};

use crate::record::{Record, tag};
use crate::words;

/// Reads how the game ended. The very words of our vocabulary are the reason and nothing else; other words are kept,
/// and tell the reason where they are clear.
pub(super) fn read(record: &mut Record, text: &str, span: Span) {
    if let Some(result) = &mut record.result {
        if let Some(reason) = Reason::from_words(text) {
            result.reason = Some(reason);
            return;
        }
        result.reason = result.reason.or(words::reason(text));
    }
    record.push_tag(tag::TERMINATION, text, span);
}

/// Returns the reason that stood before the result to which it belongs. Words that are the reason and nothing else are
/// no tag any more, unless there are more such tags: then nobody could write them in their order again.
pub(super) fn before_result(record: &mut Record) -> Option<Reason> {
    let tags = record.tags.iter().enumerate();
    let mut found = tags.filter(|(_, tag)| tag.name.eq_ignore_ascii_case(tag::TERMINATION));
    let (first, written) = found.next()?;
    let is_alone = found.next().is_none();
    let Some(reason) = Reason::from_words(&written.value).filter(|_| is_alone) else {
        return words::reason(&written.value);
    };
    record.tags.remove(first);
    Some(reason)
}
