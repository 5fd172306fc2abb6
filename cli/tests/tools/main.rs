//! Tests of the commands, run in process or as a process.

mod annotate;
mod bad_input;
mod bench;
#[path = "../../../tests/fuzz/conversation.rs"]
mod conversation;
mod corpus;
mod damage;
mod declined_chains;
mod demo;
mod docs;
mod edit;
mod engine;
mod explore;
mod formats;
mod import;
mod infer;
mod large_records;
mod licenses;
mod lines;
mod man;
mod matches;
mod merge;
mod moves;
#[cfg(target_os = "linux")]
mod open_files;
mod openapi;
mod openings;
mod options;
mod perft;
mod puzzles;
mod random_input;
mod random_requests;
mod reference;
mod repair;
mod report;
mod report_counts;
mod report_verify;
mod rules;
mod search;
mod selections;
mod serve;
mod serve_embed;
mod serve_game;
mod serve_proxy;
mod serve_robustness;
mod serve_upload;
mod serve_write;
mod show;
mod test_folder;
mod test_server;
mod tune;

use std::io::Cursor;

use tafl_cli::{Exit, Io};

/// The output and the exit status of a run.
struct RunOutput {
    exit: Exit,
    stdout: Vec<u8>,
    stderr: String,
}

impl RunOutput {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("the output is UTF-8")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).expect("the output is JSON")
    }
}

/// Runs the program in process with standard input.
fn run_with(args: &[&str], stdin: &str) -> RunOutput {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(Cursor::new(stdin.to_owned()), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], args].concat(), &mut io);
    drop(io);
    RunOutput { exit, stdout, stderr: String::from_utf8(stderr).expect("messages are UTF-8") }
}

/// Runs the program in process without standard input.
fn run(args: &[&str]) -> RunOutput {
    run_with(args, "")
}

/// Asserts the output and the exit status of a run without messages.
fn check(args: &[&str], exit: Exit, expected: &str) {
    let output = run(args);
    assert_eq!((output.text(), output.exit, output.stderr.as_str()), (expected, exit, ""), "{args:?}");
}
