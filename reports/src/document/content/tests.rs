use std::collections::BTreeSet;

use tafl_corpus::{GameResult, RejectedRecord};
use tafl_rules::{BySide, Reason, Side};

mod figures;

use super::*;
use crate::document::{Block, NumberFormat, Provenance, Report, StoredReport};
use crate::measure::control::{control_variants, human_balances, run_control};
use crate::measure::rule_comparison::{GameSource, LabeledRules, RuleComparisonSpec, compare_rules};
use crate::measure::rule_search::{DesignTarget, RuleSearchSpec, search_rules};
use crate::measure::{
    BalanceOptions, CompareOptions, CrosstableOptions, GameDate, GameFacts, GameStartKind, Games, GroupTable,
    NameNumber, NoSolver, PlanSpec, PlayedVariant, RejectedFindings, SelfplayGame, TieBreak, balance,
    compare_selections, crosstable, games_hash, player_table,
};
use crate::stats::PlayerActivity;

const RULES: &str = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

pub(super) fn game(at: u32, players: Option<[u32; 2]>, result: GameResult) -> GameFacts {
    GameFacts {
        segment: 0,
        row: at,
        id: i64::from(at),
        line: i64::from(at),
        variant: at % 2,
        players: BySide {
            attackers: players.map(|players| NameNumber::new(players[0])),
            defenders: players.map(|players| NameNumber::new(players[1])),
        },
        ratings: BySide::default(),
        source: None,
        date: GameDate::of(&(2000 + at % 7).to_string()),
        number: None,
        result,
        reason: (result != GameResult::Unfinished).then_some(Reason::Unknown),
        reason_source: None,
        first: Side::Attackers,
        plies: at % 50,
        captures: BySide::default(),
        copies: 0,
        start: GameStartKind::OfRules,
    }
}

/// Returns games of two variants: one from the catalog, and an unknown one whose name contains markup.
fn games(n: u32, players: &dyn Fn(u32) -> Option<[u32; 2]>, result: &dyn Fn(u32) -> GameResult) -> Games {
    let variant = |name: Option<&str>, rules_id| PlayedVariant {
        name: name.map(ToOwned::to_owned),
        rules: RULES.to_owned(),
        rules_id,
        shape: "7x7".to_owned(),
    };
    let rows = (0..n).map(|at| game(at, players(at), result(at))).collect();
    let variants = vec![variant(Some("<script>alert(1)</script>"), 1), variant(None, 2)];
    let mut games = Games { variants, rows, ..Games::default() };
    for player in 0..8 {
        games.players.number(&format!("<b>{player}|*_`"));
    }
    games
}

/// Returns a table of the players, as two groups if there are two players.
fn groups(games: &Games) -> Vec<GroupTable> {
    let tie_breaks = TieBreak::ALL.to_vec();
    let table =
        crosstable(games, &CrosstableOptions { max_players: Some(4), tie_breaks }, &mut NoSolver).unwrap();
    let of = |name: &str| GroupTable { name: name.to_owned(), games: 1, table: table.clone() };
    match table.lines.len() {
        0 => Vec::new(),
        2 => vec![of(""), of("<b>round</b>")],
        _ => vec![of("")],
    }
}

/// Returns every report that needs no corpus.
fn reports(games: &Games) -> Vec<Report> {
    let findings = balance(games, &BalanceOptions::default());
    let provenance = || Provenance::of("0.0.0");
    let half = &games.rows[..games.rows.len() / 2];
    let compared = compare_selections(half, &games.rows[games.rows.len() / 2..], &CompareOptions::default());
    let plan = |players: &[u64], activity: Option<PlayerActivity>| {
        let conditions = crate::measure::RECORDED_CONDITIONS;
        let spec = PlanSpec { difference: 0.05, power: 0.8, players: players.to_vec(), conditions, activity };
        plan_report(&crate::measure::plan::plan(spec), Some("12 games"), provenance())
    };
    let active = PlayerActivity::of(&[90, 20, 10, 4, 3, 1], &crate::measure::RECORDED_CONDITIONS, 0.1);
    let sheet = balance_sheet(&findings, &DetailsByVariant::new(), provenance());
    let mut reports = vec![
        balance_report(&findings, &DetailsByVariant::new(), provenance()),
        lengths_report(&findings, provenance()),
        compare_report(&compared, ["<i>one</i>", "other"], provenance()),
        players_report(&player_table(games), 5, 1, provenance()),
        crosstable_report(&groups(games), provenance()),
        openings_report(&[], &Games::default(), provenance()),
        accuracy_report(&[], provenance()),
        plan(&[2, 5], None),
        plan(&[40, 5000], None),
        plan(&[2, 5], active.clone()),
        plan(&[40, 5000], active),
    ];
    reports.extend(sheet);
    reports
}

fn check(report: &Report) {
    let page = report.to_html().unwrap();
    assert!(!page.contains("<script>alert") && !page.contains("<b>") && !page.contains("<i>one"));
    for text in [report.to_markdown(&|_| String::new()), report.to_csv(), report.to_json().to_string()] {
        let numbers = text.replace("tafl info", "");
        assert!(!numbers.contains("NaN") && !numbers.contains("inf"), "{text}");
    }
    assert!(!report.summary.is_empty(), "{}", report.title);
    assert_eq!(StoredReport::read(&page).unwrap().differences(report), []);
    // Percentages are for people; programs get proportions.
    for block in report.sections.iter().flat_map(|section| &section.blocks) {
        let Block::Table(table) = block else { continue };
        let is_percent = |heading: &str| heading.ends_with("(%)") || heading.ends_with("points)");
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| is_percent(&column.heading))
        {
            let mut values = table.rows.iter().filter_map(|row| row.cells[at].value());
            assert!(values.all(|value| value.abs() <= 1.0), "{}: {}", table.title, column.heading);
        }
    }
}

#[test]
fn unusual_games_have_sentences_and_no_invalid_numbers() {
    let pairs: [&dyn Fn(u32) -> Option<[u32; 2]>; 4] =
        [&|_| None, &|_| Some([1, 1]), &|_| Some([1, 2]), &|at| Some([at % 5, 5 + at % 3])];
    let results: [&dyn Fn(u32) -> GameResult; 4] =
        [&|_| GameResult::Draw, &|_| GameResult::Unfinished, &|_| GameResult::Attackers, &|at| {
            GameResult::ALL[at as usize % GameResult::ALL.len()]
        }];
    for n in [0, 1, 2, 90] {
        for pair in pairs {
            for result in results {
                reports(&games(n, pair, result)).iter().for_each(check);
            }
        }
    }
}

#[test]
fn small_samples_have_no_percentage() {
    let few = games(12, &|at| Some([at % 5, 5]), &|at| GameResult::ALL[at as usize % 3]);
    let text = reports(&few)[0].to_markdown(&|_| String::new());
    let with = text.lines().find(|line| line.contains('%') && line.starts_with("| "));
    assert_eq!(with, None, "{text}");
    assert!(text.contains("percentages are omitted"), "{text}");
}

#[test]
fn omitted_players_are_counted() {
    let table = player_table(&games(90, &|at| Some([at % 5, 5 + at % 3]), &|_| GameResult::Attackers));
    let sentences = |limit, min_games| {
        players_report(&table, limit, min_games, Provenance::of("0.0.0")).summary[0].clone()
    };
    assert_eq!(
        sentences(8, 1),
        "8 of 8 players are listed: those with at least 1 finished game, strongest first."
    );
    assert_eq!(
        sentences(5, 2),
        "5 of 8 players are listed: the strongest of 8 with at least 2 finished games."
    );
    let drawn = player_table(&games(90, &|at| Some([at % 5, 5 + at % 3]), &|_| GameResult::Draw));
    assert_eq!(
        players_report(&drawn, 5, 2, Provenance::of("0.0.0")).summary[0],
        "5 of 8 players are listed: the most active of 8 with at least 2 finished games."
    );
}

#[test]
fn the_hash_does_not_depend_on_the_order_of_games() {
    let all = games(20, &|at| Some([at % 5, 5]), &|_| GameResult::Draw);
    let mut turned = all.clone();
    turned.rows.reverse();
    assert_eq!(games_hash(&all), games_hash(&turned));
    turned.rows[3].plies += 1;
    assert_ne!(games_hash(&all), games_hash(&turned));
    assert_ne!(games_hash(&all), games_hash(&all.filtered(|game| game.row > 0)));
}

/// Games of which the defenders win every third; under the second rules none ends.
struct FixedGames;

impl GameSource for FixedGames {
    fn play(&mut self, arm: usize, _: u64, numbers: std::ops::Range<u64>) -> Vec<SelfplayGame> {
        let game = |number: u64| {
            let winner = if number.is_multiple_of(3) { Side::Defenders } else { Side::Attackers };
            let outcome = tafl_rules::Outcome { winner: Some(winner), reason: Reason::KingCaptured };
            SelfplayGame { outcome: (arm == 0).then_some(outcome), plies: number as u32 }
        };
        numbers.map(game).collect()
    }
}

#[test]
fn rule_comparison_reports_work_for_any_number_of_games() {
    let arm = |label: &str| LabeledRules { label: label.to_owned(), rules: RULES.parse().unwrap() };
    for max_games in [0, 1, 45] {
        let spec = RuleComparisonSpec {
            max_games,
            ..RuleComparisonSpec::new(vec![arm("as it is"), arm("<i>one</i>")])
        };
        let found = compare_rules(&spec, &mut FixedGames, &mut |_| std::ops::ControlFlow::Continue(()));
        check(&rule_comparison_report(&found, None, "made-up", Provenance::of("0.0.0")));
        let known = control_variants(human_balances(), &RULES.parse().unwrap(), 6);
        let control = run_control(known, 200, max_games, &mut |_| Some(FixedGames), &mut |_| {
            std::ops::ControlFlow::Continue(())
        });
        let report = rule_comparison_report(&found, Some(&control), "made-up", Provenance::of("0.0.0"));
        check(&report);
        assert!(report.sections.iter().any(|section| section.key == "control"));
    }
}

#[test]
fn design_reports_work_for_any_number_of_games() {
    let arm = |label: &str| LabeledRules { label: label.to_owned(), rules: RULES.parse().unwrap() };
    for (final_games, max_plies) in [(0, None), (5, Some(80.0)), (60, None)] {
        let spec = RuleSearchSpec {
            target: DesignTarget { score: 0.5, within: 0.05, max_plies, max_draws: 0.2 },
            candidates: ["as it is", "<i>one</i>", "esc=e", "ka=n"].map(arm).to_vec(),
            nodes: 10,
            first_games: 3,
            finalists: 2,
            final_games,
        };
        let found = search_rules(&spec, &mut FixedGames, &mut |_| std::ops::ControlFlow::Continue(()));
        check(&design_report(&found, "made-up", Provenance::of("0.0.0")));
    }
}

#[test]
fn rejected_records_are_listed_by_variant() {
    let games = games(90, &|_| None, &|at| GameResult::ALL[1 + at as usize / 2 % 2]);
    let mut findings = balance(&games, &BalanceOptions::default());
    let record = |variant: Option<&str>, result| RejectedRecord {
        source: "games.csv".to_owned(),
        place: 1,
        format: "none".to_owned(),
        codes: Vec::new(),
        text: String::new(),
        variant: variant.map(str::to_owned),
        result,
        reason: None,
    };
    let label = findings.variants[0].variant.label();
    let won = Some(GameResult::Attackers);
    let records = [record(Some(&label), won), record(Some("other"), None), record(None, won)];
    findings.rejected = RejectedFindings::of(&records);
    let report = balance_report(&findings, &DetailsByVariant::new(), Provenance::of("0.0.0"));
    check(&report);
    let table = report.tables().find(|(_, table)| table.key == "rejected").unwrap().1;
    let keys: Vec<&str> = table.rows.iter().map(|row| row.key.as_str()).collect();
    assert_eq!(keys, [label.as_str(), "other", "unknown"]);
    let text = report.to_markdown(&|_| String::new());
    assert!(text.contains("1 record of this variant could not be stored and is not counted. It states 1 win of the attackers."), "{text}");
}

#[test]
fn two_numbers_have_no_interval() {
    let cell = |numbers: &[f64]| {
        let summary = crate::stats::quantile::Summary::of(numbers.to_vec()).unwrap();
        super::formatting::of_summary(&summary, |all| all.mean)
    };
    assert_eq!(cell(&[4.0]), crate::document::TableCell::Number(4.0));
    assert_eq!(cell(&[4.0, 6.0]), crate::document::TableCell::Number(5.0));
    assert!(cell(&[4.0, 6.0, 7.0]).interval().is_some());
}

#[test]
fn variants_with_only_draws_favor_neither_side() {
    let drawn = games(90, &|at| Some([at % 5, 5]), &|_| GameResult::Draw);
    let report = balance_report(
        &balance(&drawn, &BalanceOptions::default()),
        &DetailsByVariant::new(),
        Provenance::of("0.0.0"),
    );
    assert!(report.summary[1].contains("for the other 2, the results do not show"), "{:?}", report.summary);
}

#[test]
fn games_of_one_player_against_themselves_are_excluded() {
    let with_itself =
        games(40, &|at| Some(if at < 20 { [1, 1] } else { [1, 2] }), &|_| GameResult::Attackers);
    let text =
        players_report(&player_table(&with_itself), 5, 1, Provenance::of("0.0.0")).to_json().to_string();
    assert!(text.contains("Excluded: 20 games without the names of two different players"), "{text}");
}

#[test]
fn a_comparison_opens_with_the_measures_that_differ() {
    let all = games(800, &|_| None, &|at| match (at < 400, at % 4) {
        (false, 0) => GameResult::Draw,
        (_, even) if even % 2 == 0 => GameResult::Attackers,
        (_, _) => GameResult::Defenders,
    });
    let summary = |first: &[GameFacts], second: &[GameFacts]| {
        let found = compare_selections(first, second, &CompareOptions::default());
        compare_report(&found, ["one", "other"], Provenance::of("0.0.0")).summary.join(" ")
    };
    let differing = summary(&all.rows[..400], &all.rows[400..]);
    let draws = "In one, the proportion of draws is lower than in other: \u{2212}25.0 percentage points (";
    assert!(differing.contains(draws) && differing.contains("), p < 0.0001."), "{differing}");
    assert!(differing.contains("The p-values are adjusted for 4 comparisons (Holm)."), "{differing}");
    assert!(!differing.contains("do not show a difference"), "{differing}");
    let same = summary(&all.rows[..400], &all.rows[..400]);
    assert!(same.contains("The data do not show a difference in any of 4 measures"), "{same}");
}

#[test]
fn a_comparison_of_common_games_has_a_warning() {
    let all = games(200, &|_| None, &|at| GameResult::ALL[at as usize % 2]);
    let text = |first: &[GameFacts], second: &[GameFacts]| {
        let found = compare_selections(first, second, &CompareOptions::default());
        compare_report(&found, ["one", "other"], Provenance::of("0.0.0")).to_markdown(&|_| String::new())
    };
    let (all, half) = (&all.rows[..], &all.rows[..100]);
    assert!(text(all, all).contains("Both selections have the same games."));
    assert!(text(all, half).contains("100 games are in both selections."));
    assert!(!text(half, &all[100..]).contains("selections without common games"));
}

#[test]
fn rates_of_plies_from_few_games_are_counts() {
    let rate = crate::stats::Rate::of(30, 1200);
    let shown = |n_games| super::formatting::proportion_of_plies(rate, n_games).shown(NumberFormat::Percent);
    assert_eq!(shown(29), "30 of 1,200 (small sample)");
    assert_eq!(super::formatting::proportion_of_plies(rate, 29).value(), Some(0.025));
    assert!(shown(30).starts_with("2.5 % ("), "{}", shown(30));
}

#[test]
fn sections_of_variants_with_any_names_have_unique_keys() {
    let mut all = games(0, &|_| None, &|_| GameResult::Draw);
    let variant = |name: &str| PlayedVariant { name: Some(name.to_owned()), ..all.variants[0].clone() };
    all.variants = ["ranking", "same", "method", "same"].map(variant).to_vec();
    all.rows =
        (0..4).map(|number| GameFacts { variant: number, ..game(number, None, GameResult::Draw) }).collect();
    let found = balance(&all, &BalanceOptions::default());
    let report = balance_report(&found, &DetailsByVariant::new(), Provenance::of("0.0.0"));
    let keys: BTreeSet<&str> = report.sections.iter().map(|section| section.key.as_str()).collect();
    assert_eq!(keys, BTreeSet::from(["method", "method 2", "ranking", "ranking 2", "same", "same 2"]));
    let ranking = report.tables().find(|(_, table)| table.key == "ranking").unwrap().1;
    let links: BTreeSet<&str> = ranking.rows.iter().filter_map(|row| row.link.as_deref()).collect();
    assert_eq!(links, BTreeSet::from(["method 2", "ranking 2", "same", "same 2"]));
}

#[test]
fn the_ranking_is_not_led_by_a_small_sample() {
    // Shares of 2/3 in 36 games, of 13/20 in 3,000, and of 5/10 or 6/10 in the others.
    let mut all = games(0, &|_| None, &|_| GameResult::Draw);
    let variant = |name: &str| PlayedVariant { name: Some(name.to_owned()), ..all.variants[0].clone() };
    all.variants = ["few", "many", "a", "b", "c", "d", "e", "f"].map(variant).to_vec();
    let shares = [(36, 2, 3), (3000, 13, 20)].into_iter().chain((0..6).map(|at| (1000, 5 + at % 2, 10)));
    for (number, (n, attackers, of)) in (0..).zip(shares) {
        all.rows.extend((0..n).map(|at| {
            let result = if at % of < attackers { GameResult::Attackers } else { GameResult::Defenders };
            let players = Some([at / 10 % 6, 6 + at / 60 % 5]);
            GameFacts { variant: number, ..game(at, players, result) }
        }));
    }
    let found = balance(&all, &BalanceOptions::default());
    let report = balance_report(&found, &DetailsByVariant::new(), Provenance::of("0.0.0"));
    let text = report.to_csv();
    let row = |name: &str| {
        text.find(&format!("ranking,ranking,{name},")).unwrap_or_else(|| panic!("{name}: {text}"))
    };
    assert!(row("many") < row("few"), "{text}");
}
