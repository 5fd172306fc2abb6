//! Disagreement between sources on the balance of a variant.

use tafl_rules::counted;

use super::formatting;
use crate::document::{Block, NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::GameTally;
use crate::measure::published::{Agreement, PublishedCheck, PublishedComparison, PublishedFigure};
use crate::measure::sources::{BalanceSlice, EXPERIENCED, SourceDisagreement};
use crate::plot::Plot;
use crate::stats::compare::compare_proportions;
use crate::stats::{Balance, NotEstimable, WinRatio, holm};

/// Returns the blocks about the disagreement between sources.
pub(super) fn blocks(found: &SourceDisagreement) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Why do sources disagree?".to_owned())];
    if !found.published.is_empty() {
        blocks.push(Block::Prose(
            "Several figures have been published for this variant, each from different games. The groups of games below show how \
             much the balance depends on the selection."
                .to_owned(),
        ));
        blocks.push(Block::Table(published(&found.published)));
    }
    let rows = slice_rows(found);
    blocks.push(Block::Plot(plot(&rows)));
    let table = table(&rows);
    blocks.push(Block::Table(if found.by_match.is_empty() { table } else { table.noted(STRONGER_SIDE) }));
    blocks.extend(conclusions(found).into_iter().map(Block::Prose));
    blocks
}

/// The note on the rows by the side of the stronger player.
const STRONGER_SIDE: &str = "Stronger, and about equal: by the strengths of both players in their other games, so that the result of \
     a game does not decide its group. A game is in none of these groups if one of its players has no other game. Strengths from few games are \
     inexact, so the groups differ less than groups by the true strengths would.";

/// A row about a subset of the games.
struct SliceRow<'f> {
    /// The key for programs.
    key: String,
    label: String,
    tally: &'f GameTally,
    balance: &'f Result<Balance, NotEstimable>,
}

impl<'f> SliceRow<'f> {
    fn of(slice: &'f BalanceSlice) -> SliceRow<'f> {
        SliceRow::labeled(slice.label.clone(), slice)
    }

    fn labeled(label: String, slice: &'f BalanceSlice) -> SliceRow<'f> {
        SliceRow { key: label.clone(), label, tally: &slice.tally, balance: &slice.balance }
    }

    fn with_key(self, key: &str) -> SliceRow<'f> {
        SliceRow { key: key.to_owned(), ..self }
    }
}

fn slice_rows(found: &SourceDisagreement) -> Vec<SliceRow<'_>> {
    let mut rows = vec![SliceRow::of(&found.all)];
    let files = found.by_source.iter();
    rows.extend(files.map(|slice| SliceRow::labeled(format!("file: {}", slice.label), slice)));
    // The keys are those of the first version of the JSON form.
    rows.extend([
        SliceRow::of(&found.on_board),
        SliceRow::of(&found.by_resignation).with_key("given up"),
        SliceRow::of(&found.by_inferred_resignation),
        SliceRow::of(&found.by_timeout).with_key("ended on time"),
    ]);
    rows.extend(found.by_match.iter().chain(found.by_number.iter().flatten()).map(SliceRow::of));
    rows.extend(found.by_band.iter().flatten().map(|group| {
        let label = format!("strength: {}", group.label);
        SliceRow { key: label.clone(), label, tally: &group.tally, balance: &group.balance }
    }));
    rows
}

/// Returns the conclusions in sentences, each from its own figures.
fn conclusions(found: &SourceDisagreement) -> Vec<String> {
    let mut sentences = Vec::new();
    let bands = found.by_band.as_ref().ok().and_then(|bands| bands.first().zip(bands.last()));
    let [by_ending, by_strength] = stated([
        p_of_difference(&found.on_board.tally, &found.by_timeout.tally),
        bands.and_then(|(weak, strong)| p_of_difference(&weak.tally, &strong.tally)),
    ]);
    if let Some(p) = by_ending
        && let (Ok(board), Ok(time)) = (&found.on_board.balance, &found.by_timeout.balance)
    {
        sentences.push(format!(
            "The balance depends on how games ended: it is {} for games that ended on the board, and {} for games that ended by \
             timeout ({p}).",
            ratio_text(board.value),
            ratio_text(time.value)
        ));
    }
    if let Some((weak, strong)) = bands
        && let Some(p) = by_strength
        && let (Ok(weak), Ok(strong)) = (&weak.balance, &strong.balance)
    {
        sentences.push(format!(
            "The balance depends on the strength of the players: it is {} among the weakest, and {} among the strongest ({p}).",
            ratio_text(weak.value),
            ratio_text(strong.value)
        ));
    }
    if let Ok(equals) = &found.between_equals {
        sentences.push(format!(
            "Between equals, the balance would be {} ({} to {}).",
            ratio_text(equals.value),
            ratio_text(equals.low),
            ratio_text(equals.high)
        ));
    }
    if found.shared_lines > 0 {
        sentences.push(format!(
            "The sources overlap: {} in more than one file.",
            counted(
                found.shared_lines,
                "line of play of at least ten plies occurs",
                "lines of play of at least ten plies occur"
            )
        ));
    }
    sentences
}

/// Returns the p-value of the difference between the balances of two selections with enough games.
fn p_of_difference(one: &GameTally, other: &GameTally) -> Option<f64> {
    let (one, other) = (one.defenders_proportion()?, other.defenders_proportion()?);
    let is_enough = one.n.min(other.n) >= SMALL_SAMPLE;
    is_enough.then(|| compare_proportions(&one, &other).p)
}

/// Returns the p-values of significant differences in words, such as `p = 0.0123, Holm`; they are adjusted for the number of
/// differences that are tested.
fn stated(values: [Option<f64>; 2]) -> [Option<String>; 2] {
    let tested: Vec<f64> = values.into_iter().flatten().collect();
    let method = if tested.len() > 1 { ", Holm" } else { "" };
    let mut adjusted = holm(&tested).into_iter();
    values.map(|value| {
        let p = value.and_then(|_| adjusted.next()).filter(|p| *p < 0.05)?;
        Some(format!("{}{method}", formatting::p_value(p)))
    })
}

fn ratio_text(ratio: WinRatio) -> String {
    ratio.to_string().replace('-', "\u{2212}")
}

fn published(checks: &[PublishedCheck]) -> Table {
    let mut table = Table::new("published", "Published figures compared with these games", "source")
        .column("published", "published", NumberFormat::Signed(2))
        .column("won", "games with a winner (published)", NumberFormat::Count)
        .column("here", "these games", NumberFormat::Signed(2))
        .column("agreement", "agreement", NumberFormat::Text)
        .column("experienced", "both players experienced", NumberFormat::Signed(2))
        .column("experienced_agreement", "agreement, both players experienced", NumberFormat::Text)
        .noted(&format!(
            "Win ratios; in parentheses: 95 % intervals for independent games, because most published figures are about games of the same \
             players. Those of the other tables are wider, because they allow for games that share players: compared with a figure of other \
             players, these are too narrow, and p is too small. A published figure has an interval if its counts are known. Equal: the same \
             to two decimals. p: the score test of the defenders' proportion of the games with a winner, published and here; the \
             figures agree if p is at least 0.05. A figure without counts agrees if it is inside the interval of these games. Experienced: \
             with at least {EXPERIENCED} games of any variant in this report.{}",
            checks.first().map_or_else(String::new, |check| format!(
                " These games: {} with a winner, {} of them with both players experienced.",
                formatting::count(check.all.tally.decided()),
                formatting::count(check.experienced.tally.decided())
            ))
        ));
    for PublishedCheck { published, all, experienced, .. } in checks {
        let (figure, won) = match published.figure {
            PublishedFigure::Ratio(_) => (
                published
                    .figure
                    .ratio()
                    .and_then(WinRatio::finite)
                    .map_or(TableCell::Empty, TableCell::number),
                TableCell::Missing("not published".to_owned()),
            ),
            PublishedFigure::Counts { attackers, defenders, .. } => (
                formatting::win_ratio(&Balance::of(attackers, defenders)),
                TableCell::Count(attackers + defenders),
            ),
        };
        let compared =
            |found: &PublishedComparison| [formatting::win_ratio(&found.balance), agreement(found)];
        let cells = [figure, won].into_iter().chain(compared(all)).chain(compared(experienced));
        table.push(&published.source, cells);
    }
    table
}

/// Returns the agreement of a published figure with games, and how it was found.
fn agreement(found: &PublishedComparison) -> TableCell {
    let text = match (found.agreement, found.difference) {
        (Agreement::Nothing, _) => "not comparable".to_owned(),
        (Agreement::Same, _) => "equal".to_owned(),
        (Agreement::WithinChance, Some(difference)) => {
            format!("within chance ({})", formatting::p_value(difference.p))
        }
        (Agreement::WithinChance, None) => "inside".to_owned(),
        (Agreement::Differs, Some(difference)) => format!("differs ({})", formatting::p_value(difference.p)),
        (Agreement::Differs, None) => "outside".to_owned(),
    };
    TableCell::Text(text)
}

fn plot(rows: &[SliceRow<'_>]) -> Plot {
    let rows = rows.iter().map(|row| formatting::wins_row(row.label.clone(), row.tally));
    formatting::wins_plot("sources", "Balance by selection of games", rows.collect())
}

fn table(rows: &[SliceRow<'_>]) -> Table {
    let mut table = Table::new("slices", "Balance by selection of games", "selection")
        .column("games", "games", NumberFormat::Count)
        .column("attackers", "attackers' wins (of games with a winner)", NumberFormat::Percent)
        .column("win_ratio", "win ratio", NumberFormat::Signed(2));
    for SliceRow { key, label, tally, balance } in rows {
        let cells = [
            TableCell::Count(tally.games),
            formatting::proportion(tally.attackers_proportion()),
            formatting::win_ratio_of(tally, balance),
        ];
        table.push_keyed(key, label, cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::super::tests::game;
    use super::*;
    use crate::measure::published::{check_published, published_balances};

    #[test]
    fn the_comparison_can_be_repeated_from_the_table() {
        let games: Vec<_> = (0..300)
            .map(|at| game(at, None, if at < 120 { GameResult::Attackers } else { GameResult::Defenders }))
            .collect();
        let checks: Vec<PublishedCheck> =
            published_balances().iter().map(|figure| check_published(figure, &games, |_| false)).collect();
        let table = published(&checks);
        let row = |at: usize| format!("{:?}", table.rows[at]);
        // 754 of 1,714 and 120 of 300 games: prop.test(c(960, 180), c(1714, 300), correct = FALSE) of R.
        assert!(
            row(0).contains("within chance (p = 0.1982)") && row(0).contains("Count(1714)"),
            "{}",
            row(0)
        );
        assert!(row(1).contains("\"inside\""), "{}", row(1));
        assert!(row(2).contains("differs (p = 0.0175)"), "{}", row(2));
        let note = table.note.as_deref().unwrap_or_default();
        assert!(note.contains("with at least 30 games of any variant"), "{note}");
        assert!(
            note.contains(
                "compared with a figure of other players, these are too narrow, and p is too small"
            ),
            "{note}"
        );
        assert!(note.contains("These games: 300 with a winner, 0 of them"), "{note}");
    }

    #[test]
    fn conclusions_from_two_tests_are_adjusted_for_each_other() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(stated([Some(0.03), Some(0.04)]), [None, None]);
        assert_eq!(stated([Some(0.02), Some(0.6)]), [text("p = 0.0400, Holm"), None]);
        assert_eq!(stated([None, Some(0.04)]), [None, text("p = 0.0400")]);
    }
}
