//! Arguments of the commands about a single board.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::{ShowRequest, SideName};

use super::rules::VariantArgs;

/// How to write what a move does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MoveFormat {
    /// For people
    Text,
    /// JSON
    Json,
}

/// Which position is meant, by the rules that are named.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The position record, rank 1 first [default: the start]
    #[arg(long, value_name = "RECORD")]
    pub(crate) position: Option<String>,
    /// Who is to move [default: who moves first in the variant]
    #[arg(long, value_name = "SIDE")]
    pub(crate) side: Option<SideName>,
}

/// Arguments of `tafl move`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Captures may be written with the move, `d1-d3xe3`; where they are not so, a note
says it. Several steps of one turn are written `c1-c4=f4`. Exit code 1: the move
is illegal.

With `-` for the move, questions are read from standard input, a JSON object a
line or an array of them, with \"move\" and, where the command line does not say
it, \"variant\", \"rule\" (changes as of --rule), \"position\", \"side\" and \"id\". Each is answered with a line of JSON; a question
that cannot be answered gets {\"error\": ...}, and the exit code is 1.

Options besides the keys of rules strings: h_throne, h_throne_occupied,
h_corner, king_h_throne, king_h_corner, king_h_camp, men_pass_throne and
corners_king_only (on or off).

Examples:
  tafl move --variant brandubh7 d1-c1
  tafl move --variant copenhagen11 --rule sw=w --side defenders f8-f9
  tafl move --variant brandubh7 --side defenders \\
    --position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ d3-a3")]
pub(crate) struct MoveArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// Which position.
    #[command(flatten)]
    pub(crate) place: PositionArgs,
    /// The move, such as `d1-d3`; `-` reads questions from standard input
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    pub(crate) mv: String,
    /// Say why, too: between what each piece fell, which cells end the game
    #[arg(long)]
    pub(crate) explain: bool,
    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: MoveFormat,
}

/// Arguments of `tafl show`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl show --variant brandubh7
  tafl show games.otg:3 --ply 12 --format svg -o board.svg
  tafl show games.otg --animate -o game.gif")]
pub(crate) struct ShowArgs {
    /// What to draw.
    #[command(flatten)]
    pub(crate) request: ShowRequest,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
