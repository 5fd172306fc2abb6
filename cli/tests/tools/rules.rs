//! `tafl rules`.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;
use tafl_rules::{RuleSet, catalog};

use super::{check, run, run_with};

#[test]
fn every_variant_is_listed_shown_and_explained() {
    let list = run(&["rules", "list"]);
    assert_eq!(list.text().lines().count(), catalog::all().count() + 1);
    for variant in catalog::all() {
        let shown = run(&["rules", "show", variant.name]);
        let string = shown.text().lines().next().unwrap();
        assert_eq!(string.parse::<RuleSet>().unwrap(), variant.rules(), "{}", variant.name);
        let sheet = run(&["rules", "explain", variant.name]);
        assert_eq!((sheet.exit, sheet.stderr.as_str()), (Exit::Ok, ""));
        assert!(sheet.text().starts_with(variant.title), "{}", variant.name);
        assert!(sheet.text().lines().all(|line| line.chars().count() <= 100), "{}", sheet.text());
    }
}

#[test]
fn rules_without_a_name_are_compared_with_the_most_similar_variant() {
    let sheet = run(&["rules", "explain", "copenhagen11", "--rule", "sw=n"]);
    assert!(sheet.text().contains("Most similar variant"), "{}{}", sheet.text(), sheet.stderr);
    assert!(sheet.text().contains("One rule differs from Copenhagen"), "{}", sheet.text());
    assert!(!run(&["rules", "explain", "copenhagen11"]).text().contains("Most similar variant"));
    // Some rules are whole sentences.
    let kingless = run(&["rules", "explain", "dim:7 start:/3t3/3t3/3T3/ttT1Ttt/3T3/3t3/3t3/"]);
    let text = kingless.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the game is drawn; in the variant: When"), "{text}");
    assert!(!text.contains("..") && !text.contains(".,"), "{text}");
}

#[test]
fn the_list_can_be_filtered() {
    let names = |filter: &str| {
        let list = run(&["rules", "list", filter, "--format", "json"]).json();
        list.as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("cyngesheall"), ["cyngesheall7"]);
    let none = run(&["rules", "list", "chess"]);
    assert_eq!((none.exit, none.text()), (Exit::Findings, ""));
}

#[test]
fn rules_are_written_as_json() {
    let named = run(&["rules", "show", "Copenhagen", "--format", "json"]).json();
    assert_eq!((&named["name"], &named["symmetries"]), (&json!("copenhagen11"), &json!(8)));
    assert_eq!(named["board"], json!({"topology": "square", "side": 11, "cells": 121}));
    let custom = run(&["rules", "show", "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/", "--format", "json"]);
    assert_eq!(custom.json()["name"], json!(null));
    let sheet = run(&["rules", "explain", "cyngesheall7", "--format", "json"]).json();
    assert_eq!(sheet["sections"][0]["title"], json!("Board and start"));
}

#[test]
fn rules_can_be_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.txt");
    fs::write(&path, "dim:7 name:Own ks:c\nstart:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n").unwrap();
    let path = path.to_str().unwrap();
    let diff = run(&["rules", "diff", path, "brandubh7"]);
    assert!(diff.text().starts_with("Own and brandubh7 differ in one point."), "{}", diff.text());
    fs::write(path, format!("\u{feff}{}", fs::read_to_string(path).unwrap())).unwrap();
    assert_eq!(run(&["rules", "diff", path, "brandubh7"]).text(), diff.text());
    fs::write(path, "dim:7\nks:q start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n").unwrap();
    let broken = run(&["rules", "show", path]);
    assert_eq!(broken.exit, Exit::Error);
    assert!(broken.stderr.contains("own.txt:2:1"), "{}", broken.stderr);
}

#[test]
fn differences_are_listed_by_topic() {
    let expected = "\
brandubh7 and dim_seven differ in 2 points.

shieldwall
  brandubh7  no
  dim_seven  Shieldwall: a row of two or more men along the edge is captured
             when each of them has an enemy in front and both ends of the row
             are closed by enemies. An empty corner cell also closes an end. The
             capturing move must close an end of the row. A king may be part of
             the row, but is not captured.

no legal move
  brandubh7  loses
  dim_seven  draws

Without effect on play:

label
  brandubh7  Brandubh
  dim_seven  dim_seven
";
    let other =
        "dim:7 name:dim_seven ks:c sw:s xnom:draw xrep:pos3def start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    check(&["rules", "diff", "brandubh7", other], Exit::Ok, expected);
}

#[test]
fn rules_that_differ_only_in_name_are_the_same() {
    let same = run(&["rules", "diff", "fetlar11", "sympkyn11", "--format", "json"]).json();
    assert_eq!(same["same"], json!(true));
    assert!(same["differences"].as_array().unwrap().iter().all(|one| one["matters"] == json!(false)));
}

#[test]
fn a_sheet_ends_with_the_choices_of_the_catalog() {
    let title = "\nGaps in the source, and the choices of the catalog\n";
    for variant in ["cyngesheall7", "sca11", "hexentafl4", "fetlar11", "sympkyn11", "aage-65", "aage-133"] {
        let sheet = run(&["rules", "explain", variant]);
        let (_, choices) = sheet.text().split_once(title).unwrap_or_else(|| panic!("{variant}"));
        assert!(choices.lines().all(|line| line.is_empty() || line.starts_with("  ")), "{choices}");
    }
    let own = run(&["rules", "explain", "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"]);
    assert!(!own.text().contains(title), "{}", own.text());
}

#[test]
fn answers_about_changed_rules_have_the_rules_string_instead_of_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().display().to_string();
    let commands: [&[&str]; 5] = [
        &["eval", "--variant", "brandubh7", "--depth", "1"],
        &["perft", "brandubh7", "1"],
        &["solve", "--variant", "brandubh7", "--nodes", "10"],
        &["solve", "--variant", "brandubh7", "--pieces", "2", "--build-tables", &tables],
        &["rules", "ruling", "legal", "--variant", "brandubh7", "--move", "d1-c1"],
    ];
    let rules_of = |answer: &Value| answer["rules"].as_str().unwrap().parse::<RuleSet>().unwrap();
    let corner_closes =
        |answer: &Value| rules_of(answer).shieldwall.map(|shieldwall| shieldwall.corner_closes);
    let named = catalog::find("brandubh7").unwrap().rules();
    for command in commands {
        let answer = run(&[command, &["--format", "json"]].concat()).json();
        assert_eq!((&answer["variant"], rules_of(&answer)), (&json!("brandubh7"), named.clone()), "{answer}");
        let changed = run(&[command, &["--format", "json", "--rule", "sw=w"]].concat()).json();
        assert_eq!(changed["variant"], Value::Null, "{changed}");
        assert_eq!(corner_closes(&changed), Some(false), "{changed}");
    }
    let query = json!({ "id": 1, "variant": "brandubh7", "rule": ["sw=w"], "nodes": 10 }).to_string();
    let analyzed = run_with(&["analyze", "-"], &query).json();
    assert_eq!(analyzed["variant"], Value::Null, "{analyzed}");
    assert_eq!(corner_closes(&analyzed), Some(false), "{analyzed}");
}
