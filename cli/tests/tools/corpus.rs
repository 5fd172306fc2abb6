//! A corpus from import to export: what each command says and leaves behind.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;

const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// Returns a folder with a corpus of these games.
fn with_corpus() -> TestFolder {
    let place = TestFolder::new();
    place.file("games.csv", GAMES);
    let ran = place.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7"]);
    assert_eq!((ran.exit, ran.text()), (Exit::Ok, "3 games added (24 plies)\n3 games in the corpus\n"));
    place
}

impl TestFolder {
    fn sql(&self, question: &str) -> serde_json::Value {
        self.run(&["sql", "@corpus", question, "--format", "json"]).json()
    }
}

#[test]
fn the_summary_counts_every_record() {
    let place = with_corpus();
    // The first game again, the second mirrored, one with an illegal move, one without moves.
    place.file(
        "more.csv",
        "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\nd2-c2 e4-e3 f4-f3 e3-e2\nd2-c2 e4-e1 b4-c5 d4-e4\n,0,0,Ongoing\nd7-d6\n",
    );
    let words = ["import", "@corpus", "@more.csv", "--variant", "brandubh7"];
    let ran = place.run(&words);
    assert_eq!(ran.exit, Exit::Findings);
    let text = ran.text();
    assert!(text.contains("2 copies of stored games\n") && text.contains("rejected\n"), "{text}");
    assert!(text.contains("  L001     illegal-move") && text.contains("  T011     no-moves"), "{text}");
    let again = place.run(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!((again["added"].as_u64(), again["doubled"].as_u64()), (Some(0), Some(2)));
    assert_eq!(again["rejected"], again["rejected_before"]);
    assert_eq!(again["corpus_games"], 3);
    let info = place.run(&["info", "@corpus", "--format", "json"]).json();
    assert_eq!((info["games"].as_u64(), info["copies"].as_u64()), (Some(3), Some(2)));
    assert_eq!(info["rejected"], again["rejected"]);
}

#[test]
fn what_was_rejected_can_be_tried_again() {
    let place = TestFolder::new();
    place.file("games.csv", "d2-c2 e4-e1 b4-b2 d4-e4\na1-a2 b1-b2 c3-d9\n");
    // By the rules of another board nothing fits.
    let ran = place.run(&["import", "@corpus", "@games.csv", "--variant", "copenhagen11"]);
    assert_eq!(ran.exit, Exit::Findings, "{}", ran.text());
    assert!(ran.text().ends_with("0 games in the corpus\n"), "{}", ran.text());
    let ran = place.run(&["import", "@corpus", "--retry", "--variant", "brandubh7"]);
    assert!(ran.text().starts_with("1 game added (4 plies)\n1 record rejected\n"), "{}", ran.text());
    let info = place.run(&["info", "@corpus", "--format", "json"]).json();
    assert_eq!((info["games"].as_u64(), info["rejected"].as_u64()), (Some(1), Some(1)));
    assert_eq!(place.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
}

#[test]
fn an_import_skips_other_files_of_a_folder() {
    let place = TestFolder::new();
    place.file("archive/brandubh.csv", GAMES);
    place.file("archive/types.json", "{\"1\": {\"name\": \"Brandubh 7x7\", \"balance\": 1.5}}");
    place.file("archive/layouts.txt", "type 1\n...a...\n...a...\n...d...\n");
    place.file("archive/notes.tsv", "name\tgames\nbrandubh\t3\n");
    let ran = place.run(&["import", "@corpus", "@archive"]);
    assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
    assert!(ran.text().ends_with("3 games in the corpus\n"), "{}", ran.text());
    assert_eq!(ran.stderr.matches("skipped").count(), 3, "{}", ran.stderr);
    // The folder that the corpus itself is in.
    place.run(&["import", "@archive/corpus", "@archive"]);
    let again = place.run(&["import", "@archive/corpus", "@archive", "--format", "json"]);
    assert_eq!(again.stderr.matches("skipped").count(), 3, "{}", again.stderr);
    assert_eq!(again.json()["doubled"], 3);
}

#[test]
fn a_corpus_cannot_be_imported_into_itself() {
    let place = with_corpus();
    let ran = place.run(&["import", "@corpus", "@corpus"]);
    assert_eq!((ran.exit, ran.text()), (Exit::Error, ""));
    assert!(ran.stderr.contains("nothing to import"), "{}", ran.stderr);
}

#[test]
fn commits_in_between_make_the_same_corpus() {
    let place = with_corpus();
    let words =
        ["import", "@other", "@games.csv", "--variant", "brandubh7", "--commit-every", "1", "-j", "1"];
    assert_eq!(place.run(&words).exit, Exit::Ok);
    let info = |name: &str| place.run(&["info", name, "--format", "json"]).json();
    let (once, often) = (info("@corpus"), info("@other"));
    assert_eq!(once["hash"], often["hash"]);
    assert_eq!((once["segments"].as_u64(), often["segments"].as_u64()), (Some(1), Some(3)));
    let compact = place.run(&["compact", "@other"]);
    assert_eq!(compact.text(), "3 segments became 1, 1 written; 0 removed games left the disk\n");
    assert_eq!(info("@other")["hash"], once["hash"]);
    assert_eq!(place.run(&["verify", "@other", "--deep"]).exit, Exit::Ok);
}

#[test]
fn games_leave_by_number_and_by_query() {
    let place = with_corpus();
    let games = place.sql("SELECT game, plies FROM games ORDER BY plies");
    let shortest = games[0]["game"].as_i64().unwrap().to_string();
    assert_eq!(place.run(&["remove", "@corpus", "--game", &shortest]).text(), "1 game removed\n");
    assert_eq!(place.run(&["remove", "@corpus", "--game", &shortest]).exit, Exit::Error);
    assert_eq!(place.run(&["remove", "@corpus"]).exit, Exit::Error, "without a selection");
    let ran = place.run(&["remove", "@corpus", "--query", "result = defenders"]);
    assert_eq!(ran.text(), "1 game removed\n", "{}", ran.stderr);
    let ran = place.run(&["remove", "@corpus", "--query", "result = "]);
    assert_eq!((ran.exit, ran.text()), (Exit::Error, ""));
    assert_eq!(place.sql("SELECT plies FROM games")[0]["plies"], 6);
    let compact = place.run(&["compact", "@corpus", "--format", "json"]).json();
    assert_eq!(compact["dropped"], 2);
}

#[test]
fn records_come_out_as_they_went_in() {
    let place = with_corpus();
    let ran = place.run(&["export", "@corpus", "--to", "movelist"]);
    let moves = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(moves(ran.text()), moves(GAMES), "{}", ran.stderr);
    let ran =
        place.run(&["export", "@corpus", "--to", "opentafl", "--query", "plies > 10", "-o", "@out.otg"]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let validated = place.run(&["validate", "@out.otg"]);
    assert!(validated.text().starts_with("1 game, 14 plies played"), "{}", validated.text());
    // What was exported is a copy of what is there.
    let again = place.run(&["import", "@corpus", "@out.otg", "--format", "json"]).json();
    assert_eq!((again["added"].as_u64(), again["doubled"].as_u64()), (Some(0), Some(1)), "{again}");
}

#[test]
fn tables_come_in_four_forms() {
    let place = with_corpus();
    let question = "SELECT result, plies FROM games WHERE plies > 4 ORDER BY plies";
    let ask = |format: &str| place.run(&["sql", "@corpus", question, "--format", format]);
    assert_eq!(ask("text").text(), "result      plies\nunfinished      6\ndefenders      14\n2 rows\n");
    assert_eq!(ask("csv").text(), "result,plies\nunfinished,6\ndefenders,14\n");
    assert_eq!(
        ask("json").json(),
        serde_json::json!([{"result": "unfinished", "plies": 6}, {"result": "defenders", "plies": 14}])
    );
    assert_eq!(ask("parquet").exit, Exit::Error, "a file is asked for");
    place.run(&["sql", "@corpus", question, "--format", "parquet", "-o", "@out.parquet"]);
    let bytes = fs::read(place.path("out.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn a_hyphen_for_the_output_is_standard_output() {
    let place = with_corpus();
    let table = ["sql", "@corpus", "SELECT * FROM games", "--format", "parquet", "-o"];
    place.run(&[&table[..], &["@games.parquet"]].concat());
    let ran = place.run(&[&table[..], &["-"]].concat());
    assert!(ran.stdout == fs::read(place.path("games.parquet")).unwrap(), "no byte is changed");
    for words in [
        &["search", "@corpus", "plies > 4"][..],
        &["explore", "@corpus", "--variant", "brandubh7"],
        &["export", "@corpus", "--to", "jsonl"],
    ] {
        let plain = place.run(words);
        let named = place.run(&[words, &["-o", "-"]].concat());
        assert_eq!((named.text(), named.exit), (plain.text(), Exit::Ok), "{words:?}");
    }
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn a_search_with_limit_0_says_that_there_are_hits() {
    let place = with_corpus();
    let ran = place.run(&["search", "@corpus", "plies > 4", "--limit", "0"]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    assert!(
        ran.text().starts_with("there are ") && ran.text().contains("--limit 0 hides them"),
        "{}",
        ran.text()
    );
}

#[test]
fn damage_is_reported_with_the_name_of_the_file() {
    let place = with_corpus();
    let segments = fs::read_dir(place.path("corpus/segments")).unwrap();
    let segment = segments.map(|entry| entry.unwrap().path()).next().unwrap();
    let table = segment.join("plies.parquet");
    let mut bytes = fs::read(&table).unwrap();
    bytes[100] ^= 1;
    fs::write(&table, bytes).unwrap();
    let ran = place.run(&["verify", "@corpus"]);
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.text().contains("plies.parquet: the file is damaged"), "{}", ran.text());
    fs::remove_file(segment.join("tape.bin")).unwrap();
    let ran = place.run(&["info", "@corpus"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("tape.bin: the file is damaged: it is missing"), "{}", ran.stderr);
}

#[test]
fn a_folder_that_is_not_a_corpus_and_a_newer_corpus_are_errors() {
    let place = with_corpus();
    place.file("newer/manifest.json", "{\"taflbase_corpus\": 9}");
    place.file("folder/notes.txt", "no corpus");
    for (name, message) in [
        ("@none", "no such corpus"),
        ("@folder", "not a corpus"),
        ("@games.csv", "not a corpus"),
        ("@newer", "has version 9, but this program reads version 2"),
    ] {
        for command in
            [&["info"][..], &["verify"], &["compact"], &["sql"], &["export"], &["remove"], &["search"]]
        {
            let more: &[&str] = match command[0] {
                "sql" => &["SELECT 1"],
                "export" => &["--to", "jsonl"],
                "remove" => &["--game", "1"],
                "search" => &["plies > 1"],
                _ => &[],
            };
            let ran = place.run(&[command, &[name], more].concat());
            assert_eq!((ran.exit, ran.text()), (Exit::Error, ""), "{command:?} {name}");
            assert!(ran.stderr.contains(message), "{command:?} {name}: {}", ran.stderr);
        }
    }
    for name in ["@folder", "@newer", "@games.csv"] {
        assert_eq!(place.run(&["import", name, "@games.csv"]).exit, Exit::Error, "{name}");
    }
}

#[test]
fn an_empty_corpus_answers() {
    let place = TestFolder::new();
    place.file("empty.csv", "");
    place.run(&["import", "@corpus", "@empty.csv"]);
    assert_eq!(place.run(&["info", "@corpus", "--format", "json"]).json()["games"], 0);
    assert_eq!(place.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
    assert_eq!(place.sql("SELECT COUNT(*) AS n FROM plies")[0]["n"], 0);
    assert_eq!(place.run(&["export", "@corpus", "--to", "jsonl"]).text(), "");
    let compact = place.run(&["compact", "@corpus"]);
    assert_eq!(compact.text(), "0 segments became 0, 0 written; 0 removed games left the disk\n");
}

#[test]
fn standard_input_is_an_input() {
    let place = TestFolder::new();
    let words = ["import", "@corpus", "-", "--as", "movelist", "--variant", "brandubh7"];
    let ran = place.run_with(&words, GAMES);
    assert!(ran.text().starts_with("3 games added"), "{}{}", ran.text(), ran.stderr);
    assert_eq!(place.sql("SELECT source FROM games")[0]["source"], "-");
}
