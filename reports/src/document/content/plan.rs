//! The report on the number of games that a question about the balance needs.

use super::formatting;
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::plan::{PlanFindings, PlanTable};
use crate::stats::{SampleSizeQuestion, elo};

/// Returns the report on a plan; `source` names the games from which the conditions come, if they come from games.
pub fn plan_report(found: &PlanFindings, source: Option<&str>, provenance: Provenance) -> Report {
    let points = formatting::trimmed(found.spec.difference * 100.0);
    let mut report = Report::new(
        "plan",
        &format!("How many games are needed to detect a difference of {points} points?"),
        provenance,
    );
    report.summary = summary(found);
    let section = |key: &str, title: &str, prose: &str, table: &PlanTable| {
        Section::new(key, title)
            .with([Block::Prose(prose.to_owned()), Block::Table(games_table(found, table))])
    };
    let recorded = found.as_recorded.as_ref().map(|table| {
        section(
            "as_recorded",
            "Players as active as in these games",
            "Some players play much more than others, and choose their opponents and sides, as in the games of the source. \
             `tafl report balance` assumes the same, and that the number of players grows with the number of games.",
            table,
        )
    });
    report.with(recorded).with([
        section(
            "any_strength",
            "Equally active players, opponents of any strength",
            "All players meet all others equally often, and with each side equally often, as in a tournament. Games between \
             unequal players say less about the sides, because their results are mostly decided by strength.",
            &found.any_strength,
        ),
        section(
            "equal_strength",
            "Equally active players, opponents of equal strength",
            "The same, if only players of equal strength meet.",
            &found.equal_strength,
        ),
        Section::new("conditions", "Conditions")
            .with([Block::Table(conditions(found, source)), Block::Prose(method(found))]),
    ])
}

fn method(found: &PlanFindings) -> String {
    let mut sentences = "For equally active players, the variance of the estimated advantage is 1 / (games * w) + 4 * side skill^2 / \
                         players, in log odds, where w is the mean variance of the score of a game. The second part is the design effect \
                         of shared players: more games of the same players do not reduce it."
        .to_owned();
    if found.as_recorded.is_some() {
        sentences += " For players as active as in these games, the variance is r * (4 / S - 1 / (games * w)), where S is the sum of n * w / \
                      (1 + n * w * side skill^2) over the players with their numbers of games n, and r is in the last row of the table.";
    }
    sentences + " docs/statistics.md compares the plan with simulated leagues."
}

fn summary(found: &PlanFindings) -> Vec<String> {
    let spec = &found.spec;
    let points = formatting::trimmed(spec.difference * 100.0);
    let power = formatting::trimmed(spec.power * 100.0);
    let deviation = format!("a deviation of {points} points from 50 % between equals");
    let mut sentences = Vec::new();
    let equal = plans(&found.any_strength, "each");
    let none = format!(
        "With these numbers of players, no number of games detects {deviation} with a power of {power} %"
    );
    if let Some(table) = &found.as_recorded {
        sentences.push(match plans(table, "each on average") {
            None => format!("{none}, if the players are as unequally active as in these games."),
            Some(plans) => format!(
                "With a power of {power} %, {deviation} is detected by {plans}, if the players are as unequally active as in these games."
            ),
        });
        sentences.extend(equal.map(|plans| format!("If all play equally often, {plans} are enough.")));
    } else {
        sentences.push(match equal {
            None => format!("{none}."),
            Some(plans) => format!(
                "With a power of {power} %, {deviation} is detected by {plans}, if all play equally often, as in a tournament. If some play \
                 much more than others, more games are needed: with a corpus as the source, the plan allows for that."
            ),
        });
    }
    let table = found.as_recorded.as_ref().unwrap_or(&found.any_strength);
    if let Some(fewest) = table.min_players.first().filter(|fewest| **fewest > 2) {
        sentences.push(format!(
            "With fewer than {} players, no number of games suffices, because each of them plays one side better than the other.",
            formatting::count(*fewest)
        ));
    }
    sentences
}

/// Returns the plans of a table for the first question, in words; `None` if no number of games suffices.
fn plans(table: &PlanTable, each: &str) -> Option<String> {
    let shown = table.rows.iter().filter_map(|row| Some((row.players, (*row.games.first()?)?)));
    let plans: Vec<String> = shown
        .map(|(players, games)| {
            format!(
                "{} of {} players ({} {each})",
                formatting::games(games),
                formatting::count(players),
                formatting::count((2.0 * games as f64 / players as f64).round() as u64)
            )
        })
        .collect();
    (!plans.is_empty()).then(|| plans.join("; "))
}

fn heading(question: &SampleSizeQuestion) -> String {
    let points = |part: f64| formatting::trimmed(part * 100.0);
    match question {
        SampleSizeQuestion::Detect(difference) => {
            format!("games to detect a deviation of {} points", points(*difference))
        }
        SampleSizeQuestion::Equivalent { margin, distance } if *distance <= 0.0 => {
            format!("games to show fairness within {} points, if the variant is even", points(*margin))
        }
        SampleSizeQuestion::Equivalent { margin, distance } => {
            format!(
                "games to show fairness within {} points, if the variant is {} points from even",
                points(*margin),
                points(*distance)
            )
        }
        SampleSizeQuestion::Compare(difference) => {
            format!("games of each of two variants that differ by {} points", points(*difference))
        }
    }
}

/// The keys of the questions for programs.
const KEYS: [&str; 4] = ["detect", "fair", "fair_if_uneven", "compare"];

fn games_table(found: &PlanFindings, plans: &PlanTable) -> Table {
    let mut table = Table::new("plan", "Games needed", "players");
    for (key, question) in KEYS.iter().zip(&found.questions) {
        table = table.column(key, &heading(question), NumberFormat::Count);
    }
    table = table.column("each", "games per player, for the first column", NumberFormat::Number(0));
    for row in &plans.rows {
        let cells = row.games.iter().map(|games| match games {
            Some(games) => TableCell::Count(*games),
            None => TableCell::Missing("too few players".to_owned()),
        });
        let each = row.games.first().copied().flatten();
        let each =
            each.map_or(TableCell::Empty, |games| TableCell::number(2.0 * games as f64 / row.players as f64));
        table.push(&formatting::count(row.players), cells.chain([each]));
    }
    let fewest: Vec<String> = plans.min_players.iter().map(|fewest| formatting::count(*fewest)).collect();
    table.noted(&format!(
        "Power {} %, significance level 5 %. Minimum numbers of players, by column: {}.",
        formatting::trimmed(found.spec.power * 100.0),
        fewest.join(", ")
    ))
}

fn conditions(found: &PlanFindings, source: Option<&str>) -> Table {
    let conditions = found.spec.conditions;
    let origin =
        source.map_or_else(|| "as given, or as in recorded games of Copenhagen".to_owned(), str::to_owned);
    let mut table = Table::new("conditions", "Conditions of the games", "condition")
        .column("value", "value", NumberFormat::Number(1))
        .column("unit", "unit", NumberFormat::Text)
        .noted(&format!("Source: {origin}."));
    let mut row = |key: &str, label: &str, value: f64, unit: &str| {
        table.push_keyed(key, label, [TableCell::number(value), TableCell::text(unit)]);
    };
    row(
        "draws",
        "draws between equals",
        100.0 * conditions.draw_weight / (2.0 + conditions.draw_weight),
        "%",
    );
    row("strength_sd", "standard deviation of the strengths", elo(conditions.strength_sd), "Elo");
    row(
        "side_skill_sd",
        "standard deviation of the side skills",
        elo(conditions.side_skill_sd),
        "Elo: half the difference between a player's strengths with both sides",
    );
    if let Some(activity) = &found.spec.activity {
        row(
            "top_tenth",
            "appearances of the most active tenth of the players",
            100.0 * activity.top_tenth(),
            "% of all appearances, two per game",
        );
        row(
            "variance_ratio",
            "variance of the estimate of these games",
            activity.variance_ratio(),
            "times that of the formula, because players choose opponents and sides, and their strengths and side skills are estimated",
        );
    }
    table
}
