//! Arguments of the commands about a single board.

use std::path::PathBuf;

use clap::Args;
use taflbase::{MoveRequest, ShowRequest};

use super::rules::TextFormat;

/// Arguments of `tafl move`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Captures may be written with the move, as in `d1-d3xe3`; a note reports wrong
ones. Several steps of one turn are written `c1-c4=f4`. --variant is required,
unless the move is `-`. Exit code 1: the move is illegal.

With `-` as the move, requests are read from standard input: one JSON object per
line, or an array of them. Fields: \"move\", \"variant\", \"rule\" (an array as of
--rule, or an object), \"position\", \"side\", \"moves\", \"explain\", and \"id\",
which the answer repeats. Missing fields are taken from the command line. Each
answer is a line of JSON: for a faulty request, {\"error\": ...} with exit code 1.

Besides the keys of rules strings, --rule takes h_throne, h_throne_occupied,
h_corner, king_h_throne, king_h_corner, king_h_camp, men_pass_throne, and
corners_king_only, each =on or =off, as in `--rule h_corner=off`
(h: hostile; men: all pieces but kings).

Examples:
  tafl move --variant brandubh7 d1-c1
  tafl move --variant copenhagen11 --rule sw=w --side defenders f8-f9
  tafl move --variant brandubh7 --side defenders \\
    --position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ d3-a3")]
pub(crate) struct MoveArgs {
    /// The move, the rules, and the position.
    #[command(flatten)]
    pub(crate) request: MoveRequest,
    /// The format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl show`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl show --variant brandubh7
  tafl show games.otg:3 --ply 12 --format svg -o board.svg
  tafl show games.otg --animate -o game.gif
  tafl show games.otg:3 --diagram-every 10 --theme print -o game.pdf")]
pub(crate) struct ShowArgs {
    /// The picture.
    #[command(flatten)]
    pub(crate) request: ShowRequest,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
