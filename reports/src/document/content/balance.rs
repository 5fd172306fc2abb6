//! The balance report: a ranking of all variants and a page for each.

use tafl_rules::{Side, counted, word_list};

use super::formatting::{self, games, in_elo};
use super::funnel::funnel_plot;
use super::rejected;
use super::section_keys::SectionKeys;
use super::sentences::{self, between_equals};
use super::variant::{DetailsByVariant, variant_section};
use crate::document::{
    Block, NumberFormat, Provenance, Report, Row, SMALL_SAMPLE, Section, Table, TableCell,
};
use crate::measure::{BalanceFindings, VariantFindings};
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};

/// The keys of the sections that are not about one variant.
const OTHER_SECTIONS: [&str; 3] = ["ranking", "rejected", "method"];

/// Returns the report on all variants: a summary, a ranking with intervals, and a section for each variant.
/// `details` contains additional measurements.
pub fn balance_report(
    findings: &BalanceFindings,
    details: &DetailsByVariant,
    provenance: Provenance,
) -> Report {
    if let [only] = findings.variants.as_slice() {
        return variant_report(only, findings, details, provenance);
    }
    let mut report = Report::new("balance", "Who wins? The balance of tafl variants", provenance);
    report.summary = summary(findings);
    if findings.variants.is_empty() {
        return report;
    }
    let keys = SectionKeys::of(&findings.variants, &OTHER_SECTIONS);
    let section =
        |variant: &VariantFindings| variant_section(keys.key(variant), variant, &findings.rejected, details);
    report
        .with([ranking(findings, &keys)])
        .with(rejected::section(findings))
        .with(findings.variants.iter().map(section))
        .with([method()])
}

/// Returns the report on one variant.
fn variant_report(
    variant: &VariantFindings,
    findings: &BalanceFindings,
    details: &DetailsByVariant,
    provenance: Provenance,
) -> Report {
    let title = format!("The balance of {}", formatting::title(&variant.variant));
    let mut report = Report::new("balance", &title, provenance);
    report.summary = sentences::who_wins(&variant.tally, variant.adjusted_p());
    let more = sentences::by_strength(variant).into_iter().chain(between_equals(variant));
    report.summary.extend(more.chain(sentences::fairness(variant)).chain(sentences::one_variant(variant)));
    let keys = SectionKeys::of(&findings.variants, &OTHER_SECTIONS);
    let section = variant_section(keys.key(variant), variant, &findings.rejected, details);
    report.with([section]).with(rejected::section(findings)).with([method()])
}

/// Returns the section on the methods, so that a document explains itself.
fn method() -> Section {
    let paragraphs = [
        "Results: proportions of finished games. Their intervals are Wilson's with a design effect for games that share players \
         (dyadic-robust variance), from 30 games with a winner on. Fewer than 30 games give counts instead of percentages.",
        "Advantage between equals: a Bradley-Terry model with Davidson's draws. The strengths and the side skills of the players \
         are normal with estimated standard deviations, integrated out by Laplace's method. A game counts if it finished and names two \
         different players.",
        "Several variants: the partially pooled advantages assume normal distributions over variants and over families with the \
         same start position, around a mean that depends on features of the rules (restricted likelihood). p-values are two-sided; \
         Holm and FDR (Benjamini and Hochberg) are over the variants with at least 30 games with a winner. The p-values of trends \
         with strength are adjusted over all variants with an estimated trend (FDR).",
        "Records that could not be replayed are not counted; the section on rejected records has their number, and \
         `tafl report health` the reasons. The page docs/statistics.md of the program gives the conditions, the limits, and the coverage in \
         simulated leagues.",
    ];
    Section::new("method", "Method").with(paragraphs.map(|text| Block::Prose(text.to_owned())))
}

fn summary(findings: &BalanceFindings) -> Vec<String> {
    let total = &findings.total;
    if total.games == 0 {
        let all = sentences::other_starts(&findings.other_starts);
        return vec![all.map_or_else(
            || "There are no games, so the balance is unknown.".to_owned(),
            |all| format!("No game can be counted, so the balance is unknown: there are only {all}."),
        )];
    }
    let with_enough: Vec<&VariantFindings> =
        findings.variants.iter().filter(|variant| variant.tally.ended() >= SMALL_SAMPLE).collect();
    let favored = |by: fn(&VariantFindings) -> Option<Side>, side: Side| {
        with_enough.iter().filter(|variant| by(variant) == Some(side)).count()
    };
    let mut sentences = vec![format!(
        "{} of {}; {} finished. {} at least {SMALL_SAMPLE} finished games, enough for percentages.",
        games(total.games),
        counted(findings.variants.len() as u64, "variant", "variants"),
        formatting::count(total.ended()),
        counted(with_enough.len() as u64, "variant has", "variants have")
    )];
    sentences.extend(
        sentences::other_starts(&findings.other_starts)
            .map(|some| format!("Not counted in this report: {some}.")),
    );
    if !with_enough.is_empty() {
        sentences.push(sentences::by_results(
            with_enough.len(),
            Side::ALL.map(|side| favored(VariantFindings::favored, side)),
        ));
        let [attackers, defenders] =
            Side::ALL.map(|side| favored(VariantFindings::favored_between_equals, side));
        sentences.push(format!(
            "Between players of equal strength, the attackers are significantly favored in {attackers} and the defenders in \
             {defenders}. (At most 5 % of the findings of each test are expected to be wrong.)"
        ));
    }
    if let Some(largest) = with_enough.first() {
        let won = largest.tally.wins(Side::Attackers).map_or_else(String::new, |rate| {
            format!(": the attackers won {} of {}", formatting::percent(rate.proportion), games(rate.n))
        });
        sentences.push(format!(
            "The variant with the most games is {}{won}.",
            formatting::title(&largest.variant)
        ));
    }
    sentences
}

/// Returns the variants ordered from the attackers' favor to the defenders' favor by the partially pooled advantage,
/// so that variants with few games are not first or last by chance; those without one or with too few games come
/// last.
fn ranked(findings: &BalanceFindings) -> Vec<&VariantFindings> {
    let mut all: Vec<&VariantFindings> = findings.variants.iter().collect();
    let place = |variant: &VariantFindings| {
        let enough = variant.tally.decided() >= SMALL_SAMPLE;
        variant.partially_pooled.filter(|_| enough).map_or(f64::INFINITY, |pooled| -pooled.value)
    };
    all.sort_by(|one, other| place(one).total_cmp(&place(other)));
    all
}

fn ranking(findings: &BalanceFindings, keys: &SectionKeys) -> Section {
    let ranked = ranked(findings);
    let enough: Vec<&VariantFindings> =
        ranked.iter().copied().filter(|variant| variant.tally.decided() >= SMALL_SAMPLE).collect();
    let mut blocks = vec![Block::Prose(
        "Each bar is a 95 % interval that allows for games that share players: about one in twenty does not contain the true \
         proportion. With many variants, some bars miss the vertical line by chance; the adjusted p-values in the table allow for \
         that. The order is that of the advantage between equals, partially pooled over all variants."
            .to_owned(),
    )];
    let left = ranked.len() - enough.len();
    if left > 0 {
        blocks.push(Block::Warning(format!(
            "{} fewer than {SMALL_SAMPLE} games with a winner: last in the table, and not in the plots. {}",
            counted(left as u64, "variant has", "variants have"),
            sentences::small_sample_reason()
        )));
    }
    blocks.push(Block::Plot(wins_plot(&enough)));
    if enough.iter().any(|variant| variant.adjusted.is_ok()) {
        blocks.push(Block::Prose(
            "The next plot is adjusted for the strength of the players: \
             it shows the advantage between players of equal strength. Diamonds are partially pooled over all variants, which \
             matters for variants with few games."
                .to_owned(),
        ));
        blocks.push(Block::Plot(elo_plot(&enough)));
        let common = findings.hierarchy.as_ref().ok();
        blocks.extend(common.and_then(|common| funnel_plot(&enough, common)).map(Block::Plot));
    }
    blocks.extend(common(findings));
    blocks.extend(feature_table(findings).map(Block::Table));
    blocks.push(Block::Table(table(&ranked, keys)));
    if enough.iter().any(|variant| variant.adjusted.is_ok()) {
        blocks.push(Block::Table(equals_table(&enough, keys)));
    }
    blocks.push(Block::Table(variant_counts(findings, &enough)));
    Section::new("ranking", "All variants").with(blocks)
}

fn wins_plot(variants: &[&VariantFindings]) -> Plot {
    let n: u64 = variants.iter().map(|variant| variant.tally.decided()).sum();
    let row = |variant: &&VariantFindings| {
        formatting::wins_row(formatting::title(&variant.variant), &variant.tally)
    };
    let note = format!(
        "The attackers' wins as a proportion of {} with a winner, in the {} with at least {SMALL_SAMPLE} of them. Bars: 95 % \
         intervals.",
        games(n),
        counted(variants.len() as u64, "variant", "variants")
    );
    Plot { note, ..formatting::wins_plot("wins", "Who wins, by variant", variants.iter().map(row).collect()) }
}

fn elo_plot(variants: &[&VariantFindings]) -> Plot {
    let rows: Vec<ForestRow> = variants
        .iter()
        .filter_map(|variant| {
            let adjusted = variant.adjusted.as_ref().ok()?;
            Some(ForestRow {
                label: formatting::title(&variant.variant),
                whisker: Some(formatting::whisker(adjusted.elo)),
                second: variant.partially_pooled.map(formatting::whisker),
                n: adjusted.games,
            })
        })
        .collect();
    let n: u64 = rows.iter().map(|row| row.n).sum();
    Plot {
        key: "elo".to_owned(),
        title: "Advantage between players of equal strength, by variant".to_owned(),
        note: format!(
            "{} that finished and name two players, in the {} with at least {SMALL_SAMPLE} games with a winner and an estimated \
             advantage. Disc: the variant alone; diamond: partially pooled over all variants with an advantage. Bars: 95 % intervals.",
            games(n),
            counted(rows.len() as u64, "variant", "variants")
        ),
        chart: Chart::Forest(Forest {
            axis: Axis::signed("attackers' advantage between equals (Elo)"),
            reference: Some((0.0, "even".to_owned())),
            rows,
            counts: "games".to_owned(),
        }),
    }
}

/// Returns the paragraph on the common distribution of all variants.
fn common(findings: &BalanceFindings) -> Option<Block> {
    let common = findings.hierarchy.as_ref().ok()?;
    let favored = if common.mean.low > 0.0 {
        "Over all variants, the attackers are favored"
    } else if common.mean.high < 0.0 {
        "Over all variants, the defenders are favored"
    } else {
        "Over all variants, the data do not show which side is favored"
    };
    Some(Block::Prose(format!(
        "{favored}: the attackers' mean advantage in the {} variants with an estimated advantage, including those with few games, is \
         {}. The standard deviation between variants of the same features is {:.0} Elo. With a probability of 95 %, the advantage in a further variant of average features is between \
         {} and {} Elo.",
        common.n,
        in_elo(common.mean),
        common.sd,
        formatting::signed_integer(common.range.low),
        formatting::signed_integer(common.range.high)
    )))
}

/// Returns the table of the effects of rule features; `None` for few variants.
fn feature_table(findings: &BalanceFindings) -> Option<Table> {
    let common = findings.hierarchy.as_ref().ok().filter(|common| !common.effects.is_empty())?;
    let mut table = Table::new("features", "Rule features and the advantage between equals", "difference between variants")
        .column("elo", "change of the attackers' advantage (Elo)", NumberFormat::Signed(0))
        .column("p", "p", NumberFormat::Number(3))
        .column("p_fdr", "p (FDR)", NumberFormat::Number(3))
        .noted(&format!(
            "Regression of the advantages of the {} with an estimated advantage on the features of their rules. The variants differ in other respects as well, so \
             these are associations: changing one rule of a variant can have another effect. Variants with the same start position \
             ({}) share a part of the advantage, with a standard deviation of {:.0} Elo. In parentheses: 95 % intervals.",
            counted(common.n, "variant", "variants"),
            counted(common.families, "family", "families"),
            common.family_sd
        ));
    for effect in &common.effects {
        table.push_keyed(
            &effect.key,
            &effect.about,
            [formatting::estimate(effect.elo), TableCell::number(effect.p), TableCell::number(effect.p_fdr)],
        );
    }
    Some(table)
}

fn table(ranked: &[&VariantFindings], keys: &SectionKeys) -> Table {
    let mut table = formatting::with_result_columns(Table::new("ranking", "Balance by variant", "variant"))
        .column("win_ratio", "win ratio", NumberFormat::Signed(2))
        .column("p", "p (Holm)", NumberFormat::Number(3))
        .column("p_fdr", "p (FDR)", NumberFormat::Number(3))
        .noted(&format!(
            "In parentheses: 95 % intervals. Win ratio: wins of the favored side per win of the other side, + if the defenders \
             are favored, \u{2212} if the attackers are. p: the probability of a result at least this uneven if the variant is \
             even, with a variance for games that share players. Holm and FDR: adjusted for the number of variants with \
             at least {SMALL_SAMPLE} games with a winner (the probability of any false finding, and the expected proportion of false findings)."
        ));
    for variant in ranked {
        let tally = &variant.tally;
        let mut cells = formatting::result_cells(tally).to_vec();
        cells.push(formatting::win_ratio_of(tally, &variant.balance));
        cells.extend([variant.p_holm, variant.p_fdr].map(p_cell));
        table.push_row(linked_row(variant, keys, cells));
    }
    table
}

/// Returns the table of the advantages between equals of variants with enough games.
fn equals_table(enough: &[&VariantFindings], keys: &SectionKeys) -> Table {
    let mut table = Table::new("equals", "Attackers' advantage between equals by variant", "variant")
        .column("games", "games", NumberFormat::Count)
        .column("elo", "advantage (Elo)", NumberFormat::Signed(0))
        .column("partially_pooled", "the same, partially pooled (Elo)", NumberFormat::Signed(0))
        .column("p", "p", NumberFormat::Number(3))
        .column("p_holm", "p (Holm)", NumberFormat::Number(3))
        .column("p_fdr", "p (FDR)", NumberFormat::Number(3))
        .noted(&format!(
            "The variants with at least {SMALL_SAMPLE} games with a winner. Games: those that finished and name two players. p: the \
             probability of an advantage at least this large if the sides are even between equals, and the same adjusted for the number \
             of these variants with an estimated advantage. Partially pooled: moved toward the mean of variants with the same features \
             and start position.{}",
            narrow_intervals(enough)
        ));
    for variant in enough {
        let (n, elo) = match &variant.adjusted {
            Ok(adjusted) => (TableCell::Count(adjusted.games), formatting::estimate(adjusted.elo)),
            Err(missing) => (TableCell::Empty, TableCell::Missing(missing.to_string())),
        };
        let mut cells = vec![n, elo, formatting::estimate_or_empty(variant.partially_pooled)];
        cells.extend([variant.equals_p(), variant.equals_holm, variant.equals_fdr].map(p_cell));
        table.push_row(linked_row(variant, keys, cells));
    }
    table
}

/// Returns the sentence on intervals that are narrower than if all strengths were known.
fn narrow_intervals(variants: &[&VariantFindings]) -> String {
    let is_narrow = |variant: &&&VariantFindings| {
        variant.adjusted.as_ref().is_ok_and(|found| found.advantage.is_below_known_players())
    };
    let names: Vec<String> =
        variants.iter().filter(is_narrow).map(|variant| formatting::title(&variant.variant)).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        " The intervals of {} are narrower than if all strengths were known exactly (see docs/statistics.md); their p-values, and \
         the decisions whether they are fair, use the error for known strengths.",
        word_list(&names, "and")
    )
}

fn p_cell(p: Option<f64>) -> TableCell {
    p.map_or(TableCell::Empty, TableCell::number)
}

/// Returns the row of a variant, with a link to its section.
fn linked_row(variant: &VariantFindings, keys: &SectionKeys, cells: Vec<TableCell>) -> Row {
    let link = Some(keys.key(variant).to_owned());
    Row { key: variant.variant.label(), label: formatting::title(&variant.variant), link, cells }
}

/// Returns the numbers of variants on which the figures of the section are based.
fn variant_counts(findings: &BalanceFindings, enough: &[&VariantFindings]) -> Table {
    let all = &findings.variants;
    let has_advantage = |variant: &&VariantFindings| variant.adjusted.is_ok();
    let finished = all.iter().filter(|variant| variant.tally.ended() >= SMALL_SAMPLE).count();
    let adjusted = enough.iter().copied().filter(has_advantage).count();
    let rows = [
        ("all", "all".to_owned(), all.len(), "the rows of the table of the balance"),
        (
            "finished",
            format!("with at least {SMALL_SAMPLE} finished games"),
            finished,
            "the summary; percentages of wins and draws",
        ),
        (
            "decided",
            format!("with at least {SMALL_SAMPLE} games with a winner"),
            enough.len(),
            "the plot of wins; win ratios and p-values of the results",
        ),
        (
            "adjusted",
            "of these, with an estimated advantage between equals".to_owned(),
            adjusted,
            "the plots of the advantage and its p-values",
        ),
        (
            "pooled",
            "with an estimated advantage, including those with few games".to_owned(),
            all.iter().filter(has_advantage).count(),
            "the mean over all variants, partial pooling, and the effects of rule features",
        ),
    ];
    let mut table = Table::new("variants", "Numbers of variants", "variants")
        .column("n", "number", NumberFormat::Count)
        .column("use", "basis of", NumberFormat::Text)
        .noted(
            "An advantage between equals is not estimated if the finished games that name both players have no winner or fewer than \
             three players, or if the iteration does not converge.",
        );
    for (key, label, n, basis) in rows {
        table.push_keyed(key, &label, [TableCell::Count(n as u64), TableCell::text(basis)]);
    }
    table
}
