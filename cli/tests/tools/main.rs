//! Tests of the commands, in process or as a process.

mod annotate;
mod any_request;
mod any_words;
mod bad_input;
mod bench;
#[path = "../../../tests/fuzz/conversation.rs"]
mod conversation;
mod corpus;
mod damage;
mod demo;
mod engine;
mod explore;
mod huge;
mod infer;
mod licences;
mod lines;
mod matches;
mod moves;
mod old_spellings;
mod openapi;
mod pages;
mod parts;
mod perft;
mod readme;
mod reference;
mod repair;
mod report;
mod rules;
mod serve;
mod serve_game;
mod serve_guard;
mod serve_upload;
mod served;
mod show;
mod test_folder;
mod tune;

use tafl_cli::{Exit, Io};

/// The output of a run, and its exit.
struct RunOutput {
    exit: Exit,
    stdout: Vec<u8>,
    stderr: String,
}

impl RunOutput {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("the answer is text")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).expect("the answer is JSON")
    }
}

/// Runs the program with standard input.
fn run_with(words: &[&str], stdin: &str) -> RunOutput {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(stdin.as_bytes(), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], words].concat(), &mut io);
    drop(io);
    RunOutput { exit, stdout, stderr: String::from_utf8(stderr).expect("messages are text") }
}

fn run(words: &[&str]) -> RunOutput {
    run_with(words, "")
}

/// Checks the answer and the exit of a run without messages.
fn check(words: &[&str], exit: Exit, answer: &str) {
    let ran = run(words);
    assert_eq!((ran.text(), ran.exit, ran.stderr.as_str()), (answer, exit, ""), "{words:?}");
}
