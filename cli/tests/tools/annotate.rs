//! `tafl annotate`, `tafl puzzles` and `tafl calibrate`: what they write, that nothing is lost, and what they refuse.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;

use super::RunOutput;
use super::test_folder::TestFolder;

const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// Returns a folder with games.
fn with_games() -> TestFolder {
    let place = TestFolder::new();
    place.file("games.csv", GAMES);
    place
}

impl TestFolder {
    /// Annotates the games with few positions a ply.
    fn annotate(&self, more: &[&str]) -> RunOutput {
        let words = ["annotate", "@games.csv", "--variant", "brandubh7", "--nodes", "600"];
        self.run(&[&words[..], more].concat())
    }
}

#[test]
fn an_interrupted_run_resumes_to_the_same_answer() {
    let place = with_games();
    for format in ["jsonl", "text", "opentafl"] {
        let plain = place.annotate(&["--format", format, "-j", "1"]);
        assert_eq!(plain.exit, Exit::Ok, "{}", plain.stderr);
        let cached = place.annotate(&["--format", format, "-j", "2", "--cache", "@evals"]);
        assert_eq!(cached.text(), plain.text());
        // The second half of the cache is lost, in the middle of a record.
        let bytes = fs::read(place.path("evals")).unwrap();
        fs::write(place.path("evals"), &bytes[..bytes.len() / 2 + 3]).unwrap();
        let resumed = place.annotate(&["--format", format, "-j", "2", "--cache", "@evals"]);
        assert_eq!(resumed.text(), plain.text());
        assert!(resumed.stderr.contains("of an incomplete evaluation"), "{}", resumed.stderr);
        let again = place.annotate(&["--format", format, "--cache", "@evals"]);
        assert_eq!(again.text(), plain.text());
        assert!(again.stderr.contains("; 0 searches, "), "{}", again.stderr);
        fs::remove_file(place.path("evals")).unwrap();
    }
}

#[test]
fn records_with_comments_and_variations_read_back_to_the_same_games() {
    let place = with_games();
    let ran =
        place.annotate(&["--format", "opentafl", "--thresholds", "0.01,0.02,0.03", "-o", "@annotated.otg"]);
    assert_eq!((ran.exit, ran.text()), (Exit::Ok, ""));
    let text = fs::read_to_string(place.path("annotated.otg")).unwrap();
    assert!(text.contains("[analysis:taflbase "), "{text}");
    assert!(text.contains("??") && text.contains(".1.1a."), "there are errors with variations: {text}");
    let validated = place.run(&["validate", "@annotated.otg", "--format", "json"]);
    assert_eq!(validated.exit, Exit::Ok, "{}", validated.text());
    let moves = |file: &str| {
        let ran = place.run(&["replay", file, "--variant", "brandubh7"]);
        let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["plies"].clone();
        ran.text().lines().map(game).collect::<Vec<_>>()
    };
    assert_eq!(moves("@annotated.otg"), moves("@games.csv"));
}

#[test]
fn a_second_annotation_replaces_the_first_and_keeps_comments() {
    let place = with_games();
    place.annotate(&["--format", "opentafl", "-o", "@one.otg"]);
    let words = ["annotate", "@one.otg", "--nodes", "300", "--format", "opentafl"];
    let twice = place.run(&words);
    assert_eq!(twice.exit, Exit::Ok, "{}", twice.stderr);
    assert_eq!(twice.text().matches("analysis:").count(), 3, "{}", twice.text());
}

#[test]
fn pages_are_whole_and_names_cannot_break_out_of_them() {
    let place = with_games();
    place.file(
        "evil.otg",
        "[attackers:<script>alert(1)</script>]\n[defenders:\"a\" & 'b']\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n",
    );
    let words = ["annotate", "@evil.otg", "--nodes", "300", "--format", "html", "-o", "@pages"];
    let ran = place.run(&words);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let page = fs::read_to_string(place.path("pages/evil-otg-1.html")).unwrap();
    let index = fs::read_to_string(place.path("pages/index.html")).unwrap();
    for text in [&page, &index] {
        assert!(!text.contains("<script>alert"), "{text}");
        assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
        // Nothing is fetched: the only addresses are the names of XML's own vocabularies.
        let outside =
            text.match_indices("http").filter(|(at, _)| !text[*at..].starts_with("http://www.w3.org/"));
        assert_eq!(outside.count(), 0);
    }
    assert!(page.contains("id=\"ply2\"") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("taflbase ") && page.contains("nodes 300"), "the page says who judged");
    assert_eq!(place.annotate(&["--format", "html"]).exit, Exit::Error);
    let two = place.annotate(&["--format", "html", "-o", "@one.html"]);
    assert_eq!(two.exit, Exit::Error);
    assert!(two.stderr.contains("a page has only one game"), "{}", two.stderr);
}

#[test]
fn a_corpus_gets_a_table_of_evaluations() {
    let place = with_games();
    place.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7"]);
    let words = ["annotate", "@corpus", "--nodes", "600", "--format", "jsonl"];
    let ran = place.run(&[&words[..], &["--summary", "@summary.json"]].concat());
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let game: Value = serde_json::from_str(ran.text().lines().next().unwrap()).unwrap();
    assert_eq!((&game["taflbase_annotation"], game["plies"].as_array().unwrap().len()), (&1.into(), 6));
    assert_eq!(game["positions"].as_array().unwrap().len(), 7);
    assert!(game["sides"]["attackers"]["accuracy"].as_f64() <= Some(100.0));
    let sql = |question: &str| place.run(&["sql", "@corpus", question, "--format", "json"]).json();
    let joined = "SELECT COUNT(*) AS n FROM evals e JOIN plies p ON e.game = p.game AND e.ply = p.ply AND e.side = p.side";
    assert_eq!(sql(joined)[0]["n"], 24);
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(place.path("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["games"], &summary["plies"]), (&3.into(), &24.into()));
    let blunders = sql("SELECT COUNT(*) AS n FROM evals WHERE judgement = 'blunder'")[0]["n"].clone();
    let sides = &summary["sides"];
    let counted = ["attackers", "defenders"].map(|side| sides[side]["blunders"].as_u64().unwrap());
    assert_eq!(blunders, counted[0] + counted[1]);
    // Once more: the cache in the corpus is used, and the rows are replaced.
    let again = place.run(&words);
    assert_eq!(again.text(), ran.text());
    assert!(again.stderr.contains("; 0 searches, "), "{}", again.stderr);
    assert_eq!(sql("SELECT COUNT(*) AS n FROM evals")[0]["n"], 24);
    assert_eq!(place.run(&["verify", "@corpus"]).exit, Exit::Ok);
    let some =
        place.run(&["annotate", "@corpus", "--query", "plies < 5", "--nodes", "600", "--format", "jsonl"]);
    assert_eq!(some.text().lines().count(), 1, "{}", some.stderr);
}

#[test]
fn games_with_errors_are_annotated_as_far_as_they_are_legal() {
    let place = with_games();
    place.file("bad.csv", "d2-c2 e4-e1 a1-g7 d4-e4\nd2-c2 e4-e1\n");
    let ran =
        place.run(&["annotate", "@bad.csv", "--variant", "brandubh7", "--nodes", "300", "--format", "jsonl"]);
    assert_eq!(ran.exit, Exit::Findings);
    let games: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (games[0]["plies"].as_array().unwrap().len(), games[1]["plies"].as_array().unwrap().len()),
        (2, 2)
    );
    assert!(games[0]["stopped"].as_str().unwrap().contains("2 of 4 moves"), "{}", games[0]["stopped"]);
    assert!(ran.stderr.contains("bad.csv:1: annotated as far as it can be played"), "{}", ran.stderr);
}

#[test]
fn impossible_requests_are_errors() {
    let place = with_games();
    place.file("old", "tafl-evals 9\nsomething");
    place.file("other", "no evaluations\n");
    let mut wrong = Vec::new();
    for (words, message) in [
        (&["--cache", "@old"][..], "of version 9"),
        (&["--cache", "@other"], "is not an evaluation log"),
        (&["--nodes", "0"], "a limit of zero nodes"),
        (&["--depth", "0"], "a limit of zero plies"),
        (&["--thresholds", "0.3,0.2,0.1"], "invalid thresholds"),
        (&["--curves", "@other"], "not a curve file"),
        (&["--query", "plies > 3"], "--query needs a corpus"),
    ] {
        let base = ["annotate", "@games.csv", "--variant", "brandubh7"];
        let ran = place.run(&[&base[..], words].concat());
        if ran.exit != Exit::Error || !ran.stderr.contains(message) {
            wrong.push(format!("{words:?}: {message}\n{}", ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(fs::read_to_string(place.path("old")).unwrap(), "tafl-evals 9\nsomething");
    assert_eq!(place.run(&["annotate", "@nowhere.csv", "--nodes", "10"]).exit, Exit::Error);
}

#[test]
fn a_puzzle_is_found_once_and_reads_back() {
    let place = with_games();
    // The same position twice, the second time mirrored: behind the first ply the defenders win with d2-d1 only.
    let game =
        |position: &str, moves: &str| format!("[variant:brandubh7]\n[position:{position}]\n\n1. {moves}\n\n");
    let text =
        game("/7/2tK1t1/3t3/7/T6/7/5t1/", "f7-f6 d2-d1") + &game("/7/1t1Kt2/3t3/7/6T/7/1t5/", "b7-b6 d2-d1");
    place.file("puzzles.otg", &text);
    let find = |format: &str, threads: &str| {
        let words = ["puzzles", "@puzzles.otg", "--nodes", "2000", "--format", format, "-j", threads];
        let ran = place.run(&words);
        assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
        ran.text().to_owned()
    };
    let lines = find("jsonl", "1");
    assert_eq!(lines, find("jsonl", "2"));
    let puzzles: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(puzzles.len(), 1, "{lines}");
    assert_eq!(puzzles[0]["solution"][0], "d2-d1");
    assert_eq!(puzzles[0]["verified"]["by"], "solver");
    assert!(puzzles[0]["themes"].as_array().unwrap().contains(&"run-to-corner".into()), "{lines}");
    assert!(find("text", "1").contains("defenders win in 3: d2-d1"));
    let record = find("opentafl", "1");
    place.file("found.otg", &record);
    let validated = place.run(&["validate", "@found.otg"]);
    assert_eq!(validated.exit, Exit::Ok, "{record}\n{}", validated.text());
}

#[test]
fn curves_come_from_games_and_have_intervals() {
    let place = with_games();
    let lost = "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,0,0,Black\n";
    let games = (GAMES.lines().last().unwrap().to_owned() + "\n" + lost).repeat(15);
    place.file("many.csv", &games);
    let words = ["calibrate", "@many.csv", "--variant", "brandubh7", "--nodes", "200", "--diagram", "@d.svg"];
    let ran = place.run(&[&words[..], &["-o", "@my.curves", "-j", "2"]].concat());
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let first = fs::read_to_string(place.path("my.curves")).unwrap();
    assert!(first.starts_with("tafl-curves 1\nengine taflbase "), "{first}");
    assert!(ran.text().contains("pooled") && ran.text().contains("calibration error"), "{}", ran.text());
    assert!(fs::read_to_string(place.path("d.svg")).unwrap().ends_with("</svg>\n"));
    place.run(&[&words[..], &["-o", "@again.curves", "-j", "1"]].concat());
    assert_eq!(fs::read_to_string(place.path("again.curves")).unwrap(), first);
    let used = place.annotate(&["--curves", "@my.curves", "--format", "jsonl"]);
    assert_eq!(used.exit, Exit::Ok, "{}", used.stderr);
    // Here are no games that both sides won.
    let few = place.run(&["calibrate", "@games.csv", "--variant", "brandubh7", "--nodes", "200"]);
    assert_eq!(few.exit, Exit::Error);
    assert!(few.stderr.contains("finished games won by both sides"), "{}", few.stderr);
}
