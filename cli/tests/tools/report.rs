//! The contents, selections, and errors of `tafl report`.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;
use tempfile::TempDir;

use super::test_folder::TestFolder;
use super::{RunOutput, run};

/// A folder with a corpus of the samples.
pub(super) struct ReportFolder {
    folder: TempDir,
}

impl ReportFolder {
    pub(super) fn new() -> ReportFolder {
        let folder = ReportFolder { folder: tempfile::tempdir().unwrap() };
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        let output = run(&["--quiet", "import", &folder.path("corpus"), samples.to_str().unwrap()]);
        assert_ne!(output.exit, Exit::Error, "{}", output.stderr);
        folder
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a report to a file, and returns its text.
    pub(super) fn report(&self, args: &[&str], name: &str) -> String {
        let output = run(&[&["--quiet", "report"], args, &["-o", &self.path(name)]].concat());
        assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{args:?}");
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `tafl report --verify` on a file.
    pub(super) fn verify(&self, name: &str) -> RunOutput {
        run(&["report", "--verify", &self.path(name)])
    }
}

#[test]
fn options_that_would_be_ignored_or_give_nothing_are_errors() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    for (args, message) in [
        (&["balance", &corpus, "--vary", "esc=e"][..], "--vary needs --selfplay"),
        (&["balance", &corpus, &corpus], "a corpus can't be combined with other files or corpora"),
        (&["crosstable", &corpus, "--limit", "1"], "--limit must be from 2 to 1000 players"),
        (&["map", &corpus, "--limit", "1"], "--limit must be from 2 to 200"),
        (&["map", &corpus, "--min-games", "1", "--like", "nosuch"], "no game is of the variant `nosuch`"),
        // The corpus is too small for a map.
        (&["map", &corpus, "--like", "nosuch"], "no game is of the variant `nosuch`"),
        (&["design", "--variant", "hexentafl4", "--finalists", "0"], "--finalists must be above 0"),
        (&["balance", "--selfplay", "--variant", "hexentafl4", "--games", "0"], "--games must be above 0"),
        (&["plan", "--detect", "-5"], "--detect must be from 0.1 to 45"),
    ] {
        let output = run(&[&["--quiet", "report"], args].concat());
        assert_eq!(output.exit, Exit::Error, "{args:?}");
        assert!(output.stderr.contains(message), "{args:?}: {}", output.stderr);
    }
}

#[test]
fn an_empty_selection_of_a_comparison_is_named() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let output = run(&["report", "compare", &corpus, "--query", "plies>1", "--query", "plies>100000"]);
    assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
    assert!(output.stderr.contains("the second selection has no games"), "{}", output.stderr);
    assert!(!output.stderr.contains("first selection"), "{}", output.stderr);
    let text = output.text();
    assert!(text.contains("no game matches this selection. Check the query"), "{text}");
    assert!(text.contains("There is nothing to compare.") && !text.contains("has finished"), "{text}");
    for kind in ["balance", "crosstable", "players", "openings"] {
        let output = run(&["report", kind, &corpus, "--query", "plies>100000"]);
        assert!(output.text().contains("\n\nNo game matches this selection."), "{kind}: {}", output.text());
    }
}

#[test]
fn both_reports_on_players_have_the_same_strengths() {
    let folder = ReportFolder::new();
    let file = folder.path("games.otg");
    let game = |variant: &str, one: &str, other: &str, result: i32, day: usize| {
        format!(
            "[attackers:{one}]\n[defenders:{other}]\n[variant:{variant}]\n[date:2020-03-{day:02}]\n[result:{result}]\n\n1. d1-c1\n\n"
        )
    };
    let mut records = String::new();
    for day in 1..28 {
        let (one, other) = [("Ann", "Bo"), ("Bo", "Cy"), ("Cy", "Ann")][day % 3];
        records += &game("brandubh7", one, other, if day % 4 == 0 { -1 } else { 1 }, day);
        records += &game("tablut9_wtf", other, one, if day % 5 < 3 { 1 } else { -1 }, day);
    }
    // Without a finished game against a named opponent, there is a reason instead of a strength.
    records += "[attackers:Di]\n[variant:brandubh7]\n[result:1]\n\n1. d1-b1\n\n";
    fs::write(&file, records).unwrap();
    let all = run(&["--quiet", "report", "players", &file, "--format", "json"]).json();
    let rows = &all["sections"]["players"]["tables"]["players"]["rows"];
    for name in ["Ann", "Bo", "Cy"] {
        let one = run(&["--quiet", "report", "player", &file, "--name", name, "--format", "json"]).json();
        let elo = rows[name]["cells"]["elo"]["value"].as_f64().unwrap();
        let sentence = one["summary"].as_array().unwrap().iter().find_map(|text| {
            let text = text.as_str()?.strip_prefix("Strength: ")?;
            Some(text.split(" Elo").next()?.replace('\u{2212}', "-"))
        });
        let rounded = format!("{elo:+.0}").replace("-0", "0").replace("+0", "0");
        assert_eq!(sentence.as_deref(), Some(&*rounded), "{name}: {one:#}");
    }
    let output = run(&["--quiet", "report", "player", &file, "--name", "Di"]);
    let reason = "The strength is not estimated: no finished game names an opponent.";
    assert!(output.text().contains(reason), "{}", output.text());
}

#[test]
fn a_rules_string_selects_the_games_with_these_rules() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let rules = run(&["rules", "show", "brandubh7"]);
    let rules = rules.text().lines().next().unwrap();
    for kind in ["balance", "openings", "lengths", "health"] {
        let figures = |variant: &str, name: &str| {
            let text = folder.report(&[kind, &corpus, "--variant", variant], &format!("{kind}-{name}.json"));
            let mut report: Value = serde_json::from_str(&text).unwrap();
            report["provenance"].take();
            report.to_string()
        };
        assert_eq!(figures(rules, "rules"), figures("brandubh7", "name"), "{kind}");
    }
    // Rules of which there are no games are not an error, but rules that can't be read are.
    let none = run(&["report", "balance", &corpus, "--variant", "dim:5 start:/5/1t1t1/2K2/1t1t1/5/", "-q"]);
    assert!(none.text().contains("There are no games"), "{}{}", none.text(), none.stderr);
    let wrong = run(&["report", "balance", &corpus, "--variant", "dim:5 start:/5/", "-q"]);
    assert_eq!(wrong.exit, Exit::Error, "{}", wrong.stderr);
    assert!(!wrong.stderr.contains("unknown variant"), "{}", wrong.stderr);
}

#[test]
fn equal_selections_of_a_comparison_are_an_error() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    for args in [
        &["--variant", "brandubh7", "--variant", "brandubh7"][..],
        &["--variant", "brandubh7", "--variant", "brandubh"],
        &["--query", "plies > 1", "--query", "plies>=2"],
        &[&corpus],
    ] {
        let output = run(&[&["report", "compare", &corpus][..], args].concat());
        assert_eq!(output.exit, Exit::Error, "{args:?}");
        assert!(output.stderr.contains("both selections have the same games"), "{args:?}: {}", output.stderr);
    }
}

#[test]
fn variants_with_the_same_rules_are_compared_with_a_warning() {
    let folder = ReportFolder::new();
    // The same rules under two names, with different players.
    let game = |variant: &str, player: &str, mv: &str| {
        format!("[attackers:{player}]\n[defenders:Bo]\n[variant:{variant}]\n[result:1]\n\n1. {mv}\n\n")
    };
    let games = folder.path("games.otg");
    fs::write(&games, game("fetlar11", "Ann", "d11-d10") + &game("sympkyn11", "Cy", "e11-e10")).unwrap();
    let args = ["--quiet", "report", "compare", &games, "--variant", "fetlar11", "--variant", "sympkyn11"];
    let output = run(&args);
    let warning = "Fetlar Hnefatafl 11x11 and Hnefatafl of Sympkyn of the Moor 11x11 have the same rules under different names";
    assert!(output.text().contains(warning), "{}{}", output.text(), output.stderr);
}

#[test]
fn reports_count_every_stored_game_also_copies() {
    let folder = ReportFolder::new();
    let record = "[attackers:Ann]\n[defenders:Bo]\n[variant:brandubh7]\n[result:1]\n\n1. d2-c2 e4-e1\n\n";
    let files = ["one.otg", "two.otg"].map(|name| folder.path(name));
    files.iter().for_each(|file| fs::write(file, record).unwrap());
    for (duplicates, n) in [("drop", 1), ("note", 2), ("keep", 2)] {
        let corpus = folder.path(duplicates);
        let output = run(&["--quiet", "import", "--duplicates", duplicates, &corpus, &files[0], &files[1]]);
        assert_ne!(output.exit, Exit::Error, "{}", output.stderr);
        let openings = run(&["--quiet", "report", "openings", &corpus, "--format", "json"]).json();
        let rows = &openings["sections"]["brandubh7"]["tables"]["first_moves"]["rows"];
        assert_eq!(rows["d2-c2"]["cells"]["games"], n, "{duplicates}: {rows:#}");
        let balance = run(&["--quiet", "report", "balance", &corpus, "--format", "json"]).json();
        let rows = &balance["sections"]["brandubh7"]["tables"]["results"]["rows"];
        assert_eq!(rows["attackers won"]["cells"]["games"], n, "{duplicates}: {rows:#}");
    }
}

#[test]
fn a_crosstable_says_if_it_is_not_that_of_all_players() {
    let folder = ReportFolder::new();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let games = run(&["--quiet", "convert", "--to", "jsonl", samples.to_str().unwrap()]);
    let three = folder.path("three.jsonl");
    fs::write(&three, games.text().replacen("\"Red\"", "\"Green\"", 1)).unwrap();
    let output = run(&["--quiet", "report", "crosstable", &three, "--limit", "2"]);
    assert!(output.text().contains("the 2 of 3 players with the most games; "), "{}", output.text());
    assert!(output.text().contains("not the standings of all players"), "{}", output.text());
}

#[test]
fn every_report_has_text_for_any_selection() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let reports: [&[&str]; 10] = [
        &["balance"],
        &["openings"],
        &["lengths"],
        &["players"],
        &["crosstable"],
        &["crosstable", "--groups", "event", "--tie-breaks", "shortest-win,sb,direct", "--nodes", "500"],
        &["accuracy"],
        &["map", "--min-games", "1"],
        &["health", "--year", "2026"],
        &["compare", "--query", "plies < 40", "--query", "plies >= 40"],
    ];
    let selections: [&[&str]; 4] =
        [&[], &["--variant", "brandubh7"], &["--variant", "alea19"], &["--variant", "hexentafl4"]];
    for report in reports {
        for selection in selections {
            let args = [&["--quiet", "report"], report, &[corpus.as_str()], selection].concat();
            let output = run(&args);
            assert_ne!(output.exit, Exit::Error, "{args:?}: {}", output.stderr);
            let text = output.text().replace("tafl info", "");
            assert!(text.starts_with("# ") && text.lines().count() > 5, "{args:?}: {text}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{args:?}: {text}");
        }
    }
}

#[test]
fn a_player_is_reported_and_the_report_can_be_verified() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let json = folder.report(&["player", &corpus, "--name", "Blue", "--against", "Red"], "player.json");
    let answer: Value = serde_json::from_str(&json).unwrap();
    let sides = &answer["sections"]["results"]["tables"]["sides"]["rows"];
    let games = |side: &str| sides[side]["cells"]["games"].as_u64().unwrap();
    assert_eq!(games("attackers") + games("defenders"), 11, "{answer:#}");
    assert!(answer["sections"]["against"]["tables"]["head_to_head"].is_object(), "{answer:#}");
    assert_eq!(folder.verify("player.json").exit, Exit::Ok);
    let output = run(&["report", "player", &corpus, "--name", "Blu"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("did you mean `Blue`?"), "{}", output.stderr);
    let output = run(&["report", "player", &corpus, "--name", "Blue", "--against", "Blue"]);
    assert!(output.exit == Exit::Error && output.stderr.contains("the opponent is the player"));
}

#[test]
fn an_empty_selection_is_stated_and_an_unknown_variant_is_an_error() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let output = run(&["report", "balance", &corpus, "--query", "plies > 60000"]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Findings, "no game matches this selection\n"));
    assert!(output.text().contains("There are no games, so the balance is unknown."), "{}", output.text());
    let output = run(&["report", "balance", &corpus, "--variant", "brandubb7"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(
        output.stderr.contains("unknown variant `brandubb7`") && output.stderr.contains("brandubh7"),
        "{}",
        output.stderr
    );
    let output = run(&["report", "compare", &corpus]);
    assert!(output.exit == Exit::Error && output.stderr.contains("nothing to compare"), "{}", output.stderr);
}

#[test]
fn a_missing_input_of_a_report_is_an_error() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/brandubh.csv");
    let output = run(&["report", "lengths", samples.to_str().unwrap(), "no/such/file.csv"]);
    assert!(output.text().starts_with("# "), "{}", output.text());
    assert_eq!(output.exit, Exit::Error, "{}", output.stderr);
    assert!(output.stderr.contains("no/such/file.csv: no such file or folder"), "{}", output.stderr);
}

#[test]
fn reports_accept_records_without_a_corpus() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/brandubh.csv");
    let output = run(&["--quiet", "report", "balance", samples.to_str().unwrap(), "--format", "json"]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    let answer: Value = output.json();
    assert_eq!(answer["format"], "taflbase-report");
    assert!(answer["sections"]["brandubh7"]["tables"]["results"]["rows"]["drawn"].is_object(), "{answer:#}");
}

#[test]
fn a_folder_gets_charts_and_tables() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    for format in ["html", "md", "csv", "parquet"] {
        let output_folder = folder.path(format) + "/";
        let output =
            run(&["--quiet", "report", "lengths", &corpus, "-o", &output_folder, "--format", format]);
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
        let name = match format {
            "csv" | "parquet" => format!("overview-lengths.{format}"),
            _ => format!("lengths.{format}"),
        };
        assert!(fs::metadata(format!("{output_folder}{name}")).unwrap().len() > 100, "{name}");
    }
    let output_folder = folder.path("balance") + "/";
    let output = run(&["--quiet", "report", "balance", &corpus, "-o", &output_folder]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(fs::metadata(format!("{output_folder}balance.html")).unwrap().len() > 1000);
    let n_charts = fs::read_dir(folder.path("balance/pictures")).unwrap().count();
    assert!(n_charts > 2, "{n_charts}");
}

#[test]
fn self_play_compares_rules() {
    let args = ["--quiet", "report", "balance", "--selfplay", "--variant", "hexentafl4", "--vary", "esc=e"];
    let limits = ["--games", "4", "--nodes", "30", "--threads", "1", "--format", "json"];
    let output = run(&[&args[..], &limits].concat());
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    let answer = output.json();
    assert_eq!(
        answer["sections"]["balance"]["tables"]["levels"]["rows"]["as it is, 30 nodes"]["cells"]["games"],
        4
    );
    assert!(
        answer["sections"]["effects"]["tables"]["effects"]["rows"]["esc=e, 30 nodes"].is_object(),
        "{answer:#}"
    );
    let again = run(&[&args[..], &limits].concat());
    assert_eq!(output.stdout, again.stdout);
    let none = run(&["report", "balance", "--selfplay", "--variant", "hexentafl4", "--vary", "nonsense=1"]);
    assert_eq!(none.exit, Exit::Error);
    // Games between people take the place of the built-in table, so a few do not suffice.
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/brandubh.csv");
    let human = run(&[&args[..], &limits, &["--human", samples.to_str().unwrap()]].concat());
    assert_eq!(human.exit, Exit::Error);
    assert!(human.stderr.contains("no variant of the catalog has 100 games"), "{}", human.stderr);
}

#[test]
fn rules_outside_the_catalog_keep_the_name_of_their_author() {
    const RULES: &str = "dim:7 name:Two_Step_Brandubh ks:c spd:2 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let folder = TestFolder::new();
    let game = |moves: &str| format!("[rules:{RULES}]\n[result:1]\n\n1. {moves}\n\n");
    folder.file("own.otg", &[game("d2-c2 e4-e3"), game("d2-e2 c4-c3")].concat());
    let output = folder.run(&["import", "@corpus", "@own.otg"]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let report = folder.run(&["report", "balance", "@corpus"]);
    assert!(report.text().contains("Two"), "{}{}", report.text(), report.stderr);
    assert!(report.text().contains("name:Two"), "{}", report.text());
    let exported = folder.run(&["export", "@corpus", "--to", "opentafl"]);
    assert!(exported.text().contains("name:Two_Step_Brandubh"), "{}{}", exported.text(), exported.stderr);
    let replayed = folder.run(&["replay", "@own.otg:2"]);
    assert!(replayed.text().contains("own.otg:2  Two_Step_Brandubh"), "{}", replayed.text());
}
