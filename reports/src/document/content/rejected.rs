//! Rejected records in the balance report.

use tafl_rules::{counted, word_list};

use super::formatting;
use crate::document::{Block, NumberFormat, Section, Table, TableCell};
use crate::measure::{BalanceFindings, GameTally, RejectedCounts};
use crate::percent::percent_text;

/// Returns the sentence about the rejected records of a variant; `None` if there are none.
pub(super) fn sentence(counts: &RejectedCounts, tally: &GameTally) -> Option<String> {
    if counts.records == 0 {
        return None;
    }
    let mut text = format!(
        "{} of this variant could not be stored and {} not counted.",
        counted(counts.records, "record", "records"),
        if counts.records == 1 { "is" } else { "are" },
    );
    let results = [
        (counts.attackers, "win of the attackers", "wins of the attackers"),
        (counts.defenders, "win of the defenders", "wins of the defenders"),
        (counts.draws, "draw", "draws"),
        (counts.others(), "game without a result", "games without a result"),
    ];
    let stated = results.iter().filter(|(n, ..)| *n > 0);
    let stated: Vec<String> = stated.map(|(n, one, many)| counted(*n, one, many)).collect();
    text += &format!(
        " {} {}.",
        if counts.records == 1 { "It states" } else { "They state" },
        word_list(&stated, "and")
    );
    if let (Some(with), Some(without)) = (counts.attackers_with(tally), tally.attackers_proportion())
        && !without.is_small_sample()
    {
        let [without, with] =
            [without.proportion.value, with].map(|part| format!("{} %", percent_text(part, 1)));
        text += &if without == with {
            format!(
                " Counted with these results, they would leave the attackers' proportion of games with a winner at {with}."
            )
        } else {
            format!(
                " Counted with these results, they would change the attackers' proportion of games with a winner from {without} to \
                 {with}."
            )
        };
    }
    Some(text)
}

/// Returns the section on the rejected records of all variants; `None` if there are none.
pub(super) fn section(findings: &BalanceFindings) -> Option<Section> {
    let rejected = &findings.rejected;
    if rejected.total() == 0 {
        return None;
    }
    let mut table = Table::new("rejected", "Records that could not be stored", "variant")
        .column("records", "records", NumberFormat::Count)
        .column("attackers", "state a win of the attackers", NumberFormat::Count)
        .column("defenders", "state a win of the defenders", NumberFormat::Count)
        .column("draws", "state a draw", NumberFormat::Count)
        .column("others", "no result, or unfinished", NumberFormat::Count)
        .column("stored", "games with a winner", NumberFormat::Count)
        .column("before", "attackers' wins, of games with a winner (%)", NumberFormat::PercentNumber(1))
        .column("after", "the same, with the rejected records (%)", NumberFormat::PercentNumber(1))
        .noted(
            "The results are those that the records state. Rejected records are those of the whole corpus, even if the report is \
             about a part of it. `tafl report health` lists the reasons.",
        );
    for variant in &findings.variants {
        let counts = rejected.of_variant(&variant.variant.label());
        if counts.records > 0 {
            let title = formatting::title(&variant.variant);
            push(&mut table, &variant.variant.label(), &title, &counts, Some(&variant.tally));
        }
    }
    let is_reported = |label: &str| findings.variants.iter().any(|own| own.variant.label() == label);
    let others = rejected.by_variant.iter().filter(|(label, _)| !is_reported(label));
    for (label, counts) in others {
        push(&mut table, label, label, counts, None);
    }
    if rejected.unknown.records > 0 {
        push(&mut table, "unknown", "unknown rules", &rejected.unknown, None);
    }
    Some(Section::new("rejected", "Rejected records").with([Block::Table(table)]))
}

fn push(table: &mut Table, key: &str, label: &str, counts: &RejectedCounts, tally: Option<&GameTally>) {
    let cell = |proportion: Option<f64>| proportion.map_or(TableCell::Empty, TableCell::number);
    let stored = tally.and_then(GameTally::attackers_proportion).filter(|rate| !rate.is_small_sample());
    let with = tally.and_then(|tally| counts.attackers_with(tally)).filter(|_| stored.is_some());
    table.push_keyed(
        key,
        label,
        [
            TableCell::Count(counts.records),
            TableCell::Count(counts.attackers),
            TableCell::Count(counts.defenders),
            TableCell::Count(counts.draws),
            TableCell::Count(counts.others()),
            tally.map_or(TableCell::Empty, |tally| TableCell::Count(tally.decided())),
            cell(stored.map(|rate| rate.proportion.value)),
            cell(with),
        ],
    );
}
