//! The report on openings.

use tafl_rules::{RuleSet, counted};

use super::{boards, formatting, sentences};
use crate::document::{Block, Provenance, Report, Section};
use crate::measure::PlayedVariant;
use crate::measure::boards::BoardFindings;
use crate::measure::game_start::OtherStarts;
use crate::measure::games::Games;

/// Returns the report on first moves and openings of variants; `source` contains all games, also those that began from another
/// start.
pub fn openings_report(
    variants: &[(PlayedVariant, BoardFindings)],
    source: &Games,
    provenance: Provenance,
) -> Report {
    let mut report = Report::new("openings", "How do games begin?", provenance);
    let other_starts = sentences::other_starts(&OtherStarts::of(source.rows.iter().map(|game| game.start)));
    if variants.is_empty() {
        report.summary = vec![other_starts.map_or_else(
            || "There are no games, so there are no openings.".to_owned(),
            |all| format!("No game can be counted, so there are no openings: there are only {all}."),
        )];
        return report;
    }
    if variants.len() > 1 {
        report.summary.push(format!(
            "{} of {}.",
            formatting::games(variants.iter().map(|(_, found)| found.games).sum()),
            counted(variants.len() as u64, "variant", "variants")
        ));
        report.summary.extend(other_starts.map(|some| format!("Not counted in this report: {some}.")));
    }
    report.summary.extend(variants.iter().take(3).filter_map(|(variant, found)| sentence(variant, found)));
    report.with(variants.iter().filter_map(|(variant, found)| {
        let rules: RuleSet = variant.rules.parse().ok()?;
        let blocks = boards::openings(found, &rules);
        let title = formatting::title(variant);
        Some(Section::new(&variant.label(), &title).with([Block::Prose(counts(&title, found))]).with(blocks))
    }))
}

/// Returns the number of games of a variant, and those that are not counted.
fn counts(title: &str, found: &BoardFindings) -> String {
    let others = sentences::other_starts(&found.other_starts);
    let others = others.map_or_else(String::new, |some| format!(" Not counted: {some}."));
    format!("{} of {title}.{others}", formatting::games(found.games))
}

fn sentence(variant: &PlayedVariant, found: &BoardFindings) -> Option<String> {
    let first = found.first_moves.first()?;
    let proportion = if first.proportion.is_small_sample() {
        format!("{} of {} games", first.proportion.hits, first.proportion.n)
    } else {
        format!("{} of the games", formatting::percent(first.proportion.proportion))
    };
    Some(format!("{}: {proportion} begin with {}.", formatting::title(variant), first.moves_text))
}
