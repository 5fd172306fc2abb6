//! The report on openings.

use tafl_rules::RuleSet;

use super::{boards, formatting};
use crate::document::{Block, Provenance, Report, Section};
use crate::measure::PlayedVariant;
use crate::measure::boards::BoardFindings;

/// Returns the report on first moves and openings of variants.
pub fn openings_report(variants: &[(PlayedVariant, BoardFindings)], provenance: Provenance) -> Report {
    let mut report = Report::new("openings", "How do games begin?", provenance);
    if variants.is_empty() {
        report.summary = vec!["There are no games, so there are no openings.".to_owned()];
        return report;
    }
    report.summary =
        variants.iter().take(3).filter_map(|(variant, found)| sentence(variant, found)).collect();
    report.with(variants.iter().filter_map(|(variant, found)| {
        let rules: RuleSet = variant.rules.parse().ok()?;
        let prose =
            Block::Prose(format!("{} of {}.", formatting::games(found.games), formatting::title(variant)));
        let blocks = boards::openings(found, &rules);
        Some(Section::new(&variant.label(), &formatting::title(variant)).with([prose]).with(blocks))
    }))
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
