//! Findings with the line that they are about, as the pages draw it.

use serde_json::{Value, json};

use taflbase::records::FindingLine;

/// The most characters of a source line.
const MOST_LINE: usize = 240;
/// The most characters of it before the marked part.
const MOST_BEFORE: usize = 80;

/// Returns a finding as a JSON object, with the source line and the place in it, in characters. A long line is cut around
/// the place.
pub(crate) fn value(line: &FindingLine<'_>) -> Value {
    let mut value = serde_json::to_value(line).expect("a finding has only strings and numbers");
    let excerpt = &line.finding.excerpt;
    let characters = |bytes: usize| excerpt.text.get(..bytes).map_or(0, |text| text.chars().count());
    let (start, end) = (characters(excerpt.part.0), characters(excerpt.part.1));
    let first = start.saturating_sub(MOST_BEFORE);
    let shown: String = excerpt.text.chars().skip(first).take(MOST_LINE).collect();
    let length = shown.chars().count();
    let caret = |at: usize| at.saturating_sub(first).min(length);
    value["source_line"] = shown.into();
    value["source_line_from"] = (excerpt.skipped + first + 1).into();
    value["caret"] = json!({ "start": caret(start), "end": caret(end.max(start)) });
    value
}
