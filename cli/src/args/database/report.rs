//! Arguments of `tafl report`.

use std::path::PathBuf;

use clap::Args;
use taflbase::database::{ReportFormat, ReportRequest};

/// Arguments of `tafl report`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_long_help = "\
A report is a document with sentences, tables, plots and boards, and says where
its figures come from. SOURCE is a corpus, or files of records, which are
imported into a corpus that lasts as long as the command.

Without -o a report goes to standard output as Markdown. With -o FILE the name's
ending decides: .html, .md, .csv, .json or .parquet. With -o DIR/ pictures and
tables lie beside the document.

Examples:
  tafl report balance games.corpus -o balance.html
  tafl report balance games/ --variant brandubh7
  tafl report compare games.corpus --variant copenhagen11 --variant fetlar11
  tafl report --verify balance.html")]
pub(crate) struct ReportArgs {
    /// Count the figures of a report again (HTML or JSON), and name those that
    /// differ; exit code 1: some do
    #[arg(long, value_name = "FILE")]
    pub(crate) verify: Option<PathBuf>,
    /// With --verify: where the corpus lies, if not where the report says
    #[arg(long, value_name = "CORPUS", requires = "verify")]
    pub(crate) corpus: Option<PathBuf>,
    /// Where it goes.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Which report.
    #[command(subcommand)]
    pub(crate) command: Option<ReportRequest>,
}

/// Where a report goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetArgs {
    /// Write to a file, or into a folder if there is one or the path ends with /
    #[arg(long, short, global = true, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// How to write it [default: the ending of the file; html into a folder,
    /// else md]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<ReportFormat>,
}
