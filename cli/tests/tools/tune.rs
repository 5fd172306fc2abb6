//! `tafl tune`: files that other commands take, the same ones for the same seed, and what is refused.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::{RunOutput, run};

const GAMES: &str = "\
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
d2-c2 e4-e1 b4-b2 d4-e4,0,0,Ongoing
";

/// Returns a folder with games.
fn with_games() -> TestFolder {
    let place = TestFolder::new();
    place.file("games.csv", GAMES);
    place
}

impl TestFolder {
    /// Runs `tafl tune` with few positions a search.
    fn tune(&self, words: &[&str]) -> RunOutput {
        self.run(&[&["tune", "--nodes", "60"], words].concat())
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

const BRANDUBH: &[&str] = &["--variant", "brandubh7"];
const PLAYED: &[&str] = &["@games.csv", "--selfplay", "12", "--held-out", "3", "--epochs", "2"];

#[test]
fn a_network_is_the_same_for_a_seed_and_can_be_played() {
    let place = with_games();
    let ran = place.tune(&[BRANDUBH, PLAYED, &["--make", "net", "-o", "@a.net", "--keep", "@kept"]].concat());
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    assert!(ran.stderr.contains("1 of 2 games ended under these rules"), "{}", ran.stderr);
    assert!(ran.text().contains("epoch 2: error"), "{}", ran.text());
    let again = place.tune(&[BRANDUBH, PLAYED, &["--make", "net", "-o", "@b.net"]].concat());
    assert_eq!((place.bytes("a.net"), again.text()), (place.bytes("b.net"), ran.text()));
    // Positions that were kept teach the same.
    let kept = ["--positions", "@kept", "--held-out", "3", "--epochs", "2", "--make", "net", "-o", "@c.net"];
    let kept = place.tune(&[BRANDUBH, &kept, &["--format", "json"]].concat());
    assert_eq!(kept.json()["made"], "net");
    assert_eq!(place.bytes("c.net"), place.bytes("a.net"));
    let player = format!("taflbase:net={}", place.path("a.net").display());
    let words = ["match", &player, "random", "--variant", "brandubh7", "--pairs", "1", "--nodes", "100"];
    let ran = run(&words);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
}

#[test]
fn weights_are_a_text_that_players_read() {
    let place = with_games();
    let ran = place.tune(&[BRANDUBH, PLAYED, &["-o", "@a.weights"]].concat());
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let text = String::from_utf8(place.bytes("a.weights")).unwrap();
    assert!(text.starts_with("# taflbase weights 1\n# rules: dim:7 "), "{text}");
    assert!(text.contains("\nman_attackers="), "{text}");
    let player = format!("taflbase:weights={}", place.path("a.weights").display());
    let words = ["match", &player, "random", "--variant", "brandubh7", "--pairs", "1", "--nodes", "100"];
    assert_eq!(run(&words).exit, Exit::Ok);
}

#[test]
fn unusable_training_data_is_an_error() {
    let place = with_games();
    let error_of = |words: &[&str]| {
        let ran = place.tune(words);
        assert_eq!(ran.exit, Exit::Error, "{words:?}");
        ran.stderr
    };
    assert!(error_of(&["-o", "@x"]).contains("no rules are given"));
    let few = error_of(&[BRANDUBH, &["-o", "@x"]].concat());
    assert!(few.contains("too few positions: 0 for training and 0 held out"), "{few}");
    let missing = error_of(&[BRANDUBH, &["--net", "@none.net", "-o", "@x"]].concat());
    assert!(missing.contains("none.net"), "{missing}");
    let other = error_of(&[BRANDUBH, &["--net", "@games.csv", "-o", "@x"]].concat());
    assert!(other.contains("not a network file"), "{other}");
    let samples = error_of(&[BRANDUBH, &["--positions", "@games.csv", "-o", "@x"]].concat());
    assert!(samples.contains("not a sample file"), "{samples}");
    assert!(!place.path("x").exists());
    let ran = place.tune(&[BRANDUBH, PLAYED, &["--make", "net", "-o", "@a.net"]].concat());
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let board = error_of(&["--variant", "copenhagen11", "--net", "@a.net", "-o", "@x"]);
    assert!(board.contains("expected board `square 11`, found `square 7`"), "{board}");
}
