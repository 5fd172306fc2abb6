//! Arguments of `tafl tune`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tafl_parser::Format;

use super::records::format_parser;
use super::rules::{TextFormat, VariantArgs};

/// What to make of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Product {
    /// A number for each term of the evaluation, as text
    Weights,
    /// A network that evaluates instead of the terms
    Net,
}

/// Arguments of `tafl tune`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Positions of games are labeled with the score of a short search and with what
became of their game. Some games are held out: the error on them says what was
learned. The same games, options and seed give the same file.

Examples:
  tafl tune --variant brandubh7 games/ -o brandubh.weights
  tafl tune --variant brandubh7 --selfplay 500 --make net -o brandubh.net")]
pub(crate) struct TuneArgs {
    /// Files or folders with games; games by other rules or without a result are
    /// passed over
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read every file in this notation instead of finding out
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) notation: Option<Format>,
    /// The rules.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// What to make
    #[arg(long, value_name = "WHAT", default_value = "weights")]
    pub(crate) make: Product,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Play so many games of the engine against itself as well
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Positions")]
    pub(crate) selfplay: u32,
    /// Search so many positions for each label and each move
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Positions")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) nodes: u64,
    /// Search with this network for labels and moves, or with none: a file, or
    /// `none` [default: that of the program, if it has one for the rules]
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub(crate) net: Option<String>,
    /// Take labeled positions of this file, too, as --keep wrote it
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub(crate) positions: Vec<PathBuf>,
    /// Write all labeled positions into this file
    #[arg(long, value_name = "FILE", help_heading = "Positions")]
    pub(crate) keep: Option<PathBuf>,
    /// How much of what is to be learned is the result of the game, from 0 to 1;
    /// the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value_t = 0.6, value_parser = share, help_heading = "Learning")]
    pub(crate) outcome: f32,
    /// How often a network sees all positions
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Learning")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) epochs: u32,
    /// Hold out one game in so many
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Learning")]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) held_out: u32,
    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Learning")]
    pub(crate) seed: u64,
    /// How to write what was learned to standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| "expected a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".to_owned()) }
}
