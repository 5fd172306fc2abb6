//! The sections of the benchmarks, which can be run separately.

mod accuracy;
mod corpus;
mod engine;
mod program;
mod records;
mod speed;

use std::process::Command;

use serde_json::Value;

use crate::child::{self, Input, Run};
use crate::figure::SectionFindings;
use crate::workspace::{Needs, Workspace};

/// A section of the benchmarks.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// The approximate duration on two idle cores, without builds.
    pub(crate) time: &'static str,
    pub(crate) needs: &'static [Needs],
    /// Whether it runs if no section is named.
    pub(crate) by_default: bool,
    pub(crate) run: fn(&Workspace) -> Result<SectionFindings, String>,
}

/// All parts, in the order of the page.
pub(crate) const SECTIONS: &[Section] = &[
    section("records", "Replay of archives", "20 s", &[Needs::Program], records::archives),
    section("repair", "Repair of known faults", "2 min", &[Needs::Measures], accuracy::repair),
    section("infer", "Inference of known rules", "3 min", &[Needs::Measures], accuracy::infer),
    section("parse", "Reading records", "20 s", &[Needs::Measures], speed::parse),
    section("replay", "Reading and replaying records", "1 min", &[Needs::Peers], speed::replay),
    section("scaling", "Replay on two threads", "20 s", &[Needs::Measures], speed::scaling),
    section("perft", "Counting sequences of moves", "3 min", &[Needs::Peers], speed::perft),
    section("memory", "Memory while streaming", "1 min", &[Needs::Peers, Needs::Program], speed::memory),
    section(
        "corpus",
        "Ten million positions: import, size, and search",
        "7 min",
        &[Needs::Measures],
        corpus::positions,
    ),
    section("import", "Real games imported", "1 min", &[Needs::Program], corpus::import),
    section("reports", "Reports", "1 min", &[Needs::Measures, Needs::Program], corpus::reports),
    section("server", "The server under load", "1 min", &[Needs::Measures, Needs::Program], corpus::server),
    section("engine", "The engine", "2 min", &[Needs::Program], engine::speed),
    section("annotate", "Annotation", "1 min", &[Needs::Program], engine::annotation),
    section(
        "statistics",
        "Intervals over simulated leagues",
        "3 min",
        &[Needs::Measures],
        accuracy::statistics,
    ),
    section("program", "The program itself", "5 s", &[Needs::Program], program::start),
    Section {
        by_default: false,
        ..section("matches", "Games against other programs", "by games", &[Needs::Program], engine::matches)
    },
    Section { by_default: false, ..section("tests", "Tests", "10 min", &[], program::tests) },
    Section { by_default: false, ..section("cold", "A cold build", "10 min", &[], program::cold) },
    Section {
        by_default: false,
        ..section("distribution", "The packaged programs", "30 min", &[], program::distribution)
    },
];

const fn section(
    name: &'static str,
    what: &'static str,
    time: &'static str,
    needs: &'static [Needs],
    run: fn(&Workspace) -> Result<SectionFindings, String>,
) -> Section {
    Section { name, what, time, needs, by_default: true, run }
}

impl SectionFindings {
    /// Runs a program and notes its command.
    fn run(&mut self, command: &mut Command) -> Result<Run, String> {
        self.run_with(command, Input::NONE)
    }

    fn run_with(&mut self, command: &mut Command, input: Input<'_>) -> Result<Run, String> {
        self.run_to_any_end(command, input)?.success()
    }

    /// Runs a program that may fail, and notes its command.
    fn run_to_any_end(&mut self, command: &mut Command, input: Input<'_>) -> Result<Run, String> {
        let line = child::command_line(command);
        if !self.commands.contains(&line) {
            eprintln!("   {line}");
            self.commands.push(line);
        }
        child::run(command, input)
    }
}

/// Returns a number of an answer.
fn number(value: &Value, path: &str) -> Result<f64, String> {
    value.pointer(path).and_then(Value::as_f64).ok_or_else(|| format!("an answer without the number {path}"))
}

/// Returns a list of an answer.
fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], String> {
    value[key].as_array().map(Vec::as_slice).ok_or_else(|| format!("an answer without the list {key}"))
}

/// Returns the first number after a phrase of a text.
fn number_after(text: &str, words: &str) -> Option<f64> {
    let rest = text.split_once(words)?.1.trim_start();
    let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_after_words() {
        let text = "milliseconds: p50 1.10, p90 2.20, p99 4.40\n3 requests failed";
        assert_eq!((number_after(text, "p50"), number_after(text, "p99")), (Some(1.1), Some(4.4)));
        assert_eq!(number_after(text, "p75"), None);
    }

    #[test]
    fn sections_have_names_of_their_own() {
        let mut names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SECTIONS.len());
    }
}
