//! Arguments of `tafl solve`.

use std::path::PathBuf;

use clap::Args;
use taflbase::engine::{MaxTablePieces, SolveRequest};

use super::rules::TextFormat;

/// The options of a search for a proof of a position.
const SEARCH_OPTIONS: [&str; 11] = [
    "position",
    "side",
    "moves",
    "goal",
    "nodes",
    "time",
    "plies",
    "hash",
    "shortest",
    "tables",
    "certificate",
];

/// Arguments of `tafl solve`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A win is reported only with a proof: --certificate saves it, and --check
verifies it by the rules alone. Everything else is unknown. --variant is
required, except with --check.

Exit code 1: the checked proof is wrong.

Examples:
  tafl solve --variant brandubh7 --side defenders \\
    --position /7/t5t/7/3K3/3T3/1t5/7/ --certificate proof.txt
  tafl solve --check proof.txt
  tafl solve --variant brandubh7 --moves \"d2-f2\" --plies 7 --goal defenders
  tafl solve --variant brandubh7 --build-tables tables --pieces 4")]
#[command(mut_arg("variant", |variant| variant.required_unless_present("check")))]
pub(crate) struct SolveArgs {
    /// The position and the limits.
    #[command(flatten)]
    pub(crate) request: SolveRequest,
    /// Write the proof to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check the proof in this file instead of solving
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["variant", "rule"], conflicts_with_all = SEARCH_OPTIONS)]
    pub(crate) check: Option<PathBuf>,
    /// Build tablebases of positions with few pieces, in this folder
    #[arg(long, value_name = "DIR", help_heading = "Tablebases")]
    #[arg(conflicts_with = "check", conflicts_with_all = SEARCH_OPTIONS)]
    pub(crate) build_tables: Option<PathBuf>,
    /// The maximum number of pieces of a tablebase, the king included
    // `requires` has no effect beside an option that conflicts with the required one.
    #[arg(requires = "build_tables", conflicts_with = "check", conflicts_with_all = SEARCH_OPTIONS)]
    #[arg(long, value_name = "N", default_value_t, help_heading = "Tablebases")]
    pub(crate) pieces: MaxTablePieces,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
