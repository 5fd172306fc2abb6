//! Arguments of the commands that judge games.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_analyzer::annotate::Thresholds;

use super::engine::LimitArgs;
use super::records::InputArgs;
use crate::features::{HAS_DATABASE, of_database};

/// What judges, and what is kept.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// When to stop each search.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Take expectations from this file of `tafl calibrate` [default: built in]
    #[arg(long, value_name = "FILE")]
    pub(crate) curves: Option<PathBuf>,
    /// Keep evaluations in this file, and search nothing that stands there
    /// [default for a corpus: its file evals/cache.log]
    #[arg(long, value_name = "FILE")]
    pub(crate) cache: Option<PathBuf>,
    /// Only these games of a corpus
    #[arg(long, value_name = "QUERY", hide = !HAS_DATABASE)]
    pub(crate) query: Option<String>,
}

/// How to write annotated games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnnotateFormat {
    /// A table for each game
    Text,
    /// A JSON object a line
    Jsonl,
    /// OpenTafl records with comments and variations
    Otn,
    /// A page for each game, to look at in a browser
    Html,
}

/// Arguments of `tafl annotate`.
#[derive(Debug, Args)]
#[command(after_long_help = annotate_help())]
pub(crate) struct AnnotateArgs {
    /// What to read; a corpus may be named instead.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// What judges.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// How many lines each search finds; with two or more, only moves are told
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=20))]
    pub(crate) lines: u16,
    /// From which loss on a ply is an inaccuracy, a mistake, a blunder
    #[arg(long, value_name = "A,B,C", default_value = "0.05,0.10,0.20", value_parser = thresholds)]
    pub(crate) thresholds: Thresholds,
    /// Believe every loss; do not search behind the better move
    #[arg(long)]
    pub(crate) unconfirmed: bool,
    /// Ask the solver for a proof of each win that was missed, and let it look at
    /// so many positions
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) prove: Option<u64>,
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
    /// What to read; a corpus may be named instead.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// What evaluates.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// How many positions of each game are drawn
    #[arg(long, value_name = "K", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) per_game: u32,
    /// The seed of what is drawn
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What the file says about its games [default: the names of the inputs]
    #[arg(long, value_name = "TEXT")]
    pub(crate) source: Option<String>,
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
    Otn,
}

/// Arguments of `tafl puzzles`.
#[derive(Debug, Args)]
#[command(after_long_help = puzzles_help())]
pub(crate) struct PuzzlesArgs {
    /// What to read; a corpus may be named instead.
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// What finds wins.
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// How many positions the verifying search looks at [default: 10 times those
    /// of --nodes]
    #[arg(long, value_name = "N")]
    pub(crate) verify: Option<u64>,
    /// The most that may be expected after the second best move
    #[arg(long, value_name = "X", default_value_t = 0.6)]
    pub(crate) most: f64,
    /// The least number of plies to the win, the first one included
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    pub(crate) least: u16,
    /// How to write the puzzles
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: PuzzleFormat,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn thresholds(text: &str) -> Result<Thresholds, String> {
    let numbers: Vec<f64> = text.split(',').map(|word| word.trim().parse().unwrap_or(f64::NAN)).collect();
    match numbers[..] {
        [inaccuracy, mistake, blunder] => {
            Thresholds::new(inaccuracy, mistake, blunder).map_err(|error| error.to_string())
        }
        _ => Err("expected three numbers such as 0.05,0.10,0.20".to_owned()),
    }
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
  tafl annotate games.corpus --query 'result = draw' --nodes 20000 --format otn
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
    let example = of_database("\n  tafl puzzles games.corpus --nodes 5000 --format otn -o puzzles.otg");
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
