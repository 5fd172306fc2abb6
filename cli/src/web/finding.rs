//! Findings with the line that they are about, as the pages draw it.

use serde_json::{Value, json};

use crate::finding::Finding;

/// The most characters of a source line.
const MOST_LINE: usize = 240;
/// The most characters of it before the marked part.
const MOST_BEFORE: usize = 80;

/// Returns a finding as a JSON object, with the source line and the place in it, in characters. A long line is cut around
/// the place.
pub(crate) fn value(finding: &Finding<'_>) -> Value {
    let mut value = serde_json::to_value(finding).expect("a finding has only strings and numbers");
    let characters = |bytes: usize| finding.source_line.get(..bytes).map_or(0, |text| text.chars().count());
    let (start, end) = (characters(finding.part.0), characters(finding.part.1));
    let first = start.saturating_sub(MOST_BEFORE);
    let shown: String = finding.source_line.chars().skip(first).take(MOST_LINE).collect();
    let length = shown.chars().count();
    let caret = |at: usize| at.saturating_sub(first).min(length);
    value["source_line"] = shown.into();
    value["source_line_from"] = (first + 1).into();
    value["caret"] = json!({ "start": caret(start), "end": caret(end.max(start)) });
    value
}
