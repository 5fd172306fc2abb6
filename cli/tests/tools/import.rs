//! `tafl import`: what is stored, counted, and rejected.

use tafl_cli::Exit;

use super::corpus::{BRANDUBH, FILES, GAMES, LONG_GAME};
use super::test_folder::TestFolder;

#[test]
fn an_import_prints_the_numbers_of_games_and_plies() {
    let folder = TestFolder::new();
    folder.file("games.csv", GAMES);
    let output = folder.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7"]);
    assert_eq!((output.exit, output.text()), (Exit::Ok, "3 games added (24 plies)\n3 games in the corpus\n"));
}

#[test]
fn an_import_reports_which_records_better_copies_replaced() {
    let folder = TestFolder::new();
    let game = |event: &str| format!("[attackers:Ann]\n[defenders:Bob]\n{event}\n1. d2-c2 e4-e1\n\n");
    folder.file("games.otg", &(game("[round:1]\n") + &game("[round:1]\n[event:Club]\n")));
    folder.file("more.otg", &game("[round:1]\n[event:Club]\n[site:Oslo]\n"));
    let import = |file: &str| folder.run(&["import", "@corpus", file, "--variant", "brandubh7"]);
    let copy = "1 copy of stored games\n  1 better copy replaced a record of";
    let expected = format!("1 game added (2 plies)\n{copy} this import\n1 game in the corpus\n");
    assert_eq!(import("@games.otg").text(), expected);
    let expected = format!("0 games added (0 plies)\n{copy} earlier imports\n1 game in the corpus\n");
    assert_eq!(import("@more.otg").text(), expected);
}

#[test]
fn the_summary_counts_every_record() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    // The first game again, the second one mirrored, one with an illegal move, one without moves, and a long game twice.
    let short = "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\nd2-c2 e4-e3 f4-f3 e3-e2\nd2-c2 e4-e1 b4-c5 d4-e4\n,0,0,Ongoing\nd7-d6\n";
    folder.file("more.csv", &format!("{short}{LONG_GAME}\n{LONG_GAME}\n"));
    let args = ["import", "@corpus", "@more.csv", "--variant", "brandubh7"];
    let output = folder.run(&args);
    assert_eq!(output.exit, Exit::Findings);
    let text = output.text();
    assert!(text.starts_with("3 games added (36 plies)\n1 copy of stored games\n"), "{text}");
    assert!(text.contains("2 possible copies of stored games, kept and marked\n"), "{text}");
    assert!(text.contains("rejected\n"), "{text}");
    assert!(text.contains("  L001     illegal-move") && text.contains("  T011     no-moves"), "{text}");
    let again = folder.run(&[&args[..], &["--format", "json"]].concat()).json();
    assert_eq!((again["added"].as_u64(), again["doubled"].as_u64()), (Some(0), Some(4)));
    assert_eq!(again["rejected"], again["rejected_before"]);
    assert_eq!(again["corpus_games"], 6);
    let info = folder.run(&["info", "@corpus", "--format", "json"]).json();
    assert_eq!((info["games"].as_u64(), info["copies"].as_u64()), (Some(6), Some(1)));
    assert_eq!(info["rejected"], again["rejected"]);
}

#[test]
fn the_first_rejected_records_are_listed_with_their_reasons() {
    let folder = TestFolder::new();
    let rows = ["d2-c2 e4-e1 b4-b2 d4-e4,White", "d2-c2 e4-e9,White", ",White"];
    folder.file("games.csv", &format!("moves,winner\n{}\n", rows.join("\n")));
    let args = ["import", "@corpus", "@games.csv", "--variant", "brandubh7"];
    let text = folder.run(&args).text().to_owned();
    let file = folder.path("games.csv").display().to_string();
    assert!(
        text.contains(&format!("  {file}:L3: L004: `e4-e9` names `e9`, which is not on this board\n")),
        "{text}"
    );
    assert!(text.contains(&format!("  {file}:L4: T011: the record has no moves\n")), "{text}");
    // The game and the record without moves have notes about their ends, which are not reasons for a rejection.
    assert!(!text.contains("  E00"), "{text}");
    // The place is accepted where records are read.
    let shown = folder.run(&["replay", "@games.csv:L3", "--variant", "brandubh7"]);
    assert!(shown.text().contains("names `e9`"), "{}{}", shown.text(), shown.stderr);
    folder.file("many.csv", &format!("moves,winner\n{}", "d2-c2 e4-e9,White\n".repeat(12)));
    let args = ["import", "@other", "@many.csv", "--variant", "brandubh7"];
    let text = folder.run(&args).text().to_owned();
    assert!(text.contains("many.csv:L11: L004") && !text.contains("many.csv:L12"), "{text}");
    assert!(text.contains("  and 2 more records\n"), "{text}");
    let json = folder.run(&[&args[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["first_rejected"].as_array().map(Vec::len), Some(10), "{json}");
    assert_eq!(
        (&json["first_rejected"][0]["place"], &json["first_rejected"][0]["code"]),
        (&2.into(), &"L004".into())
    );
}

#[test]
fn a_record_that_contradicts_itself_is_rejected() {
    let folder = TestFolder::new();
    // The man has left d2 before he moves from there.
    let moves = r#"["d2-c2","d3-b3","c2-c3","d2-d3","c3-c2"]"#;
    folder.file("game.json", &format!(r#"{{"AageGameTypeKey":129,"Moves":{moves},"WhoWon":"White"}}"#));
    let found = folder.run(&["validate", "@game.json", "--format", "jsonl"]);
    assert!(found.text().contains(r#""verdict":"explained""#) && found.text().contains("P012"));
    let output = folder.run(&["import", "@new", "@game.json"]);
    assert!(output.text().contains("1 record rejected"), "{}", output.text());
}

#[test]
fn rejected_records_can_be_imported_again() {
    let folder = TestFolder::new();
    folder.file("games.csv", "d2-c2 e4-e1 b4-b2 d4-e4\na1-a2 b1-b2 c3-d9\n");
    // The games do not fit the rules of another board.
    let output = folder.run(&["import", "@corpus", "@games.csv", "--variant", "copenhagen11"]);
    assert_eq!(output.exit, Exit::Findings, "{}", output.text());
    assert!(output.text().ends_with("0 games in the corpus\n"), "{}", output.text());
    let output = folder.run(&["import", "@corpus", "--retry", "--variant", "brandubh7"]);
    assert!(output.text().starts_with("1 game added (4 plies)\n1 record rejected\n"), "{}", output.text());
    let info = folder.run(&["info", "@corpus", "--format", "json"]).json();
    assert_eq!((info["games"].as_u64(), info["rejected"].as_u64()), (Some(1), Some(1)));
    let verified = folder.run(&["verify", "@corpus", "--deep"]);
    assert_eq!(verified.exit, Exit::Ok);
    assert!(verified.text().ends_with(", 1 game played: no damage\n"), "{}", verified.text());
}

#[test]
fn an_import_skips_other_files_of_a_folder() {
    let folder = TestFolder::new();
    folder.file("archive/brandubh.csv", GAMES);
    folder.file("archive/types.json", "{\"1\": {\"name\": \"Brandubh 7x7\", \"balance\": 1.5}}");
    folder.file("archive/layouts.txt", "type 1\n...a...\n...a...\n...d...\n");
    folder.file("archive/notes.tsv", "name\tgames\nbrandubh\t3\n");
    let output = folder.run(&["import", "@corpus", "@archive"]);
    assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    assert!(output.text().ends_with("3 games in the corpus\n"), "{}", output.text());
    assert_eq!(output.stderr.matches("skipped").count(), 3, "{}", output.stderr);
    // A folder that contains the corpus itself.
    folder.run(&["import", "@archive/corpus", "@archive"]);
    let again = folder.run(&["import", "@archive/corpus", "@archive", "--format", "json"]);
    assert_eq!(again.stderr.matches("skipped").count(), 3, "{}", again.stderr);
    assert_eq!(again.json()["doubled"], 3);
}

#[test]
fn an_import_without_a_record_is_a_finding() {
    let folder = TestFolder::new();
    folder.file("empty.csv", "");
    for input in ["-", "@empty.csv"] {
        let output = folder.run(&["import", "@corpus", input]);
        assert_eq!(output.exit, Exit::Findings, "{input}");
        assert!(output.stderr.contains("T017"), "{input}: {}", output.stderr);
    }
}

#[test]
fn a_corpus_cannot_be_imported_into_itself() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let output = folder.run(&["import", "@corpus", "@corpus"]);
    assert_eq!((output.exit, output.text()), (Exit::Error, ""));
    assert!(output.stderr.contains("nothing to import"), "{}", output.stderr);
}

#[test]
fn intermediate_commits_do_not_change_the_corpus() {
    let folder = TestFolder::with_corpus(FILES, BRANDUBH);
    let args = ["import", "@other", "@games.csv", "--variant", "brandubh7", "--commit-every", "1", "-j", "1"];
    assert_eq!(folder.run(&args).exit, Exit::Ok);
    let info = |name: &str| folder.run(&["info", name, "--format", "json"]).json();
    let (single_commit, many_commits) = (info("@corpus"), info("@other"));
    assert_eq!(single_commit["hash"], many_commits["hash"]);
    assert_eq!((single_commit["segments"].as_u64(), many_commits["segments"].as_u64()), (Some(1), Some(3)));
    let compact = folder.run(&["compact", "@other"]);
    assert_eq!(compact.text(), "3 segments merged into 1, 1 written; 0 removed games deleted\n");
    assert_eq!(info("@other")["hash"], single_commit["hash"]);
    assert_eq!(folder.run(&["verify", "@other", "--deep"]).exit, Exit::Ok);
}
