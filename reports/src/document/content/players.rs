//! Reports on players: a table of strengths.

use tafl_rules::{Side, counted};

use super::formatting::{self, games, in_elo};
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::players::{PlayerFigures, PlayerTable};
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};
use crate::stats::{Estimate, NotEstimable};

/// The maximum number of players in the plot.
const MAX_ROWS: usize = 30;

/// The warning about the intervals of the strongest and the weakest players.
const NORMAL_STRENGTHS: &str = "Caution: the intervals of the strengths assume that the strengths of all players are normally distributed. If a \
                                few players are much stronger than that distribution predicts, those at the top of the table are \
                                underestimated, and their intervals contain the true strength in fewer than 95 % of cases.";

/// Returns the table of players: at most `limit`, each with at least `min_games` finished games.
pub fn players_report(found: &PlayerTable, limit: usize, min_games: u64, provenance: Provenance) -> Report {
    let mut report = Report::new("players", "Players: results and strength", provenance);
    let all = found.players.len();
    let enough: Vec<&PlayerFigures> =
        found.players.iter().filter(|player| player.games() >= min_games).collect();
    let listed = &enough[..limit.min(enough.len())];
    if all == 0 {
        report.summary =
            vec!["No game names two different players, so there is no table of players.".to_owned()];
        return report;
    }
    // Without strengths, the order is that of the numbers of games.
    let first = if found.missing.is_none() { "strongest" } else { "most active" };
    let which = if listed.len() == enough.len() {
        format!("those with at least {}, {first} first", finished(min_games))
    } else {
        let n = formatting::count(enough.len() as u64);
        format!("the {first} of {n} with at least {}", finished(min_games))
    };
    report.summary.push(format!(
        "{} of {} players are listed: {which}.",
        listed.len(),
        formatting::count(all as u64)
    ));
    report.summary.push(match (found.missing, found.advantage) {
        (Some(missing), _) => format!("Strengths are not estimated: {missing}."),
        (None, Some(advantage)) => {
            format!("Strengths are adjusted for the side played: the attackers' advantage is {}.", in_elo(advantage))
        }
        (None, None) => format!(
            "Strengths are adjusted for the side played, with an advantage of the attackers in each of {} variants.",
            found.variants
        ),
    });
    let mut blocks = vec![Block::Prose(
        "Strength is in Elo, relative to the mean of all players with an estimated strength, and is not comparable with other \
         ratings. A player who is 100 Elo stronger is expected to score 64 % over both sides, and less if draws are frequent."
            .to_owned(),
    )];
    if found.unnamed > 0 {
        blocks.push(Block::Warning(format!(
            "Excluded: {} without the names of two different players.",
            games(found.unnamed)
        )));
    }
    if listed.iter().any(|player| player.elo.is_ok()) {
        blocks.push(Block::Prose(NORMAL_STRENGTHS.to_owned()));
        blocks.push(Block::Plot(plot(listed)));
    }
    blocks.push(Block::Table(table(listed)));
    report.with([Section::new("players", "Players").with(blocks)])
}

/// Formats a number of finished games.
fn finished(n: u64) -> String {
    counted(n, "finished game", "finished games")
}

fn plot(listed: &[&PlayerFigures]) -> Plot {
    let row = |player: &&PlayerFigures| ForestRow {
        label: player.name.clone(),
        whisker: player.elo.ok().map(formatting::whisker),
        second: None,
        n: player.games(),
    };
    Plot {
        key: "strength".to_owned(),
        title: "The strongest players".to_owned(),
        note: format!("The first {} of the table. Bars: 95 % intervals.", listed.len().min(MAX_ROWS)),
        chart: Chart::Forest(Forest {
            axis: Axis::signed("strength (Elo relative to the mean)"),
            reference: Some((0.0, "mean".to_owned())),
            rows: listed.iter().take(MAX_ROWS).map(row).collect(),
            counts: "games".to_owned(),
        }),
    }
}

fn table(listed: &[&PlayerFigures]) -> Table {
    let mut table = Table::new("players", "Players", "player")
        .column("games", "finished games", NumberFormat::Count)
        .column("elo", "strength (Elo)", NumberFormat::Signed(0))
        .column("score", "score (%)", NumberFormat::PercentNumber(1))
        .column("attackers", "score as attackers (%)", NumberFormat::PercentNumber(1))
        .column("defenders", "score as defenders (%)", NumberFormat::PercentNumber(1))
        .column("opponents", "opponents", NumberFormat::Count)
        .noted("A draw counts as half a win. In parentheses: 95 % intervals.");
    let has_years = listed.iter().any(|player| player.years.is_some());
    if has_years {
        table = table.column("years", "years", NumberFormat::Text);
    }
    let score = |score: &Result<Estimate, NotEstimable>| match score {
        Ok(score) => formatting::estimate(*score),
        Err(_) => TableCell::Empty,
    };
    for player in listed {
        let years = player.years.map_or(TableCell::Empty, |(first, last)| {
            TableCell::Text(if first == last { first.to_string() } else { format!("{first}\u{2013}{last}") })
        });
        let cells = [
            TableCell::Count(player.games()),
            formatting::estimate_or_reason(player.elo),
            score(&player.score),
            score(&player.score_by_side[Side::Attackers]),
            score(&player.score_by_side[Side::Defenders]),
            TableCell::Count(player.opponents),
        ];
        table.push(&player.name, cells.into_iter().chain(has_years.then_some(years)));
    }
    table
}
