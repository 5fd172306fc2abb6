//! Tests of the commands: in process, through the streams of a run; what needs a process of its own is started as one.

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
mod place;
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
mod tune;

use tafl_cli::{Exit, Io};

/// What a run wrote, and how it ended.
struct Ran {
    exit: Exit,
    stdout: Vec<u8>,
    stderr: String,
}

impl Ran {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("the answer is text")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout).expect("the answer is JSON")
    }
}

/// Runs the program with standard input.
fn run_with(words: &[&str], stdin: &str) -> Ran {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(stdin.as_bytes(), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], words].concat(), &mut io);
    drop(io);
    Ran { exit, stdout, stderr: String::from_utf8(stderr).expect("messages are text") }
}

fn run(words: &[&str]) -> Ran {
    run_with(words, "")
}

/// Checks the answer and the exit of a run that has nothing else to say.
fn check(words: &[&str], exit: Exit, answer: &str) {
    let ran = run(words);
    assert_eq!((ran.text(), ran.exit, ran.stderr.as_str()), (answer, exit, ""), "{words:?}");
}
