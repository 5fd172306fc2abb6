//! Commands for corpora, from removal to export.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;

pub(super) const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// A game that is long enough for its moves to be evidence of a copy.
pub(super) const LONG_GAME: &str = "b4-b5 c4-c5 d6-c6 e4-e1 a4-c4xc5 d5-g5 c6-g6xg5 d4-e4 g6-e6 d3-a3 b5-e5 e4-e3 c4-c3 e1-e2 g4-g3 e2-e1 d7-e7 a3-a4 e6-f6 a4-a3 f6-d6 a3-a5 d6-f6 a5-a6 c3-d3 e3-e2";

/// The file of the games, and the arguments for its import.
pub(super) const FILES: &[(&str, &str)] = &[("games.csv", GAMES)];
pub(super) const BRANDUBH: &[&str] = &["--variant", "brandubh7"];

impl TestFolder {
    /// Returns the rows of a query.
    fn sql(&self, question: &str) -> serde_json::Value {
        self.run(&["sql", "@corpus", question, "--format", "json"]).json()
    }
}

#[test]
fn a_damaged_move_log_leaves_the_tables_usable_and_is_rebuilt() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let segments = fs::read_dir(folder.path("corpus/segments")).unwrap();
    let segment = segments.map(|entry| entry.unwrap().path()).next().unwrap();
    let search = ["search", "@corpus", "capture", "--count"];
    let (right, file) = (folder.run(&search), segment.join("tape.bin"));
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    assert_eq!(folder.sql("SELECT COUNT(*) AS n FROM plies WHERE ply = 1")[0]["n"], 3);
    assert_eq!(folder.run(&["info", "@corpus"]).exit, Exit::Ok);
    for args in [&search[..], &["verify", "@corpus"], &["report", "balance", "@corpus"]] {
        let output = folder.run(args);
        let message = format!("{}{}", output.stderr, output.text());
        assert_ne!(output.exit, Exit::Ok, "{args:?}");
        assert!(message.contains("tape.bin: the file is damaged: "), "{args:?}: {message}");
        assert!(message.contains("; run `tafl compact` on the corpus to rebuild it"), "{args:?}: {message}");
    }
    let compact = folder.run(&["compact", "@corpus"]);
    let expected = "1 segment merged into 1, 1 written; 0 removed games deleted\n\
                    damaged files of 1 segment rebuilt from the tables\n";
    assert_eq!(compact.text(), expected);
    assert_eq!(folder.run(&search).text(), right.text());
    assert_eq!(folder.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
}

#[test]
fn a_missing_value_differs_from_every_text() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let question =
        "SELECT NULL AS missing, 'NULL' AS word, '' AS empty, '-' AS hyphen, event FROM games LIMIT 1";
    let output = folder.run(&["sql", "@corpus", question]);
    let expected = "missing  word    empty  hyphen  event\nNULL     \"NULL\"  \"\"     -       NULL\n1 row\n";
    assert_eq!(output.text(), expected, "{}", output.stderr);
}

#[test]
fn games_are_removed_by_number_and_by_query() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let games = folder.sql("SELECT game, plies FROM games ORDER BY plies");
    let shortest = games[0]["game"].as_str().unwrap().to_owned();
    assert_eq!(folder.run(&["remove", "@corpus", "--game", &shortest]).text(), "1 game removed\n");
    assert_eq!(folder.run(&["remove", "@corpus", "--game", &shortest]).exit, Exit::Error);
    assert_eq!(folder.run(&["remove", "@corpus"]).exit, Exit::Error, "without a selection");
    let output = folder.run(&["remove", "@corpus", "--query", "result = defenders"]);
    assert_eq!(output.text(), "1 game removed\n", "{}", output.stderr);
    let output = folder.run(&["remove", "@corpus", "--query", "result = "]);
    assert_eq!((output.exit, output.text()), (Exit::Error, ""));
    for command in ["remove", "report balance", "explore --variant brandubh7", "export --to pgn"] {
        let words: Vec<&str> = command.split(' ').collect();
        let output = folder.run(&[&words[..], &["@corpus", "--query", "result:draw won:Sven"]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command}");
        assert!(output.stderr.contains("a drawn game has no winner"), "{}", output.stderr);
    }
    assert_eq!(folder.sql("SELECT plies FROM games")[0]["plies"], 6);
    let compact = folder.run(&["compact", "@corpus", "--format", "json"]).json();
    assert_eq!(compact["dropped"], 2);
}

#[test]
fn exported_records_equal_imported_ones() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let output = folder.run(&["export", "@corpus", "--to", "movelist"]);
    let moves = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split([',', '#']).next().unwrap().trim_end().to_owned()).collect()
    };
    assert_eq!(moves(output.text()), moves(GAMES), "{}", output.stderr);
    let output =
        folder.run(&["export", "@corpus", "--to", "opentafl", "--query", "plies > 10", "-o", "@out.otg"]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let validated = folder.run(&["validate", "@out.otg"]);
    assert!(validated.text().starts_with("1 game, 14 plies played"), "{}", validated.text());
    // The number of the game shows that it is the stored one.
    let again = folder.run(&["import", "@corpus", "@out.otg", "--format", "json"]).json();
    assert_eq!((again["added"].as_u64(), again["possible_copies"].as_u64()), (Some(0), Some(0)), "{again}");
}

#[test]
fn records_that_were_converted_to_json_lines_keep_their_moves_in_a_corpus() {
    let folder = TestFolder::new();
    folder.file("games.csv", GAMES);
    let converted = folder.run(&["convert", "@games.csv", "--to", "jsonl"]);
    folder.file("games.jsonl", converted.text());
    folder.run(&["import", "@corpus", "@games.jsonl", "--variant", "brandubh7"]);
    let exported = folder.run(&["export", "@corpus", "--to", "jsonl"]);
    let moves = |text: &str| -> Vec<serde_json::Value> {
        let moves = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["moves"].clone();
        text.lines().map(moves).collect()
    };
    assert_eq!(moves(exported.text()), moves(converted.text()), "{}", exported.stderr);
    assert_eq!(moves(exported.text()).len(), 3);
}

#[test]
fn possible_copies_are_marked_unless_all_records_are_kept() {
    for (choice, marked) in [("drop", 1), ("note", 2), ("keep", 0)] {
        let folder = TestFolder::with_corpus(FILES, BRANDUBH);
        folder.file("more.csv", &format!("{LONG_GAME}\n{LONG_GAME}\nd2-e2 c4-c3 b4-b3 c3-c2\n"));
        let args = ["import", "@corpus", "@more.csv", "--variant", "brandubh7", "--duplicates", choice];
        let summary = folder.run(&[&args[..], &["--format", "json"]].concat()).json();
        assert_eq!(summary["possible_copies"], marked, "{choice}: {summary}");
        let rows = folder.sql("SELECT duplicate_of FROM games WHERE duplicate_of IS NOT NULL");
        assert_eq!(rows.as_array().map(Vec::len), Some(marked), "{choice}: {rows}");
    }
}

#[test]
fn query_results_have_four_formats() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let question = "SELECT result, plies FROM games WHERE plies > 4 ORDER BY plies";
    let query = |format: &str| folder.run(&["sql", "@corpus", question, "--format", format]);
    assert_eq!(query("text").text(), "result      plies\nunfinished      6\ndefenders      14\n2 rows\n");
    assert_eq!(query("csv").text(), "result,plies\nunfinished,6\ndefenders,14\n");
    assert_eq!(
        query("json").json(),
        serde_json::json!([{"result": "unfinished", "plies": 6}, {"result": "defenders", "plies": 14}])
    );
    let piped = query("parquet").stdout;
    folder.run(&["sql", "@corpus", question, "--format", "parquet", "-o", "@out.parquet"]);
    let bytes = fs::read(folder.path("out.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") && bytes == piped);
    // A search writes its table in the same way.
    let search = ["search", "@corpus", "plies > 4", "--format", "parquet"];
    let piped = folder.run(&search).stdout;
    folder.run(&[&search[..], &["-o", "@hits.parquet"]].concat());
    let bytes = fs::read(folder.path("hits.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") && bytes == piped);
}

#[test]
fn a_hyphen_as_output_is_standard_output() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let table = ["sql", "@corpus", "SELECT * FROM games", "--format", "parquet", "-o"];
    folder.run(&[&table[..], &["@games.parquet"]].concat());
    let output = folder.run(&[&table[..], &["-"]].concat());
    assert!(
        output.stdout == fs::read(folder.path("games.parquet")).unwrap(),
        "standard output differs from the file"
    );
    for args in [
        &["search", "@corpus", "plies > 4"][..],
        &["explore", "@corpus", "--variant", "brandubh7"],
        &["export", "@corpus", "--to", "jsonl"],
    ] {
        let plain = folder.run(args);
        let named = folder.run(&[args, &["-o", "-"]].concat());
        assert_eq!((named.text(), named.exit), (plain.text(), Exit::Ok), "{args:?}");
    }
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn a_search_with_limit_0_reports_that_there_are_hits() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let output = folder.run(&["search", "@corpus", "plies > 4", "--limit", "0"]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.text() == "2 games; --limit 0 hides them\n", "{}", output.text());
}

#[test]
fn damage_is_reported_with_the_name_of_the_file() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let segments = fs::read_dir(folder.path("corpus/segments")).unwrap();
    let segment = segments.map(|entry| entry.unwrap().path()).next().unwrap();
    let table = segment.join("plies.parquet");
    let mut bytes = fs::read(&table).unwrap();
    bytes[100] ^= 1;
    fs::write(&table, bytes).unwrap();
    let output = folder.run(&["verify", "@corpus"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.text().contains("plies.parquet: the file is damaged"), "{}", output.text());
    fs::remove_file(segment.join("games.parquet")).unwrap();
    let output = folder.run(&["info", "@corpus"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("games.parquet: the file is damaged: it is missing"), "{}", output.stderr);
}

#[test]
fn a_folder_that_is_not_a_corpus_and_a_newer_corpus_are_errors() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    folder.file("newer/manifest.json", "{\"taflbase_corpus\": 9}");
    folder.file("folder/notes.txt", "no corpus");
    for (name, message) in [
        ("@none", "no such corpus"),
        ("@folder", "not a corpus"),
        ("@games.csv", "not a corpus"),
        ("@newer", "has version 9, but this program reads version 3"),
    ] {
        for command in
            [&["info"][..], &["verify"], &["compact"], &["sql"], &["export"], &["remove"], &["search"]]
        {
            let more: &[&str] = match command[0] {
                "sql" => &["SELECT 1"],
                "export" => &["--to", "jsonl"],
                "remove" => &["--game", "+1"],
                "search" => &["plies > 1"],
                _ => &[],
            };
            let output = folder.run(&[command, &[name], more].concat());
            assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command:?} {name}");
            assert!(output.stderr.contains(message), "{command:?} {name}: {}", output.stderr);
        }
    }
    for name in ["@folder", "@newer", "@games.csv"] {
        let output = folder.run(&["import", name, "@games.csv"]);
        assert_eq!(output.exit, Exit::Error, "{name}");
        assert!(!output.stderr.contains("`tafl import`"), "{name}: {}", output.stderr);
    }
}

#[test]
fn an_empty_corpus_is_readable() {
    let folder = TestFolder::new();
    folder.file("empty.csv", "");
    folder.run(&["import", "@corpus", "@empty.csv"]);
    assert_eq!(folder.run(&["info", "@corpus", "--format", "json"]).json()["games"], 0);
    assert_eq!(folder.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
    assert_eq!(folder.sql("SELECT COUNT(*) AS n FROM plies")[0]["n"], 0);
    assert_eq!(folder.run(&["export", "@corpus", "--to", "jsonl"]).text(), "");
    let compact = folder.run(&["compact", "@corpus"]);
    assert_eq!(compact.text(), "0 segments merged into 0, 0 written; 0 removed games deleted\n");
}

#[test]
fn standard_input_can_be_imported() {
    let folder = TestFolder::new();
    let args = ["import", "@corpus", "-", "--as", "movelist", "--variant", "brandubh7"];
    let output = folder.run_with(&args, GAMES);
    assert!(output.text().starts_with("3 games added"), "{}{}", output.text(), output.stderr);
    assert_eq!(folder.sql("SELECT source FROM games")[0]["source"], "-");
}
