//! What is known of a game besides its moves.

use serde_json::{Value, json};
use tafl_corpus::row::GameRow;
use tafl_corpus::summaries::GameSummary;
use tafl_parser::Source;
use taflbase::records::{FindingLocator, FindingRecord, MarkedFinding};

use super::FoundGame;
use super::answer::{GameHead, SideCaptures};

/// So many findings are told.
const MOST_FINDINGS: usize = 2_000;

/// Returns what is known of a game besides its moves.
pub(super) fn head(found: &FoundGame) -> GameHead {
    let row = &found.row;
    let hit = GameSummary::of(row);
    let text = |text: Option<&str>| text.map(str::to_owned);
    GameHead {
        game: hit.game.to_string(),
        variant: text(hit.variant),
        shape: hit.shape.to_owned(),
        attackers: text(hit.attackers),
        defenders: text(hit.defenders),
        attackers_rating: hit.attackers_rating,
        defenders_rating: hit.defenders_rating,
        event: text(hit.event),
        site: text(hit.site),
        date: text(hit.date),
        result: hit.result.word(),
        reason: hit.reason.map(|reason| reason.words()),
        plies: hit.plies,
        source: text(hit.source),
        place: hit.place,
        rules: row.rules.to_string(),
        start: row.start.to_string(),
        first: row.first.word(),
        round: row.round.clone(),
        time_control: row.time_control.clone(),
        year: row.year,
        captures: SideCaptures { attackers: row.attackers_captures, defenders: row.defenders_captures },
        format: row.format.map(|format| format.name()),
        verdict: row.verdict.word(),
        findings: findings(found),
        copies: json!(found.copies),
        tags: tags(row),
    }
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
    told.map(|diagnostic| json!(MarkedFinding::new(finder.find(diagnostic), at))).collect()
}

/// Returns the other statements of the record.
fn tags(row: &GameRow) -> Value {
    let object = row.tags_json().and_then(|text| serde_json::from_str(&text).ok());
    object.unwrap_or_else(|| json!({}))
}
