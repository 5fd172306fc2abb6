//! `tafl report`.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;
use tempfile::TempDir;

use super::{RunOutput, run};

/// A folder with the samples of the program and a corpus of them.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
        let ran = run(&["--quiet", "import", &place.path("corpus"), samples.to_str().unwrap()]);
        assert_ne!(ran.exit, Exit::Error, "{}", ran.stderr);
        place
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a report into a file, and returns its text.
    fn report(&self, words: &[&str], name: &str) -> String {
        let ran = run(&[&["--quiet", "report"], words, &["-o", &self.path(name)]].concat());
        assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""), "{words:?}");
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn verify(&self, name: &str) -> RunOutput {
        run(&["report", "--verify", &self.path(name)])
    }
}

#[test]
fn a_report_is_the_same_however_often_it_is_made_and_verifies() {
    let place = Place::new();
    let corpus = place.path("corpus");
    for ending in ["html", "json"] {
        let one = place.report(&["balance", &corpus], &format!("one.{ending}"));
        assert_eq!(one, place.report(&["balance", &corpus], &format!("other.{ending}")));
        let ran = place.verify(&format!("one.{ending}"));
        assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
    }
}

#[test]
fn a_changed_figure_is_named_and_so_is_a_changed_corpus() {
    let place = Place::new();
    let corpus = place.path("corpus");
    let json = place.report(&["balance", &corpus], "balance.json");
    let changed = json.replacen("\"games\": \"24\"", "\"games\": \"25\"", 1);
    assert_ne!(json, changed);
    fs::write(place.path("tampered.json"), changed).unwrap();
    let ran = place.verify("tampered.json");
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.text().starts_with("provenance / games: “25” in the report, “24” now\n"), "{}", ran.text());
    let page = place.report(&["balance", &corpus], "balance.html");
    let place_of_share = page.find("class=\"between\"").unwrap();
    let digit = page[..place_of_share].rfind(|sign: char| sign.is_ascii_digit()).unwrap();
    let other = if page.as_bytes()[digit] == b'1' { "2" } else { "1" };
    fs::write(place.path("tampered.html"), format!("{}{other}{}", &page[..digit], &page[digit + 1..]))
        .unwrap();
    let ran = place.verify("tampered.html");
    assert_eq!(ran.exit, Exit::Findings, "{}", ran.text());
    assert!(ran.text().starts_with("page: "), "{}", ran.text());

    let ran = run(&["--quiet", "remove", &corpus, "--query", "variant = brandubh7"]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let ran = place.verify("balance.json");
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.text().contains("provenance / games_hash"), "{}", ran.text());
    fs::remove_dir_all(&corpus).unwrap();
    assert_eq!(place.verify("balance.json").exit, Exit::Error);
}

#[test]
fn a_file_that_is_not_a_report_cannot_be_verified() {
    let place = Place::new();
    fs::write(place.path("page.html"), "<html>nothing</html>").unwrap();
    let command =
        "{\"format\":\"taflbase-report\",\"version\":1,\"provenance\":{\"command\":[\"remove\",\"corpus\"]}}";
    fs::write(place.path("command.json"), command).unwrap();
    for name in ["page.html", "command.json", "none.json"] {
        let ran = place.verify(name);
        assert_eq!((ran.exit, ran.text()), (Exit::Error, ""), "{name}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

#[test]
fn every_report_has_sentences_for_any_games() {
    let place = Place::new();
    let corpus = place.path("corpus");
    let reports: [&[&str]; 8] = [
        &["balance"],
        &["openings"],
        &["lengths"],
        &["players"],
        &["crosstable"],
        &["accuracy"],
        &["health", "--year", "2026"],
        &["compare", "--query", "plies < 40", "--query", "plies >= 40"],
    ];
    let selections: [&[&str]; 4] =
        [&[], &["--variant", "brandubh7"], &["--variant", "alea19"], &["--variant", "hexentafl4"]];
    for report in reports {
        for selection in selections {
            let words = [&["--quiet", "report"], report, &[corpus.as_str()], selection].concat();
            let ran = run(&words);
            assert_ne!(ran.exit, Exit::Error, "{words:?}: {}", ran.stderr);
            let text = ran.text();
            assert!(text.starts_with("# ") && text.lines().count() > 5, "{words:?}: {text}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{words:?}: {text}");
        }
    }
}

#[test]
fn no_games_is_a_sentence_and_an_unknown_variant_an_error() {
    let place = Place::new();
    let corpus = place.path("corpus");
    let ran = run(&["report", "balance", &corpus, "--query", "plies > 60000"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Findings, ""));
    assert!(ran.text().contains("There are no games, so the balance is unknown."), "{}", ran.text());
    let ran = run(&["report", "balance", &corpus, "--variant", "brandubb7"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(
        ran.stderr.contains("no variant is called `brandubb7`") && ran.stderr.contains("brandubh7"),
        "{}",
        ran.stderr
    );
    let ran = run(&["report", "compare", &corpus]);
    assert!(ran.exit == Exit::Error && ran.stderr.contains("nothing to compare"), "{}", ran.stderr);
}

#[test]
fn a_report_without_a_file_that_was_named_is_an_error() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/brandubh.csv");
    let ran = run(&["report", "lengths", samples.to_str().unwrap(), "no/such/file.csv"]);
    assert!(ran.text().starts_with("# "), "{}", ran.text());
    assert_eq!(ran.exit, Exit::Error, "{}", ran.stderr);
    assert!(ran.stderr.contains("no/such/file.csv: no such file or folder"), "{}", ran.stderr);
}

#[test]
fn records_are_reported_on_without_a_corpus() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/brandubh.csv");
    let ran = run(&["--quiet", "report", "balance", samples.to_str().unwrap(), "--format", "json"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let answer: Value = ran.json();
    assert_eq!(answer["format"], "taflbase-report");
    assert!(answer["sections"]["brandubh7"]["tables"]["results"]["rows"]["drawn"].is_object(), "{answer:#}");
}

#[test]
fn a_folder_gets_pictures_and_tables() {
    let place = Place::new();
    let corpus = place.path("corpus");
    for format in ["html", "md", "csv", "parquet"] {
        let folder = place.path(format) + "/";
        let ran = run(&["--quiet", "report", "lengths", &corpus, "-o", &folder, "--format", format]);
        assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
        let name = match format {
            "csv" | "parquet" => format!("overview-lengths.{format}"),
            _ => format!("lengths.{format}"),
        };
        assert!(fs::metadata(format!("{folder}{name}")).unwrap().len() > 100, "{name}");
    }
    let folder = place.path("balance") + "/";
    let ran = run(&["--quiet", "report", "balance", &corpus, "-o", &folder]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    assert!(fs::metadata(format!("{folder}balance.html")).unwrap().len() > 1000);
    let pictures = fs::read_dir(place.path("balance/pictures")).unwrap().count();
    assert!(pictures > 2, "{pictures}");
}

#[test]
fn the_engine_tries_rules() {
    let words = ["--quiet", "report", "balance", "--selfplay", "--variant", "hexentafl4", "--vary", "esc=e"];
    let few = ["--games", "4", "--nodes", "30", "--threads", "1", "--format", "json"];
    let ran = run(&[&words[..], &few].concat());
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let answer = ran.json();
    assert_eq!(
        answer["sections"]["balance"]["tables"]["levels"]["rows"]["as it is, 30 nodes"]["cells"]["games"],
        4
    );
    assert!(
        answer["sections"]["effects"]["tables"]["effects"]["rows"]["esc=e, 30 nodes"].is_object(),
        "{answer:#}"
    );
    let again = run(&[&words[..], &few].concat());
    assert_eq!(ran.stdout, again.stdout);
    let none = run(&["report", "balance", "--selfplay", "--variant", "hexentafl4", "--vary", "nonsense=1"]);
    assert_eq!(none.exit, Exit::Error);
}
