//! Arguments of the commands that search.

use std::time::Duration;

use clap::Args;
use tafl_analyzer::{Depth, Limits, Nodes};

use super::board::PositionArgs;
use super::rules::{TextFormat, VariantArgs};

/// When to stop searching.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// Search so many positions [default: 200,000 where no other limit is set]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,
    /// Search so many plies deep
    #[arg(long, value_name = "PLIES", help_heading = "Limits")]
    pub(crate) depth: Option<u8>,
    /// Search so many seconds, such as 0.5
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
}

impl LimitArgs {
    /// Where nothing else is said.
    const NODES: u64 = 200_000;

    /// Returns the limits of a search for so many lines.
    pub(crate) fn limits(&self, lines: u16) -> Limits {
        let says_nothing = self.nodes.is_none() && self.depth.is_none() && self.time.is_none();
        Limits {
            nodes: self.nodes.or(says_nothing.then_some(LimitArgs::NODES)).map(Nodes),
            depth: self.depth.map(Depth),
            time: self.time,
            stop: None,
            multi_pv: Some(lines),
        }
    }
}

/// Arguments of `tafl eval`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Scores are in men: +1.00 is as good as a man more, for the side that is named. A
win or a loss is counted in plies, this move included. With one thread and a
limit of positions or plies the answer is the same every time.

Examples:
  tafl eval --variant brandubh7
  tafl eval --variant copenhagen11 --moves \"d1-d3 f4-c4\" --time 5 --lines 3
  tafl eval --variant brandubh7 --side defenders --depth 5 \\
    --position /7/t5t/7/3K3/3T3/1t5/7/")]
pub(crate) struct EvalArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// Which position.
    #[command(flatten)]
    pub(crate) place: PositionArgs,
    /// Moves to play first, such as "d1-d3 f4-f2"
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub(crate) moves: String,
    /// How many lines to find, each with another first move
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) lines: u16,
    /// When to stop.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How many threads search; with more than one, answers differ from time to
    /// time
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// The size of the table of positions, in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) hash: u32,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Reads a number of seconds to think, which is not 0.
pub(super) fn some_seconds(text: &str) -> Result<Duration, String> {
    let is_some = |time: &Duration| !time.is_zero();
    let why = || "expected a number of seconds above 0, such as 0.1".to_owned();
    seconds(text).ok().filter(is_some).ok_or_else(why)
}

/// Reads a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds, such as 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a number of seconds, such as 0.5".to_owned())
}
