//! `tafl report --verify`: reports are reproducible, and changes are found.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;

use super::report::ReportFolder;
use super::run;

#[test]
fn a_report_is_reproducible_and_can_be_verified() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    for extension in ["html", "json"] {
        let one = folder.report(&["balance", &corpus], &format!("one.{extension}"));
        assert_eq!(one, folder.report(&["balance", &corpus], &format!("other.{extension}")));
        let output = folder.verify(&format!("one.{extension}"));
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    }
}

#[test]
fn reports_of_reordered_records_are_equal() {
    let folder = ReportFolder::new();
    let file = folder.path("games.otg");
    let names = ["Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus"];
    let mut records: Vec<String> = (0..150)
        .map(|at: usize| {
            let [one, other] = [names[at % 7], names[(at % 7 + 1 + at / 7 % 6) % 7]];
            let result = [1, -1, -1, 0, 1][at * at % 23 % 5];
            let moves = ["d2-c2 e4-e1", "d1-c1 d3-a3", "d1-b1 e4-e1 d2-g2"][at % 11 % 3];
            let (month, day) = (1 + at / 28, 1 + at % 28);
            format!(
                "[attackers:{one}]\n[defenders:{other}]\n[variant:brandubh7]\n[date:2019-{month:02}-{day:02}]\n[result:{result}]\n\n\
                 1. {moves}\n\n"
            )
        })
        .collect();
    let kinds: [&[&str]; 5] = [
        &["balance"],
        &["players"],
        &["player", "--name", "Cy", "--against", "Di"],
        &["openings"],
        &["compare", "--query", "plies=2", "--query", "plies=3"],
    ];
    let stored = |kind: &[&str]| folder.path(&format!("{}.json", kind[0]));
    fs::write(&file, records.concat()).unwrap();
    for kind in kinds {
        let path = stored(kind);
        let output = run(&[&["--quiet", "report", kind[0], &file, "-o", &path], &kind[1..]].concat());
        assert_eq!(output.exit, Exit::Ok, "{kind:?}: {}", output.stderr);
    }
    records.reverse();
    records.rotate_left(40);
    fs::write(&file, records.concat()).unwrap();
    for kind in kinds {
        let output = run(&["--quiet", "report", "--verify", &stored(kind)]);
        assert_eq!(output.exit, Exit::Ok, "{kind:?}: {}", output.text());
        // Not only as far as `--verify` compares figures.
        let again =
            run(&[&["--quiet", "report", kind[0], &file, "--format", "json"], &kind[1..]].concat()).json();
        let before: Value = serde_json::from_str(&fs::read_to_string(stored(kind)).unwrap()).unwrap();
        assert_eq!(again["sections"], before["sections"], "{kind:?}");
    }
}

#[test]
fn changed_figures_and_a_changed_corpus_are_reported() {
    let folder = ReportFolder::new();
    let corpus = folder.path("corpus");
    let json = folder.report(&["balance", &corpus], "balance.json");
    let changed = json.replacen("\"games\": \"23\"", "\"games\": \"25\"", 1);
    assert_ne!(json, changed);
    fs::write(folder.path("tampered.json"), changed).unwrap();
    let output = folder.verify("tampered.json");
    assert_eq!(output.exit, Exit::Findings);
    assert!(
        output.text().starts_with("provenance / games: “25” in the report, “23” now\n"),
        "{}",
        output.text()
    );
    let page = folder.report(&["balance", &corpus], "balance.html");
    let share_at = page.find("class=\"remark\"").unwrap();
    let digit = page[..share_at].rfind(|symbol: char| symbol.is_ascii_digit()).unwrap();
    let other = if page.as_bytes()[digit] == b'1' { "2" } else { "1" };
    fs::write(folder.path("tampered.html"), format!("{}{other}{}", &page[..digit], &page[digit + 1..]))
        .unwrap();
    let output = folder.verify("tampered.html");
    assert_eq!(output.exit, Exit::Findings, "{}", output.text());
    assert!(output.text().starts_with("page: "), "{}", output.text());

    let output = run(&["--quiet", "remove", &corpus, "--query", "variant = brandubh7"]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let output = folder.verify("balance.json");
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.text().contains("provenance / games_hash"), "{}", output.text());
    fs::remove_dir_all(&corpus).unwrap();
    assert_eq!(folder.verify("balance.json").exit, Exit::Error);
}

#[test]
fn a_file_that_is_not_a_report_cannot_be_verified() {
    let folder = ReportFolder::new();
    fs::write(folder.path("page.html"), "<html>nothing</html>").unwrap();
    let command =
        "{\"format\":\"taflbase-report\",\"version\":1,\"provenance\":{\"command\":[\"remove\",\"corpus\"]}}";
    fs::write(folder.path("command.json"), command).unwrap();
    for name in ["page.html", "command.json", "none.json"] {
        let output = folder.verify(name);
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{name}");
        assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
    }
}
