//! Arguments of the commands about the program itself.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::rules::TextFormat;

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchPart {
    /// Reading records
    Parse,
    /// Reading and replaying records
    Replay,
    /// Counting sequences of moves
    Perft,
}

/// Arguments of `tafl bench`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl bench
  tafl bench replay --format json")]
pub(crate) struct BenchArgs {
    /// What to measure [default: everything]
    pub(crate) part: Option<BenchPart>,
    /// Measure on these files instead of the program's samples
    #[arg(long, value_name = "PATH")]
    pub(crate) input: Vec<PathBuf>,
    /// How many threads to use [default: one]
    #[arg(long, short = 'j', value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
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
    /// The folder for samples and results [default: tafl-demo among the
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
