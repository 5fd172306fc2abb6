//! `tafl repair`.

use std::fs;

use serde_json::json;
use tafl_cli::Exit;

use super::run;
use super::test_folder::TestFolder;

#[test]
fn broken_samples_are_repaired_except_undecidable_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    run(&["demo", &path("demo")]);
    let broken = path("demo/games/brandubh-broken.csv");
    let repaired = path("mended.csv");
    let before = fs::read(&broken).unwrap();
    let output = run(&["repair", &broken, "--apply", "-o", &repaired, "--format", "json", "-q"]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Findings, ""));
    assert_eq!(fs::read(&broken).unwrap(), before);
    let summary = output.json()["summary"].clone();
    assert_eq!((&summary["games"], &summary["sound"]), (&json!(8), &json!(0)));
    assert!(summary["repaired"].as_u64().unwrap() >= 5, "{summary}");
    let none = run(&["repair", &broken, "--limit-per-record", "0", "--format", "json", "-q"]).json();
    let is_empty = |record: &serde_json::Value| {
        record["repairs"] == json!([]) && record["finding"]["variant"] == json!("brandubh7")
    };
    assert!(none["records"].as_array().unwrap().iter().all(is_empty), "{none}");
    assert_eq!(none["summary"]["undecidable"], output.json()["summary"]["undecidable"]);
    let again = run(&["validate", &repaired, "--variant", "brandubh7", "--format", "json"]).json();
    let sound = again["summary"]["sound"].as_u64();
    assert_eq!(sound, summary["repaired"].as_u64());
}

#[test]
fn a_report_is_one_file() {
    let folder = TestFolder::new();
    folder.file("games.csv", "d2-c2 e4-e9 b4-b2,0,0,White\n");
    folder.file("reports/other.txt", "");
    for report in ["@reports", "@new/"] {
        let output = folder.run(&["repair", "@games.csv", "--variant", "brandubh7", "--report", report]);
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains("is a folder; name a file"), "{}", output.stderr);
    }
    assert_eq!(fs::read_dir(folder.path("reports")).unwrap().count(), 1);
    assert!(!folder.path("new").exists());
}

#[test]
fn a_lost_encoding_is_mentioned_and_a_table_is_written_with_one_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = "variant,moves\nbrandubh7,d2-c2 e4-e1 b4-b2\nbrandubh7,d2-c2 e4-e1\n";
    let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
    fs::write(path("a.csv"), units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    let output = run(&["repair", &path("a.csv"), "--apply", "-o", &path("same.csv")]);
    assert!(output.stderr.contains("the input is UTF-16"), "{}", output.stderr);
    assert_eq!(fs::read_to_string(path("same.csv")).unwrap(), text);
    fs::write(path("b.csv"), text).unwrap();
    let output = run(&["repair", &path("b.csv"), "--apply", "--to", "csv", "-o", &path("same.csv")]);
    assert_eq!(output.stderr, "");
    let output = run(&["repair", &path("b.csv"), "--apply", "--to", "pgn", "-o", &path("b.pgn"), "-q"]);
    assert_eq!(output.exit, Exit::Ok);
    let output = run(&["repair", &path("b.pgn"), "--apply", "--to", "csv", "-o", &path("c.csv"), "-q"]);
    assert_eq!(output.exit, Exit::Ok);
    let table = fs::read_to_string(path("c.csv")).unwrap();
    assert_eq!((table.lines().count(), table.matches("moves").count()), (3, 1), "{table}");
}

#[test]
fn a_record_of_which_nothing_was_read_is_not_sound_and_not_written() {
    let folder = TestFolder::new();
    let good = r#"{"id":"good","variant":"brandubh7","moves":["d2-c2","d3-b3"]}"#;
    let bad = r#"{"id":"bad","variant":"brandubh7","attackers":"Runa"}"#;
    folder.file("games.json", &format!("{good}\n{bad}\n"));
    let output = folder.run(&["repair", "@games.json", "--apply", "-o", "@new.jsonl"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.text().contains("no move of the record can be read"), "{}", output.text());
    let text = fs::read_to_string(folder.path("new.jsonl")).unwrap();
    assert!(text.contains("good") && !text.contains("bad") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_repaired_record_without_a_readable_move_is_written_in_another_notation() {
    let folder = TestFolder::new();
    folder.file("game.otg", "[variant:brandubh7]\n\n1. d6-c\n");
    let written = |apply: &str, exit: Exit| {
        let output = folder.run(&["repair", "@game.otg", apply, "--to", "csv", "-o", "@new.csv"]);
        assert_eq!(output.exit, exit, "{}", output.stderr);
        fs::read_to_string(folder.path("new.csv")).unwrap()
    };
    assert!(written("--apply=first", Exit::Ok).ends_with(",d6-c6\n"));
    // Without the repair, nothing of the record is left.
    assert_eq!(written("--apply", Exit::Findings), "");
}
