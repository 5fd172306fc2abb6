//! Arguments of `tafl repair`.

use std::path::PathBuf;

use clap::Args;
use taflbase::records::RepairRequest;

use super::records::FindingFormat;

/// Arguments of `tafl repair`.
#[derive(Debug, Args)]
#[command(mut_arg("apply", |apply| apply.requires("output")))]
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
    /// What to read, and which repairs to look for.
    #[command(flatten)]
    pub(crate) request: RepairRequest,
    /// Write to a file, or to a file for each input in this folder
    #[arg(long, short, value_name = "FILE|DIR", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// Write what was found and done to this file, a JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// How to write what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: FindingFormat,
}
