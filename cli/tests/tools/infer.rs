//! `tafl infer`: its JSON output, and games with different rules.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;

use super::run;
use super::test_folder::TestFolder;

#[test]
fn json_has_every_option_with_its_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.csv");
    fs::write(&file, "d2-c2 e4-e1 c2-c1 e1-f1,0,0,Ongoing\na1-b1 b1-c1,0,0,Ongoing\n").unwrap();
    let file = file.to_str().unwrap();
    let output = run(&["infer", "-j", "1", "--format", "json", file]);
    assert_eq!(output.exit, Exit::Findings, "a game without evidence is a finding");
    let result: Value = serde_json::from_str(output.text()).unwrap();
    assert_eq!((result["records"].as_u64(), result["undecidable"][0]["game"].as_u64()), (Some(2), Some(2)));
    let group = &result["groups"][0];
    assert_eq!(group["agreeing"], 1);
    assert_eq!(group["first_mover"], "attackers");
    assert!(group["rules"].as_str().unwrap().starts_with("dim:7 "));
    let options = group["options"].as_array().unwrap();
    assert!(options.len() > 20);
    let first = options.iter().find(|option| option["option"] == "first-mover").unwrap();
    assert_eq!((&first["standing"], &first["fits"][0]), (&"decided".into(), &"attackers".into()));
    assert_eq!(first["others"][0]["games_against"], 1);
    let variants = group["catalog"].as_array().unwrap();
    assert!(variants.iter().any(|one| one["variants"][0] == "brandubh7" && one["contradicting"] == 0));
}

#[test]
fn games_with_different_rules_are_counted_by_group() {
    let folder = TestFolder::new();
    let games = ["d2-c2 e4-e1 c2-c1 e1-f1", "e1-f1 f6-i6", "d2-c2 e4-e1 c2-c1 e1-f1"];
    folder.file("games.csv", &games.map(|moves| format!("{moves},0,0,Ongoing\n")).concat());
    let output = folder.run(&["infer", "@games.csv"]);
    let (text, _) = output.text().split_once("\n\n").unwrap();
    let text = text.replace('\n', " ");
    assert!(text.contains(": 2 match A, ") && text.contains("; 1 matches B, "), "{text}");
}
