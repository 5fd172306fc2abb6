//! Figures of reports: numbers instead of texts, and the numbers of games behind percentages.

use super::*;
use crate::document::{Table, TableCell};
use crate::plot::{Chart, CurvePlot};

/// Returns many games of one variant between eight players.
fn games_of_one_variant() -> Games {
    let result = |at: u32| match at % 7 {
        0 => GameResult::Draw,
        1..=4 => GameResult::Attackers,
        5 => GameResult::Defenders,
        _ => GameResult::Unfinished,
    };
    let mut all = games(0, &|_| None, &result);
    all.rows = (0..3000)
        .map(|at| GameFacts {
            variant: 0,
            ..game(at, Some([at % 8, (at % 8 + 1 + at / 8 % 7) % 8]), result(at / 5))
        })
        .collect();
    all
}

fn report_on(games: &Games) -> Report {
    let findings = balance(games, &BalanceOptions::default());
    balance_report(&findings, &DetailsByVariant::new(), Provenance::of("0.0.0"))
}

fn one_variant() -> Report {
    report_on(&games_of_one_variant())
}

fn table<'r>(report: &'r Report, key: &str) -> &'r Table {
    report.tables().find(|(_, table)| table.key == key).map(|(_, table)| table).expect(key)
}

/// Returns the cell of a table by the keys of its row and its column.
fn cell<'t>(table: &'t Table, row: &str, column: &str) -> &'t TableCell {
    let row = table.rows.iter().find(|found| found.key == row).expect(row);
    let at = table.columns.iter().position(|found| found.key == column).expect(column);
    &row.cells[at]
}

#[test]
fn measures_of_balance_are_numbers_with_all_digits() {
    let report = one_variant();
    let measures = table(&report, "measures");
    for row in ["games needed", "players", "games between equals"] {
        assert!(matches!(cell(measures, row, "value"), TableCell::Count(_)), "{row}");
    }
    for row in ["standard deviation of strengths", "standard deviation of side skills"] {
        let found = cell(measures, row, "value").value().expect(row);
        assert!(found.fract() != 0.0, "{row}: {found}");
    }
    let games = cell(measures, "games between equals", "value").value().expect("a number");
    let csv = report.to_csv();
    let line = csv.lines().find(|line| line.contains("measures,games between equals,value")).expect("a row");
    assert!(games > 999.0 && line.contains(&format!(",{games:?},")), "{line}");
    let text = report.to_markdown(&|_| String::new());
    assert!(text.contains("| games in the adjusted figures | 2,5"), "{text}");
}

#[test]
fn few_games_with_a_winner_have_no_measure_of_them() {
    let result = |at: u32| if at < 6 { GameResult::Attackers } else { GameResult::Draw };
    let mut all = games(40, &|at| Some([at % 4, 4 + at % 3]), &result);
    all.rows.iter_mut().for_each(|game| game.variant = 0);
    let findings = balance(&all, &BalanceOptions::default());
    let report = balance_report(&findings, &DetailsByVariant::new(), Provenance::of("0.0.0"));
    let measures = table(&report, "measures");
    assert_eq!(cell(measures, "win ratio", "value"), &super::super::formatting::small_sample());
    assert!(measures.rows.iter().all(|row| row.key != "defenders' share over players"));
    // The score counts all finished games.
    assert!(cell(measures, "score of the attackers", "proportion").interval().is_some());
}

#[test]
fn a_drift_that_is_not_estimated_is_not_corrected() {
    let text = |is_undated: bool| {
        let result =
            |at: u32| if at.is_multiple_of(3) { GameResult::Defenders } else { GameResult::Attackers };
        let mut all = games(0, &|_| None, &result);
        all.rows = (0..3000)
            .map(|at| GameFacts {
                variant: 0,
                date: if is_undated { None } else { game(at, None, GameResult::Draw).date },
                ..game(at, Some([at % 8, (at % 8 + 1 + at / 8 % 7) % 8]), result(at / 5))
            })
            .collect();
        let findings = balance(&all, &BalanceOptions::default());
        let adjusted = findings.variants[0].adjusted.as_ref().unwrap();
        let report = balance_report(&findings, &DetailsByVariant::new(), Provenance::of("0.0.0"));
        let meaning = cell(table(&report, "measures"), "drift of strengths", "meaning").clone();
        (adjusted.drift.is_ok(), format!("{meaning:?}").contains("its effect is corrected"))
    };
    assert_eq!([false, true].map(text), [(true, true), (false, false)]);
}

#[test]
fn percentages_have_the_number_of_their_games() {
    let report = one_variant();
    for key in ["groups", "sensitivity"] {
        let found = table(&report, key);
        for row in &found.rows {
            let TableCell::Proportion { n, .. } = cell(found, &row.key, "attackers") else {
                panic!("{row:?}")
            };
            assert_eq!(cell(found, &row.key, "decided"), &TableCell::Count(*n), "{key}: {row:?}");
        }
    }
}

#[test]
fn the_strongest_players_have_a_warning() {
    let all = games(400, &|at| Some([at % 4, 4 + at % 3]), &|at| {
        if at % 3 == 0 { GameResult::Attackers } else { GameResult::Defenders }
    });
    let report = players_report(&player_table(&all), 5, 1, Provenance::of("0.0.0"));
    let text = report.to_markdown(&|_| String::new());
    assert!(text.contains("Caution: the intervals of the strengths assume"), "{text}");
}

#[test]
fn the_last_bar_of_the_histogram_has_no_upper_edge() {
    let report = one_variant();
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let plots = blocks.filter_map(|block| if let Block::Plot(plot) = block { Some(plot) } else { None });
    let plot = plots.into_iter().find(|plot| plot.key == "histogram").expect("a histogram");
    let Chart::Bars(bars) = &plot.chart else { panic!("{plot:?}") };
    let from = bars.edges[bars.edges.len() - 2];
    assert!(
        bars.last_is_open && plot.to_svg().unwrap().contains(&format!(">\n{from}+")),
        "{}",
        plot.to_svg().unwrap()
    );
    let json = report.to_json().to_string();
    assert!(json.contains(&format!("{from:?},null]")), "{json}");
}

#[test]
fn the_funnel_has_differences_from_the_features() {
    // Variants whose advantage depends only on their features: edge or corners as the goal.
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let mut all = games(0, &|_| None, &|_| GameResult::Draw);
    let variant = |(at, name): (usize, &&str)| PlayedVariant {
        name: Some((*name).to_owned()),
        rules: if at % 2 == 0 { format!("{RULES} esc:e") } else { RULES.to_owned() },
        rules_id: at as i64,
        ..all.variants[0].clone()
    };
    all.variants = names.iter().enumerate().map(variant).collect();
    for number in 0..12_u32 {
        all.rows.extend((0..600).map(|at| {
            let is_won = if number % 2 == 0 { at / 3 % 10 < 8 } else { at / 3 % 10 < 2 };
            let result = if is_won { GameResult::Attackers } else { GameResult::Defenders };
            let one = at % 40;
            GameFacts { variant: number, ..game(at, Some([one, (one + 1 + at / 40 % 39) % 40]), result) }
        }));
    }
    let findings = balance(&all, &BalanceOptions::default());
    let common = findings.hierarchy.as_ref().unwrap();
    assert_eq!(common.effects.len(), 1, "{common:?}");
    assert!(common.expected.values().any(|elo| *elo > 100.0), "{common:?}");
    let variants: Vec<_> = findings.variants.iter().collect();
    let plot = super::super::funnel::funnel_plot(&variants, common).unwrap();
    let Chart::Curves(CurvePlot { scatter: Some(points), .. }) = &plot.chart else { panic!("{plot:?}") };
    assert_eq!(points.points.len(), 12);
    assert!(points.points.iter().all(|point| point.y.abs() < 30.0), "{points:?}");
    assert!(plot.note.contains("0 of 12 are outside"), "{}", plot.note);
}

#[test]
fn a_player_report_counts_its_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = crate::measure::tests::random_corpus(&folder.path().join("corpus"), 400);
    let games = crate::measure::load_games(&corpus, crate::measure::GamesToLoad::All).unwrap();
    let player = games.players.find("player 3").unwrap();
    let found = crate::measure::player::player_findings(&corpus, &games, &games, player, None).unwrap();
    let report = player_report(&found, &games, Provenance::of("0.0.0"));
    let tables = report.tables().filter(|(section, _)| *section == "results");
    let has_difference = |table: &Table| {
        let at = table.columns.iter().position(|column| column.key == "difference").expect("a column");
        table.rows.iter().filter(|row| row.cells[at].interval().is_some()).count()
    };
    let n: usize = tables.map(|(_, table)| has_difference(table)).sum();
    let text = report.to_markdown(&|_| String::new());
    assert!(
        n > 1 && text.contains(&format!("this section have {n} differences with a 95 % interval")),
        "{n} {text}"
    );
}

#[test]
fn games_in_no_group_are_counted() {
    let mut all = games_of_one_variant();
    let note = |all: &Games| table(&report_on(all), "groups").note.clone().unwrap();
    assert!(!note(&all).contains("year is not known"), "{}", note(&all));
    all.rows.iter_mut().take(70).for_each(|game| game.date = None);
    let unfinished = all.rows.iter().filter(|game| game.result == GameResult::Unfinished).count();
    let expected = format!(
        " {unfinished} games are in no group of strength: unfinished, or without two named players. 70 games are in no group of years: \
         the year is not known."
    );
    assert!(note(&all).ends_with(&expected), "{}", note(&all));
}

#[test]
fn the_first_games_of_pairs_are_those_on_the_same_sides() {
    let report = one_variant();
    let found = table(&report, "sensitivity");
    let row = found.rows.iter().find(|row| row.key == "first game of each pairing").unwrap();
    assert_eq!(row.label, "first game of each pair on the same sides");
    // Eight players: each of 28 pairs has a game with either side.
    assert_eq!(cell(found, &row.key, "games"), &TableCell::Count(56));
}

#[test]
fn lengths_explain_missing_intervals() {
    let report = one_variant();
    let note = table(&report, "lengths").note.clone().unwrap();
    assert!(note.contains("first divided by the design effect of shared players"), "{note}");
    assert!(note.contains("The probability that a game won by the attackers is longer"), "{note}");
}
