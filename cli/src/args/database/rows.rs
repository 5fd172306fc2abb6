//! Arguments of the commands about row lines and parts of corpora.

use clap::Args;
use taflbase::database::{MergeRequest, RowsRequest};

use crate::args::rules::TextFormat;

/// Arguments of `tafl rows`.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("schema")))]
#[command(after_long_help = "\
Each line is the row of a game with its plies, a record that cannot be stored,
or an error in place of an unreadable record. `tafl import --rows` imports them
without replaying the games. docs/corpus.md documents the fields. Exit code 1: a
record cannot be stored.

Examples:
  tafl rows games/ > rows.jsonl
  tafl lines games/ | tafl rows - | tafl import games.corpus --rows -
  tafl rows --schema")]
pub(crate) struct RowsArgs {
    /// The records.
    #[command(flatten)]
    pub(crate) request: RowsRequest,
    /// Write the columns of the tables and the fields of the lines as JSON
    #[arg(long, exclusive = true)]
    pub(crate) schema: bool,
}

/// Arguments of `tafl merge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The segments of the parts are checked and copied unchanged, in the order of the
parts. Copies of a game in different parts are found as by `tafl import`. Adding
a part again changes nothing. The command is atomic.

Examples:
  tafl merge games.corpus part-0.corpus part-1.corpus
  tafl merge games.corpus parts/*")]
pub(crate) struct MergeArgs {
    /// The corpora to join.
    #[command(flatten)]
    pub(crate) request: MergeRequest,
    /// The format of the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
