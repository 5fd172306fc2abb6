//! Disagreement between sources on the balance of a variant.

use super::words;
use crate::document::{Block, Cell, FEW, Style, Table};
use crate::measure::published::{Agreement, PublishedCheck, PublishedFigure};
use crate::measure::sources::{Disagreement, Slice};
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};
use crate::stats::SignedRatio;

/// Returns the blocks about the disagreement between sources.
pub(super) fn blocks(found: &Disagreement) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Why do sources disagree?".to_owned())];
    if !found.published.is_empty() {
        blocks.push(Block::Prose(
            "Several figures are in use for this variant. Each counts other games; the same games, cut in the ways in which sources \
             differ, show how far that goes."
                .to_owned(),
        ));
        blocks.push(Block::Table(published(&found.published)));
    }
    let mut slices: Vec<(String, &Slice)> = vec![("all games".to_owned(), &found.all)];
    let add = |kind: &str, all: &[Slice]| -> Vec<(String, usize)> {
        all.iter().enumerate().map(|(at, slice)| (format!("{kind}{}", slice.label), at)).collect()
    };
    let by_source = add("file: ", &found.by_source);
    slices.extend(by_source.into_iter().map(|(label, at)| (label, &found.by_source[at])));
    slices
        .extend([&found.on_board, &found.given_up, &found.on_time].map(|slice| (slice.label.clone(), slice)));
    slices.extend(add("", &found.by_match).into_iter().map(|(label, at)| (label, &found.by_match[at])));
    if let Ok(by_number) = &found.by_number {
        slices.extend(add("", by_number).into_iter().map(|(label, at)| (label, &by_number[at])));
    }
    let bands: Vec<(String, Slice)> = found
        .by_band
        .iter()
        .flatten()
        .map(|group| {
            let slice =
                Slice { label: group.label.clone(), tally: group.tally.clone(), balance: group.balance };
            (format!("strength: {}", group.label), slice)
        })
        .collect();
    slices.extend(bands.iter().map(|(label, slice)| (label.clone(), slice)));
    blocks.push(Block::Plot(plot(&slices)));
    blocks.push(Block::Table(table(&slices)));
    blocks.extend(conclusions(found).into_iter().map(Block::Prose));
    blocks
}

/// Returns the conclusions in sentences, each from its own figures.
fn conclusions(found: &Disagreement) -> Vec<String> {
    let mut said = Vec::new();
    let signed = |slice: &Slice| slice.balance.as_ref().ok().map(|balance| balance.value);
    if let (Some(board), Some(time)) = (signed(&found.on_board), signed(&found.on_time)) {
        said.push(format!(
            "Which ends are counted matters: games that ended on the board stand at {}, games that ended on time at {}.",
            text(board),
            text(time)
        ));
    }
    if let Ok(bands) = &found.by_band
        && let (Some(weak), Some(strong)) = (bands.first(), bands.last())
        && let (Ok(weak), Ok(strong)) = (&weak.balance, &strong.balance)
    {
        said.push(format!(
            "Who plays matters: among the weakest players the balance is {}, among the strongest {}.",
            text(weak.value),
            text(strong.value)
        ));
    }
    if let Ok(equals) = &found.between_equals {
        said.push(format!(
            "Who chooses which side matters: the attackers' players are stronger by {} Elo on average; between equals the balance \
             would be {} (between {} and {}).",
            words::whole(equals.chosen),
            text(equals.value),
            text(equals.low),
            text(equals.high)
        ));
    }
    if found.shared_lines > 0 {
        said.push(format!(
            "Sources overlap: {} of ten plies or more in more than one file.",
            words::counted(found.shared_lines, "line of play", "lines of play")
        ));
    }
    said
}

fn text(ratio: SignedRatio) -> String {
    ratio.to_string().replace('-', "\u{2212}")
}

fn published(checks: &[PublishedCheck]) -> Table {
    let mut table = Table::new("published", "Published figures and these games", "source")
        .column("published", "published", Style::Text)
        .column("won", "won games behind it", Style::Count)
        .column("here", "these games", Style::Signed(2))
        .column("agreement", "do they agree?", Style::Text)
        .column("experienced", "these games, both players experienced", Style::Signed(2))
        .column("experienced_agreement", "do those agree?", Style::Text);
    let word = |agreement: Agreement| {
        Cell::text(match agreement {
            Agreement::Same => "yes, the same figure",
            Agreement::WithinChance => "yes, within chance",
            Agreement::Differs => "no",
            Agreement::Nothing => "nothing to compare",
        })
    };
    for check in checks {
        let won = match check.published.figure {
            PublishedFigure::Ratio(_) => Cell::Missing("not said".to_owned()),
            PublishedFigure::Counts { attackers, defenders, .. } => Cell::Count(attackers + defenders),
        };
        let figure = check.published.figure.ratio().map_or(Cell::Empty, |ratio| Cell::Text(text(ratio)));
        table.push(
            &check.published.source,
            [
                figure,
                won,
                words::signed(&check.balance),
                word(check.agreement),
                words::signed(&check.experienced),
                word(check.experienced_agreement),
            ],
        );
    }
    table
}

fn plot(slices: &[(String, &Slice)]) -> Plot {
    let rows = slices.iter().map(|(label, slice)| ForestRow {
        label: label.clone(),
        whisker: words::whisker_of(slice.tally.attackers_share()),
        second: None,
        n: slice.tally.decided(),
    });
    Plot {
        key: "sources".to_owned(),
        title: "The same variant, counted in several ways".to_owned(),
        note: "Share of the attackers' wins among won games. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::percent("won games that the attackers win (%)"),
            reference: Some((0.5, "even".to_owned())),
            rows: rows.collect(),
            counts: "games".to_owned(),
        }),
    }
}

fn table(slices: &[(String, &Slice)]) -> Table {
    let mut table = Table::new("slices", "The same variant, counted in several ways", "which games")
        .column("games", "games", Style::Count)
        .column("attackers", "attackers win of won games", Style::Percent)
        .column("signed", "signed balance", Style::Signed(2));
    for (label, slice) in slices {
        let few = slice.tally.decided() < FEW;
        let signed = if few { Cell::Missing("too few".to_owned()) } else { words::signed(&slice.balance) };
        table.push(
            label,
            [Cell::Count(slice.tally.games), words::share(slice.tally.attackers_share()), signed],
        );
    }
    table
}
