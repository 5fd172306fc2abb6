//! Very long, deeply nested, and malformed records. Each takes time proportional to its length.

use std::fmt::Write as _;

use tafl_cli::Exit;

use super::{run, run_with};

/// The size of a malformed record, in bytes.
const MALFORMED_BYTES: usize = 400_000;

#[test]
fn many_findings_in_a_line_are_summarized() {
    for (notation, part, summary) in [
        ("movelist", "þ ", "error[T001]: `þ þ "),
        ("movelist", "a1-a2 þ ", "warning[T020]: the text of this record has 44444 findings"),
        ("cyngesheall", "{", "error[T003]: the `{` of `{{{"),
        ("opentafl", "[a:b][", "error[T003]: the `[` of `[` is not closed"),
    ] {
        let text = part.repeat(MALFORMED_BYTES / part.len());
        let output = run_with(&["validate", "--as", notation, "--variant", "brandubh7", "-"], &text);
        assert_eq!(output.exit, Exit::Findings, "{notation} {part}: {}", output.stderr);
        assert!(
            output.text().starts_with(summary),
            "{notation} {part}: {}",
            output.text().lines().next().unwrap()
        );
        assert!(output.stdout.len() < 1 << 19, "{notation} {part}: {} bytes", output.stdout.len());
    }
}

#[test]
fn many_unclosed_brackets_are_split_in_one_pass() {
    for part in ["[x\n", "[a:b]\n[\n", "[event: x\n"] {
        let text = part.repeat(MALFORMED_BYTES / part.len());
        let output = run_with(&["validate", "--as", "opentafl", "--variant", "brandubh7", "-"], &text);
        assert_eq!(output.exit, Exit::Findings, "{part}: {}", output.stderr);
    }
}

/// Returns moves that repeat positions; Brandubh has no rule against repetition.
fn long_game(plies: usize) -> String {
    let round = ["d1-e1", "c4-c3", "e1-d1", "c3-c4"];
    (0..plies).map(|ply| round[ply % 4]).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_of_ten_thousand_plies_is_valid() {
    let output =
        run_with(&["validate", "--as", "movelist", "--variant", "brandubh7", "-"], &long_game(10_000));
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.text().starts_with("1 game, 10,000 plies played"), "{}", output.text());
}

/// Returns a record in which each variation starts within the previous one.
fn nested_variations(levels: usize) -> String {
    let mut text =
        String::from("[rules: dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ ]\n\n1. d1-c1 d3-c3\n");
    let mut address = String::from("1b");
    for level in 0..levels {
        address.push_str(".1.1a");
        let _ = writeln!(text, "{address}. d3-{}3", if level % 2 == 0 { 'b' } else { 'a' });
    }
    text
}

#[test]
fn variations_a_thousand_levels_deep_are_processed() {
    let text = nested_variations(1000);
    let run_on_text = |args: &[&str]| {
        let output = run_with(args, &text);
        assert_eq!(output.exit, Exit::Ok, "{args:?}: {}", output.stderr);
        output
    };
    let summary = run_on_text(&["validate", "-"]);
    assert!(summary.text().starts_with("1 game, 2 plies played, 1 file\n  sound                   1 "));
    assert_eq!(run_on_text(&["replay", "-", "--format", "jsonl"]).json()["moves"], 2);
    assert_eq!(run_on_text(&["rows", "-"]).json()["game"]["plies"], 2);
    let converted = run_on_text(&["convert", "--to", "jsonl", "-"]);
    assert_eq!(converted.json()["lines"].as_array().unwrap().len(), 1001);
    let back = run_with(&["convert", "--to", "opentafl", "-"], converted.text());
    assert_eq!(back.exit, Exit::Ok, "{}", back.stderr);
    assert_eq!(back.text().lines().filter(|line| line.starts_with("1b.1.1a")).count(), 1000);
}

#[test]
fn deeply_nested_json_is_a_finding() {
    for part in ["[", "{\"a\":", "{\"taflbase\":1,\"lines\":["] {
        let text = format!("{{\"taflbase\":1,\"format\":\"movelist\",\"lines\":{}", part.repeat(100_000));
        let output = run_with(&["validate", "--as", "jsonl", "-"], &text);
        assert_eq!(output.exit, Exit::Findings, "{part}: {}", output.stderr);
    }
}

#[test]
fn a_record_that_is_too_large_is_rejected_alone() {
    let good = "{\"taflbase\":1,\"format\":\"movelist\",\"variant\":\"brandubh7\",\"lines\":[{\"moves\":\"b4-b2 c4-c5\"}]}\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let huge = format!("{{\"taflbase\":1,\"id\":\"{}\"}}\n", "x".repeat(17 << 20));
    std::fs::write(&path, [good, &huge, good].concat()).unwrap();
    let output = run(&["validate", path.to_str().unwrap()]);
    assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
    assert!(output.text().contains("error[T014]") && output.text().contains("2 games"), "{}", output.text());
}
