//! Arguments of `tafl repair`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::records::{FindingFormat, InputArgs};

/// Which repairs to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Apply {
    /// The first one, where no other comes near it
    Sure,
    /// The first one, whatever else there is
    First,
}

/// Arguments of `tafl repair`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
For each record that its rules, captures or result contradict, the changes after
which the rest of it can be played, from the most probable to the least. Nothing
is written without --apply; then every record goes to the output, the repaired
ones with a note, all others as they are. Exit code 1: a record is broken and
was not repaired.

Examples:
  tafl repair games.csv --variant copenhagen11
  tafl repair old/ --format jsonl > repairs.jsonl
  tafl repair games.csv --apply -o mended.csv --report mended.jsonl")]
pub(crate) struct RepairArgs {
    /// What to read.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Write repaired records: those whose repair is sure, or with
    /// --apply=first all for which there is one
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "sure", requires = "output")]
    pub(crate) apply: Option<Apply>,
    /// Write to a file, or to a file for each input in this folder
    #[arg(long, short, value_name = "FILE|DIR", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// Write what was found and done to this file, a JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The most changes of one record
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=3))]
    pub(crate) max_edits: u8,
    /// Show at most so many repairs of each record
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) limit: usize,
    /// How sure the first repair must be to be called unambiguous, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95)]
    #[arg(value_parser = clap::value_parser!(u8).range(50..=99))]
    pub(crate) sure: u8,
    /// How to write what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: FindingFormat,
}
