//! The plies with which a player and the opponents leave known lines.

use tafl_rules::counted;

use crate::document::content::formatting::{self, games};
use crate::document::{Block, NumberFormat, Table, TableCell};
use crate::measure::games::Games;
use crate::measure::player::{Departure, DepartureFindings};
use crate::measure::{TimeOrder, UntimedGames};
use crate::stats::score::WdlCounts;
use crate::stats::{Rate, SampleCenter, Summary};

/// Returns the sentence about who left known lines first, the player or the opponents in the same games.
pub(super) fn left_first(found: &DepartureFindings) -> Option<String> {
    let rate = found.by_player?;
    let proportion = |rate: Rate| {
        if rate.is_small_sample() {
            String::new()
        } else {
            format!(", {}", formatting::percent(rate.proportion))
        }
    };
    let at = |ply: &Option<Summary>| {
        ply.as_ref().map_or(String::new(), |ply| format!(", at a median ply of {:.0}", ply.median.value))
    };
    Some(format!(
        "Of {} that left known lines, the player left them first in {}{}{}, and the opponent in the other {}{}.",
        games(rate.n),
        formatting::count(rate.hits),
        proportion(rate),
        at(&found.ply),
        formatting::count(rate.n - rate.hits),
        at(&found.opponent_ply),
    ))
}

/// Returns the section on departures: how lines are known, a comparison with the opponents, and tables.
pub(super) fn blocks(found: &DepartureFindings, source: &Games) -> Vec<Block> {
    let known = match found.time_order {
        TimeOrder::Date => "an earlier game of other players, by date, had the position".to_owned(),
        TimeOrder::Number => {
            "an earlier game of other players, by the numbers of the games, had the position".to_owned()
        }
        TimeOrder::Unknown => {
            let UntimedGames { games, without_date, without_number } = found.untimed;
            format!(
                "any game of other players had the position, because the order of the games is not known (of {} of these variants, \
                 {} no date, and {} no number)",
                formatting::games(games),
                counted(without_date, "has", "have"),
                counted(without_number, "has", "have"),
            )
        }
    };
    let mut blocks = vec![Block::Prose(format!(
        "A line is known as long as {known}, in any orientation and order of moves. Of {}, {} never left known lines.",
        games(found.games),
        formatting::count(found.known)
    ))];
    blocks.extend(compared_with_opponents(found).map(Block::Prose));
    blocks.push(Block::Table(first_new_plies(found)));
    if !found.departures.is_empty() {
        blocks.push(Block::Table(departure_table(&found.departures, source)));
    }
    blocks
}

/// Returns the sentence on whether the player or the opponents leave known lines more often; `None` for a small sample.
fn compared_with_opponents(found: &DepartureFindings) -> Option<String> {
    let comparison = found.comparison?;
    let (own, opponents) = (found.by_side.attackers?, found.opponents_with_attackers?);
    if own.is_small_sample() || opponents.is_small_sample() {
        return None;
    }
    let more_often = match comparison.value {
        value if value.holds(0.0) => {
            "The data do not show whether the player or the opponents leave known lines more often"
        }
        value if value.value > 0.0 => "The player leaves known lines more often than the opponents",
        _ => "The opponents leave known lines more often than the player",
    };
    Some(format!(
        "{more_often}. With the attackers, the player left them first in {} of {}, and the opponents in {} of {}: a difference of {}, {}. \
         The comparison is between games with the same side, because the sides move at different plies. Games count as independent.",
        formatting::count(own.hits),
        games(own.n),
        formatting::count(opponents.hits),
        formatting::count(opponents.n),
        formatting::in_points(comparison.value),
        formatting::p_value(comparison.p)
    ))
}

fn first_new_plies(found: &DepartureFindings) -> Table {
    let mut table = Table::new("first_new_ply", "The first new ply", "left by")
        .column("games", "proportion of the games that left", NumberFormat::Percent)
        .column("median", "median ply", NumberFormat::Number(0))
        .column("mean", "mean ply", NumberFormat::Number(1));
    let others = found.by_player.and_then(|rate| Rate::of(rate.n - rate.hits, rate.n));
    for (key, rate, ply) in
        [("player", found.by_player, &found.ply), ("opponent", others, &found.opponent_ply)]
    {
        let of = |part: fn(&Summary) -> SampleCenter| {
            ply.as_ref().map_or(TableCell::Empty, |all| formatting::of_summary(all, part))
        };
        table.push(key, [formatting::proportion(rate), of(|all| all.median), of(|all| all.mean)]);
    }
    table
}

fn departure_table(departures: &[Departure], source: &Games) -> Table {
    let mut table = Table::new("departures", "Typical departures of the player", "moves")
        .column("variant", "variant", NumberFormat::Text)
        .column("side", "side", NumberFormat::Text)
        .column("games", "games", NumberFormat::Count)
        .column("ply", "ply", NumberFormat::Count)
        .column("won", "won", NumberFormat::Count)
        .column("drawn", "drawn", NumberFormat::Count)
        .column("lost", "lost", NumberFormat::Count)
        .noted("The moves of the first game in which the player reached the new position with the last of these moves.");
    for departure in departures {
        let variant = source.variants.get(departure.variant as usize);
        let WdlCounts { wins, draws, losses } = departure.counts;
        table.push(
            &departure.moves_text,
            [
                TableCell::text(variant.map(formatting::title).unwrap_or_default()),
                TableCell::text(departure.side.as_str()),
                TableCell::Count(departure.games),
                TableCell::Count(u64::from(departure.ply)),
                TableCell::Count(wins),
                TableCell::Count(draws),
                TableCell::Count(losses),
            ],
        );
    }
    table
}
