//! Arguments of `tafl search`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_corpus::query::QUICK_REFERENCE;
use taflbase::Threads;
use taflbase::database::SearchRequest;

/// The format of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    /// Boards for people
    Text,
    /// One JSON object with the hits and the counts
    Json,
    /// One JSON object per line, the last one with the counts
    Jsonl,
    /// Comma-separated values
    Csv,
    /// A Parquet table
    Parquet,
    /// A table as an Arrow stream
    Arrow,
    /// The games as OpenTafl records, with a comment at each hit
    #[value(name = "opentafl", aliases = ["otn", "otg"])]
    OpenTafl,
}

/// Arguments of `tafl search`.
#[derive(Debug, Args)]
#[command(after_long_help = help())]
pub(crate) struct SearchArgs {
    /// The folder of the corpus
    #[arg(value_name = "CORPUS")]
    pub(crate) corpus: PathBuf,
    /// The query and the limits.
    #[command(flatten)]
    pub(crate) request: SearchRequest,
    /// The format of the hits
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: SearchFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short = 'o', value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// The number of threads.
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Returns the end of the long help.
fn help() -> String {
    format!(
        "\
A hit is a game with the first position that matches and the number of those,
or with --per position, every such position. Games that match a query which is
only about games are shown with their last position. Totals are exact, or marked
as \"about\" if counting takes long; --count always counts all.

Exit code: 0 hits found, 1 no hits found, 2 error.

Summary of the query language (reference: docs/query.md):

{QUICK_REFERENCE}

Examples:
  tafl search games.corpus 'shieldwall and variant:copenhagen*'
  tafl search games.corpus 'capture then king_escaped within 4' --limit 3
  tafl search games.corpus 'walled>=3' --sort rating --per position
  tafl search games.corpus 'player:sven and result:draw' --count
  tafl search games.corpus exit_fort --format csv --limit 1000 > forts.csv"
    )
}
