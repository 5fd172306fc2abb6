//! The information about a game besides its moves.

use std::collections::BTreeMap;

use tafl_corpus::{GameRow, GameSummary};
use tafl_parser::Source;

use super::StoredGame;
use super::answer::{GameHead, SideCaptures, TagValue};
use crate::records::{Finding, FindingLocator, FindingRecord, MarkedFinding};

/// The maximum number of findings.
const MAX_FINDINGS: usize = 2_000;

/// Returns the information about a game besides its moves.
pub(super) fn head(game: &StoredGame) -> GameHead {
    let row = &game.row;
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
        result: hit.result.as_str(),
        reason: hit.reason.map(|reason| reason.as_str()),
        reason_source: hit.reason_source.map(|source| source.as_str()),
        plies: hit.plies,
        source: text(hit.source),
        place: hit.place,
        rules: row.rules.to_string(),
        start: row.start.to_string(),
        first: row.first.as_str(),
        round: row.round.clone(),
        time_control: row.time_control.clone(),
        year: row.year,
        captures: SideCaptures { attackers: row.attackers_captures, defenders: row.defenders_captures },
        format: row.format.map(|format| format.name()),
        verdict: row.verdict.as_str(),
        findings: findings(game),
        copies: game.copies.clone(),
        duplicate_of: row.duplicate_of.map(|game| game.to_string()),
        tags: tags(row),
    }
}

/// Returns the findings about the record, with source lines and columns.
fn findings(game: &StoredGame) -> Vec<MarkedFinding> {
    let row = &game.row;
    let name = row.source.as_deref().unwrap_or("-");
    let text = row.text.as_deref().unwrap_or_default();
    let line = row.place.unwrap_or(1).into();
    let source = match row.format {
        Some(format) => format.of_text(text).stored_source(name, line, text),
        None => Source { line, ..Source::named(name, text) },
    };
    let record = &game.replayed.record;
    let locator = FindingLocator::new(source, record);
    // A corpus stores the line of a record, but neither its number nor its offset.
    let variant = Some(game.replayed.variant());
    let at = FindingRecord { game: None, variant, ..FindingRecord::of(source, record) };
    let finding = |diagnostic| Finding { offset: None, ..locator.find(diagnostic) };
    let shown = game.replayed.diagnostics.iter().take(MAX_FINDINGS);
    shown.map(|diagnostic| MarkedFinding::new(finding(diagnostic), at)).collect()
}

/// Returns the other statements of the record.
fn tags(row: &GameRow) -> BTreeMap<String, TagValue> {
    let mut tags = BTreeMap::new();
    for (name, value) in &row.tags {
        match tags.get_mut(name) {
            None => drop(tags.insert(name.clone(), TagValue::One(value.clone()))),
            Some(TagValue::Many(values)) => values.push(value.clone()),
            Some(one) => {
                if let TagValue::One(first) = std::mem::replace(one, TagValue::Many(Vec::new())) {
                    *one = TagValue::Many(vec![first, value.clone()]);
                }
            }
        }
    }
    tags
}
