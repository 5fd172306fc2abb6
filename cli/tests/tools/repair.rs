//! `tafl repair` and its measurement.

use std::fs;

use serde_json::json;
use tafl_cli::Exit;

use super::run;

#[test]
fn the_measurement_counts_every_kind_of_fault() {
    let ran = run(&["bench", "repair", "--faults", "1", "-j", "1", "--format", "json"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let answer = ran.json();
    let faults = answer["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 18);
    assert!(faults.iter().all(|row| row["n"].as_u64().unwrap() > 0), "{faults:?}");
    let all = &answer["all"];
    assert!(all["fixed_of_decidable"].as_f64().unwrap() > 0.95, "{all}");
    assert!(all["false_of_seen"].as_f64().unwrap() < 0.02, "{all}");
    assert_eq!((&answer["sound_games"]["n"], &answer["sound_games"]["unseen"]), (&json!(10), &json!(10)));
}

#[test]
fn the_same_seed_gives_the_same_table() {
    let counts = |threads: &str| {
        let words = ["bench", "repair", "--faults", "1", "--seed", "5", "-j", threads, "--format", "json"];
        let mut all = run(&words).json()["all"].clone();
        all["milliseconds"] = json!(0);
        all
    };
    assert_eq!(counts("1"), counts("3"));
}

#[test]
fn broken_samples_are_mended_but_for_what_nobody_can_know() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    run(&["demo", &path("demo")]);
    let broken = path("demo/games/brandubh-broken.csv");
    let mended = path("mended.csv");
    let before = fs::read(&broken).unwrap();
    let ran = run(&["repair", &broken, "--apply", "-o", &mended, "--format", "json", "-q"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Findings, ""));
    assert_eq!(fs::read(&broken).unwrap(), before);
    let summary = ran.json()["summary"].clone();
    assert_eq!((&summary["games"], &summary["sound"]), (&json!(8), &json!(0)));
    assert!(summary["repaired"].as_u64().unwrap() >= 5, "{summary}");
    let again = run(&["validate", &mended, "--variant", "brandubh7", "--format", "json"]).json();
    let sound = again["summary"]["sound"].as_u64();
    assert_eq!(sound, summary["repaired"].as_u64());
}
