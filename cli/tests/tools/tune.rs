//! `tafl tune`: reproducible networks and weights that other commands read, and errors.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::{RunOutput, run};

const GAMES: &str = "\
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
d2-c2 e4-e1 b4-b2 d4-e4,0,0,Ongoing
";

/// Returns a folder with a file of games.
fn with_games() -> TestFolder {
    let folder = TestFolder::new();
    folder.file("games.csv", GAMES);
    folder
}

impl TestFolder {
    /// Runs `tafl tune` with few nodes per search.
    fn tune(&self, args: &[&str]) -> RunOutput {
        self.run(&[&["tune", "--nodes", "60"], args].concat())
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

const BRANDUBH: &[&str] = &["--variant", "brandubh7"];
/// Options for a small training set.
const SMALL: &[&str] = &["@games.csv", "--selfplay", "12", "--held-out", "3", "--epochs", "2"];

#[test]
fn a_network_is_reproducible_and_playable() {
    let folder = with_games();
    let output =
        folder.tune(&[BRANDUBH, SMALL, &["--make", "net", "-o", "@a.net", "--keep", "@kept"]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.stderr.contains("1 of 2 games ended under these rules"), "{}", output.stderr);
    assert!(output.text().contains("epoch 2: error"), "{}", output.text());
    let again = folder.tune(&[BRANDUBH, SMALL, &["--make", "net", "-o", "@b.net"]].concat());
    assert_eq!((folder.bytes("a.net"), again.text()), (folder.bytes("b.net"), output.text()));
    // Training from the stored positions gives the same network.
    let stored =
        ["--positions", "@kept", "--held-out", "3", "--epochs", "2", "--make", "net", "-o", "@c.net"];
    let stored = folder.tune(&[BRANDUBH, &stored, &["--format", "json"]].concat());
    assert_eq!(stored.json()["made"], "net");
    assert_eq!(folder.bytes("c.net"), folder.bytes("a.net"));
    let player = format!("taflbase:net={}", folder.path("a.net").display());
    // It plays all variants.
    for variant in ["brandubh7", "hexentafl4"] {
        let args = ["match", &player, "random", "--variant", variant, "--pairs", "1", "--nodes", "100"];
        let output = run(&args);
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    }
}

#[test]
fn a_network_learns_from_many_rule_sets_without_the_excluded_variant() {
    let folder = TestFolder::new();
    let data = ["tune", "--make", "data", "--selfplay", "30", "--nodes", "20", "-o", "@data"];
    assert_eq!(folder.run(&data).exit, Exit::Ok);
    let train = |more: &[&str]| {
        let args = ["tune", "--make", "net", "--positions", "@data", "--held-out", "3", "--epochs", "1"];
        let output = folder.run(&[&args, more].concat());
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
        // Which games are held out depends on the others, so the positions of both parts count.
        let last = output.text().lines().last().unwrap();
        let n_after = |start: usize| last[start..].split(' ').next().unwrap().parse::<usize>().unwrap();
        n_after(0) + n_after(last.find("held out ").unwrap() + "held out ".len())
    };
    let all = train(&["-o", "@all.net"]);
    let part = train(&["--without", "copenhagen11", "-o", "@part.net"]);
    assert!(0 < part && part < all, "{part} of {all}");
}

#[test]
fn weights_are_a_text_file_that_players_read() {
    let folder = with_games();
    let output = folder.tune(&[BRANDUBH, SMALL, &["-o", "@a.weights"]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let text = String::from_utf8(folder.bytes("a.weights")).unwrap();
    assert!(text.starts_with("# taflbase weights 1\n# rules: dim:7 "), "{text}");
    assert!(text.contains("\nman_attackers="), "{text}");
    let player = format!("taflbase:weights={}", folder.path("a.weights").display());
    let args = ["match", &player, "random", "--variant", "brandubh7", "--pairs", "1", "--nodes", "100"];
    assert_eq!(run(&args).exit, Exit::Ok);
}

#[test]
fn training_data_of_all_variants_are_continued() {
    let folder = TestFolder::new();
    let data = |games: &str, name: &str| {
        let output =
            folder.run(&["tune", "--make", "data", "--selfplay", games, "--nodes", "20", "-o", name]);
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
        output.text().to_owned()
    };
    let whole = data("4", "@whole");
    assert!(whole.contains("from 4 games"), "{whole}");
    data("2", "@part");
    assert_eq!((data("4", "@part"), folder.bytes("part")), (whole, folder.bytes("whole")));
    folder.file("other", "a file that must not be changed");
    let output = folder.run(&["tune", "--make", "data", "--selfplay", "1", "-o", "@other"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("not a sample file"), "{}", output.stderr);
    assert_eq!(folder.bytes("other"), b"a file that must not be changed");
    for (options, reason) in [
        (&["-o", "-"][..], "give a file instead of `-`"),
        (&["-o", "@new", "--keep", "@kept"], "leave out --keep"),
    ] {
        let output = folder.run(&[&["tune", "--make", "data", "--selfplay", "1"], options].concat());
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains(reason), "{}", output.stderr);
    }
    assert!(!folder.path("new").exists() && !std::path::Path::new("-").exists());
}

#[test]
fn unusable_training_data_is_an_error() {
    let folder = with_games();
    let error_of = |args: &[&str]| {
        let output = folder.tune(args);
        assert_eq!(output.exit, Exit::Error, "{args:?}");
        output.stderr
    };
    assert!(error_of(&["-o", "@x"]).contains("no rules are given"));
    let too_few = error_of(&[BRANDUBH, &["-o", "@x"]].concat());
    assert!(too_few.contains("too few positions: 0 for training and 0 held out"), "{too_few}");
    let missing = error_of(&[BRANDUBH, &["--net", "@none.net", "-o", "@x"]].concat());
    assert!(missing.contains("none.net"), "{missing}");
    let other = error_of(&[BRANDUBH, &["--net", "@games.csv", "-o", "@x"]].concat());
    assert!(other.contains("not a network file"), "{other}");
    let samples = error_of(&[BRANDUBH, &["--positions", "@games.csv", "-o", "@x"]].concat());
    assert!(samples.contains("not a sample file"), "{samples}");
    assert!(!folder.path("x").exists());
}
