//! Arguments of `tafl report`.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use taflbase::Error;
use taflbase::database::{ReportFormat, ReportRequest, SelfplayOptions};

/// Arguments of `tafl report`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_long_help = "\
A report is a document with sentences, tables, plots, and boards, and with the
origin of its figures. SOURCE is a corpus, or files of records, which are
imported into a temporary corpus.

Without -o a report goes to standard output as Markdown. With -o FILE the
extension selects the format: .html, .md, .csv, .json or .parquet. With -o DIR/
pictures and tables are files next to the document.

Exit code 1: no game matches the selection, or the report has no figures.

Examples:
  tafl report balance games.corpus -o balance.html
  tafl report balance games/ --variant brandubh7
  tafl report compare games.corpus --variant copenhagen11 --variant fetlar11
  tafl report --verify balance.html")]
pub(crate) struct ReportArgs {
    /// Recompute the figures of a report (HTML or JSON), and list those that
    /// differ; exit code 1: there are differences
    #[arg(long, value_name = "FILE")]
    pub(crate) verify: Option<PathBuf>,
    /// With --verify: the corpus, if the report names another path
    #[arg(long, value_name = "CORPUS", requires = "verify")]
    pub(crate) corpus: Option<PathBuf>,
    /// The output.
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The report.
    #[command(subcommand)]
    pub(crate) command: Option<ReportRequest>,
}

/// The output of a report.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetArgs {
    /// Write to a file, or to a folder if it exists or the path ends with /
    #[arg(long, short, global = true, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// The format [default: by the extension of the file; html for a folder,
    /// else md]
    #[arg(long, global = true, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<ReportFormat>,
}

/// The options of `tafl report balance` that only self-play uses: their IDs, which are the names of the fields, and the names of
/// the parameters.
const SELFPLAY_OPTIONS: [(&str, &str); 9] = [
    ("rule", "rule"),
    ("vary", "vary"),
    ("max_games", "games"),
    ("width", "width"),
    ("nodes", "nodes"),
    ("control", "control"),
    ("human", "human"),
    ("control_games", "control_games"),
    ("seed", "seed"),
];

/// Returns the error for an option of self-play without `--selfplay`. clap does not report it, because `--selfplay` conflicts with a
/// source, and is then not required.
pub(crate) fn option_without_selfplay(matches: &ArgMatches) -> Option<Error> {
    let balance = matches.subcommand_matches("report")?.subcommand_matches("balance")?;
    if balance.get_flag("selfplay") {
        return None;
    }
    let is_given = |(id, _): &(&str, &str)| balance.value_source(id) == Some(ValueSource::CommandLine);
    SELFPLAY_OPTIONS.into_iter().find(is_given).map(|(_, parameter)| SelfplayOptions::unused(parameter))
}
