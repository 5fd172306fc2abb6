//! Tables for other programs: the views for DuckDB, and the Arrow streams that Python reads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{in_workspace, sample_folder, tafl, text};

/// Runs Python of the environment `TAFL_PYTHON` in a folder, with the program on the PATH.
fn python(folder: &Path, args: &[&str]) -> Output {
    let environment = std::env::var_os("TAFL_PYTHON").expect("TAFL_PYTHON is a virtual environment");
    let bin = Path::new(env!("CARGO_BIN_EXE_tafl")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new(Path::new(&environment).join("bin/python"))
        .args(args)
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// Runs the program in a folder, and asserts that it succeeds or has findings.
fn run(folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = tafl(folder, args);
    assert!(output.status.code() < Some(2), "{args:?}: {}", text(&output.stderr));
    output.stdout
}

/// Returns a folder with a corpus of the samples: in two segments, with evaluations, and without one of the games.
fn corpus_folder() -> TempDir {
    let folder = sample_folder();
    let path = folder.path();
    run(path, &["import", "games.corpus", "games/tablut.pgn"]);
    run(path, &["import", "games.corpus", "games"]);
    run(path, &["annotate", "games.corpus", "--query", "variant:brandubh7", "--nodes", "50"]);
    let games = run(
        path,
        &[
            "sql",
            "games.corpus",
            "SELECT game FROM games WHERE variant = 'brandubh7' LIMIT 1 OFFSET 1",
            "--format",
            "jsonl",
        ],
    );
    let game: Value = serde_json::from_slice(&games).unwrap();
    run(path, &["remove", "games.corpus", "--game", game["game"].as_str().unwrap()]);
    folder
}

/// The questions that the program and DuckDB answer alike.
const QUESTIONS: &[&str] = &[
    "SELECT * FROM games ORDER BY game",
    "SELECT * FROM plies ORDER BY game, ply",
    "SELECT * FROM evals ORDER BY game, ply, run",
    "SELECT * FROM players ORDER BY player",
    "SELECT * FROM openings ORDER BY ply, key, rules_id",
    "SELECT variant, result, COUNT(*) AS n FROM games GROUP BY variant, result ORDER BY variant, result",
    "SELECT g.variant, COUNT(*) AS n FROM plies p JOIN games g ON g.game = p.game GROUP BY g.variant ORDER BY g.variant",
];

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn duckdb_has_the_tables_and_views_of_the_program() {
    let folder = corpus_folder();
    fs::write(folder.path().join("views.sql"), run(folder.path(), &["views", "games.corpus"])).unwrap();
    let script = in_workspace("cli/tests/integrations/views.py").canonicalize().unwrap();
    let args: Vec<&str> =
        [script.to_str().unwrap(), "views.sql"].into_iter().chain(QUESTIONS.iter().copied()).collect();
    let answers = python(folder.path(), &args);
    let answers: Vec<Value> =
        text(&answers.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), QUESTIONS.len());
    for (question, found) in QUESTIONS.iter().zip(&answers) {
        let own: Value = serde_json::from_slice(&run(
            folder.path(),
            &["sql", "games.corpus", question, "--format", "json"],
        ))
        .unwrap();
        let (own, found) = (own.as_array().unwrap(), found.as_array().unwrap());
        assert!(!own.is_empty(), "{question}");
        assert_eq!(own.len(), found.len(), "{question}");
        for (own, found) in own.iter().zip(found) {
            for (name, value) in own.as_object().unwrap() {
                assert_eq!(value, &found[name], "{question}: {name} of {own} and {found}");
            }
        }
    }
}

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn identifiers_in_duckdb_are_converted_both_ways() {
    let folder = corpus_folder();
    fs::write(folder.path().join("views.sql"), run(folder.path(), &["views", "games.corpus"])).unwrap();
    let script = in_workspace("cli/tests/integrations/views.py").canonicalize().unwrap();
    let question = "SELECT COUNT(*) FILTER (WHERE g.game = -1) AS none, COUNT(*) AS n, MIN(t.game) < 0 AS has_negative \
                    FROM games n JOIN tafl_games t ON tafl_number(n.game) = t.game JOIN tafl_games g ON g.game = t.game";
    let count = "SELECT COUNT(*) AS n FROM games";
    let answers = python(folder.path(), &[script.to_str().unwrap(), "views.sql", question, count]);
    let answers: Vec<Value> =
        text(&answers.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0][0]["n"], answers[1][0]["n"]);
    assert_eq!(answers[0][0]["has_negative"], true);
}

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn sides_and_results_are_enums_in_duckdb() {
    let folder = corpus_folder();
    fs::write(folder.path().join("views.sql"), run(folder.path(), &["views", "games.corpus"])).unwrap();
    let script = in_workspace("cli/tests/integrations/views.py").canonicalize().unwrap();
    let words = "SELECT array_to_string(enum_range(NULL::tafl_result), ' ') AS words";
    let types = "SELECT DISTINCT typeof(g.result) AS result, typeof(g.first) AS \"first\", typeof(p.side) AS side \
                 FROM games g JOIN plies p USING (game)";
    let answers = python(folder.path(), &[script.to_str().unwrap(), "views.sql", words, types]);
    let answers: Vec<Value> =
        text(&answers.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0][0]["words"], "attackers defenders draw unfinished");
    let sides = "ENUM('attackers', 'defenders')";
    let results = "ENUM('attackers', 'defenders', 'draw', 'unfinished')";
    assert_eq!(answers[1], serde_json::json!([{ "result": results, "first": sides, "side": sides }]));
}

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn the_lines_of_the_readme_read_streams_of_arrow() {
    let readme = fs::read_to_string(in_workspace("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    let folder = corpus_folder();
    let count = |args: &[&str]| text(&run(folder.path(), args)).lines().count();
    let plies = count(&["sql", "games.corpus", "SELECT * FROM plies", "--format", "jsonl"]);
    let replayed = run(folder.path(), &["replay", "games", "--format", "jsonl"]);
    let games = text(&replayed).lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let n_replayed: usize = games.filter_map(|game| Some(game["plies"].as_array()?.len())).sum();
    for (block, expected) in blocks.iter().zip([plies, n_replayed]) {
        let output = python(folder.path(), &["-c", &format!("{block}\nprint(len(plies), *plies.columns)")]);
        let shown = text(&output.stdout);
        assert!(shown.starts_with(&format!("{expected} ")) && shown.contains("ply"), "{expected}: {shown}");
    }
}

#[test]
fn every_table_is_a_stream_of_arrow() {
    let folder = corpus_folder();
    let commands: [&[&str]; 4] = [
        &["sql", "games.corpus", "SELECT game, plies FROM games"],
        &["search", "games.corpus", "king_moved", "--limit", "3"],
        &["explore", "games.corpus", "--variant", "brandubh7"],
        &["replay", "games/tablut.pgn", "--counts"],
    ];
    for command in commands {
        let stream = run(folder.path(), &[command, &["--format", "arrow"]].concat());
        // A message begins with a mark, and the stream ends with a message without content.
        assert_eq!(stream[..4], [0xff; 4], "{command:?}");
        assert_eq!(stream[stream.len() - 8..], [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], "{command:?}");
    }
    let tree = tafl(
        folder.path(),
        &["explore", "games.corpus", "--variant", "brandubh7", "--tree", "2", "--format", "arrow"],
    );
    assert!(tree.status.code() == Some(2) && text(&tree.stderr).contains("leave out --tree"));
}
