//! Arguments of the commands about the program itself.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::rules::TextFormat;

/// The part that older versions named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchPart {
    /// The engine.
    Engine,
}

/// Arguments of `tafl bench`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A search of the fixed suite of positions visits the same number of nodes on
every machine. This number, the signature, changes only with the search or
the evaluation.

Examples:
  tafl bench
  tafl bench --format json")]
pub(crate) struct BenchArgs {
    /// Accepted for scripts that name it.
    #[arg(hide = true)]
    pub(crate) part: Option<BenchPart>,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl demo`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The samples and the results remain in the folder, where you can run the commands
again. Files with the same names are overwritten.

Examples:
  tafl demo
  tafl demo --tour try-tafl")]
pub(crate) struct DemoArgs {
    /// The folder for samples and results [default: a new one among the
    /// temporary files]
    pub(crate) folder: Option<PathBuf>,
    /// Run more commands, and show everything that they print
    #[arg(long)]
    pub(crate) tour: bool,
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
