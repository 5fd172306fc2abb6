//! The command line.

use std::path::PathBuf;

/// The options of a run.
#[derive(Debug)]
pub(crate) struct Options {
    /// The number of the first execution.
    pub(crate) from: u64,
    /// The number of executions.
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// Whether random records are written and read, instead of mutated inputs.
    pub(crate) round_trips: bool,
    /// The execution whose input is printed instead of run.
    pub(crate) show: Option<u64>,
    /// The folders of the inputs.
    pub(crate) folders: Vec<PathBuf>,
}

const USAGE: &str = "mutate [--round-trips] [--from N] [--count N] [--seed N] [-j N] [--show N] [FOLDER...]";

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
            round_trips: false,
            show: None,
            folders: Vec::new(),
        };
        let mut words = words;
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
            let number: u64 = value.parse().map_err(|_| format!("{word} needs a number, not `{value}`"))?;
            match word.as_str() {
                "--from" => options.from = number,
                "--count" => options.count = number,
                "--seed" => options.seed = number,
                "-j" => options.threads = number.clamp(1, 64) as usize,
                "--show" => options.show = Some(number),
                _ => return Err(format!("unknown option {word}\n{USAGE}")),
            }
        }
        if options.folders.is_empty() {
            let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
            options.folders.extend(FOLDERS.map(|folder| root.join(folder)));
        }
        Ok(options)
    }
}
