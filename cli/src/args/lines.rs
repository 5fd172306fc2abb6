//! Arguments of the command about record lines.

use std::num::NonZeroU64;

use clap::Args;

use super::records::InputArgs;

/// Arguments of `tafl lines`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each line is a JSON object with the text of a record, its notation and its
place. Every command that reads records reads such lines, and answers as if it
read the files. Exit code 1: a record or a file could not be read; an error line
stands in its place.

Examples:
  tafl lines games/ archive.jsonl.gz > records.jsonl
  tafl lines games.csv --variant copenhagen11 | tafl validate - --format jsonl
  tafl lines - --name games.csv.gz --source-number 7 < games.csv.gz")]
pub(crate) struct LinesArgs {
    /// What to read.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// What standard input is called: as if a file of this name were read
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The number of the first input, by which lines are ordered
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) source_number: NonZeroU64,
    /// Pass over a file that holds no records, as if it had been found in a folder
    #[arg(long)]
    pub(crate) found: bool,
}
