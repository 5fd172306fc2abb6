//! `tafl merge`: merged parts equal a corpus that was imported at once.

use std::fs;

use tafl_cli::Exit;

use super::lines::{MIRRORED, TAGGED, with_files};

/// Splits row lines into `count` parts by bucket.
fn split_by_bucket(rows: &str, count: u64) -> Vec<String> {
    let mut parts = vec![String::new(); count as usize];
    for line in rows.lines() {
        let digits = line.split("\"bucket\":\"").nth(1).unwrap().split('"').next().unwrap();
        let bucket = u64::from_str_radix(digits, 16).unwrap();
        let part = &mut parts[(bucket % count) as usize];
        part.push_str(line);
        part.push('\n');
    }
    parts
}

#[test]
fn parts_merge_to_the_same_corpus_in_any_order() {
    let folder = with_files();
    folder.run(&["import", "@files", "@games"]);
    let parts = split_by_bucket(&folder.rows(), 3);
    let names: Vec<String> = (0..3).map(|nth| format!("@part{nth}")).collect();
    for (part, name) in parts.iter().zip(&names) {
        assert_ne!(folder.run_with(&["import", name, "--rows", "-"], part).exit, Exit::Error);
    }
    let twice = folder.run_with(&["import", "@twice", "--rows", "-"], &parts[1]);
    assert_ne!(twice.exit, Exit::Error);
    for (nth, order) in [[0, 1, 2], [2, 0, 1], [1, 2, 0]].into_iter().enumerate() {
        let corpus = format!("@merged{nth}");
        let args: Vec<&str> = order.iter().map(|part| names[*part].as_str()).collect();
        let output = folder.run(&[&["merge", &corpus], &args[..]].concat());
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
        let compare = || {
            assert_eq!(folder.info(&corpus), folder.info("@files"));
            assert_eq!(folder.tables(&corpus), folder.tables("@files"));
        };
        compare();
        folder.assert_sound(&corpus);
        let before = fs::read(folder.path(&corpus[1..]).join("manifest.json")).unwrap();
        let again = folder.run(&["merge", &corpus, args[0], "@twice", args[0], "--format", "json"]).json();
        assert_eq!((again["segments"].as_u64(), again["added"].as_u64()), (Some(0), Some(0)), "{again}");
        let after = fs::read(folder.path(&corpus[1..]).join("manifest.json")).unwrap();
        assert_eq!(before, after, "merging games again changes nothing");
        assert_eq!(folder.run(&["compact", &corpus]).exit, Exit::Ok);
        compare();
        // The games are recognized after their segments are compacted.
        let again = folder.run(&["merge", &corpus, "@part0", "@part1", "--format", "json"]).json();
        assert_eq!((again["segments"].as_u64(), again["added"].as_u64()), (Some(0), Some(0)), "{again}");
        compare();
        folder.assert_sound(&corpus);
        let report = |corpus: &str| {
            let mut report = folder.run(&["report", "balance", corpus, "--format", "json"]).json();
            report.as_object_mut().unwrap().remove("provenance");
            report
        };
        assert_eq!(report(&corpus), report("@files"));
    }
}

#[test]
fn copies_in_different_parts_are_detected() {
    let folder = with_files();
    // A long game mirrored, with names and a date.
    let tagged = &TAGGED
        [TAGGED.find("[event: Summer").unwrap()..TAGGED.find("1. d2-c2 e4-e1\n2. b4-b2 d4-e4\n3.").unwrap()];
    let moves: Vec<&str> = MIRRORED.split(' ').collect();
    let turns = (1..).zip(moves.chunks(2)).map(|(nth, turn)| format!("{nth}. {}\n", turn.join(" ")));
    folder.file("games/cup.otg", format!("{tagged}{}", turns.collect::<String>()).as_bytes());
    folder.run(&["import", "@files", "@games/brandubh.csv", "@games/cup.otg"]);
    folder.run(&["import", "@one", "@games/brandubh.csv"]);
    folder.run(&["import", "@other", "@games/cup.otg"]);
    let output = folder.run(&["merge", "@merged", "@one", "@other", "--format", "json"]);
    assert!(
        output.json()["replaced"].as_u64() >= Some(1),
        "the copy with tags replaces the other one: {}",
        output.text()
    );
    assert_eq!(folder.info("@merged"), folder.info("@files"));
    assert_eq!(folder.tables("@merged"), folder.tables("@files"));
    folder.assert_sound("@merged");
    folder.run(&["compact", "@merged"]);
    folder.run(&["compact", "@files"]);
    assert_eq!(folder.info("@merged"), folder.info("@files"));
    let copies = |corpus: &str| {
        let query = "SELECT game, copies FROM games WHERE copies IS NOT NULL ORDER BY game";
        folder.run(&["sql", corpus, query, "--format", "json"]).json()
    };
    assert_eq!(copies("@merged"), copies("@files"));
    folder.assert_sound("@merged");
}

#[test]
fn a_part_that_cannot_be_merged_changes_nothing() {
    let folder = with_files();
    folder.run(&["import", "@one", "@games/brandubh.csv"]);
    folder.run(&["import", "@other", "@games/cups.otg"]);
    folder.run(&["merge", "@merged", "@one"]);
    let before = folder.info("@merged");
    let assert_rejected = |part: &str, message: &str| {
        let output = folder.run(&["merge", "@merged", "@one", part]);
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains(message), "{}", output.stderr);
        assert_eq!(folder.info("@merged"), before);
        folder.assert_sound("@merged");
    };
    assert_rejected("@merged", "cannot merge the corpus into itself");
    assert_rejected("@nowhere", "no such corpus");
    assert_rejected("@games", "not a corpus");
    let manifest = folder.path("other/manifest.json");
    let good = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, good.replace("\"taflbase_corpus\": 1", "\"taflbase_corpus\": 9")).unwrap();
    assert_rejected("@other", "version 3");
    fs::write(&manifest, &good).unwrap();
    let segment = fs::read_dir(folder.path("other/segments")).unwrap().next().unwrap().unwrap().path();
    let file = segment.join("plies.parquet");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();
    assert_rejected("@other", "plies.parquet");
    // An empty part can be merged.
    assert_eq!(folder.run_with(&["import", "@empty", "--rows", "-"], "").exit, Exit::Ok);
    assert_eq!(folder.run(&["merge", "@merged", "@empty"]).exit, Exit::Ok);
    assert_eq!(folder.info("@merged"), before);
}

/// Kills a command at different times, and checks that the corpus has the old state or the new one.
#[test]
#[cfg(unix)]
fn a_killed_command_leaves_the_old_or_the_new_corpus() {
    let folder = with_files();
    folder.file("rows.jsonl", folder.rows().as_bytes());
    folder.run(&["import", "@part", "--rows", "@rows.jsonl"]);
    folder.run(&["import", "@new", "@games/cups.otg"]);
    folder.run(&["merge", "@new", "@part"]);
    let new = folder.info("@new");
    for (args, corpus) in [
        (["merge", "@merged", "@part"].to_vec(), "@merged"),
        (vec!["import", "@taken", "--rows", "@rows.jsonl"], "@taken"),
    ] {
        folder.run(&["import", corpus, "@games/cups.otg"]);
        let old = folder.info(corpus);
        let mut seen = [0, 0];
        for nth in 0..12_u64 {
            let args = folder.args(&args);
            let mut child = super::lines::spawn(&args.iter().map(String::as_str).collect::<Vec<_>>());
            std::thread::sleep(std::time::Duration::from_millis(15 * nth * nth));
            let _ = child.kill();
            child.wait().unwrap();
            let now = folder.info(corpus);
            let is_new = now["games"] == new["games"];
            assert!(is_new || now == old, "{now} is neither {old} nor {new}");
            seen[usize::from(is_new)] += 1;
            if is_new && seen[0] > 0 {
                break;
            }
            if is_new {
                // The command finished before the first kill, as on a busy machine: start again.
                fs::remove_dir_all(folder.path(&corpus[1..])).unwrap();
                folder.run(&["import", corpus, "@games/cups.otg"]);
            }
        }
        assert!(seen[0] > 0, "no run was killed before its commit");
        folder.run(&args);
        assert_eq!(folder.info(corpus)["games"], new["games"]);
        folder.assert_sound(corpus);
    }
}
