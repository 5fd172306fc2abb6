//! What is known of a game besides its moves.

use serde_json::{Map, Value, json};
use tafl_corpus::row::GameRow;
use tafl_parser::Source;

use super::FoundGame;
use crate::finding::Finder;

/// Returns what is known of a game besides its moves.
pub(super) fn head(found: &FoundGame) -> Value {
    let row = &found.row;
    json!({
        "game": row.game.to_string(),
        "variant": row.variant,
        "shape": &*row.shape,
        "attackers": row.attackers,
        "defenders": row.defenders,
        "attackers_rating": row.attackers_rating,
        "defenders_rating": row.defenders_rating,
        "event": row.event,
        "site": row.site,
        "date": row.date,
        "result": row.result.word(),
        "reason": row.reason.map(|reason| reason.words()),
        "plies": row.plies,
        "source": row.source,
        "place": row.place,
        "rules": &*row.rules,
        "start": &*row.start,
        "first": row.first.word(),
        "round": row.round,
        "time_control": row.time_control,
        "year": row.year,
        "captures": { "attackers": row.captures.attackers, "defenders": row.captures.defenders },
        "format": row.format.map(|format| format.name()),
        "verdict": row.verdict.word(),
        "findings": findings(found),
        "copies": found.copies,
        "tags": tags(row),
    })
}

/// Returns what was found in the record, with the source line and the place in it.
fn findings(found: &FoundGame) -> Vec<Value> {
    let row = &found.row;
    let name = row.source.as_deref().unwrap_or("-");
    let text = row.text.as_deref().unwrap_or_default();
    let source = Source { line: row.place.unwrap_or(1).into(), ..Source::named(name, text) };
    let finder = Finder::new(source, &found.judged.record).with_variant(found.judged.variant());
    found.judged.diagnostics.iter().map(|diagnostic| finder.find(diagnostic).value()).collect()
}

/// Returns the other statements of the record.
fn tags(row: &GameRow) -> Value {
    let mut object = Map::new();
    for (name, value) in &row.tags {
        match object.get_mut(name) {
            None => drop(object.insert(name.clone(), json!(value))),
            Some(Value::Array(list)) => list.push(json!(value)),
            Some(first) => *first = json!([first.take(), value]),
        }
    }
    Value::Object(object)
}
