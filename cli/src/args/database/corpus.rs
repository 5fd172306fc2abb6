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
The corpus is a folder, which is created if it doesn't exist. The command is
atomic: if it is killed, the corpus stays as it was, apart from the games that
--commit-every or --watch stored before.

A copy of a stored game, from another file or mirrored, is listed with that
game. By default, a better copy replaces the stored record (see --keep). Short
games of unknown players may have the same moves by chance: they are stored and
marked as possible copies. Records are rejected if they contradict the rules
without a known reason, name no known rules, or have no moves; --retry tries
them again. Exit code 1: a record with moves was rejected, or there was no
record.

Examples:
  tafl import games.corpus games/ archive.jsonl.gz
  tafl import games.corpus games.csv --variant copenhagen11
  tafl import games.corpus --retry
  tafl rows games/ | tafl import games.corpus --rows -")]
pub(crate) struct ImportArgs {
    /// The import.
    #[command(flatten)]
    pub(crate) request: ImportRequest,
    /// The format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl info`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The hash that it prints is equal for corpora with the same games from the same
files, whatever their order and the number of imports.

Example:
  tafl info games.corpus --format json")]
pub(crate) struct InfoArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// The format of the numbers
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl verify`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every file is compared with its checksum, so any changed byte is found.
Exit code 1: a file is damaged.

Example:
  tafl verify games.corpus --deep")]
pub(crate) struct VerifyArgs {
    /// The check.
    #[command(flatten)]
    pub(crate) request: VerifyRequest,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl compact`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Small neighboring segments are joined, and removed games are deleted from the
disk. Damaged files that are derived from the tables (all but games.parquet and
plies.parquet) are rebuilt. Games keep their order. Old files stay for two more
changes of the corpus, for programs that are reading it.

Examples:
  tafl compact games.corpus
  tafl compact games.corpus --reindex")]
pub(crate) struct CompactArgs {
    /// The compaction.
    #[command(flatten)]
    pub(crate) request: CompactRequest,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl remove`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
`tafl search` with the same query lists the games first. Removed games are
hidden from all commands immediately, and the list of their copies is dropped;
`tafl compact` deletes them from the disk. A removed game can be imported again.
Exit code 1: no game matches the query.

Examples:
  tafl remove games.corpus --query 'result = unfinished and plies < 10'
  tafl remove games.corpus --game 0a1b2c3d4e5f6071")]
#[command(group = clap::ArgGroup::new("which").required(true).args(["query", "game"]))]
pub(crate) struct RemoveArgs {
    /// The games to remove.
    #[command(flatten)]
    pub(crate) request: RemoveRequest,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl export`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Without --query and --game all games are written, in the order of the corpus.
If the notation has tags, records get the tag corpus-id, by which an import into
the same corpus recognizes the game. Losses of the notation are summarized on
standard error. Exit code 1: a game is left out because the notation can't
express it or needs rules that are unknown, or no game matches the query.

Examples:
  tafl export games.corpus --to jsonl > games.jsonl
  tafl export games.corpus --to opentafl --query 'variant = copenhagen11' \\
    -o c.otg")]
pub(crate) struct ExportArgs {
    /// The games to export.
    #[command(flatten)]
    pub(crate) request: ExportRequest,
    /// Write to a file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// CSV with a header line
    Csv,
    /// A JSON array with one object per row
    Json,
    /// One JSON object per row and line
    Jsonl,
    /// A Parquet table
    Parquet,
    /// A table as an Arrow stream
    Arrow,
}

/// Arguments of `tafl views`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The views are games, plies, players, openings, and evals, with the columns of
`tafl sql` and without removed games. The macros tafl_id and tafl_number convert
identifiers. `duckdb -init views.sql` starts DuckDB with the views. After a
change of the corpus, write them again.

Examples:
  tafl views games.corpus > views.sql")]
pub(crate) struct ViewsArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
}

/// Arguments of `tafl sql`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The tables are `games`, `plies`, `players`, `openings`, and `evals`;
docs/corpus.md has their columns. IDs and keys are strings of 16 hexadecimal
digits. board(key), board(game, ply), moves(game, ply), piece(board, 'd4'), and
position_key(variant, board, side) give boards, moves, and keys. `from` and `to`
are keywords of SQL: write p.\"from\", p.\"to\". In text, NULL is a missing value.

Examples:
  tafl sql games.corpus \"SELECT variant, result, COUNT(*) AS n FROM games
      GROUP BY variant, result ORDER BY n DESC\"
  tafl sql games.corpus \"SELECT moves, games FROM openings WHERE ply = 2
      ORDER BY games DESC LIMIT 5\"
  tafl sql games.corpus \"SELECT * FROM plies\" --format parquet -o plies.parquet")]
pub(crate) struct SqlArgs {
    /// The folder of the corpus
    pub(crate) corpus: PathBuf,
    /// The query.
    #[command(flatten)]
    pub(crate) request: SqlRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
}
