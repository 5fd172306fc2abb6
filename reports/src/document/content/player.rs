//! The report on a player.

mod departures;
mod errors;

use tafl_rules::{BySide, Side, counted};

use super::formatting::{self, games, in_elo};
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::games::Games;
use crate::measure::player::{PlayerProfile, PlayerReportFindings, PlayerScore, Preparation, StrengthGap};
use crate::stats::score::WdlCounts;

/// The maximum number of opponents in the table.
const MAX_OPPONENTS: usize = 30;

/// The explanation of tables with results.
const RESULTS: &str = "A draw counts as half a win; 95 % intervals are in parentheses. The expected score is the one that the strengths \
                       of both players and the side predict, in games whose strengths are known. The difference is the score \
                       in these games minus the expected one; its interval treats the strengths as exact.";

/// Returns the report on a player; `source` contains the games behind the figures.
pub fn player_report(found: &PlayerReportFindings, source: &Games, provenance: Provenance) -> Report {
    let player = &found.player;
    let mut report = Report::new("player", &player.name, provenance);
    report.summary = summary(found);
    report = report.with([
        Section::new("results", "Results").with(results(found, source)),
        Section::new("openings", "Openings").with(openings(player, source)),
        Section::new("known_lines", "Leaving known lines")
            .with(departures::blocks(&found.departures, source)),
        Section::new("accuracy", "Accuracy and errors").with(errors::blocks(found.errors.as_ref())),
    ]);
    match &found.against {
        Some(preparation) => {
            let title = format!("Against {}", preparation.opponent.name);
            report.with([Section::new("against", &title).with(against(preparation, source))])
        }
        None => report,
    }
}

fn summary(found: &PlayerReportFindings) -> Vec<String> {
    let player = &found.player;
    let WdlCounts { wins, draws, losses } = player.total.counts;
    let unfinished = match player.unfinished {
        0 => String::new(),
        n => format!(", {} unfinished", formatting::count(n)),
    };
    let mut sentences = vec![format!(
        "{}: {} won, {} drawn, {} lost{unfinished}.",
        games(player.games),
        formatting::count(wins),
        formatting::count(draws),
        formatting::count(losses)
    )];
    if let Ok(score) = player.total.score {
        let side = |side: Side| player.by_side[side].score.ok().map(|score| (side, score));
        let sides: Vec<String> = Side::ALL
            .into_iter()
            .filter_map(side)
            .map(|(side, score)| format!("{} with the {side}", formatting::percent(score)))
            .collect();
        sentences.push(format!("Score: {}; {}.", formatting::percent(score), sides.join(", ")));
    }
    sentences.push(match player.elo {
        Ok(elo) => format!("Strength: {} relative to the mean of all players.", in_elo(elo)),
        Err(missing) => format!("The strength is not estimated: {missing}."),
    });
    sentences.extend(departures::left_first(&found.departures));
    sentences
}

fn results(found: &PlayerReportFindings, source: &Games) -> Vec<Block> {
    let player = &found.player;
    let mut blocks = vec![Block::Prose(RESULTS.to_owned())];
    if found.rated_games > source.rows.len() as u64 {
        blocks.push(Block::Prose(format!(
            "The strengths are estimated from {} of all variants, not only from those of this report.",
            games(found.rated_games)
        )));
    }
    blocks.extend(chance(n_differences(found)).map(Block::Prose));
    blocks.push(Block::Table(sides(&player.by_side, "sides", "By side")));
    blocks.push(Block::Table(variants(player, source)));
    let mut table = with_score_columns(Table::new("strength", "By strength of the opponent", "opponent"));
    for (gap, score) in &found.by_gap {
        let (key, label) = match gap {
            StrengthGap::Weaker => ("weaker", "weaker by 100 Elo or more"),
            StrengthGap::Equal => ("equal", "within 100 Elo"),
            StrengthGap::Stronger => ("stronger", "stronger by 100 Elo or more"),
            StrengthGap::Unknown => ("unknown", "strength unknown"),
        };
        table.push_keyed(key, label, score_cells(score));
    }
    blocks.push(Block::Table(table));
    if found.by_month.is_empty() {
        blocks.push(Block::Prose("No game has a month, so there is no table of months.".to_owned()));
    } else {
        let mut table = with_score_columns(Table::new("months", "By month", "month"));
        for (month, score) in &found.by_month {
            table.push(month, score_cells(score));
        }
        blocks.push(Block::Table(table));
    }
    let mut table = with_score_columns(Table::new("opponents", "By opponent", "opponent"));
    for (opponent, score) in found.by_opponent.iter().take(MAX_OPPONENTS) {
        table.push(opponent, score_cells(score));
    }
    if found.by_opponent.len() > MAX_OPPONENTS {
        let n = counted((found.by_opponent.len() - MAX_OPPONENTS) as u64, "opponent", "opponents");
        table = table.noted(&format!("Not listed: {n} with fewer games."));
    }
    blocks.push(Block::Table(table));
    blocks
}

/// Returns the sentences on the number of differences whose interval does not contain the true one by chance.
fn chance(n_differences: u64) -> Option<String> {
    let expected = 0.05 * n_differences as f64;
    let here = if expected < 1.0 {
        String::new()
    } else {
        format!(": here, about {expected:.0} of {n_differences}")
    };
    (n_differences > 1).then(|| {
        format!(
            "The tables of this section have {} with a 95 % interval. Of 100 such intervals, about 5 do not contain the true difference, \
             by chance alone{here}. A single interval without 0 is therefore not evidence that the player scores better or worse there \
             than expected.",
            counted(n_differences, "difference", "differences")
        )
    })
}

/// Returns the number of differences with an interval in the tables of results.
fn n_differences(found: &PlayerReportFindings) -> u64 {
    let player = &found.player;
    let both_sides = |by_side: &BySide<PlayerScore>| Side::ALL.map(|side| by_side[side]);
    let scores = both_sides(&player.by_side)
        .into_iter()
        .chain(player.by_variant.iter().flat_map(|(_, by_side)| both_sides(by_side)))
        .chain(found.by_gap.iter().map(|(_, score)| *score))
        .chain(found.by_month.iter().map(|(_, score)| *score))
        .chain(found.by_opponent.iter().take(MAX_OPPONENTS).map(|(_, score)| *score));
    scores.filter(|score| score.expected.is_some()).count() as u64
}

/// Adds the columns for results; [`score_cells`] fills them.
fn with_score_columns(table: Table) -> Table {
    table
        .column("games", "finished games", NumberFormat::Count)
        .column("won", "won", NumberFormat::Count)
        .column("drawn", "drawn", NumberFormat::Count)
        .column("lost", "lost", NumberFormat::Count)
        .column("score", "score (%)", NumberFormat::PercentNumber(1))
        .column("expected", "expected (%)", NumberFormat::PercentNumber(1))
        .column("difference", "difference (percentage points)", NumberFormat::SignedPercent(1))
}

fn score_cells(score: &PlayerScore) -> Vec<TableCell> {
    let WdlCounts { wins, draws, losses } = score.counts;
    vec![
        TableCell::Count(score.games()),
        TableCell::Count(wins),
        TableCell::Count(draws),
        TableCell::Count(losses),
        score.score.map_or(TableCell::Empty, formatting::estimate),
        score.expected.map_or(TableCell::Empty, |expected| TableCell::number(expected.value)),
        score.expected.map_or(TableCell::Empty, |expected| formatting::estimate(expected.difference)),
    ]
}

fn sides(by_side: &BySide<PlayerScore>, key: &str, title: &str) -> Table {
    let mut table = with_score_columns(Table::new(key, title, "side"));
    for side in Side::ALL {
        table.push(side.as_str(), score_cells(&by_side[side]));
    }
    table
}

fn variants(player: &PlayerProfile, source: &Games) -> Table {
    let mut table = with_score_columns(Table::new("variants", "By variant and side", "variant and side"));
    for (variant, by_side) in &player.by_variant {
        let Some(variant) = source.variants.get(*variant as usize) else { continue };
        for side in Side::ALL.into_iter().filter(|side| by_side[*side].games() > 0) {
            table.push_keyed(
                &format!("{} {side}", variant.label()),
                &format!("{}, {side}", formatting::title(variant)),
                score_cells(&by_side[side]),
            );
        }
    }
    table
}

fn openings(player: &PlayerProfile, source: &Games) -> Vec<Block> {
    let mut blocks = vec![Block::Prose(
        "The first moves of games, the most frequent ones with at least two games; symmetric ones are combined. Adjusted p: of the \
         difference from the expected score, for all these openings (Benjamini-Hochberg); of those below 0.05, at most 5 % are \
         expected to be due to chance."
            .to_owned(),
    )];
    for part in player.openings.chunk_by(|one, two| (one.variant, one.side) == (two.variant, two.side)) {
        let Some(variant) = source.variants.get(part[0].variant as usize) else { continue };
        let side = part[0].side;
        let mut table = Table::new(
            &format!("openings {} {side}", variant.label()),
            &format!("{}: with the {side}", formatting::title(variant)),
            "moves",
        )
        .column("share", "proportion of these games", NumberFormat::Percent);
        table = with_score_columns(table).column("p_fdr", "adjusted p", NumberFormat::Number(4));
        for opening in part {
            let own = std::iter::once(formatting::proportion(Some(opening.proportion)));
            let p = opening.p_fdr.map_or(TableCell::Empty, TableCell::number);
            table.push(&opening.moves_text, own.chain(score_cells(&opening.score)).chain([p]));
        }
        blocks.push(Block::Table(table));
    }
    if player.openings.is_empty() {
        return vec![Block::Prose("No opening has two games.".to_owned())];
    }
    blocks
}

fn against(found: &Preparation, source: &Games) -> Vec<Block> {
    let opponent = &found.opponent;
    let met: u64 = Side::ALL.into_iter().map(|side| found.head_to_head[side].games()).sum();
    let strength = match opponent.elo {
        Ok(elo) => format!("Strength of the opponent: {} relative to the mean of all players.", in_elo(elo)),
        Err(missing) => format!("The strength of the opponent is not estimated: {missing}."),
    };
    let mut blocks = vec![Block::Prose(strength)];
    if met == 0 {
        blocks.push(Block::Prose("The two players have no finished game against each other.".to_owned()));
    } else {
        let title = "Results of the player against this opponent, by side of the player";
        blocks.push(Block::Table(sides(&found.head_to_head, "head_to_head", title)));
    }
    blocks.push(Block::Table(sides(
        &opponent.by_side,
        "opponent_sides",
        "Results of the opponent, by side of the opponent",
    )));
    blocks.push(Block::Heading(format!("What {} plays", opponent.name)));
    blocks.extend(openings(opponent, source));
    if found.errors.is_some() {
        blocks.push(Block::Heading(format!("Errors of {}", opponent.name)));
        blocks.extend(errors::blocks(found.errors.as_ref()));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_err_are_counted_from_one_on() {
        assert_eq!(chance(1), None);
        let text = chance(6).unwrap();
        assert!(text.contains("have 6 differences") && text.contains("by chance alone. A single"), "{text}");
        assert!(chance(40).unwrap().contains("by chance alone: here, about 2 of 40."));
    }
}
