//! Arguments of the commands that play: matches, games with itself, other programs' protocols.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use taflbase::Seconds;
use taflbase::engine::MoveLimits;

use super::rules::{TextFormat, VariantArgs};

/// What to do when a player cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnFault {
    /// It loses the game, and the match goes on
    GoOn,
    /// It loses the game, and the match ends
    Stop,
}

/// Arguments of `tafl match`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Players:
  taflbase[:KEY=VALUE;...]      this engine; keys: params, weights (a file),
                                net (a file or none), nodes, depth, time, hash
  random                        any legal move
  uci:[KEY=VALUE;...]COMMAND    a program that speaks a protocol like UCI
  otep:[KEY=VALUE;...]COMMAND   one that speaks OpenTafl's engine protocol
  htp:[KEY=VALUE;...]COMMAND    one that speaks hnefatafl.org's text protocol
                                keys: name, in (a folder), nodes, depth, time

Each opening is played twice, with sides changed. Games end by the rules; at the
limit of plies a game stays unfinished and its pair does not count. A player
that dies, is silent or breaks the rules loses that game, which is said. Elo and
the test count pairs, not games.

Examples:
  tafl match taflbase random --variant brandubh7 --pairs 4 --nodes 500
  tafl match \"taflbase:nodes=2000\" taflbase:nodes=1000 --variant tablut9_wtf \\
    --pairs 3 --plies 60 -o games.jsonl")]
pub(crate) struct MatchArgs {
    /// The player that the match is about
    pub(crate) first: String,
    /// Its opponent
    pub(crate) second: String,
    /// Play by the rules of these variants by turns
    #[arg(long, value_name = "NAME", required = true, value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// How many pairs to play; with --sprt, at most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) pairs: u64,
    /// How many plies begin each pair, random ones or those of --openings
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) opening_plies: u32,
    /// Begin as the games of these files did that the rules allow, in an order
    /// that --seed decides
    #[arg(long, value_name = "FILES", num_args = 1..)]
    pub(crate) openings: Vec<PathBuf>,
    /// When to stop thinking.
    #[command(flatten)]
    pub(crate) limits: MoveLimits,
    /// After so many plies a game stays unfinished
    #[arg(long, value_name = "N", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) plies: u32,
    /// End when it is clear whether the first player is better by ELO1 or not by
    /// ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// How probable both errors of the test may be: ALPHA,BETA
    #[arg(long, value_name = "ALPHA,BETA", value_parser = two_numbers, default_value = "0.05,0.05")]
    pub(crate) errors: (f64, f64),
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games to play at once, on a thread each
    #[arg(long, short = 'j', value_name = "N", default_value = "1")]
    pub(crate) threads: NonZeroUsize,
    /// Keep every pair in this file, and go on from there if it is there already
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Write the games to this file, as JSON lines that `tafl import` takes
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What to do when a player cannot go on
    #[arg(long, value_name = "WHAT", default_value = "go-on")]
    pub(crate) on_fault: OnFault,
    /// How long a program may take beyond its time
    #[arg(long, value_name = "SECONDS", default_value_t)]
    pub(crate) grace: Seconds<0, 10_000_000_000>,
    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl selfplay`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each game begins with random plies, and goes on with moves that are drawn by how
good they are, for as many plies as --temperature-plies says. The same seed
gives the same games on any number of threads, unless time is limited.

Examples:
  tafl selfplay --variant brandubh7 --games 2 --nodes 300 -o games.jsonl
  tafl selfplay --variant hexentafl4 --games 1 --seed 7 --nodes 100
  tafl selfplay --jobs - < jobs.jsonl | tafl import games.corpus -")]
pub(crate) struct SelfplayArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// When to stop thinking.
    #[command(flatten)]
    pub(crate) limits: MoveLimits,
    /// Play the games that the lines of this file or of standard input, `-`, ask
    /// for, and write each as a record line; FORMATS.md has the fields
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "resume", "output", "time"])]
    pub(crate) jobs: Option<PathBuf>,
    /// How many random plies begin each game
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) opening_plies: u32,
    /// For how many plies after these moves are drawn, not only the best
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) temperature_plies: u32,
    /// A move so many hundredths of a man worse is drawn 2.7 times less often
    #[arg(long, value_name = "N", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) temperature: u32,
    /// After so many plies a game stays unfinished
    #[arg(long, value_name = "N", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) plies: u32,
    /// Play on to the end where a win within three plies is proven
    #[arg(long)]
    pub(crate) play_out: bool,
    /// How many games to play at once, on a thread each
    #[arg(long, short = 'j', value_name = "N", default_value = "1")]
    pub(crate) threads: NonZeroUsize,
    /// Keep every game in this file, and go on from there if it is there already
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// A protocol that the engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// Like the Universal Chess Interface, for every variant
    Uci,
    /// OpenTafl's engine protocol
    Otep,
    /// The text protocol of hnefatafl.org
    Htp,
}

/// Arguments of `tafl engine`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Commands are read from standard input, answers written to standard output, until
`quit`, `goodbye` or the end of the input. docs/protocols.md has the commands.

Example:
  echo \"go nodes 1000\" | tafl engine --protocol uci --variant brandubh7")]
pub(crate) struct EngineArgs {
    /// Which protocol to speak
    #[arg(long, value_name = "PROTOCOL", default_value = "uci")]
    pub(crate) protocol: ProtocolArg,
    /// The rules to begin with.
    #[command(flatten)]
    pub(crate) variant: VariantArgs,
    /// How long to think where the other program sets no limit
    #[arg(long, value_name = "SECONDS", default_value_t)]
    pub(crate) time: Seconds<0, 5_000_000_000>,
    /// The size of the table of positions, in mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) hash: u32,
    /// How many threads search
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
}

fn two_numbers(text: &str) -> Result<(f64, f64), String> {
    let two = text
        .split_once(',')
        .and_then(|(one, other)| Some((one.trim().parse().ok()?, other.trim().parse().ok()?)));
    two.ok_or_else(|| "expected two numbers, such as 0,10".to_owned())
}
