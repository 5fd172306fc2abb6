//! Arguments of `tafl search`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_corpus::query::QUICK_REFERENCE;
use taflbase::Threads;
use taflbase::database::SearchRequest;

/// How to write hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchFormat {
    /// Boards for people
    Text,
    /// A JSON object a line, the last one with the counts
    Json,
    /// A table, values separated by commas
    Csv,
    /// A table for other programs
    Parquet,
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
    /// What to look for, and how much of it.
    #[command(flatten)]
    pub(crate) request: SearchRequest,
    /// How to write the hits
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: SearchFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short = 'o', value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// The number of threads.
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// What the long help says below the options.
fn help() -> String {
    format!(
        "\
Hits are positions, or games where the query asks about games only. They come in
the order in which the games were imported, and in games in the order of plies.

Exit code: 0 something was found, 1 nothing was, 2 the query is wrong or the
corpus cannot be read.

The language in short; docs/query.md has all of it:

{QUICK_REFERENCE}

Examples:
  tafl search games.corpus 'shieldwall and variant:copenhagen*'
  tafl search games.corpus 'capture then king_escaped within 4' --limit 3
  tafl search games.corpus 'player:sven and result:draw' --count
  tafl search games.corpus exit_fort --format csv --limit 1000 > forts.csv"
    )
}
