//! Arguments of the commands about a corpus.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::database::{
    CompactRequest, ExportRequest, ImportRequest, RemoveRequest, SqlRequest, VerifyRequest,
};

use crate::args::rules::TextFormat;

/// Arguments of `tafl import`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The corpus is a folder, which is made where it is not there. The whole command
happens or does not happen: killed at any moment, the corpus is as it was.

A game that is there already, from another file or mirrored, is not stored
again but noted with the stored one. Records that the rules contradict without
a reason, that name no known rules or have no moves are kept aside; --retry
tries them again. Exit code 1: a record was rejected.

Examples:
  tafl import games.corpus games/ archive.jsonl.gz
  tafl import games.corpus games.csv --variant copenhagen11
  tafl import games.corpus --retry
  tafl rows games/ | tafl import games.corpus --rows -")]
pub(crate) struct ImportArgs {
    /// What to import, and where to.
    #[command(flatten)]
    pub(crate) request: ImportRequest,
    /// How to write the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl info`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The hash stands for the games, whatever their order and files: two corpora with
the same hash have the same games.

Example:
  tafl info games.corpus --format json")]
pub(crate) struct InfoArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// How to write the numbers
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl verify`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every file is compared with its checksum, so any changed byte is found. --deep
also plays every game again and compares tables, tape and index. Exit code 1:
something is wrong; the file is named.

Example:
  tafl verify games.corpus --deep")]
pub(crate) struct VerifyArgs {
    /// What to check.
    #[command(flatten)]
    pub(crate) request: VerifyRequest,
    /// How to write what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl compact`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Small neighboring segments become one, removed games leave the disk, and games
keep their order. Old files stay for two more changes of the corpus, so that
programs which read it are not disturbed.

Examples:
  tafl compact games.corpus
  tafl compact games.corpus --reindex")]
pub(crate) struct CompactArgs {
    /// What to compact.
    #[command(flatten)]
    pub(crate) request: CompactRequest,
    /// How to write what was done
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl remove`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The games are gone for every command at once; `tafl compact` takes them from the
disk. A removed game can be imported again.

Examples:
  tafl remove games.corpus --query 'result = unfinished and plies < 10'
  tafl remove games.corpus --game 0a1b2c3d4e5f6071")]
#[command(group = clap::ArgGroup::new("which").required(true).multiple(true).args(["query", "game"]))]
pub(crate) struct RemoveArgs {
    /// What to remove.
    #[command(flatten)]
    pub(crate) request: RemoveRequest,
    /// How to write what was done
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl export`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --query and --game every game is written, in the order of the corpus.
What the notation cannot say is summed up on standard error.

Examples:
  tafl export games.corpus --to jsonl > games.jsonl
  tafl export games.corpus --to opentafl --query 'variant = copenhagen11' \\
    -o c.otg")]
pub(crate) struct ExportArgs {
    /// What to export.
    #[command(flatten)]
    pub(crate) request: ExportRequest,
    /// Write to a file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How to write a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// CSV with a line of names
    Csv,
    /// A JSON list with an object a row
    Json,
    /// Parquet, into a file
    Parquet,
}

/// Arguments of `tafl sql`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The tables are `games`, `plies` and `evals`; docs/corpus.md has their columns.
`from` and `to` are words of SQL: write p.\"from\", p.\"to\".

Examples:
  tafl sql games.corpus \"SELECT variant, result, COUNT(*) AS n FROM games
      GROUP BY variant, result ORDER BY n DESC\"
  tafl sql games.corpus \"SELECT * FROM plies\" --format parquet -o plies.parquet")]
pub(crate) struct SqlArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// The question.
    #[command(flatten)]
    pub(crate) request: SqlRequest,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,
    /// Write to a file
    #[arg(long, short, value_name = "FILE", required_if_eq("format", "parquet"))]
    pub(crate) output: Option<PathBuf>,
}
