//! Arguments of the command about record lines.

use clap::Args;
use taflbase::records::LinesRequest;

/// Arguments of `tafl lines`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each line is a JSON object with the text of a record, its notation, and its
place. Every command that reads records also reads such lines, with the same
results as for the files. Exit code 1: a record or a file could not be read; it
is replaced by an error line.

Examples:
  tafl lines games/ archive.jsonl.gz > records.jsonl
  tafl lines games.csv --variant copenhagen11 | tafl validate - --format jsonl
  tafl lines - --name games.csv.gz --source-number 7 < games.csv.gz")]
pub(crate) struct LinesArgs {
    /// The records, and their names.
    #[command(flatten)]
    pub(crate) request: LinesRequest,
}
