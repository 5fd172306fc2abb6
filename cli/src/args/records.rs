//! Arguments of the commands that read records.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_parser::Severity;

use super::rules::TextFormat;

use taflbase::positive;
use taflbase::records::{ConvertRequest, InferRequest, ReplayRequest, ValidateRequest};

/// The format of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// Text, with source lines
    Text,
    /// One JSON object with findings and summary
    Json,
    /// One JSON object per record and line
    Jsonl,
}

/// The format of the findings of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ValidationFormat {
    /// Text, with source lines
    Text,
    /// One JSON object with findings and summary
    Json,
    /// One JSON object per record and line
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Commands of GitHub Actions that annotate lines
    Github,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArg {
    /// A part of the record could not be read or played
    Error,
    /// A statement of the record is false
    Warning,
    /// Additional information
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
Findings and the summary go to standard output (the summary of --format jsonl to
standard error), without notes unless --notes is given or the format is JSON.
Exit code 1: a record has an error or a warning.

Examples:
  tafl validate games.csv --variant copenhagen11
  tafl validate games/ --format jsonl | grep '\"code\":\"L001\"'
  tafl lines games/ | tafl validate - --format jsonl
  tafl validate games/ --quarantine bad/
  tafl validate games/ --format sarif > findings.sarif
  tafl validate games.csv --variant fetlar11 --attribute
  tafl validate --explain L001")]
pub(crate) struct ValidateArgs {
    /// The records, and the findings to report.
    #[command(flatten)]
    pub(crate) request: ValidateRequest,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ValidationFormat,
    /// Show notes also in text, SARIF, and GitHub output
    #[arg(long)]
    pub(crate) notes: bool,
    /// The minimum severity for exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub(crate) fail_on: SeverityArg,
    /// Write records with errors or warnings to this folder, with their findings
    #[arg(long, value_name = "DIR")]
    pub(crate) quarantine: Option<PathBuf>,
    /// Explain a code, or `all` codes, without reading records
    #[arg(long, value_name = "CODE", exclusive = true)]
    pub(crate) explain: Option<String>,
}

/// Arguments of `tafl convert`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Losses of the notation are summarized on standard error, and don't affect the
exit code. Exit code 1: something could not be read, or a game is left out
because the notation can't express it or needs rules that are unknown. Files
appear when they are complete.

Examples:
  tafl convert --to opentafl games.csv --variant copenhagen11 -o games.otg
  tafl convert --to jsonl games/ -o converted/
  zcat games.jsonl.gz | tafl convert --to movelist -")]
pub(crate) struct ConvertArgs {
    /// The records, and the notation to write.
    #[command(flatten)]
    pub(crate) request: ConvertRequest,
    /// Write to a file, or to a file for each input in this folder [default: standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// List every loss in a file, or on standard error with `-`
    #[arg(long, value_name = "FILE")]
    pub(crate) losses: Option<PathBuf>,
}

/// The format of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// Human-readable text: numbered turns in two columns
    Text,
    /// One JSON array of all games
    Json,
    /// One JSON object per line
    Jsonl,
    /// A table of plies as an Arrow stream
    Arrow,
}

/// Arguments of `tafl replay`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
With --format jsonl, each line is a game (with json, each element of an array):
\"plies\" is its legal part, \"outcome\" is the end on the board, and \"recorded\"
is the result in the record. The \"reason_source\" of a result without an end is
\"inference\". An \"unwritten\" ply was reconstructed. Exit code 1: a record has an
error, or a file has no readable records.

Examples:
  tafl replay games.otg:3 --diagram-every 10
  tafl replay games.csv --variant brandubh7 --format jsonl > games.jsonl
  tafl replay games/ --format jsonl --counts | jq '.plies | length'")]
pub(crate) struct ReplayArgs {
    /// The records.
    #[command(flatten)]
    pub(crate) request: ReplayRequest,
    /// The format of the games
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: ReplayFormat,
    /// Draw the board every N plies and at the end (text)
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(crate) diagram_every: Option<NonZeroU64>,
}

/// Arguments of `tafl infer`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The rules and variants that records name are ignored; starts, moves, captures,
and results count. Exit code 0: the rules explain every game; 1: a game
contradicts them, or the evidence is insufficient; 2: something could not be
read.

Examples:
  tafl infer games.csv
  tafl infer old-games/ --format json | jq '.groups[].rules'
  tafl infer games.csv --variant-hint brandubh7")]
pub(crate) struct InferArgs {
    /// The records.
    #[command(flatten)]
    pub(crate) request: InferRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
    /// Show at most N variants, contradictions, and games without evidence each
    #[arg(long, alias = "limit", value_name = "N", default_value_t = 10)]
    pub(crate) limit_per_list: usize,
}
