//! `tafl bench`.

use serde_json::json;
use tafl_cli::Exit;

use super::run;

#[test]
fn the_signature_is_the_total_node_count() {
    let output = run(&["bench", "--format", "json"]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    let result = output.json();
    let nodes = result["positions"].as_array().unwrap().iter().map(|line| line["nodes"].as_u64().unwrap());
    assert_eq!(result["signature"], json!(nodes.sum::<u64>()));
    assert!(result["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn removed_benchmarks_are_rejected() {
    let output = run(&["bench", "corpus"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("invalid value 'corpus'"), "{}", output.stderr);
}
