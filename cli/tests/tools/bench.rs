//! `tafl bench`.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::run;

#[test]
fn figures_have_units_inputs_threads_and_ratios() {
    let ran = run(&["bench", "--rounds", "1", "--size", "1", "-j", "2", "--format", "json"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let answer = ran.json();
    let figures = answer["figures"].as_array().unwrap();
    let parts: Vec<&str> = figures.iter().filter_map(|figure| figure["part"].as_str()).collect();
    assert_eq!(
        parts,
        ["parse", "replay", "replay", "parse", "replay", "replay", "perft", "perft", "perft", "perft"]
    );
    assert!(figures.iter().all(|figure| figure["median"].as_f64().unwrap() > 0.0));
    let replay = &figures[2];
    assert_eq!((&replay["unit"], &replay["threads"]), (&json!("plies/s"), &json!(2)));
    assert_eq!(replay["baseline"]["name"], json!("1 thread"));
    assert!(replay["input"]["games"].as_u64().unwrap() >= 50);
    assert_eq!(figures[0]["input"]["moves"], figures[1]["input"]["moves"]);
}

#[test]
fn files_can_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brandubh.csv");
    fs::write(&path, "d2-e2 d3-c3,0,0,Ongoing\n").unwrap();
    let path = path.to_str().unwrap();
    let words = ["bench", "replay", "--rounds", "1", "-j", "1", "--format", "json", "--input"];
    let figures = run(&[&words[..], &[path]].concat()).json()["figures"].clone();
    assert_eq!(figures.as_array().map(Vec::len), Some(1));
    assert_eq!(figures[0]["input"], json!({"bytes": 23, "games": 1, "moves": 2}));
    assert_eq!(figures[0]["baseline"], Value::Null);
    fs::write(path, "").unwrap();
    let empty = run(&[&words[..], &[path]].concat());
    assert_eq!(empty.exit, Exit::Error);
    assert!(empty.stderr.contains("there is no record that could be read"), "{}", empty.stderr);
}
