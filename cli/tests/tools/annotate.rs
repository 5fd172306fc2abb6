//! `tafl annotate` and `tafl calibrate`: output, resuming, and errors.

use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tafl_cli::{Exit, Io};

use super::RunOutput;
use super::test_folder::TestFolder;

const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// Returns a folder with a file of games.
fn with_games() -> TestFolder {
    let folder = TestFolder::new();
    folder.file("games.csv", GAMES);
    folder
}

impl TestFolder {
    /// Annotates the games with few nodes per ply.
    fn annotate(&self, more: &[&str]) -> RunOutput {
        let args = ["annotate", "@games.csv", "--variant", "brandubh7", "--nodes", "600"];
        self.run(&[&args[..], more].concat())
    }
}

#[test]
fn two_options_cannot_name_the_same_file() {
    let folder = with_games();
    let first = folder.annotate(&["--cache", "@evals"]);
    assert_eq!(first.exit, Exit::Ok, "{}", first.stderr);
    let cache = fs::read(folder.path("evals")).unwrap();
    for (options, names) in [
        (["--cache", "@evals", "-o", "@evals"], "--cache and -o name the same file"),
        (["--cache", "@evals", "--summary", "@evals"], "--cache and --summary name the same file"),
        (["-o", "@new", "--summary", "@./new"], "-o and --summary name the same file"),
    ] {
        let run = folder.annotate(&options);
        assert_eq!(run.exit, Exit::Error, "{options:?}");
        assert!(run.stderr.contains(names), "{options:?}: {}", run.stderr);
    }
    assert_eq!(fs::read(folder.path("evals")).unwrap(), cache, "the cache is as before");
    assert!(!folder.path("new").exists());
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_before_any_search() {
    let folder = with_games();
    folder.file("taken.txt", "");
    for (options, message) in [
        (&["-o", "@new/"][..], "this is a folder; name a file"),
        (&["--summary", "@new/"], "this is a folder; name a file"),
        (&["--format", "html", "-o", "@taken.txt"], "taken.txt is a file; name a folder"),
    ] {
        let run = folder.annotate(options);
        assert_eq!((run.exit, &run.stdout[..]), (Exit::Error, &b""[..]), "{options:?}");
        assert!(run.stderr.contains(message), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn an_interrupted_run_resumes_to_the_same_output() {
    let folder = with_games();
    for format in ["jsonl", "text", "opentafl"] {
        let plain = folder.annotate(&["--format", format, "-j", "1"]);
        assert_eq!(plain.exit, Exit::Ok, "{}", plain.stderr);
        let cached = folder.annotate(&["--format", format, "-j", "2", "--cache", "@evals"]);
        assert_eq!(cached.text(), plain.text());
        // Truncate the cache in the middle of a record.
        let bytes = fs::read(folder.path("evals")).unwrap();
        fs::write(folder.path("evals"), &bytes[..bytes.len() / 2 + 5]).unwrap();
        let resumed = folder.annotate(&["--format", format, "-j", "2", "--cache", "@evals"]);
        assert_eq!(resumed.text(), plain.text());
        assert!(resumed.stderr.contains("of incomplete or damaged evaluations"), "{}", resumed.stderr);
        let again = folder.annotate(&["--format", format, "--cache", "@evals"]);
        assert_eq!(again.text(), plain.text());
        assert!(again.stderr.contains("; 0 searches, "), "{}", again.stderr);
        fs::remove_file(folder.path("evals")).unwrap();
    }
}

#[test]
fn annotated_records_have_the_same_moves() {
    let folder = with_games();
    let output =
        folder.annotate(&["--format", "opentafl", "--thresholds", "0.01,0.02,0.03", "-o", "@annotated.otg"]);
    assert_eq!((output.exit, output.text()), (Exit::Ok, ""));
    let text = fs::read_to_string(folder.path("annotated.otg")).unwrap();
    assert!(text.contains("[analysis:taflbase "), "{text}");
    assert!(text.contains("??") && text.contains(".1.1a."), "no error with a variation: {text}");
    let validated = folder.run(&["validate", "@annotated.otg", "--format", "json"]);
    assert_eq!(validated.exit, Exit::Ok, "{}", validated.text());
    let moves = |file: &str| {
        let output = folder.run(&["replay", file, "--variant", "brandubh7", "--format", "jsonl"]);
        let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["plies"].clone();
        output.text().lines().map(game).collect::<Vec<_>>()
    };
    assert_eq!(moves("@annotated.otg"), moves("@games.csv"));
}

#[test]
fn a_word_that_is_not_a_move_is_reported() {
    let folder = TestFolder::new();
    folder.file(
        "bad.csv",
        "b4-b5 c4-c5 d6-c6 e4-e1 xx-yy,0,0,Black\nb4-b5 c4-c5 zz d6-c6 e4-e1,0,0,Black\nb4-b5 c4-c5,0,0,\n",
    );
    let output = folder.run(&["annotate", "@bad.csv", "--nodes", "20", "--format", "jsonl"]);
    assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
    for (game, word) in [(1, "xx-yy"), (2, "zz")] {
        let notice = format!("bad.csv:{game}: annotated as far as it can be read: `{word}` is not a move");
        assert!(output.stderr.contains(&notice), "{}", output.stderr);
    }
    let games: Vec<Value> = output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let stopped = |game: &Value| game["stopped"].as_str().is_some_and(|why| why.ends_with("(T001)"));
    assert_eq!(games.iter().map(stopped).collect::<Vec<_>>(), [true, true, false]);
}

#[test]
fn a_record_that_cannot_be_read_shows_its_own_error() {
    let folder = TestFolder::new();
    for (text, code) in [
        (r#"{"taflbase":99,"format":"csv","lines":[{"moves":""}]}"#, "T010"),
        (r#"{"taflbase":1,"format":"csv","lines":"#, "T007"),
        (r#"{"taflbase":1,"format":"csv"}"#, "T008"),
        ("null", "T008"),
    ] {
        folder.file("bad.jsonl", text);
        let output = folder.run(&["annotate", "@bad.jsonl", "--as", "jsonl", "--nodes", "20"]);
        assert_eq!(output.exit, Exit::Findings, "{text}: {}", output.stderr);
        assert!(output.stderr.contains(&format!("({code})")), "{text}: {}", output.stderr);
        assert!(!output.stderr.contains("--variant"), "{text}: {}", output.stderr);
    }
    folder.file("unknown.csv", "a1-a2 b1-b2");
    let output = folder.run(&["annotate", "@unknown.csv", "--nodes", "20"]);
    assert!(output.stderr.contains("the rules are not known; name them with --variant"), "{}", output.stderr);
}

#[test]
fn a_second_annotation_replaces_the_first() {
    let folder = with_games();
    folder.annotate(&["--format", "opentafl", "-o", "@one.otg"]);
    let args = ["annotate", "@one.otg", "--nodes", "300", "--format", "opentafl"];
    let twice = folder.run(&args);
    assert_eq!(twice.exit, Exit::Ok, "{}", twice.stderr);
    assert_eq!(twice.text().matches("analysis:").count(), 3, "{}", twice.text());
}

#[test]
fn pages_are_self_contained_and_escape_names() {
    let folder = with_games();
    folder.file(
        "evil.otg",
        "[attackers:<script>alert(1)</script>]\n[defenders:\"a\" & 'b']\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n",
    );
    let args = ["annotate", "@evil.otg", "--nodes", "300", "--format", "html", "-o", "@pages"];
    let output = folder.run(&args);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let page = fs::read_to_string(folder.path("pages/evil-otg-1.html")).unwrap();
    let index = fs::read_to_string(folder.path("pages/index.html")).unwrap();
    for text in [&page, &index] {
        assert!(!text.contains("<script>alert"), "{text}");
        assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
        // A page loads nothing: its only URLs are XML namespaces.
        let external_urls =
            text.match_indices("http").filter(|(at, _)| !text[*at..].starts_with("http://www.w3.org/"));
        assert_eq!(external_urls.count(), 0);
    }
    assert!(page.contains("id=\"ply2\"") && page.trim_end().ends_with("</html>"));
    assert!(
        page.contains("taflbase ") && page.contains("nodes 300"),
        "the page names the engine and its limits"
    );
    // On a phone, only the wide table scrolls sideways.
    assert!(page.contains("<table class=\"sides\">") && page.contains("<div class=\"wide\" "));
    assert!(page.contains(".wide { overflow-x: auto; }") && !page.contains("grid-template-columns: 1fr"));
    assert_eq!(folder.annotate(&["--format", "html"]).exit, Exit::Error);
}

#[test]
fn a_page_for_two_games_is_an_error_before_the_first_search() {
    let folder = with_games();
    folder.file("one.html", "an older page");
    let page = ["--format", "html", "-o", "@one.html", "--cache", "@evals"];
    let two = folder.annotate(&page);
    assert_eq!(two.exit, Exit::Error);
    assert!(two.stderr.contains("one.html is a page for one game, and there are more"), "{}", two.stderr);
    assert!(two.stderr.contains("(name a folder, such as `-o ") && two.stderr.contains("/one/`"));
    assert_eq!(fs::read_to_string(folder.path("one.html")).unwrap(), "an older page");
    let after = folder.annotate(&["--cache", "@evals"]);
    assert!(!after.stderr.contains("evaluations"), "nothing was searched: {}", after.stderr);
    let args = ["annotate", "@games.csv:2", "--variant", "brandubh7", "--nodes", "600"];
    let one = folder.run(&[&args[..], &page].concat());
    assert_eq!(one.exit, Exit::Ok, "{}", one.stderr);
    assert!(fs::read_to_string(folder.path("one.html")).unwrap().contains("</html>"));
}

#[test]
fn the_extension_of_the_output_selects_the_format() {
    let folder = with_games();
    let one = |options: &[&str]| {
        let args = ["annotate", "@games.csv:2", "--variant", "brandubh7", "--nodes", "300"];
        folder.run(&[&args[..], options].concat())
    };
    for (name, beginning) in [
        ("one.html", "<!doctype html>"),
        ("one.JSON", "["),
        ("one.jsonl", "{"),
        ("one.otg", "["),
        ("one.txt", "games.csv"),
        ("one", "games.csv"),
    ] {
        let run = one(&["-o", &format!("@{name}")]);
        assert_eq!(run.exit, Exit::Ok, "{name}: {}", run.stderr);
        let text = fs::read_to_string(folder.path(name)).unwrap();
        assert!(text.to_lowercase().starts_with(beginning), "{name}: {text}");
    }
    let run = one(&["-o", "@named.html", "--format", "text"]);
    assert_eq!(run.exit, Exit::Ok, "{}", run.stderr);
    assert!(fs::read_to_string(folder.path("named.html")).unwrap().starts_with("games.csv"));
    let run = one(&["-o", "@one.pdf", "--cache", "@evals"]);
    assert_eq!(run.exit, Exit::Error);
    assert!(run.stderr.contains("one.pdf; use --format"), "{}", run.stderr);
    assert!(!folder.path("one.pdf").exists() && !folder.path("evals").exists());
}

/// A stream that keeps what was written between two flushes.
#[derive(Clone, Default)]
struct FlushedParts(Arc<Mutex<(String, Vec<String>)>>);

impl Write for FlushedParts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().0.push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut parts = self.0.lock().unwrap();
        let part = std::mem::take(&mut parts.0);
        parts.1.extend((!part.is_empty()).then_some(part));
        Ok(())
    }
}

#[test]
fn each_game_is_written_when_it_is_done() {
    let folder = with_games();
    for format in ["text", "jsonl", "json", "opentafl"] {
        let stdout = FlushedParts::default();
        let args = ["tafl", "annotate", "@games.csv", "--variant", "brandubh7", "--nodes", "50", "-j", "1"];
        let args = folder.args(&[&args[..], &["--format", format]].concat());
        let exit = tafl_cli::run(args, &mut Io::new(io::empty(), stdout.clone(), io::sink()));
        assert_eq!(exit, Exit::Ok, "{format}");
        let parts = stdout.0.lock().unwrap().1.clone();
        assert!(parts.len() >= 3, "{format}: {parts:?}");
        assert!(parts[0].contains("e4-e1") && !parts[0].contains("d2-e2"), "{format}: {}", parts[0]);
    }
}

#[test]
fn a_corpus_gets_a_table_of_evaluations() {
    let folder = with_games();
    folder.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7"]);
    let args = ["annotate", "@corpus", "--nodes", "600", "--format", "jsonl"];
    let output = folder.run(&[&args[..], &["--summary", "@summary.json"]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let game: Value = serde_json::from_str(output.text().lines().next().unwrap()).unwrap();
    assert_eq!((&game["taflbase_annotation"], game["plies"].as_array().unwrap().len()), (&1.into(), 6));
    assert_eq!(game["positions"].as_array().unwrap().len(), 7);
    assert!(game["sides"]["attackers"]["accuracy"].as_f64() <= Some(100.0));
    let sql = |question: &str| folder.run(&["sql", "@corpus", question, "--format", "json"]).json();
    let joined = "SELECT COUNT(*) AS n FROM evals e JOIN plies p ON e.game = p.game AND e.ply = p.ply AND e.side = p.side";
    assert_eq!(sql(joined)[0]["n"], 24);
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(folder.path("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["games"], &summary["plies"]), (&3.into(), &24.into()));
    let blunders = sql("SELECT COUNT(*) AS n FROM evals WHERE judgement = 'blunder'")[0]["n"].clone();
    let sides = &summary["sides"];
    let counted = ["attackers", "defenders"].map(|side| sides[side]["blunders"].as_u64().unwrap());
    assert_eq!(blunders, counted[0] + counted[1]);
    // A second run uses the cache in the corpus and replaces the rows.
    let again = folder.run(&args);
    assert_eq!(again.text(), output.text());
    assert!(again.stderr.contains("; 0 searches, "), "{}", again.stderr);
    assert_eq!(sql("SELECT COUNT(*) AS n FROM evals")[0]["n"], 24);
    assert_eq!(folder.run(&["verify", "@corpus"]).exit, Exit::Ok);
    let some =
        folder.run(&["annotate", "@corpus", "--query", "plies < 5", "--nodes", "600", "--format", "jsonl"]);
    assert_eq!(some.text().lines().count(), 1, "{}", some.stderr);
}

#[test]
fn games_with_errors_are_annotated_up_to_the_first_illegal_move() {
    let folder = with_games();
    folder.file("bad.csv", "d2-c2 e4-e1 a1-g7 d4-e4\nd2-c2 e4-e1\n");
    let output = folder.run(&[
        "annotate",
        "@bad.csv",
        "--variant",
        "brandubh7",
        "--nodes",
        "300",
        "--format",
        "jsonl",
    ]);
    assert_eq!(output.exit, Exit::Findings);
    let games: Vec<Value> = output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (games[0]["plies"].as_array().unwrap().len(), games[1]["plies"].as_array().unwrap().len()),
        (2, 2)
    );
    assert!(games[0]["stopped"].as_str().unwrap().contains("2 of 4 moves"), "{}", games[0]["stopped"]);
    assert!(output.stderr.contains("bad.csv:1: annotated as far as it can be played"), "{}", output.stderr);
}

#[test]
fn invalid_options_are_errors() {
    let folder = with_games();
    folder.file("old", "tafl-evals 9\nsomething");
    folder.file("other", "no evaluations\n");
    let mut failures = Vec::new();
    for (args, message) in [
        (&["--cache", "@old"][..], "of version 9"),
        (&["--cache", "@other"], "is not an evaluation log"),
        (&["--nodes", "0"], "a limit of zero nodes"),
        (&["--depth", "0"], "a limit of zero plies"),
        (&["--thresholds", "0.3,0.2,0.1"], "invalid thresholds"),
        (&["--curves", "@other"], "not a curve file"),
        (&["--query", "plies > 3"], "--query needs a corpus"),
    ] {
        let base = ["annotate", "@games.csv", "--variant", "brandubh7"];
        let output = folder.run(&[&base[..], args].concat());
        if output.exit != Exit::Error || !output.stderr.contains(message) {
            failures.push(format!("{args:?}: {message}\n{}", output.stderr));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(fs::read_to_string(folder.path("old")).unwrap(), "tafl-evals 9\nsomething");
    assert_eq!(folder.run(&["annotate", "@nowhere.csv", "--nodes", "10"]).exit, Exit::Error);
}

#[test]
fn calibration_curves_are_fitted_to_games() {
    let folder = with_games();
    let lost = "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,0,0,Black\n";
    let games = (GAMES.lines().last().unwrap().to_owned() + "\n" + lost).repeat(15);
    folder.file("many.csv", &games);
    let args = "calibrate @many.csv --variant brandubh7 --nodes 200 --every 1 --diagram @d.svg";
    let args: Vec<&str> = args.split(' ').collect();
    let output = folder.run(&[&args[..], &["-o", "@my.curves", "-j", "2"]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let first = fs::read_to_string(folder.path("my.curves")).unwrap();
    assert!(first.starts_with("tafl-curves 1\nengine taflbase "), "{first}");
    assert!(
        output.text().contains("pooled") && output.text().contains("calibration error"),
        "{}",
        output.text()
    );
    assert!(fs::read_to_string(folder.path("d.svg")).unwrap().ends_with("</svg>\n"));
    folder.run(&[&args[..], &["-o", "@again.curves", "-j", "1"]].concat());
    assert_eq!(fs::read_to_string(folder.path("again.curves")).unwrap(), first);
    let used = folder.annotate(&["--curves", "@my.curves", "--format", "jsonl"]);
    assert_eq!(used.exit, Exit::Ok, "{}", used.stderr);
    // Neither side won enough of these games.
    let too_few = folder.run(&["calibrate", "@games.csv", "--variant", "brandubh7", "--nodes", "200"]);
    assert_eq!(too_few.exit, Exit::Error);
    assert!(too_few.stderr.contains("finished games won by both sides"), "{}", too_few.stderr);
}

#[test]
fn games_of_files_with_the_same_name_are_told_apart() {
    let folder = TestFolder::new();
    for name in ["a/brandubh.csv", "b/brandubh.csv"] {
        folder.file(name, "d2-c2 e4-e1\n");
    }
    let output = folder.run(&["annotate", "@a", "@b", "--nodes", "50"]);
    assert!(output.text().contains("a/brandubh.csv:1  ") && output.text().contains("b/brandubh.csv:1  "));
    let output = folder.run(&["annotate", "@a/brandubh.csv", "--nodes", "50"]);
    assert!(output.text().starts_with("brandubh.csv:1  "), "{}", output.text());
}
