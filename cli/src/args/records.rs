//! Arguments of the commands that read records.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_parser::Severity;

use super::rules::TextFormat;

use taflbase::records::{ConvertRequest, InferRequest, ReplayRequest, ValidateRequest};

/// How to write findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// For people, with the source line
    Text,
    /// One JSON object: findings and summary
    Json,
    /// A JSON object for each record, on a line
    Jsonl,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArg {
    /// Something of the record was not read, or did not happen
    Error,
    /// The record says something that is not so
    Warning,
    /// Worth knowing
    Note,
}

impl SeverityArg {
    /// Returns the severity.
    pub(crate) const fn severity(self) -> Severity {
        match self {
            SeverityArg::Error => Severity::Error,
            SeverityArg::Warning => Severity::Warning,
            SeverityArg::Note => Severity::Note,
        }
    }
}

/// Arguments of `tafl validate`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Findings and the summary go to standard output. Notes are left out of the text
unless --notes is given. Exit code 1: a record has an error or a warning.

Examples:
  tafl validate games.csv --variant copenhagen11
  tafl validate games/ --format jsonl | grep '\"code\":\"L001\"'
  tafl lines games/ | tafl validate - --format jsonl
  tafl validate games/ --quarantine bad/
  tafl validate games.csv --variant fetlar11 --attribute
  tafl validate --explain L001")]
pub(crate) struct ValidateArgs {
    /// What to read, and what to look for.
    #[command(flatten)]
    pub(crate) request: ValidateRequest,
    /// How to write what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: FindingFormat,
    /// Show notes too in the text
    #[arg(long)]
    pub(crate) notes: bool,
    /// From which severity on a finding makes the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub(crate) fail_on: SeverityArg,
    /// Write records with errors or warnings into this folder, with findings
    #[arg(long, value_name = "DIR")]
    pub(crate) quarantine: Option<PathBuf>,
    /// Say what a code means, or `all` codes, and read nothing
    #[arg(long, value_name = "CODE", exclusive = true)]
    pub(crate) explain: Option<String>,
}

/// Arguments of `tafl convert`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
What the target cannot say is summed up on standard error; that alone is no
failure. Exit code 1: something could not be read, or the target needs rules
that are not known. A file gets its name when it is complete.

Examples:
  tafl convert --to opentafl games.csv --variant copenhagen11 -o games.otg
  tafl convert --to jsonl games/ -o converted/
  zcat games.jsonl.gz | tafl convert --to movelist -")]
pub(crate) struct ConvertArgs {
    /// What to read, and the notation to write.
    #[command(flatten)]
    pub(crate) request: ConvertRequest,
    /// Write to a file, or to a file for each input in this folder
    #[arg(long, short, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// List every loss in a file, or on standard error with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) losses: Option<PathBuf>,
}

/// How to write games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// A JSON object a line
    Jsonl,
}

/// Arguments of `tafl replay`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each line is a game: \"plies\" is the legal part of it, \"outcome\" is the end that
the board shows, \"recorded\" is the result that the record names. A ply that is
\"unwritten\" had to be reconstructed. Exit code 1: a record has an error, or a
file cannot be read as records.

Examples:
  tafl replay games.csv --variant brandubh7 > games.jsonl
  tafl replay games/ --counts | jq '.plies | length'")]
pub(crate) struct ReplayArgs {
    /// What to read.
    #[command(flatten)]
    pub(crate) request: ReplayRequest,
    /// How to write the games
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    pub(crate) format: ReplayFormat,
}

/// Arguments of `tafl infer`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
What records say about their rules and variant is not asked: starts, moves,
captures and results are. Exit code 0: the rules explain every game; 1: some
game contradicts them, or nothing can be said; 2: something could not be read.

Examples:
  tafl infer games.csv
  tafl infer old-games/ --format json | jq '.groups[].rules'
  tafl infer games.csv --variant-hint brandubh7")]
pub(crate) struct InferArgs {
    /// What to read.
    #[command(flatten)]
    pub(crate) request: InferRequest,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
    /// Show at most N lines of each list in the text
    #[arg(long, alias = "limit", value_name = "N", default_value_t = 10)]
    pub(crate) limit_per_list: usize,
}
