//! Arguments of the commands that search.

use std::path::PathBuf;

use clap::Args;
use taflbase::engine::{AnalyzeRequest, EvalRequest};

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
#[command(mut_arg("variant", |variant| variant.required(true)))]
pub(crate) struct EvalArgs {
    /// The position and the search.
    #[command(flatten)]
    pub(crate) request: EvalRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl analyze`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each line of the input is a query: a JSON object with `id`, `variant`, and
optionally `rule`, `position`, `side`, `moves`, `analyze_turns`, `nodes`,
`depth`, `multi_pv`, `report_every`, and `priority`. Each turn is answered by a
line as soon as it is searched, with the results of `tafl annotate`.
{\"id\": 2, \"action\": \"terminate\", \"terminate_id\": 1} ends a query, and
\"terminate_all\" ends all. The page docs/analyze.md describes the fields.

Examples:
  tafl analyze queries.jsonl
  tafl analyze --nodes 100000 --threads 4 - < queries.jsonl > answers.jsonl")]
pub(crate) struct AnalyzeArgs {
    /// A file with queries, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// The limits and the threads.
    #[command(flatten)]
    pub(crate) request: AnalyzeRequest,
}
