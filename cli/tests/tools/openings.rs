//! `--openings` of matches and leagues, and `tafl openings`.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::run;

#[test]
fn damaged_files_of_openings_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = file("good.csv", b"d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut packed, &b"d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n".repeat(50)).unwrap();
    let cut = file("cut.csv.gz", &packed.finish().unwrap()[..500]);
    let binary = file("garbage.bin", &(0..=255).cycle().take(2000).collect::<Vec<u8>>());
    let text = file("notes.txt", b"These are not games, but a text about something else.\n");
    let unread = file("unread.csv", b"d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\nxx-yy zz,0,0,Ongoing\n");
    let sets = ["tafl-openings 1\nrules dim:7"].map(|text| file("sets.txt", text.as_bytes()));
    let play = |command: &str, openings: &[&str]| {
        let fixed = [command, "taflbase:nodes=10", "random", "--variant", "brandubh7", "--plies", "6"];
        run(&[&fixed[..], &["--pairs", "1", "--openings"], openings].concat())
    };
    for (path, why) in [
        (&cut, "the compressed file is truncated (copy or download the file again)"),
        (&binary, "the file is not text but binary data"),
        (&text, ""),
        (&sets[0], "is not a file of openings: line 2"),
    ] {
        for command in ["match", "league"] {
            let output = play(command, &[&good, path]);
            assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{path}: {}", output.stderr);
            let is_named = output.stderr.starts_with(&format!("error: {path}"));
            assert!(is_named && output.stderr.contains(why), "{}", output.stderr);
        }
    }
    let output = play("match", &[&unread]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert_eq!(output.stderr, "skipped 1 record of --openings: no legal move could be read\n");
}

#[test]
fn games_are_openings_of_variants_without_balanced_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.csv");
    fs::write(&path, "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n").unwrap();
    let play = |variant: &str, more: &[&str]| {
        let fixed =
            ["match", "random", "taflbase:nodes=1", "--plies", "6", "--variant", variant, "--openings"];
        run(&[&fixed[..], &["balanced", path.to_str().unwrap()], more].concat())
    };
    let unused = play("brandubh7", &["--pairs", "1"]);
    assert_eq!((unused.exit, unused.text()), (Exit::Error, ""));
    let why = "the 1 game of --openings would not be used, because brandubh7 has balanced openings";
    assert!(unused.stderr.contains(why), "{}", unused.stderr);
    let alone = play("dim:7 ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/", &["--pairs", "1"]);
    assert_eq!(alone.exit, Exit::Ok, "{}", alone.stderr);
    assert_eq!(alone.stderr, "balanced is not used: it has no openings of these rules\n");
}

#[test]
fn openings_of_other_rules_are_named() {
    const SET: &str = "engine taflbase\nsettings nodes 100 plies 8 seed 1\nprogress rounds 2 candidates 96 tested 16 games 90 \
                       half-points 70 undecided 3 center -12.5 bias 0.25\n";
    const OPENING: &str = "opening games 16 half-points 14 undecided 0 random 1 1 moves d1-c1 d3-c3\n";
    let rules = "rules dim:7 name:Brandubh ks:c xrep:pos3def start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n";
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, opening: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("tafl-openings 1\n{rules}{SET}{opening}")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (found, none) = (file("b.txt", OPENING), file("none.txt", ""));
    let error_of = |args: &[&str]| {
        let output = run(&[&["match", "random", "random", "--pairs", "1", "--variant"], args].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{args:?}");
        output.stderr
    };
    let find = "(find some with `tafl openings find`)";
    let other = error_of(&["tablut9_wtf", "--openings", &found]);
    assert_eq!(other, format!("error: {found} has openings of brandubh7 only {find}\n"));
    let empty = error_of(&["brandubh7", "--openings", &none]);
    assert_eq!(empty, format!("error: {none} has no openings yet {find}\n"));
    let leave_out = "(leave out --rule, or find some with `tafl openings find`)";
    let changed = error_of(&["brandubh7", "--rule", "sw=w", "--openings", "balanced"]);
    let why = "--rule changes the rules of brandubh7, so its built-in openings don't fit";
    assert_eq!(changed, format!("error: {why} {leave_out}\n"));
    let changed = error_of(&["brandubh7", "--rule", "sw=w", "--openings", &found]);
    let why = format!("--rule changes the rules of brandubh7, so the openings of {found} don't fit");
    assert_eq!(changed, format!("error: {why} {leave_out}\n"));
}

#[test]
fn without_a_number_of_pairs_there_is_one_for_each_opening() {
    let default = |more: &[&str]| {
        let fixed =
            ["match", "taflbase:nodes=10", "taflbase:nodes=5", "--variant", "brandubh7", "--plies", "20"];
        let output = run(&[&fixed[..], &["--format", "json"], more].concat());
        assert_eq!(output.exit, Exit::Ok, "{more:?}: {}", output.stderr);
        output
    };
    let balanced = default(&["--openings", "balanced"]);
    let notice = "18 pairs are played between two players, because there are no more different openings\n";
    assert_eq!(balanced.stderr, notice);
    let answer = balanced.json();
    assert_eq!(answer["result"]["games"]["games"], 36);
    assert_eq!(answer["opening_plies"], Value::Null, "balanced openings have their own lengths");
    let short = default(&["--opening-plies", "1"]);
    assert!(short.stderr.contains("because there are no more different openings"), "{}", short.stderr);
    let many = default(&["--opening-plies", "3"]);
    assert_eq!((many.stderr.as_str(), &many.json()["result"]["games"]["games"]), ("", &json!(100)));
    // With two variants, the 18 openings of Brandubh suffice for 36 pairs, and the 17 of Fetlar for 35.
    let two = ["random", "taflbase:nodes=1", "--plies", "1", "--openings", "balanced", "--variant"];
    let league = run(&[&["league"], &two[..], &["brandubh7,fetlar11"]].concat());
    assert!(league.stderr.starts_with("35 pairs are played between two players"), "{}", league.stderr);
    assert_eq!(league.exit, Exit::Ok);
    let too_many = ["taflbase:nodes=1", "taflbase:nodes=2", "--variant", "brandubh7", "--pairs", "19"];
    let too_many = run(&[&["match"], &too_many[..], &["--openings", "balanced"]].concat());
    assert_eq!(too_many.exit, Exit::Error);
    assert!(too_many.stderr.contains("only 18 balanced openings, but 19 are wanted"), "{}", too_many.stderr);
}

#[test]
fn balanced_openings_have_their_own_lengths() {
    for command in ["match", "league"] {
        let players = [command, "random", "taflbase:nodes=1", "--variant", "brandubh7", "--pairs", "1"];
        let output = run(&[&players[..], &["--openings", "balanced", "--opening-plies", "4"]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command}");
        let message = "--opening-plies has no effect on balanced openings";
        assert!(output.stderr.contains(message), "{command}: {}", output.stderr);
    }
}

#[test]
fn advice_about_too_few_openings_helps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.csv");
    let name = path.to_str().unwrap();
    // The first and the second game differ in the third ply, and the third game is short.
    let games = [
        "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n",
        "d2-e2 c4-c2 f4-f3 c2-b2,0,0,Ongoing\n",
        "d2-c2,0,0,Ongoing\n",
    ];
    fs::write(&path, games.concat()).unwrap();
    let error_of = |variant: &str, more: &[&str]| {
        let fixed = ["match", "random", "taflbase:nodes=1", "--plies", "8", "--variant", variant];
        let output = run(&[&fixed[..], more].concat());
        assert_eq!(output.exit, Exit::Error, "{more:?}: {}", output.text());
        output.stderr
    };
    let of_games = |plies: &str, pairs: &[&str]| {
        error_of("brandubh7", &[&["--openings", name, "--opening-plies", plies], pairs].concat())
    };
    // Longer openings differ.
    let same = of_games("2", &["--pairs", "2"]);
    let message = "brandubh7 has only 1 different opening of 2 plies from 3 games, but 2 are needed (try";
    assert!(same.contains(message), "{same}");
    assert!(same.contains("(try --pairs 1, --opening-plies 3, or other games"), "{same}");
    // No length helps if there are fewer games than pairs.
    let few = of_games("3", &["--pairs", "4"]);
    assert!(few.contains("only 2 different openings of 3 plies from 3 games, but 4 are needed"), "{few}");
    assert!(few.contains("(try --pairs 2 or more games"), "{few}");
    // Only shorter openings are possible.
    let long = of_games("5", &[]);
    assert!(long.contains("brandubh7 has no opening of 5 plies from 3 games"), "{long}");
    assert!(long.contains("(try --opening-plies 4 or other games"), "{long}");
    let elsewhere = error_of("copenhagen11", &["--openings", name]);
    assert!(elsewhere.contains("no game of --openings is on the board of copenhagen11"), "{elsewhere}");
    let random = error_of("brandubh7", &["--opening-plies", "1", "--pairs", "50"]);
    assert!(random.contains("different openings of 1 ply, but 50 are needed"), "{random}");
    assert!(random.contains(" or --opening-plies 2)\n"), "{random}");
}

#[test]
fn games_on_other_boards_have_no_openings() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let small = path("brandubh.csv", "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n");
    let large = path("copenhagen.csv", "b6-b10 d6-b6 f2-b2 e5-b5,0,0,Ongoing\n");
    let players = ["match", "random", "random", "--variant", "brandubh7", "--pairs", "1"];
    let output = run(&[&players[..], &["--opening-plies", "2", "--openings", &large, &small]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.stderr.contains("skipped 1 game of --openings on other boards"), "{}", output.stderr);
}

#[test]
fn one_game_of_a_file_is_an_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.csv");
    fs::write(&path, "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\nd2-c2 e4-e1 b4-b2 d4-e4,0,0,Ongoing\n").unwrap();
    let play = |game: &str, pairs: &str| {
        let openings = format!("{}:{game}", path.display());
        let fixed = ["match", "random", "random", "--variant", "brandubh7", "--opening-plies", "4"];
        run(&[&fixed[..], &["--plies", "6", "--pairs", pairs, "--openings", &openings]].concat())
    };
    assert_eq!(play("2", "1").exit, Exit::Ok);
    let few = play("2", "2").stderr;
    assert!(few.contains("has only 1 different opening of 4 plies from 1 game, but 2 are needed"), "{few}");
    let missing = play("3", "1");
    assert_eq!(missing.exit, Exit::Error);
    assert!(missing.stderr.contains("no game `3`"), "{}", missing.stderr);
}

#[test]
fn balanced_openings_are_found_resumed_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, part, resumed) = (path("whole"), path("part"), path("resumed"));
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--variant", "brandubh7", "--nodes", "200"];
        let output = run(&[&fixed[..], more].concat());
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
        output.text().to_owned()
    };
    let text = find(&["--rounds", "2", "-o", &whole]);
    assert!(text.contains("second series the attackers score"), "{text}");
    find(&["--rounds", "1", "--resume", &part]);
    find(&["--rounds", "2", "--resume", &part, "-o", &resumed]);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&resumed).unwrap());
    let play = |variant: &str| {
        run(&["match", "random", "random", "--variant", variant, "--pairs", "2", "--openings", &whole])
    };
    assert_eq!(play("brandubh7").exit, Exit::Ok);
    let other = play("copenhagen11");
    assert!(other.stderr.contains("has openings of brandubh7 only"), "{}", other.stderr);
    let often = |first: &str| {
        let players = [first, "taflbase:nodes=5", "--variant", "brandubh7", "--plies", "30"];
        run(&[&["match"], &players[..], &["--pairs", "50", "--openings", &whole]].concat())
    };
    assert_eq!(often("random").exit, Exit::Ok);
    let repeated = often("taflbase:nodes=10");
    assert_eq!(repeated.exit, Exit::Error);
    assert!(repeated.stderr.contains("play the same games again"), "{}", repeated.stderr);
    let players =
        ["match", "taflbase:nodes=10", "taflbase:nodes=5", "--variant", "brandubh7", "--pairs", "2"];
    let without = run(&[&players[..], &["--opening-plies", "0"]].concat());
    assert_eq!(without.exit, Exit::Error);
    assert!(without.stderr.contains("play the same games again"), "{}", without.stderr);
}

#[test]
fn a_search_that_finds_no_opening_writes_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--variant", "brandubh7", "--rounds", "1", "--nodes", "20"];
        run(&[&fixed[..], &["--plies", "1"], more].concat())
    };
    let (new, old) = (path("new.txt"), path("old.txt"));
    fs::write(&old, "older openings").unwrap();
    for target in [&new, &old] {
        let output = find(&["-o", target]);
        assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
        assert!(output.text().starts_with("openings      0 found in 1 round ("), "{}", output.text());
        let why = format!("{target} is not written: no balanced opening was found; try more --rounds");
        assert!(output.stderr.contains(&why), "{}", output.stderr);
    }
    assert!(!std::path::Path::new(&new).exists());
    assert_eq!(fs::read_to_string(&old).unwrap(), "older openings");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there are no temporary files");
    // A file that is both the state and the result keeps the state.
    let output = find(&["--resume", &new, "-o", &new]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Findings, ""), "{}", output.text());
    assert!(fs::read_to_string(&new).unwrap().starts_with("tafl-openings 1\n"));
}

#[test]
fn a_different_setting_of_a_resumed_search_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let resume = path.to_str().unwrap();
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--rounds", "1", "--resume", resume];
        run(&[&fixed[..], more].concat())
    };
    let first = find(&["--variant", "brandubh7", "--nodes", "20", "--plies", "1"]);
    assert_eq!(first.exit, Exit::Findings, "{}", first.stderr);
    let error_of = |more: &[&str]| {
        let output = find(more);
        assert_eq!(output.exit, Exit::Error, "{more:?}");
        output.stderr
    };
    let nodes = error_of(&["--variant", "brandubh7", "--nodes", "30", "--plies", "1"]);
    assert!(nodes.contains("it was written with --nodes 20, but --nodes 30 is requested"), "{nodes}");
    assert!(nodes.contains("(use --nodes 20, or a new file with --resume)"), "{nodes}");
    let plies = error_of(&["--variant", "brandubh7", "--nodes", "20"]);
    assert!(plies.contains("it was written with --plies 1, but --plies 16 is requested"), "{plies}");
    let rules = error_of(&["--variant", "hexentafl4", "--nodes", "20", "--plies", "1"]);
    let variants = "it was written with --variant brandubh7, but --variant hexentafl4 is requested (use --variant brandubh7, or";
    assert!(rules.contains(variants), "{rules}");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("engine taflbase", "engine other")).unwrap();
    let engine = error_of(&["--variant", "brandubh7", "--nodes", "20", "--plies", "1"]);
    assert!(engine.contains("it was written with engine `other"), "{engine}");
    assert!(engine.contains("(use a new file with --resume: another version"), "{engine}");
}
