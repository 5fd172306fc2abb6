//! Arguments of the commands about row lines, and about corpora that were made apart.

use clap::Args;
use taflbase::database::{MergeRequest, RowsRequest};

use crate::args::rules::TextFormat;

/// Arguments of `tafl rows`.
#[derive(Debug, Args)]
#[command(mut_arg("paths", |paths| paths.required(false).required_unless_present("schema")))]
#[command(after_long_help = "\
Each line is the row of a game with its plies, or a record that cannot be
stored, or an error in the place of a record that could not be had. `tafl import
--rows` makes a corpus of them without replaying the games. docs/corpus.md has
every field. Exit code 1: a record cannot be stored.

Examples:
  tafl rows games/ > rows.jsonl
  tafl lines games/ | tafl rows - | tafl import games.corpus --rows -
  tafl rows --schema")]
pub(crate) struct RowsArgs {
    /// What to read.
    #[command(flatten)]
    pub(crate) request: RowsRequest,
    /// Write the columns of the tables and the fields of the lines as JSON
    #[arg(long, exclusive = true)]
    pub(crate) schema: bool,
}

/// Arguments of `tafl merge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The segments of the parts are taken as they are, in the order of the parts;
their files are checked. Copies of a game in different parts are found as `tafl
import` finds them. A part that is there already changes nothing. The whole
command happens or does not happen.

Examples:
  tafl merge games.corpus part-0.corpus part-1.corpus
  tafl merge games.corpus parts/*")]
pub(crate) struct MergeArgs {
    /// What to join.
    #[command(flatten)]
    pub(crate) request: MergeRequest,
    /// How to write the summary
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
