//! The command line.

use std::path::PathBuf;

use tafl_tests::targets::{TARGETS, Target};

/// The options of a run.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The number of the first execution.
    pub(crate) from: u64,
    /// The number of executions.
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The time after which no further execution begins.
    pub(crate) seconds: Option<u64>,
    /// The fuzz target that gets its own mutated seeds; `None` for the readers.
    pub(crate) target: Option<Target>,
    /// Whether random records are written and read, instead of mutated inputs.
    pub(crate) round_trips: bool,
    /// The execution whose input is printed instead of run.
    pub(crate) show: Option<u64>,
    /// The folders of the inputs.
    pub(crate) folders: Vec<PathBuf>,
    /// Whether folders were given, instead of those of the repository.
    pub(crate) has_own_folders: bool,
}

const USAGE: &str = "mutate [--round-trips | --target NAME] [--from N] [--count N] [--seconds N] [--seed N] [-j N] [--show N] \
                     [FOLDER...]";

/// The folders of the repository with small inputs.
const FOLDERS: [&str; 3] = ["tests/fixtures/inputs", "tests/fixtures/records", "cli/samples"];

impl Options {
    /// Reads the arguments after the name of the program.
    pub(crate) fn read(words: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            from: 0,
            count: 1_000_000,
            seed: 1,
            threads: 1,
            seconds: None,
            target: None,
            round_trips: false,
            show: None,
            folders: Vec::new(),
            has_own_folders: false,
        };
        let mut words = words;
        let mut has_count = false;
        while let Some(word) = words.next() {
            if word == "--round-trips" {
                options.round_trips = true;
                continue;
            }
            if !word.starts_with('-') {
                options.folders.push(word.into());
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value\n{USAGE}"))?;
            if word == "--target" {
                let target = TARGETS.iter().find(|target| target.name == value);
                let names = TARGETS.map(|target| target.name).join(", ");
                options.target =
                    Some(*target.ok_or_else(|| format!("unknown target {value}; expected {names}"))?);
                continue;
            }
            let number: u64 = value.parse().map_err(|_| format!("{word} needs a number, not `{value}`"))?;
            match word.as_str() {
                "--from" => options.from = number,
                "--count" => {
                    options.count = number;
                    has_count = true;
                }
                "--seconds" => options.seconds = Some(number),
                "--seed" => options.seed = number,
                "-j" => options.threads = number.clamp(1, 64) as usize,
                "--show" => options.show = Some(number),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        options.has_own_folders = !options.folders.is_empty();
        // With a time and without a number, the time decides.
        if options.seconds.is_some() && !has_count {
            options.count = u64::MAX;
        }
        if options.folders.is_empty() {
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            match options.target {
                Some(target) => options.folders.push(root.join("tests/fuzz/seeds").join(target.name)),
                None => options.folders.extend(FOLDERS.map(|folder| root.join(folder))),
            }
        }
        Ok(options)
    }
}
