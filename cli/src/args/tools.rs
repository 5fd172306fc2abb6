//! Arguments of the commands about the program itself.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::rules::{TextFormat, VariantArgs};
use crate::features::{HAS_DATABASE, of_database};

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchPart {
    /// Reading records
    Parse,
    /// Reading and replaying records
    Replay,
    /// Counting sequences of moves
    Perft,
    /// Making and asking a corpus; only where it is named
    #[value(hide = !HAS_DATABASE)]
    Corpus,
    /// Mending known faults; only where it is asked for
    Repair,
    /// How often rules are inferred from games whose variant is hidden
    Infer,
    /// The engine's signature, and its speed; only where it is asked for
    Engine,
}

/// Arguments of `tafl bench`.
#[derive(Debug, Args)]
#[command(after_long_help = bench_help())]
pub(crate) struct BenchArgs {
    /// What to measure [default: everything but corpus, repair, infer
    /// and engine]
    pub(crate) part: Option<BenchPart>,
    /// Measure on this file instead of games that the program plays
    #[arg(long, value_name = "PATH")]
    pub(crate) input: Vec<PathBuf>,
    /// The rules for all records.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// How many threads to use beside one [default: as many as there are cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// How often to measure
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// About how many megabytes of records to make
    #[arg(long, value_name = "MB", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) size: u32,
    /// Corpus: about how many positions to make
    #[arg(long, value_name = "N", default_value_t = 1_000_000, hide = !HAS_DATABASE)]
    #[arg(value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000))]
    pub(crate) positions: u64,
    /// Corpus: make it in this folder and leave it there [default: a new one
    /// among the temporary files, which is removed]
    #[arg(long, value_name = "DIR", hide = !HAS_DATABASE)]
    pub(crate) dir: Option<PathBuf>,
    /// Corpus: ask also while the system has no file in memory; for root only,
    /// and slow for everybody else on the machine
    #[arg(long, hide = !HAS_DATABASE)]
    pub(crate) drop_caches: bool,
    /// With repair: how many faults of each kind to put into games of each
    /// variant
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) faults: u32,
    /// Corpus and repair: where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// With repair: write the records that were not mended to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) misses: Option<PathBuf>,
    /// How to write the figures
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl demo`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Samples and results stay in the folder, so that the commands can be tried again.
Files of the same names are written over.

Examples:
  tafl demo
  tafl demo try-tafl")]
pub(crate) struct DemoArgs {
    /// The folder for samples and results [default: a new one among the
    /// temporary files]
    pub(crate) folder: Option<PathBuf>,
}

/// Arguments of `tafl completions`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  tafl completions bash > ~/.local/share/bash-completion/completions/tafl")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// Arguments of `tafl man`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl man | man -l -
  tafl man rules diff
  tafl man -o ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The command whose page to write, such as `rules diff` [default: tafl]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Write a page for each command into this folder
    #[arg(long, short, value_name = "DIR", conflicts_with = "command")]
    pub(crate) output: Option<PathBuf>,
}

/// What the long help of `tafl bench` says below the options.
fn bench_help() -> String {
    let corpus = of_database(
        "\
`tafl bench corpus` makes a corpus of made-up games and measures how fast that
is, how large it is, and how long answers take, with goals beside the figures.
In a folder that is named and holds such a corpus, it only asks.

",
    );
    let example = of_database("  tafl bench corpus --positions 10000000\n");
    format!(
        "\
Each figure is the median of several rounds, with the slowest and the fastest,
and the ratio to something simpler that was measured in the same run: reading to
a plain copy of the bytes, several threads to one, playing the last ply of a
perft to counting it. Without files, the program plays games against itself,
with a seed, and measures on their records.

{corpus}`infer` is measured only when it is asked for: it hides the variant of games and
counts how many options of the rules are found again, on the thirty largest
variants of the files, or on games by random rules. The variant is left out of
the catalog meanwhile, with all that have the same rules.

`engine` searches a fixed suite and prints how many positions that took: the
signature, which only a change of the search or the evaluation changes.

Examples:
  tafl bench
  tafl bench engine
  tafl bench replay --format json
  tafl bench parse --input games.otg
{example}  tafl bench repair --input games.csv --faults 50
  tafl bench infer --input games.jsonl.gz"
    )
}
