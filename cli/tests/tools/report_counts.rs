//! The numbers and the selections of `tafl report`.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde_json::Value;
use tafl_cli::Exit;

use super::test_folder::TestFolder;

/// A game of Brandubh with two named players; `more` has further tags.
fn game(players: [&str; 2], more: &str) -> String {
    let [attackers, defenders] = players;
    format!(
        "[attackers:{attackers}]\n[defenders:{defenders}]\n[variant:brandubh7]\n[result:-1]\n{more}\n1. d2-c2 e4-e1\n\n"
    )
}

/// Returns a report as JSON.
fn json(folder: &TestFolder, args: &[&str]) -> Value {
    folder.run(&[&["--quiet", "report"], args, &["--format", "json"]].concat()).json()
}

/// Returns the texts of the summary.
fn summary(report: &Value) -> Vec<&str> {
    report["summary"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn the_games_of_a_balance_report_add_up_and_others_are_named() {
    let folder = TestFolder::new();
    folder.file("games.otg", &(game(["Ann", "Bo"], "") + &game(["Bo", "Cy"], "")));
    let start = "[position:/3t3/7/3T3/ttTKTtt/3T3/3t3/3t3/]\n";
    folder.file("other.otg", &game(["Ann", "Cy"], start).replace("d2-c2", "d1-c1"));
    let turned =
        r#"{"taflbase":1,"variant":"brandubh7","first_mover":"defenders","lines":[{"moves":"e4-e1 d2-c2"}]}"#;
    folder.file("turned.jsonl", &format!("{turned}\n"));
    let import = folder.run(&["import", "@corpus", "@games.otg", "@other.otg", "@turned.jsonl"]);
    assert!(import.text().contains("4 games in the corpus"), "{}", import.text());
    let report = json(&folder, &["balance", "@corpus"]);
    let text = summary(&report).join(" ") + &report["sections"].to_string();
    let excluded = "1 game from a nonstandard start position and 1 game in which the wrong side moved first";
    assert!(text.contains(excluded), "{text}");
    let health = json(&folder, &["health", "@corpus"]);
    let rows = &health["sections"]["completeness"]["tables"]["completeness"]["rows"];
    let count = |row: &str| rows[row]["cells"]["games"].as_u64();
    assert_eq!(count("begun at another start than that of the rules"), Some(1), "{rows:#}");
    assert_eq!(count("first move by another side than that of the rules"), Some(1), "{rows:#}");
}

#[test]
fn a_ranking_counts_the_games_of_its_table() {
    let folder = TestFolder::new();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    folder.file(
        "other.otg",
        &game(["Ann", "Cy"], "[position:/3t3/7/3T3/ttTKTtt/3T3/3t3/3t3/]\n").replace("d2-c2", "d1-c1"),
    );
    folder.run(&["--quiet", "import", "@corpus", samples, "@other.otg"]);
    let report = json(&folder, &["balance", "@corpus"]);
    let rows = report["sections"]["ranking"]["tables"]["ranking"]["rows"].as_object().unwrap();
    let sum: u64 = rows.values().map(|row| row["cells"]["games"].as_u64().unwrap()).sum();
    let sentences = summary(&report);
    assert!(sentences[0].starts_with(&format!("{sum} games of {} variants", rows.len())), "{sentences:?}");
    assert!(sentences[1].starts_with("Not counted in this report: "), "{sentences:?}");
    let all: u64 = report["provenance"]["facts"]["games"].as_str().unwrap_or("0").parse().unwrap();
    assert!(all > sum, "{}", report["provenance"]);
}

#[test]
fn the_rows_of_an_openings_report_add_up_to_the_games() {
    let folder = TestFolder::new();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples");
    folder.file(
        "other.otg",
        &game(["Ann", "Cy"], "[position:/3t3/7/3T3/ttTKTtt/3T3/3t3/3t3/]\n").replace("d2-c2", "d1-c1"),
    );
    // More openings than the table lists, and a game that is too short.
    let mut games = game(["Ann", "Cy"], "");
    for (first, reply, third) in (0..27).map(|at| (at / 9, at / 3 % 3, at % 3)) {
        let [file, row, other] = [["a", "b", "c"][first], ["1", "2", "3"][reply], ["a", "b", "c"][third]];
        let moves = format!("1. d2-{file}2 e4-e{row}\n2. d6-{other}6 d5-c5\n");
        games += &game(["Ann", "Cy"], "").replace("1. d2-c2 e4-e1\n", &moves);
    }
    folder.file("openings.otg", &games);
    folder.run(&["--quiet", "import", "@corpus", samples, "@other.otg", "@openings.otg"]);
    let report = json(&folder, &["openings", "@corpus"]);
    let mut sum = 0;
    let mut keys = HashSet::new();
    for section in report["sections"].as_object().unwrap().values() {
        let games = |table: &str| -> u64 {
            let rows = section["tables"][table]["rows"].as_object().unwrap();
            keys.extend(rows.keys().filter(|key| !key.contains('-')).cloned());
            rows.values().map(|row| row["cells"]["games"].as_u64().unwrap()).sum()
        };
        let [first_moves, openings] = ["first_moves", "openings"].map(games);
        assert_eq!(first_moves, openings, "{section:#}");
        sum += openings;
    }
    assert_eq!(keys, ["other", "too_short"].map(str::to_owned).into());
    let sentences = summary(&report);
    assert!(sentences[0].starts_with(&format!("{sum} games of ")), "{sentences:?}");
    assert_eq!(sentences[1], "Not counted in this report: 1 game from a nonstandard start position.");
    assert_eq!(report["provenance"]["facts"]["games"], (sum + 1).to_string());
    let only_other = folder.run(&["--quiet", "report", "openings", "@other.otg"]).text().to_owned();
    assert!(only_other.contains("there are only 1 game from a nonstandard start position"), "{only_other}");
}

#[test]
fn options_of_self_play_are_errors_without_it() {
    let folder = TestFolder::new();
    folder.file("games.otg", &game(["Ann", "Bo"], ""));
    for (option, value) in [("--games", "50"), ("--games", "200"), ("--control-games", "3"), ("--seed", "1")]
    {
        let output = folder.run(&["report", "balance", "@games.otg", option, value]);
        assert_eq!(output.exit, Exit::Error, "{option}");
        let message = format!("{option} needs --selfplay and --variant");
        assert!(
            output.stderr.contains(&message) && output.stderr.contains("--query selects"),
            "{}",
            output.stderr
        );
    }
}

#[test]
fn names_of_players_may_differ_in_case_if_they_are_unambiguous() {
    let folder = TestFolder::new();
    let mut games = [["Ann", "Bo"], ["Cy", "Di"], ["Cy", "Bo"]].map(|players| game(players, "")).concat();
    // With the same moves, it would be a copy.
    games += &game(["ann", "Bo"], "").replace("d2-c2", "d1-c1");
    folder.file("games.otg", &games);
    let report = |name: &str| folder.run(&["--quiet", "report", "player", "@games.otg", "--name", name]);
    assert!(report("cy").text().starts_with("# Cy\n"), "{}", report("cy").stderr);
    assert!(report("ann").text().starts_with("# ann\n"));
    let several = report("ANN");
    assert_eq!(several.exit, Exit::Error);
    assert!(several.stderr.contains("`Ann` and `ann`"), "{}", several.stderr);
    assert!(report("Bob").stderr.contains("did you mean `Bo`?"), "{}", report("Bob").stderr);
}

#[test]
fn the_strength_of_a_player_is_that_of_all_variants() {
    let folder = TestFolder::new();
    let players = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];
    let mut games = String::new();
    for at in 0..120_usize {
        let pair = [players[at % 8], players[(at + 1 + at / 8 % 7) % 8]];
        // The name of an event makes games different.
        let more = format!("[event:Game {at}]\n[id:{at}]\n");
        let result = ["[result:-1]", "[result:1]"][at * at % 7 % 2];
        let variant = ["[variant:brandubh7]", "[variant:magpie7]"][at % 3 % 2];
        games += &game(pair, &more).replace("[result:-1]", result).replace("[variant:brandubh7]", variant);
    }
    folder.file("games.otg", &games);
    folder.run(&["--quiet", "import", "@corpus", "@games.otg", "--duplicates", "keep"]);
    let text = |more: &[&str]| {
        let args = ["--quiet", "report", "player", "@corpus", "--name", "Ann"];
        folder.run(&[&args, more].concat()).text().to_owned()
    };
    let strength = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("Strength: "));
        line.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let [whole, part] = [text(&[]), text(&["--variant", "brandubh7"])];
    assert_eq!(strength(&whole), strength(&part));
    let note = "estimated from 120 games of all variants";
    assert!(part.contains(note) && !whole.contains(note), "{part}");
}

#[test]
fn an_unknown_variant_has_advice_without_similar_names_as_well() {
    let folder = TestFolder::new();
    folder.file("games.otg", &game(["Ann", "Bo"], ""));
    let output = folder.run(&["report", "balance", "@games.otg", "--variant", "nosuch"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("`tafl rules list` lists all variants"), "{}", output.stderr);
}

#[test]
fn large_crosstables_list_all_players_and_say_how_to_see_pairs() {
    let folder = TestFolder::new();
    let mut games = String::new();
    for at in 0..40 {
        let (one, other) = (format!("Player {at}"), format!("Player {}", (at + 1) % 40));
        games += &game([&one, &other], &format!("[event:Cup]\n[round:{}]\n", 1 + at % 2));
    }
    folder.file("games.otg", &games);
    let text = folder.run(&["--quiet", "report", "crosstable", "@games.otg"]).text().to_owned();
    assert!(text.contains("Listed: 40 players") && text.contains("With --limit N"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 300), "{text}");
    let wide = json(&folder, &["crosstable", "@games.otg", "--limit", "40"]);
    let columns = wide["sections"]["crosstable"]["tables"]["crosstable"]["columns"].as_object().unwrap();
    assert_eq!(columns.keys().filter(|key| key.starts_with("against_")).count(), 40);
    assert_eq!(columns["against_40"], "40");
}

#[test]
fn rounds_of_different_events_are_different_groups() {
    let folder = TestFolder::new();
    let mut games = String::new();
    for (event, players) in [("Cup", ["Ann", "Bo"]), ("Open", ["Cy", "Di"])] {
        let _ = write!(games, "{}", game(players, &format!("[event:{event}]\n[round:1]\n")));
    }
    folder.file("games.otg", &games);
    let report = json(&folder, &["crosstable", "@games.otg", "--groups", "round"]);
    let sentences = summary(&report);
    assert_eq!(sentences[0], "2 groups.");
    assert!(sentences[1].starts_with("Cup, round 1: 2 players, 1 game;"), "{sentences:?}");
    assert!(sentences[2].starts_with("Open, round 1: "), "{sentences:?}");
}

#[test]
fn problems_of_data_have_ids_and_names() {
    let folder = TestFolder::new();
    folder.file("games.otg", &game(["Ann", "Ann"], ""));
    folder.file("bad.otg", "[variant:brandubh7]\n\n1. d2-d9 e4-e1\n");
    folder.run(&["import", "@corpus", "@games.otg", "@bad.otg", "@bad.otg"]);
    let health = json(&folder, &["health", "@corpus"]);
    let problem =
        &health["sections"]["impossible"]["tables"]["impossible"]["rows"]["a player against himself"];
    let id = problem["cells"]["examples"].as_str().unwrap_or_else(|| panic!("{problem:#}")).to_owned();
    let exported = folder.run(&["export", "@corpus", "--game", &id, "--to", "opentafl"]);
    assert!(exported.text().contains("[attackers:Ann]"), "{}", exported.stderr);
    let causes = health["sections"]["rejected"]["tables"]["causes"]["rows"].as_object().unwrap();
    assert!(
        !causes.is_empty() && causes.values().all(|cause| cause["cells"]["name"].is_string()),
        "{causes:#?}"
    );
}

/// Returns the sum of a count over some imports.
fn sum(imports: &[Value], name: &str) -> u64 {
    imports.iter().map(|counts| counts[name].as_u64().unwrap_or_else(|| panic!("{name}: {counts}"))).sum()
}

#[test]
fn a_day_that_does_not_exist_is_listed_in_the_health_report() {
    let folder = TestFolder::new();
    let rows = ["30.02.2021,Ann,d2-c2 e4-e1", "2021-02-28,Bob,d2-c2 e4-e2", "3/9/2021,Cid,d2-c2 e4-e3"];
    folder.file("games.csv", &format!("date,attackers,moves\n{}\n", rows.join("\n")));
    folder.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7"]);
    let report = folder.run(&["report", "health", "@corpus"]);
    assert!(report.text().contains("| a day that does not exist | 1 | "), "{}", report.text());
    assert!(report.text().contains("1 game has impossible data"), "{}", report.text());
}

#[test]
fn the_numbers_of_a_health_report_follow_from_those_of_the_imports() {
    let folder = TestFolder::new();
    // A game without diagnostics, one that stops before its result (a note), the second one again by unnamed players, one with a
    // wrong number of captures (a fault), an illegal move, and a record without moves.
    folder.file(
        "games.csv",
        "d2-c2 e4-e1 b4-b2 d4-e4\nd2-e2 c4-c3 b4-b3 c3-c2,0,0,White\nd2-e2 c4-c3 b4-b3 c3-c2,0,0,White\n\
         d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,9,White\n\
         d2-c2 e4-e9\n,0,0,Ongoing\n",
    );
    // A copy, the first game of the other file; a rejected record of it; and two equal ones.
    folder.file("more.csv", "d2-c2 e4-e1 b4-b2 d4-e4\n,0,0,Ongoing\nd2-c2 b4-c9\nd2-c2 b4-c9\n");
    let import = |input: &str| {
        let args = ["import", "@corpus", input, "--variant", "brandubh7", "--format", "json"];
        folder.run(&args).json()
    };
    let imports = ["@games.csv", "@more.csv", "@games.csv"].map(import);
    let health = json(&folder, &["health", "@corpus"]);
    let table = |section: &str, table: &str| health["sections"][section]["tables"][table]["rows"].clone();
    let cell = |rows: &Value, row: &str, column: &str| {
        let value = &rows[row]["cells"][column];
        value.as_u64().unwrap_or_else(|| panic!("{row}, {column}: {rows:#}"))
    };
    let total = |rows: &Value, column: &str| -> u64 {
        let rows = rows.as_object().unwrap();
        rows.values().map(|row| row["cells"][column].as_u64().unwrap()).sum()
    };

    // Rejected records that are equal count once.
    let rejected = sum(&imports, "rejected") - sum(&imports, "rejected_before");
    assert!(rejected >= 3 && sum(&imports, "rejected_before") >= 3, "{imports:#?}");
    assert_eq!(total(&table("rejected", "sources"), "records"), rejected);
    let text = summary(&health).join(" ");
    assert!(text.contains(&format!("{rejected} records rejected (identical records count once)")), "{text}");
    let causes = table("rejected", "causes");
    for (code, cause) in causes.as_object().unwrap() {
        let n = cause["cells"]["records"].as_u64().unwrap();
        let imported: u64 = imports.iter().filter_map(|counts| counts["codes"][code].as_u64()).sum();
        assert!(n <= rejected && n <= imported, "{code}: {n}, {rejected}, {imported}");
    }

    // Each stored game is in one row, and those with faults are the explained ones of the imports.
    let verdicts = table("faults", "severity");
    let [faults, notes] = ["faults", "notes"].map(|row| cell(&verdicts, row, "games"));
    assert_eq!(total(&verdicts, "games"), sum(&imports, "added"));
    assert_eq!(faults, sum(&imports, "explained"));
    assert!(faults > 0 && notes > 0, "{verdicts:#}");
    let diagnostics = table("faults", "explained");
    for code in diagnostics.as_object().unwrap().keys() {
        let [n, of_faulty] = ["records", "with_faults"].map(|column| cell(&diagnostics, code, column));
        assert!(of_faulty <= n && n <= faults + notes && of_faulty <= faults, "{diagnostics:#}");
        assert!(n - of_faulty <= notes, "{diagnostics:#}");
    }
    assert!(total(&diagnostics, "records") >= faults + notes, "{diagnostics:#}");
    assert!(total(&diagnostics, "with_faults") >= faults, "{diagnostics:#}");

    let copies = table("repeated", "copies");
    let info = folder.run(&["info", "@corpus", "--format", "json"]).json();
    assert_eq!(cell(&copies, "copies", "n"), info["copies"].as_u64().unwrap());
    assert_eq!(cell(&copies, "possible_copies", "n"), sum(&imports, "possible_copies"));
    assert!(cell(&copies, "repeated", "n") >= cell(&copies, "possible_copies", "n"), "{copies:#}");

    // A new attempt takes all rejected records out, and keeps those that are rejected again.
    let retry =
        folder.run(&["import", "@corpus", "--retry", "--variant", "brandubh7", "--format", "json"]).json();
    assert_eq!((retry["rejected"].as_u64(), retry["rejected_before"].as_u64()), (Some(rejected), Some(0)));
    let again = json(&folder, &["health", "@corpus"]);
    assert_eq!(again["sections"]["rejected"], health["sections"]["rejected"]);
}
