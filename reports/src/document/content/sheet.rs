//! One printable page about a variant, with the figures that a designer of rules needs.

use tafl_rules::Side;

use super::formatting::{self, games};
use super::variant::{DetailsByVariant, VariantDetails, start};
use super::{even_arrangements, groups, lengths, sentences};
use crate::document::{Block, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::{BalanceFindings, FairnessDecision, VariantFindings};
use crate::stats::quantile::Summary;
use crate::stats::{Estimate, Rate, elo};

/// Returns the page about the variant with the most games; `None` without games.
///
/// In print, it is one page of A4 or Letter.
pub fn balance_sheet(
    findings: &BalanceFindings,
    details: &DetailsByVariant,
    provenance: Provenance,
) -> Option<Report> {
    let variant = findings.variants.first()?;
    let title = format!("{}: the balance on one page", formatting::title(&variant.variant));
    let mut report = Report::new("sheet", &title, provenance);
    report.summary = sentences::who_wins(&variant.tally, variant.adjusted_p()).into_iter().take(1).collect();
    report.summary.extend(sentences::between_equals(variant).into_iter().chain(sentences::fairness(variant)));
    let more = details.get(&variant.number);
    // The board is next to the table in print.
    let mut figures: Vec<Block> = start(variant).into_iter().collect();
    figures.push(Block::Table(table(variant, more)));
    figures.extend(
        even_arrangements::blocks(variant).into_iter().filter(|block| matches!(block, Block::Table(_))),
    );
    let mut pictures: Vec<Block> = groups::advantage_curve(variant).map(Block::Plot).into_iter().collect();
    if variant.tally.ended() >= SMALL_SAMPLE {
        pictures.push(Block::Plot(lengths::histogram(&variant.lengths)));
    }
    let rejected = findings.rejected.of_variant(&variant.variant.label());
    let notes = super::rejected::sentence(&rejected, &variant.tally).map(Block::Prose);
    let method = Block::Prose(
        "Intervals: 95 %; they allow for games that share players. Between equals: Bradley-Terry with Davidson's draws, side skills, and strengths \
         that change. `tafl report balance` has the details, and docs/statistics.md the methods."
            .to_owned(),
    );
    Some(report.with([
        Section::new("figures", "Figures").with(figures),
        Section::new("pictures", "By strength and length").with(pictures),
        Section::new("method", "Method").with(notes.into_iter().chain([method])),
    ]))
}

fn table(variant: &VariantFindings, more: Option<&VariantDetails>) -> Table {
    let tally = &variant.tally;
    let mut figures = SheetTable::new();
    figures.row("games", "games, finished", TableCell::Count(tally.ended()), "");
    figures.rate("attackers", "attackers' wins", tally.attackers_proportion(), "of games with a winner");
    figures.rate("draws", "draws", tally.drawn(), "of finished games");
    if let Ok(adjusted) = &variant.adjusted {
        let n = format!("{}, {} players", games(adjusted.games), formatting::count(adjusted.players));
        figures.percent("equals", "attackers' expected score between equals", adjusted.expectation, &n);
        figures.row("elo", "attackers' advantage between equals", formatting::estimate(adjusted.elo), "Elo");
    }
    if let Some(trend) = variant.significant_trend() {
        let [low, _, high] = trend.strengths;
        for (key, label, strength) in [
            ("weak", "advantage at the 10th percentile of strength", low),
            ("strong", "advantage at the 90th percentile of strength", high),
        ] {
            let meaning = format!("Elo; players of {} Elo", formatting::signed_integer(elo(strength)));
            figures.row(key, label, formatting::estimate(trend.at(strength)), &meaning);
        }
    }
    if let Some(fairness) = variant.fairness {
        let decision = match fairness.decision {
            FairnessDecision::Fair => "yes",
            FairnessDecision::Unfair => "no",
            FairnessDecision::Undecided => "undecided",
        };
        let needed = match fairness.decision {
            FairnessDecision::Undecided => {
                format!("{} detect a deviation of 5 points (power 80 %)", games(fairness.needed))
            }
            FairnessDecision::Fair | FairnessDecision::Unfair => "between equals".to_owned(),
        };
        figures.row("fair", "fair within 5 points", TableCell::text(decision), &needed);
    }
    if let Some(all) = &variant.lengths.all {
        let quartiles = format!("plies; quartiles {:.0} and {:.0}", all.lower_quartile, all.upper_quartile);
        figures.row("length", "median length", formatting::of_summary(all, |all| all.median), &quartiles);
    }
    let captures = |side: Side| variant.captures[side].as_ref();
    figures.mean("captures_attackers", "captures by the attackers", captures(Side::Attackers));
    figures.mean("captures_defenders", "captures by the defenders", captures(Side::Defenders));
    let on_board: u64 = variant
        .endings
        .iter()
        .filter(|(ending, _)| ending.reason.is_on_board())
        .map(|(_, rate)| rate.hits)
        .sum();
    figures.rate(
        "on_board",
        "decided on the board",
        Rate::of(on_board, tally.ended()).map(|rate| rate.with_design_effect(tally.effect())),
        "of finished games",
    );
    if let Some(branching) = more.and_then(|more| more.branching.as_ref()) {
        figures.row(
            "moves",
            "legal moves of a player",
            formatting::center(branching.mean),
            "mean over plies",
        );
    }
    if let Some(evals) = more.and_then(|more| more.evals.as_ref()) {
        figures.mean("drama", "drama", evals.drama.as_ref());
        figures.mean("lead_changes", "lead changes", evals.lead_changes.as_ref());
    }
    figures.0
}

/// The table of the page.
struct SheetTable(Table);

impl SheetTable {
    fn new() -> SheetTable {
        let table = Table::new("figures", "Key figures", "figure")
            .column("value", "value", NumberFormat::Number(1))
            .column("unit", "unit and basis", NumberFormat::Text);
        SheetTable(table)
    }

    fn row(&mut self, key: &str, label: &str, cell: TableCell, unit: &str) {
        self.0.push_keyed(key, label, [cell, TableCell::text(unit)]);
    }

    fn percent(&mut self, key: &str, label: &str, proportion: Estimate, basis: &str) {
        self.row(
            key,
            label,
            formatting::estimate(proportion.map(|part| part * 100.0)),
            &format!("%; {basis}"),
        );
    }

    fn rate(&mut self, key: &str, label: &str, rate: Option<Rate>, basis: &str) {
        match rate {
            Some(rate) if !rate.is_small_sample() => self.percent(key, label, rate.proportion, basis),
            Some(rate) => self.row(key, label, formatting::proportion(Some(rate)), basis),
            None => {}
        }
    }

    fn mean(&mut self, key: &str, label: &str, summary: Option<&Summary>) {
        if let Some(summary) = summary {
            self.row(key, label, formatting::of_summary(summary, |all| all.mean), "mean over games");
        }
    }
}
