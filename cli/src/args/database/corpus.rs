//! Arguments of the commands about a corpus.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_corpus::ingest::Keep;
use tafl_parser::Format;
use taflbase::Named;
use taflbase::database::GameSelection;

use crate::args::records::{InputArgs, format_parser, target_parser};
use crate::args::rules::{TextFormat, VariantArgs};

/// Which of two copies is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeepArg {
    /// The one that says more
    Better,
    /// The one that came first
    First,
}

impl KeepArg {
    /// Returns which of two copies is kept.
    pub(crate) const fn keep(self) -> Keep {
        match self {
            KeepArg::Better => Keep::Better,
            KeepArg::First => Keep::First,
        }
    }
}

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
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// Files, folders, globs, or `-` for standard input; .gz and .zst are read as they are
    #[arg(value_name = "PATH", required_unless_present_any = ["retry", "rows"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Read no records but row lines, as `tafl rows` writes them, and replay
    /// nothing; `-` for standard input
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["paths", "retry", "notation", "commit_every"])]
    #[arg(conflicts_with_all = ["variant", "rules"])]
    pub(crate) rows: Vec<PathBuf>,
    /// Read every file in this notation instead of finding out
    #[arg(long = "as", visible_alias = "notation", value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) notation: Option<Format>,
    /// The rules for all records.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// How many threads to use [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Try the records again that were rejected before
    #[arg(long)]
    pub(crate) retry: bool,
    /// Which of two copies of a game is kept
    #[arg(long, value_name = "WHICH", default_value = "better")]
    pub(crate) keep: KeepArg,
    /// Make games part of the corpus after so many records, not only at the end
    #[arg(long, value_name = "N")]
    pub(crate) commit_every: Option<NonZeroU64>,
    /// How to write the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

impl ImportArgs {
    /// Returns what to read, as other commands have it.
    pub(crate) fn input(&self) -> InputArgs {
        InputArgs {
            paths: self.paths.clone(),
            notation: self.notation.map(Named),
            rules: self.variant.clone(),
            threads: self.threads,
            record_lines: false,
        }
    }
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
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// Play every game again, and compare tables, tape and index
    #[arg(long)]
    pub(crate) deep: bool,
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
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// Write every segment again, with tape and index made from the tables
    #[arg(long)]
    pub(crate) reindex: bool,
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
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// Which games.
    #[command(flatten)]
    pub(crate) select: GameSelection,
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
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// Which games [default: all].
    #[command(flatten)]
    pub(crate) select: GameSelection,
    /// The notation to write
    #[arg(long, value_name = "FORMAT", value_parser = target_parser())]
    pub(crate) to: Format,
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
    /// The question
    #[arg(value_name = "SELECT")]
    pub(crate) question: String,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,
    /// Write to a file
    #[arg(long, short, value_name = "FILE", required_if_eq("format", "parquet"))]
    pub(crate) output: Option<PathBuf>,
}
