//! Disagreement between sources on the balance of a variant.

use super::formatting;
use crate::document::{Block, NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::GameTally;
use crate::measure::published::{Agreement, PublishedCheck, PublishedFigure};
use crate::measure::sources::{BalanceSlice, SourceDisagreement};
use crate::plot::Plot;
use crate::stats::compare::compare_proportions;
use crate::stats::{Balance, NotEstimable, WinRatio};

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
    blocks.push(Block::Table(table(&rows)));
    blocks.extend(conclusions(found).into_iter().map(Block::Prose));
    blocks
}

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
    if let Some(p) = differ(&found.on_board.tally, &found.by_timeout.tally)
        && let (Ok(board), Ok(time)) = (&found.on_board.balance, &found.by_timeout.balance)
    {
        sentences.push(format!(
            "The balance depends on how games ended: it is {} for games that ended on the board, and {} for games that ended by \
             timeout ({p}).",
            ratio_text(board.value),
            ratio_text(time.value)
        ));
    }
    if let Ok(bands) = &found.by_band
        && let (Some(weak), Some(strong)) = (bands.first(), bands.last())
        && let Some(p) = differ(&weak.tally, &strong.tally)
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
            formatting::counted(
                found.shared_lines,
                "line of play of at least ten plies occurs",
                "lines of play of at least ten plies occur"
            )
        ));
    }
    sentences
}

/// Returns `p = 0.012` if the balances of two selections differ significantly.
fn differ(one: &GameTally, other: &GameTally) -> Option<String> {
    let (one, other) = (one.defenders_proportion()?, other.defenders_proportion()?);
    let p = compare_proportions(&one, &other).p;
    let is_enough = one.n.min(other.n) >= SMALL_SAMPLE;
    (is_enough && p < 0.05).then(|| formatting::p_value(p))
}

fn ratio_text(ratio: WinRatio) -> String {
    ratio.to_string().replace('-', "\u{2212}")
}

fn published(checks: &[PublishedCheck]) -> Table {
    let mut table = Table::new("published", "Published figures compared with these games", "source")
        .column("published", "published", NumberFormat::Text)
        .column("won", "games with a winner", NumberFormat::Count)
        .column("here", "these games", NumberFormat::Signed(2))
        .column("agreement", "agreement", NumberFormat::Text)
        .column("experienced", "these games, both players experienced", NumberFormat::Signed(2))
        .column("experienced_agreement", "agreement, both players experienced", NumberFormat::Text)
        .noted("The intervals of this table are for independent games, like the published figures.");
    let word = |agreement: Agreement| {
        TableCell::text(match agreement {
            Agreement::Same => "equal",
            Agreement::WithinChance => "within the interval",
            Agreement::Differs => "outside the interval",
            Agreement::Nothing => "not comparable",
        })
    };
    for check in checks {
        let won = match check.published.figure {
            PublishedFigure::Ratio(_) => TableCell::Missing("not published".to_owned()),
            PublishedFigure::Counts { attackers, defenders, .. } => TableCell::Count(attackers + defenders),
        };
        let figure = check
            .published
            .figure
            .ratio()
            .map_or(TableCell::Empty, |ratio| TableCell::Text(ratio_text(ratio)));
        table.push(
            &check.published.source,
            [
                figure,
                won,
                formatting::win_ratio(&check.balance),
                word(check.agreement),
                formatting::win_ratio(&check.experienced),
                word(check.experienced_agreement),
            ],
        );
    }
    table
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
