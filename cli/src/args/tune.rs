//! Arguments of `tafl tune`.

use std::path::PathBuf;

use clap::Args;
use taflbase::engine::TuneRequest;

use super::rules::TextFormat;

/// Arguments of `tafl tune`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Positions of games are labeled with the score of a short search and the result
of the game. Errors are measured on games that are held out. The same games,
options, and seed give the same file.

Examples:
  tafl tune --variant brandubh7 games/ -o brandubh.weights
  tafl tune --variant brandubh7 --selfplay 500 --make net -o brandubh.net
  tafl tune --make data --selfplay 10000 --nodes 400 -o games.data")]
pub(crate) struct TuneArgs {
    /// The games, and how to train on them.
    #[command(flatten)]
    pub(crate) request: TuneRequest,
    /// Write the weights, the network, or the data to this file
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write all labeled positions to this file
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub(crate) keep: Option<PathBuf>,
    /// Print the results in this format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}
