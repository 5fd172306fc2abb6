//! The report on a player.

use tafl_analyzer::{MotifKind, Voice};
use tafl_rules::{BySide, Side, counted};

use super::formatting::{self, games, in_elo};
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::games::Games;
use crate::measure::player::{
    Departure, DepartureFindings, ErrorFindings, MotifCount, PlayerProfile, PlayerReportFindings,
    PlayerScore, Preparation, SideAccuracy, StrengthGap,
};
use crate::measure::{TimeOrder, UntimedGames};
use crate::stats::score::WdlCounts;
use crate::stats::{Estimate, Rate, Summary};

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
        Section::new("known_lines", "Leaving known lines").with(departures(&found.departures, source)),
        Section::new("accuracy", "Accuracy and errors").with(accuracy(found.errors.as_ref())),
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
    sentences.extend(left_first(&found.departures));
    sentences
}

/// Returns the sentence about who left known lines first, the player or the opponents in the same games.
fn left_first(found: &DepartureFindings) -> Option<String> {
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

fn results(found: &PlayerReportFindings, source: &Games) -> Vec<Block> {
    let player = &found.player;
    let mut blocks = vec![Block::Prose(RESULTS.to_owned())];
    if found.rated_games > source.rows.len() as u64 {
        blocks.push(Block::Prose(format!(
            "The strengths are estimated from {} of all variants, not only from those of this report.",
            games(found.rated_games)
        )));
    }
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

fn departures(found: &DepartureFindings, source: &Games) -> Vec<Block> {
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

fn first_new_plies(found: &DepartureFindings) -> Table {
    let mut table = Table::new("first_new_ply", "The first new ply", "left by")
        .column("games", "proportion of the games that left", NumberFormat::Percent)
        .column("median", "median ply", NumberFormat::Number(0))
        .column("mean", "mean ply", NumberFormat::Number(1));
    let others = found.by_player.and_then(|rate| Rate::of(rate.n - rate.hits, rate.n));
    for (key, rate, ply) in
        [("player", found.by_player, &found.ply), ("opponent", others, &found.opponent_ply)]
    {
        let of = |part: fn(&Summary) -> Estimate| {
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

fn accuracy(found: Option<&ErrorFindings>) -> Vec<Block> {
    let Some(found) = found else {
        return vec![Block::Prose(
            "No game is evaluated; `tafl annotate CORPUS` evaluates games.".to_owned(),
        )];
    };
    let mut blocks = vec![Block::Table(accuracy_table(found))];
    if !found.motifs.is_empty() {
        blocks.push(Block::Table(motif_table(&found.motifs)));
    }
    blocks
}

fn accuracy_table(found: &ErrorFindings) -> Table {
    let mut table = Table::new("accuracy", "Accuracy and error rates", "plies of")
        .column("games", "games", NumberFormat::Count)
        .column("plies", "plies", NumberFormat::Count)
        .column("accuracy", "accuracy", NumberFormat::Number(1))
        .column("blunders", "blunders", NumberFormat::Percent)
        .column("mistakes", "mistakes", NumberFormat::Percent)
        .column("inaccuracies", "inaccuracies", NumberFormat::Percent)
        .noted(
            "Accuracy: 100 if nothing was lost, of all plies together. In parentheses: 95 % intervals over games. docs/annotate.md \
             gives the formula and the thresholds of errors.",
        );
    let mut row = |key: String, label: String, own: &SideAccuracy| {
        if own.games > 0 {
            table.push_keyed(
                &key,
                &label,
                [
                    TableCell::Count(own.games),
                    TableCell::Count(own.plies),
                    own.accuracy.map_or(TableCell::Empty, formatting::estimate),
                    formatting::proportion_of_plies(own.blunders, own.games),
                    formatting::proportion_of_plies(own.mistakes, own.games),
                    formatting::proportion_of_plies(own.inaccuracies, own.games),
                ],
            );
        }
    };
    for side in Side::ALL {
        row(format!("player {side}"), format!("the player, {side}"), &found.by_side[side]);
    }
    for side in Side::ALL {
        row(format!("opponents {side}"), format!("the opponents, {side}"), &found.opponents[side]);
    }
    table
}

fn motif_table(motifs: &[MotifCount]) -> Table {
    let mut table = Table::new("motifs", "What mistakes and blunders missed or allowed", "motif")
        .column("share", "proportion of mistakes and blunders", NumberFormat::Percent)
        .noted(
            "Missed: what the engine's move would have done. Allowed: what its reply to the played move would have done. One error \
             may have several motifs.",
        );
    for motif in motifs {
        let voice = match motif.voice {
            Voice::Missed => "missed",
            Voice::Allowed => "allowed",
            Voice::Done => "played",
        };
        table.push_keyed(
            &format!("{} {}", motif.voice.as_str(), motif.kind.as_str()),
            &format!("{voice}: {}", motif_text(motif.kind)),
            [formatting::proportion(Some(motif.proportion))],
        );
    }
    table
}

/// Returns the description of a motif.
const fn motif_text(kind: MotifKind) -> &'static str {
    match kind {
        MotifKind::KingCaptured => "the capture of the king",
        MotifKind::KingEscapes => "the escape of the king",
        MotifKind::ExitFort => "an exit fort",
        MotifKind::Encirclement => "an encirclement",
        MotifKind::Shieldwall => "a shieldwall",
        MotifKind::Linnaean => "a Linnaean capture",
        MotifKind::ManyCaptured => "the capture of several men",
        MotifKind::Capture => "the capture of a man",
        MotifKind::TwoOpenLines => "two open lines for the king",
        MotifKind::OpenLine => "an open line for the king",
        MotifKind::KingInDanger => "a threat to the king",
        MotifKind::NoMove => "a move that leaves no legal reply",
    }
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
        blocks.extend(accuracy(found.errors.as_ref()));
    }
    blocks
}
