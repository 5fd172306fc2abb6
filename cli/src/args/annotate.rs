//! Arguments of the commands that evaluate games.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::engine::{AnnotateRequest, CalibrateRequest, GameInput, PuzzlesRequest};

use crate::features::{HAS_DATABASE, of_database};

/// How to write annotated games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnnotateFormat {
    /// A table for each game
    Text,
    /// A JSON object a line
    Jsonl,
    /// OpenTafl records with comments and variations
    #[value(name = "opentafl", aliases = ["otn", "otg"])]
    OpenTafl,
    /// A page for each game, to look at in a browser
    Html,
}

/// Arguments of `tafl annotate`.
#[derive(Debug, Args)]
#[command(after_long_help = annotate_help())]
pub(crate) struct AnnotateArgs {
    /// The games.
    #[command(flatten)]
    pub(crate) games: GameInput,
    /// How to annotate them.
    #[command(flatten)]
    pub(crate) request: AnnotateRequest,
    /// How to write the games
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: AnnotateFormat,
    /// Write to a file, or pages to a folder
    #[arg(long, short, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write counts of errors, accuracy and time as JSON to this file
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
    /// How to calibrate.
    #[command(flatten)]
    pub(crate) request: CalibrateRequest,
    /// Draw what was expected and what came
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) diagram: Option<PathBuf>,
    /// Write the curves to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How to write puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleFormat {
    /// A line for each, for people
    Text,
    /// A JSON object a line
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
    /// What counts as a puzzle.
    #[command(flatten)]
    pub(crate) request: PuzzlesRequest,
    /// How to write the puzzles
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: PuzzleFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What the long help of `tafl annotate` says below the options.
fn annotate_help() -> String {
    let end = match HAS_DATABASE {
        true => {
            "\
it was when it is started again with the same cache. For a corpus the table
`evals` of `tafl sql` gets a row for each ply. Exit code 1: a game could not be
annotated to its end."
        }
        false => {
            "\
it was when it is started again with the same cache. Exit code 1: a game could
not be annotated to its end."
        }
    };
    let examples = of_database(
        "
  tafl annotate games.corpus --query 'result = draw' --nodes 20000 \\
    --format opentafl
  tafl sql games.corpus 'SELECT side, judgement, COUNT(*) FROM evals
    GROUP BY side, judgement'",
    );
    format!(
        "\
Scores are in men, + for the attackers. An error is judged by the expectation
that it loses, from 0 to 1. With a limit of positions or plies the answer is the
same every time, whatever a cache holds; a run that was broken off goes on where
{end}

Examples:
  tafl annotate game.otg --nodes 50000
  tafl annotate games.csv --nodes 20000 --cache games.evals --format html \\
    -o pages/{examples}"
    )
}

/// What the long help of `tafl calibrate` says below the options.
fn calibrate_help() -> String {
    let example = of_database(
        "
  tafl calibrate games.corpus --query 'variant = brandubh7' --nodes 2000 \\
    --diagram brandubh.svg -o brandubh.curves",
    );
    format!(
        "\
Positions of finished games are drawn and evaluated; curves say how often a side
wins with such a score. How well they do is measured on games held out. The file
of curves is for --curves of `tafl annotate`.

Examples:
  tafl calibrate games.csv --nodes 2000 -o my.curves{example}"
    )
}

/// What the long help of `tafl puzzles` says below the options.
fn puzzles_help() -> String {
    let example = of_database("\n  tafl puzzles games.corpus --nodes 5000 --format opentafl -o puzzles.otg");
    format!(
        "\
A puzzle is a position with a forced win and only one move that leads to it: a
search of --verify positions with two lines finds the win, and leaves the solver
no more than --most after the second best move. Positions that are the same but
for a symmetry of the board count once.

Examples:
  tafl puzzles games.csv --nodes 5000 > puzzles.txt{example}"
    )
}
