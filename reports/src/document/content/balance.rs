//! The balance report: a ranking of all variants and a page for each.

use tafl_rules::Side;

use super::variant::{Mores, variant_section};
use super::words::{self, between_equals, games, in_elo, the};
use crate::document::{Block, Cell, FEW, Provenance, Report, Row, Section, Style, Table};
use crate::measure::{BalanceFindings, VariantFindings};
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};

/// Returns the report on all variants: a summary, a ranking with intervals, and a section for each variant.
/// `mores` contains additional measurements.
pub fn balance_report(findings: &BalanceFindings, mores: &Mores, provenance: Provenance) -> Report {
    if let [only] = findings.variants.as_slice() {
        return variant_report(only, mores, provenance);
    }
    let mut report = Report::new("balance", "Who wins? The balance of tafl variants", provenance);
    report.summary = summary(findings);
    if findings.variants.is_empty() {
        return report;
    }
    report
        .with([ranking(findings)])
        .with(findings.variants.iter().map(|variant| variant_section(variant, mores)))
}

/// Returns the report on one variant.
pub fn variant_report(variant: &VariantFindings, mores: &Mores, provenance: Provenance) -> Report {
    let title = format!("The balance of {}", words::title(&variant.variant));
    let mut report = Report::new("balance", &title, provenance);
    report.summary = words::who_wins(&variant.tally, &variant.balance);
    report.summary.extend(between_equals(variant));
    let mut section = variant_section(variant, mores);
    // These sentences are already in the summary.
    section.blocks.retain(|block| !matches!(block, Block::Prose(text) if report.summary.contains(text)));
    report.with([section])
}

fn summary(findings: &BalanceFindings) -> Vec<String> {
    let total = &findings.total;
    if total.games == 0 {
        return vec!["There are no games, so nothing can be said about who wins.".to_owned()];
    }
    let with_enough: Vec<&VariantFindings> =
        findings.variants.iter().filter(|variant| variant.tally.ended() >= FEW).collect();
    let favored = |side: Option<Side>| {
        let has = |variant: &&&VariantFindings| {
            // If all games were drawn there is no balance, and neither side is favored.
            variant.balance.as_ref().ok().and_then(crate::stats::Balance::favored) == side
        };
        with_enough.iter().filter(has).count()
    };
    let mut said = vec![format!(
        "{} of {}; {} ended. {} at least {FEW} games that ended, enough for a percentage.",
        games(total.games),
        words::counted(findings.variants.len() as u64, "variant", "variants"),
        words::count(total.ended()),
        words::counted(with_enough.len() as u64, "variant has", "variants have")
    )];
    if !with_enough.is_empty() {
        said.push(format!(
            "Of these {}, {} favor the attackers and {} the defenders so clearly that chance is a poor explanation; in {} \
             either side may be favored.",
            with_enough.len(),
            favored(Some(Side::Attackers)),
            favored(Some(Side::Defenders)),
            favored(None)
        ));
    }
    if let Some(largest) = with_enough.first() {
        let first = words::who_wins(&largest.tally, &largest.balance).into_iter().next().unwrap_or_default();
        said.push(format!("The variant with the most games is {}. {first}", words::title(&largest.variant)));
    }
    said
}

/// Returns the variants ordered from the attackers' favor to the defenders' favor; those with too few games
/// come last.
fn ranked(findings: &BalanceFindings) -> Vec<&VariantFindings> {
    let mut all: Vec<&VariantFindings> = findings.variants.iter().collect();
    let share = |variant: &VariantFindings| {
        let rate = variant.tally.defenders_share().filter(|rate| rate.n >= FEW);
        rate.map_or(f64::INFINITY, |rate| rate.share.value)
    };
    all.sort_by(|one, other| share(one).total_cmp(&share(other)));
    all
}

fn ranking(findings: &BalanceFindings) -> Section {
    let ranked = ranked(findings);
    let enough: Vec<&VariantFindings> =
        ranked.iter().copied().filter(|variant| variant.tally.decided() >= FEW).collect();
    let mut blocks = vec![Block::Prose(
        "A bar shows where the true share lies: wrong for one variant in twenty. A bar that crosses the line in the middle \
         leaves open which side is favored."
            .to_owned(),
    )];
    let left = ranked.len() - enough.len();
    if left > 0 {
        blocks.push(Block::Warning(format!(
            "{} with fewer than {FEW} won games, at the end of the table, without a bar.",
            words::counted(left as u64, "variant", "variants")
        )));
    }
    blocks.push(Block::Plot(wins_plot(&enough)));
    if enough.iter().any(|variant| variant.adjusted.is_ok()) {
        blocks.push(Block::Prose(
            "Good players choose their side. The next plot takes the strength of the players out: what is left between two \
             players of the same strength. Diamonds lean on all variants together, which matters where there are few games."
                .to_owned(),
        ));
        blocks.push(Block::Plot(elo_plot(&enough)));
    }
    blocks.extend(common(findings));
    blocks.push(Block::Table(table(&ranked)));
    Section::new("ranking", "All variants").with(blocks)
}

fn wins_plot(variants: &[&VariantFindings]) -> Plot {
    let row = |variant: &&VariantFindings| {
        let (n, rate) = (variant.tally.decided(), variant.tally.attackers_share());
        ForestRow { label: words::title(&variant.variant), whisker: words::whisker_of(rate), second: None, n }
    };
    let n: u64 = variants.iter().map(|variant| variant.tally.decided()).sum();
    Plot {
        key: "wins".to_owned(),
        title: "Who wins, by variant".to_owned(),
        note: format!(
            "Share of the attackers' wins among {} that either side won. Bars: 95 % intervals.",
            games(n)
        ),
        chart: Chart::Forest(Forest {
            axis: Axis::percent("won games that the attackers win (%)"),
            reference: Some((0.5, "even".to_owned())),
            rows: variants.iter().map(row).collect(),
            counts: "games".to_owned(),
        }),
    }
}

fn elo_plot(variants: &[&VariantFindings]) -> Plot {
    let rows: Vec<ForestRow> = variants
        .iter()
        .filter_map(|variant| {
            let adjusted = variant.adjusted.as_ref().ok()?;
            Some(ForestRow {
                label: words::title(&variant.variant),
                whisker: Some(words::whisker(adjusted.elo)),
                second: variant.shrunk.map(words::whisker),
                n: adjusted.games,
            })
        })
        .collect();
    let n: u64 = rows.iter().map(|row| row.n).sum();
    Plot {
        key: "elo".to_owned(),
        title: "Advantage between equals, by variant".to_owned(),
        note: format!(
            "{} that ended and name two players. Disc: this variant alone; diamond: drawn to the mean of all. Bars: 95 % \
             intervals.",
            games(n)
        ),
        chart: Chart::Forest(Forest {
            axis: Axis::signed("advantage of the attackers between equals (Elo)"),
            reference: Some((0.0, "even".to_owned())),
            rows,
            counts: "games".to_owned(),
        }),
    }
}

/// Returns the common distribution of all variants.
fn common(findings: &BalanceFindings) -> Option<Block> {
    let common = findings.hierarchy.as_ref().ok()?;
    let favored = if common.mean.low > 0.0 {
        format!("{} are favored on the whole", the(Side::Attackers))
    } else if common.mean.high < 0.0 {
        format!("{} are favored on the whole", the(Side::Defenders))
    } else {
        "Neither side is favored on the whole".to_owned()
    };
    Some(Block::Prose(format!(
        "{favored}: the mean advantage of the attackers over {} variants is {}. Variants differ by some {:.0} Elo from it; a \
         new variant may be expected between {} and {} Elo.",
        common.n,
        in_elo(common.mean),
        common.spread,
        words::whole(common.range.low),
        words::whole(common.range.high)
    )))
}

fn table(ranked: &[&VariantFindings]) -> Table {
    let mut table = words::results(Table::new("ranking", "The balance of every variant", "variant"))
        .column("signed", "signed balance", Style::Signed(2))
        .column("elo", "attackers' advantage between equals (Elo)", Style::Signed(0))
        .column("shrunk", "the same, leaning on all variants (Elo)", Style::Signed(0))
        .column("p", "p after control for many variants", Style::Number(3))
        .noted(
            "In parentheses: 95 % intervals. Signed balance: wins of the favored side for each win of the other, + for defenders, \
             \u{2212} for attackers. p: how often even variants would look so uneven, controlled over all variants (Holm).",
        );
    for variant in ranked {
        let tally = &variant.tally;
        let few = tally.decided() < FEW;
        let signed = if few { Cell::Missing("too few".to_owned()) } else { words::signed(&variant.balance) };
        let elo = match &variant.adjusted {
            Ok(adjusted) => words::estimate(adjusted.elo),
            Err(missing) => Cell::Missing(missing.to_string()),
        };
        let mut cells = words::result_cells(tally).to_vec();
        cells.extend([
            signed,
            if few { Cell::Empty } else { elo },
            if few { Cell::Empty } else { words::maybe(variant.shrunk) },
            variant.p_holm.map_or(Cell::Empty, Cell::number),
        ]);
        let (key, label) = (variant.variant.label(), words::title(&variant.variant));
        table.push_row(Row { link: Some(key.clone()), key, label, cells });
    }
    table
}
