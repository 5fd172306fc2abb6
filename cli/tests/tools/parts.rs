//! Corpora that were made apart and are merged: the parts make the same corpus, whatever happens in between.

use std::fs;

use tafl_cli::Exit;

use super::lines::{TAGGED, with_files};

/// Splits rows into `n` texts by their buckets.
fn parts(rows: &str, count: i64) -> Vec<String> {
    let mut parts = vec![String::new(); count as usize];
    for line in rows.lines() {
        let bucket: i64 =
            line.split("\"bucket\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        let part = &mut parts[bucket.rem_euclid(count) as usize];
        part.push_str(line);
        part.push('\n');
    }
    parts
}

#[test]
fn parts_make_the_same_corpus_in_any_order_and_twice() {
    let place = with_files();
    place.run(&["import", "@files", "@games"]);
    let parts = parts(&place.rows(), 3);
    let names: Vec<String> = (0..3).map(|nth| format!("@part{nth}")).collect();
    for (part, name) in parts.iter().zip(&names) {
        assert_ne!(place.run_with(&["import", name, "--rows", "-"], part).exit, Exit::Error);
    }
    let twice = place.run_with(&["import", "@twice", "--rows", "-"], &parts[1]);
    assert_ne!(twice.exit, Exit::Error);
    for (nth, order) in [[0, 1, 2], [2, 0, 1], [1, 2, 0]].into_iter().enumerate() {
        let corpus = format!("@merged{nth}");
        let words: Vec<&str> = order.iter().map(|part| names[*part].as_str()).collect();
        let ran = place.run(&[&["merge", &corpus], &words[..]].concat());
        assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
        let compare = || {
            assert_eq!(place.info(&corpus), place.info("@files"));
            assert_eq!(place.tables(&corpus), place.tables("@files"));
        };
        compare();
        place.assert_sound(&corpus);
        let before = fs::read(place.path(&corpus[1..]).join("manifest.json")).unwrap();
        let again = place.run(&["merge", &corpus, words[0], "@twice", words[0], "--format", "json"]).json();
        assert_eq!((again["segments"].as_u64(), again["added"].as_u64()), (Some(0), Some(0)), "{again}");
        let after = fs::read(place.path(&corpus[1..]).join("manifest.json")).unwrap();
        assert_eq!(before, after, "what is there already changes nothing");
        assert_eq!(place.run(&["compact", &corpus]).exit, Exit::Ok);
        compare();
        // Compacted segments have other contents; their games are known all the same.
        let again = place.run(&["merge", &corpus, "@part0", "@part1", "--format", "json"]).json();
        assert_eq!((again["segments"].as_u64(), again["added"].as_u64()), (Some(0), Some(0)), "{again}");
        compare();
        place.assert_sound(&corpus);
        let report = |corpus: &str| {
            let mut report = place.run(&["report", "balance", corpus, "--format", "json"]).json();
            report.as_object_mut().unwrap().remove("provenance");
            report
        };
        assert_eq!(report(&corpus), report("@files"));
    }
}

#[test]
fn copies_in_different_parts_are_found() {
    let place = with_files();
    // The first game mirrored, with names and a day.
    let tagged = &TAGGED
        [TAGGED.find("[event: Summer").unwrap()..TAGGED.find("1. d2-c2 e4-e1\n2. b4-b2 d4-e4\n3.").unwrap()];
    place.file(
        "games/cup.otg",
        format!("{tagged}1. b4-b3 d5-a5\n2. d2-b2 d4-d5\n3. b3-a3 d5-c5\n").as_bytes(),
    );
    place.run(&["import", "@files", "@games/brandubh.csv", "@games/cup.otg"]);
    place.run(&["import", "@one", "@games/brandubh.csv"]);
    place.run(&["import", "@other", "@games/cup.otg"]);
    let ran = place.run(&["merge", "@merged", "@one", "@other", "--format", "json"]);
    assert!(ran.json()["replaced"].as_u64() >= Some(1), "the tagged copy says more: {}", ran.text());
    assert_eq!(place.info("@merged"), place.info("@files"));
    assert_eq!(place.tables("@merged"), place.tables("@files"));
    place.assert_sound("@merged");
    place.run(&["compact", "@merged"]);
    place.run(&["compact", "@files"]);
    assert_eq!(place.info("@merged"), place.info("@files"));
    let copies = |corpus: &str| {
        let question = "SELECT game, copies FROM games WHERE copies IS NOT NULL ORDER BY game";
        place.run(&["sql", corpus, question, "--format", "json"]).json()
    };
    assert_eq!(copies("@merged"), copies("@files"));
    place.assert_sound("@merged");
}

#[test]
fn a_part_that_cannot_be_merged_changes_nothing() {
    let place = with_files();
    place.run(&["import", "@one", "@games/brandubh.csv"]);
    place.run(&["import", "@other", "@games/cups.otg"]);
    place.run(&["merge", "@merged", "@one"]);
    let before = place.info("@merged");
    let refused = |part: &str, why: &str| {
        let ran = place.run(&["merge", "@merged", "@one", part]);
        assert_eq!(ran.exit, Exit::Error);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(place.info("@merged"), before);
        place.assert_sound("@merged");
    };
    refused("@merged", "cannot merge the corpus into itself");
    refused("@nowhere", "no such corpus");
    refused("@games", "not a corpus");
    let manifest = place.path("other/manifest.json");
    let good = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, good.replace("\"taflbase_corpus\": 1", "\"taflbase_corpus\": 9")).unwrap();
    refused("@other", "version 2");
    fs::write(&manifest, &good).unwrap();
    let segment = fs::read_dir(place.path("other/segments")).unwrap().next().unwrap().unwrap().path();
    let file = segment.join("plies.parquet");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();
    refused("@other", "plies.parquet");
    // An empty part is one.
    assert_eq!(place.run_with(&["import", "@empty", "--rows", "-"], "").exit, Exit::Ok);
    assert_eq!(place.run(&["merge", "@merged", "@empty"]).exit, Exit::Ok);
    assert_eq!(place.info("@merged"), before);
}

/// Kills a command again and again while it runs; what the corpus has afterwards is the old state or the new one.
#[test]
#[cfg(unix)]
fn killed_at_any_moment_a_corpus_is_the_old_one_or_the_new_one() {
    let place = with_files();
    place.file("rows.jsonl", place.rows().as_bytes());
    place.run(&["import", "@part", "--rows", "@rows.jsonl"]);
    place.run(&["import", "@new", "@games/cups.otg"]);
    place.run(&["merge", "@new", "@part"]);
    let new = place.info("@new");
    for (words, corpus) in [
        (["merge", "@merged", "@part"].to_vec(), "@merged"),
        (vec!["import", "@taken", "--rows", "@rows.jsonl"], "@taken"),
    ] {
        place.run(&["import", corpus, "@games/cups.otg"]);
        let old = place.info(corpus);
        let mut seen = [0, 0];
        for nth in 0..12_u64 {
            let words = place.words(&words);
            let mut child = super::lines::spawn(&words.iter().map(String::as_str).collect::<Vec<_>>());
            std::thread::sleep(std::time::Duration::from_millis(15 * nth * nth));
            let _ = child.kill();
            child.wait().unwrap();
            let now = place.info(corpus);
            let is_new = now["games"] == new["games"];
            assert!(is_new || now == old, "{now} is neither {old} nor {new}");
            seen[usize::from(is_new)] += 1;
            if is_new && seen[0] > 0 {
                break;
            }
            if is_new {
                // On a busy machine the command was done before the first kill: begin again.
                fs::remove_dir_all(place.path(&corpus[1..])).unwrap();
                place.run(&["import", corpus, "@games/cups.otg"]);
            }
        }
        assert!(seen[0] > 0, "no moment before the change was hit");
        place.run(&words);
        assert_eq!(place.info(corpus)["games"], new["games"]);
        place.assert_sound(corpus);
    }
}
