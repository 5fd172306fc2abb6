//! Arguments of `tafl solve`.

use std::path::PathBuf;
use std::time::Duration;
use taflbase::SideName;

use clap::Args;

use super::board::PositionArgs;
use super::engine::seconds;
use super::rules::{TextFormat, VariantArgs};

/// Arguments of `tafl solve`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
What is said to be won is proven: --certificate writes the proof down, and
--check goes through it with nothing but the rules. What is not proven is
unknown.

A proof that does not hold is exit code 1.

Examples:
  tafl solve --variant brandubh7 --side defenders \\
    --position /7/t5t/7/3K3/3T3/1t5/7/ --certificate proof.txt
  tafl solve --check proof.txt
  tafl solve --variant brandubh7 --moves \"d2-f2\" --plies 7 --goal defenders
  tafl solve --variant brandubh7 --build-tables tables --pieces 4")]
pub(crate) struct SolveArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// Which position.
    #[command(flatten)]
    pub(crate) place: PositionArgs,
    /// Moves to play first, such as "d1-d3 f4-f2"; they count as history
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub(crate) moves: String,
    /// The side whose win is looked for [default: both]
    #[arg(long, value_name = "SIDE")]
    pub(crate) goal: Option<SideName>,
    /// Look at so many positions [default: 2,000,000 where no time is set]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,
    /// Search so many seconds, such as 0.5
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Look for wins within so many plies only; then "no win" is exact
    #[arg(long, value_name = "PLIES", help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) plies: Option<u16>,
    /// The size of the tables of positions, in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 256, help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) hash: u32,
    /// Look for the shortest proof, with the limits for each try
    #[arg(long)]
    pub(crate) shortest: bool,
    /// Write the proof into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check the proof in this file instead of solving
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "rules", "position", "moves"])]
    pub(crate) check: Option<PathBuf>,
    /// Look the position up in the tables of this folder first
    #[arg(long, value_name = "DIR", help_heading = "Tables of few pieces")]
    pub(crate) tables: Option<PathBuf>,
    /// Make tables of what is won with few pieces, in this folder
    #[arg(long, value_name = "DIR", help_heading = "Tables of few pieces")]
    #[arg(conflicts_with_all = ["check", "tables", "certificate", "position", "moves"])]
    pub(crate) build_tables: Option<PathBuf>,
    /// How many pieces, the king among them, the largest tables have
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Tables of few pieces")]
    #[arg(value_parser = clap::value_parser!(u8).range(2..=8))]
    pub(crate) pieces: u8,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
