//! `tafl repair`.

use std::fs;

use serde_json::json;
use tafl_cli::Exit;

use super::run;

#[test]
fn broken_samples_are_repaired_except_undecidable_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    run(&["demo", &path("demo")]);
    let broken = path("demo/games/brandubh-broken.csv");
    let repaired = path("mended.csv");
    let before = fs::read(&broken).unwrap();
    let output = run(&["repair", &broken, "--apply", "-o", &repaired, "--format", "json", "-q"]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Findings, ""));
    assert_eq!(fs::read(&broken).unwrap(), before);
    let summary = output.json()["summary"].clone();
    assert_eq!((&summary["games"], &summary["sound"]), (&json!(8), &json!(0)));
    assert!(summary["repaired"].as_u64().unwrap() >= 5, "{summary}");
    let again = run(&["validate", &repaired, "--variant", "brandubh7", "--format", "json"]).json();
    let sound = again["summary"]["sound"].as_u64();
    assert_eq!(sound, summary["repaired"].as_u64());
}
