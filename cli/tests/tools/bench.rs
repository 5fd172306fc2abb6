//! `tafl bench`.

use serde_json::json;
use tafl_cli::Exit;

use super::run;

#[test]
fn the_signature_is_the_sum_of_the_suite() {
    let ran = run(&["bench", "--format", "json"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let answer = ran.json();
    let nodes = answer["positions"].as_array().unwrap().iter().map(|line| line["nodes"].as_u64().unwrap());
    assert_eq!(answer["signature"], json!(nodes.sum::<u64>()));
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn removed_measurements_are_refused() {
    let ran = run(&["bench", "corpus"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("invalid value 'corpus'"), "{}", ran.stderr);
}
