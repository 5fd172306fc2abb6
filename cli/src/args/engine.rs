//! Arguments of the commands that search.

use clap::Args;
use taflbase::engine::EvalRequest;

use super::rules::TextFormat;

/// Arguments of `tafl eval`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Scores are in men, for the named side: +1.00 is an advantage of one man. A
win or a loss is counted in plies, this move included. With one thread and a
node or depth limit, the result is always the same.

Examples:
  tafl eval --variant brandubh7
  tafl eval --variant copenhagen11 --moves \"d1-d3 f4-c4\" --time 5 --lines 3
  tafl eval --variant brandubh7 --side defenders --depth 5 \\
    --position /7/t5t/7/3K3/3T3/1t5/7/")]
pub(crate) struct EvalArgs {
    /// The position and the search.
    #[command(flatten)]
    pub(crate) request: EvalRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
