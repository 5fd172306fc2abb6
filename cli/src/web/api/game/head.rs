//! What is known of a game besides its moves.

use serde_json::{Value, json};
use tafl_corpus::row::GameRow;
use tafl_corpus::summaries::GameSummary;
use tafl_parser::Source;
use taflbase::records::{FindingLocator, FindingRecord};

use super::FoundGame;
use crate::command::database::search::json::hit;
use crate::web::finding::value;

/// So many findings are told.
const MOST_FINDINGS: usize = 2_000;

/// Returns what is known of a game besides its moves.
pub(super) fn head(found: &FoundGame) -> Value {
    let row = &found.row;
    let hit = hit(&GameSummary::of(row), None);
    let mut head = serde_json::to_value(&hit).expect("a hit has only texts and numbers");
    let more = json!({
        "rules": &*row.rules,
        "start": &*row.start,
        "first": row.first.word(),
        "round": row.round,
        "time_control": row.time_control,
        "year": row.year,
        "captures": { "attackers": row.attackers_captures, "defenders": row.defenders_captures },
        "format": row.format.map(|format| format.name()),
        "verdict": row.verdict.word(),
        "findings": findings(found),
        "copies": found.copies,
        "tags": tags(row),
    });
    if let (Value::Object(head), Value::Object(more)) = (&mut head, more) {
        head.remove("type");
        head.extend(more);
    }
    head
}

/// Returns what was found in the record, with the source line and the place in it.
fn findings(found: &FoundGame) -> Vec<Value> {
    let row = &found.row;
    let name = row.source.as_deref().unwrap_or("-");
    let text = row.text.as_deref().unwrap_or_default();
    let source = Source { line: row.place.unwrap_or(1).into(), ..Source::named(name, text) };
    let record = &found.judged.record;
    let finder = FindingLocator::new(source, record);
    let at = FindingRecord { variant: Some(found.judged.variant()), ..FindingRecord::of(source, record) };
    let told = found.judged.diagnostics.iter().take(MOST_FINDINGS);
    told.map(|diagnostic| value(&finder.find(diagnostic).line(at))).collect()
}

/// Returns the other statements of the record.
fn tags(row: &GameRow) -> Value {
    let object = row.tags_json().and_then(|text| serde_json::from_str(&text).ok());
    object.unwrap_or_else(|| json!({}))
}
