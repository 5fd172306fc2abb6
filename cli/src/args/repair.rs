//! Arguments of `tafl repair`.

use std::path::PathBuf;

use clap::Args;
use taflbase::records::RepairRequest;

use super::records::FindingFormat;

/// Arguments of `tafl repair`.
#[derive(Debug, Args)]
#[command(mut_arg("apply", |apply| apply.requires("output")))]
#[command(mut_arg("to", |to| to.requires("apply")))]
#[command(after_long_help = "\
Each record that contradicts its rules, captures, or result is listed with the
changes that make the rest playable, most probable first. Without --apply
nothing is written. With it all records are written: repaired ones with a note,
others unchanged. Exit code 1: a broken record was not repaired.

Examples:
  tafl repair games.csv --variant copenhagen11
  tafl repair old/ --format jsonl > repairs.jsonl
  tafl repair games.csv --apply -o repaired.csv --report repairs.jsonl")]
pub(crate) struct RepairArgs {
    /// The records, and the search for repairs.
    #[command(flatten)]
    pub(crate) request: RepairRequest,
    /// Write to a file, or to a file for each input in this folder
    #[arg(long, short, value_name = "FILE|DIR", requires = "apply")]
    pub(crate) output: Option<PathBuf>,
    /// Write a report to this file: one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: FindingFormat,
}
