//! Arguments of the commands that evaluate games.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::engine::{AnnotateRequest, CalibrateRequest, GameInput, PuzzlesRequest};

use crate::features::{HAS_DATABASE, database_help};

/// The format of annotated games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnnotateFormat {
    /// A table for each game
    Text,
    /// One JSON array of all games
    Json,
    /// One JSON object per line
    Jsonl,
    /// OpenTafl records with comments and variations
    #[value(name = "opentafl", aliases = ["otn", "otg"])]
    OpenTafl,
    /// A page for each game, for a browser
    Html,
}

impl AnnotateFormat {
    /// Returns the format that the extension of a file name means.
    pub(crate) fn of_extension(extension: &str) -> Option<AnnotateFormat> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "txt" => AnnotateFormat::Text,
            "json" => AnnotateFormat::Json,
            "jsonl" | "ndjson" => AnnotateFormat::Jsonl,
            "otg" | "otn" => AnnotateFormat::OpenTafl,
            "html" => AnnotateFormat::Html,
            _ => return None,
        })
    }
}

/// Arguments of `tafl annotate`.
#[derive(Debug, Args)]
#[command(after_long_help = annotate_help())]
pub(crate) struct AnnotateArgs {
    /// The games.
    #[command(flatten)]
    pub(crate) games: GameInput,
    /// The annotation.
    #[command(flatten)]
    pub(crate) request: AnnotateRequest,
    /// The format of the games [default: by the extension of the file -o: .txt,
    /// .json, .jsonl, .otg or .html; else text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<AnnotateFormat>,
    /// Write to a file, or pages to a folder [default: standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write counts of errors, accuracy, and time as JSON to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
}

/// Arguments of `tafl calibrate`.
#[derive(Debug, Args)]
#[command(after_long_help = calibrate_help())]
pub(crate) struct CalibrateArgs {
    /// The games.
    #[command(flatten)]
    pub(crate) games: GameInput,
    /// The calibration.
    #[command(flatten)]
    pub(crate) request: CalibrateRequest,
    /// Draw a reliability diagram
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) diagram: Option<PathBuf>,
    /// Write the curves to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The format of puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleFormat {
    /// One line of text per puzzle
    Text,
    /// One JSON array of all puzzles
    Json,
    /// One JSON object per line
    Jsonl,
    /// OpenTafl records with a start, the solution and tags
    #[value(name = "opentafl", aliases = ["otn", "otg"])]
    OpenTafl,
}

/// Arguments of `tafl puzzles`.
#[derive(Debug, Args)]
#[command(after_long_help = puzzles_help())]
pub(crate) struct PuzzlesArgs {
    /// The games.
    #[command(flatten)]
    pub(crate) games: GameInput,
    /// The conditions for puzzles.
    #[command(flatten)]
    pub(crate) request: PuzzlesRequest,
    /// The format of the puzzles
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: PuzzleFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Store the puzzles in the corpus, for the page Puzzles of `tafl serve`; they replace those of an earlier run
    #[cfg(feature = "database")]
    #[arg(long, conflicts_with_all = ["output", "format"])]
    pub(crate) store: bool,
}

/// Returns the end of the long help of `tafl annotate`.
fn annotate_help() -> String {
    let end = if HAS_DATABASE {
        "\
if it is started again with the same cache. For a corpus, the table
`evals` of `tafl sql` gets a row for each ply. Exit code 1: a game could not be
annotated to its end, or no game matches the query."
    } else {
        "\
if it is started again with the same cache. Exit code 1: a game could
not be annotated to its end."
    };
    let examples = database_help(
        "
  tafl annotate games.corpus --query 'result = draw' --nodes 20000 \\
    --format opentafl
  tafl sql games.corpus 'SELECT side, judgement, COUNT(*) FROM evals
    GROUP BY side, judgement'",
    );
    format!(
        "\
Scores are in men, positive for the attackers. Errors are judged by the loss of
expectation, from 0 to 1. With a node or depth limit, the result is always the
same, with or without a cache. An interrupted run continues where it stopped
{end}

Examples:
  tafl annotate game.otg --nodes 50000
  tafl annotate game.otg:1 --nodes 50000 -o game.html
  tafl annotate games.csv --nodes 20000 --cache games.evals --format html \\
    -o pages/{examples}"
    )
}

/// Returns the end of the long help of `tafl calibrate`.
fn calibrate_help() -> String {
    let example = database_help(
        "
  tafl calibrate games.corpus --query 'variant = brandubh7' --nodes 2000 \\
    --diagram brandubh.svg -o brandubh.curves",
    );
    format!(
        "\
Curves map the scores of random positions of finished games to the frequency of
wins. Their quality is measured on held-out games. `tafl annotate` reads the
file with --curves.

Examples:
  tafl calibrate games.csv --nodes 2000 -o my.curves{example}"
    )
}

/// Returns the end of the long help of `tafl puzzles`.
fn puzzles_help() -> String {
    let example = database_help(
        "
  tafl puzzles games.corpus --nodes 5000 --format opentafl -o puzzles.otg
  tafl puzzles games.corpus --nodes 5000 --store",
    );
    let exit = if HAS_DATABASE { "\nExit code 1: no game matches the query." } else { "" };
    format!(
        "\
A puzzle is a position with a forced win and only one winning move: a search of
--verify positions with two lines finds the win, and an expectation of at most
--max-second after the second best move. Symmetric positions count once.{exit}

Examples:
  tafl puzzles games.csv --nodes 5000 > puzzles.txt{example}"
    )
}
