//! Arguments of the commands that play: matches, self-play, and engine protocols.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use taflbase::engine::ProtocolSettings;
use taflbase::play::{FindOpeningsRequest, LeagueRequest, MatchRequest, SelfPlayRequest};

use super::rules::TextFormat;

/// The files of a series of pairs, and the format of its result.
#[derive(Debug, Args)]
pub(crate) struct PairFiles {
    /// Save every pair to this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Write the games to this file, as JSON lines for `tafl import`
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TextFormat,
}

/// Arguments of `tafl match`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Players:
  taflbase[:KEY=VALUE;...]      this engine; keys: params, weights (a file),
                                net (a file or none), nodes, depth, time, hash,
                                level (1 to 7), elo
  random                        random legal moves
  uci:[KEY=VALUE;...]COMMAND    a program with a protocol like UCI
  otep:[KEY=VALUE;...]COMMAND   one with OpenTafl's engine protocol
  htp:[KEY=VALUE;...]COMMAND    one with hnefatafl.org's text protocol
                                keys: name, in (a folder), nodes, depth, time

Each opening is played twice, with sides swapped. Games end by the rules; at the
limit of plies a game stays unfinished and its pair does not count. A player
that crashes, times out, or makes an illegal move loses that game, with a
notice. Elo and the test count pairs, not games.

Examples:
  tafl match taflbase random --variant brandubh7 --pairs 4 --nodes 500
  tafl match \"taflbase:nodes=2000\" taflbase:nodes=1000 --variant tablut9_wtf \\
    --pairs 3 --plies 60 -o games.jsonl")]
pub(crate) struct MatchArgs {
    /// The games to play.
    #[command(flatten)]
    pub(crate) request: MatchRequest,
    /// The files and the format of the result.
    #[command(flatten)]
    pub(crate) files: PairFiles,
}

/// Arguments of `tafl league`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
`tafl match --help` explains players. In a round, each pairing plays one opening
twice, with sides swapped. Ratings are maximum likelihood estimates, together
with the advantage of the attackers in each variant; their mean is 0. Pairs with
an unfinished game don't count for them.

Examples:
  tafl league taflbase:nodes=400 taflbase:nodes=40 random --variant brandubh7 \\
    --pairs 3
  tafl league taflbase taflbase:nodes=5000 random --gauntlet --pairs 1 \\
    --variant brandubh7,hexentafl4 --nodes 50 --plies 60 -o games.jsonl")]
pub(crate) struct LeagueArgs {
    /// The games to play.
    #[command(flatten)]
    pub(crate) request: LeagueRequest,
    /// The files and the format of the result.
    #[command(flatten)]
    pub(crate) files: PairFiles,
}

/// Arguments of `tafl openings`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  tafl openings find --variant brandubh7 --rounds 2 --nodes 200")]
pub(crate) struct OpeningsArgs {
    /// The task.
    #[command(subcommand)]
    pub(crate) command: OpeningsCommand,
}

/// The tasks of `tafl openings`.
#[derive(Debug, Subcommand)]
pub(crate) enum OpeningsCommand {
    /// Find openings from which the engine wins about as often with both sides
    Find(FindOpeningsArgs),
}

/// Arguments of `tafl openings find`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Candidates are made by random moves, tested by games of the engine against
itself, and reported with the results of a second series of games. If no
balanced opening is found, the exit code is 1.

Examples:
  tafl openings find --variant hexentafl4 --rounds 4 --nodes 100
  tafl openings find --variant brandubh7 --rounds 2 --nodes 200 -o brandubh.txt")]
#[command(mut_arg("variant", |variant| variant.required(true)))]
pub(crate) struct FindOpeningsArgs {
    /// The search.
    #[command(flatten)]
    pub(crate) request: FindOpeningsRequest,
    /// Save the search to this file after every round, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Write the openings to this file, for `tafl match --openings`
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Arguments of `tafl selfplay`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Each game begins with random plies, followed by --temperature-plies plies whose
moves are drawn by their scores. The same seed gives the same games on any
number of threads, unless time is limited. --variant is required, except with
--jobs.

Examples:
  tafl selfplay --variant brandubh7 --games 2 --nodes 300 -o games.jsonl
  tafl selfplay --variant hexentafl4 --games 1 --seed 7 --nodes 100
  tafl selfplay --jobs - < jobs.jsonl | tafl import games.corpus -")]
#[command(mut_arg("variant", |variant| variant.required_unless_present("jobs")))]
pub(crate) struct SelfplayArgs {
    /// The games to play.
    #[command(flatten)]
    pub(crate) request: SelfPlayRequest,
    /// Play the games that the lines of this file, or of `-`, request, and write
    /// each as a record line; FORMATS.md documents the fields
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "resume", "output", "time"])]
    pub(crate) jobs: Option<PathBuf>,
    /// Save every game to this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Write to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// An engine protocol.
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
Commands are read from standard input, and answers are written to standard
output, until `quit`, `goodbye`, or the end of the input. docs/protocols.md
documents the commands. Without --variant, the rules are those of copenhagen11,
or under htp those of copenhagen11-hnefatafl-org, until a command sets others.

Example:
  echo \"go nodes 1000\" | tafl engine --protocol uci --variant brandubh7")]
pub(crate) struct EngineArgs {
    /// The protocol
    #[arg(long, value_name = "PROTOCOL", default_value = "uci")]
    pub(crate) protocol: ProtocolArg,
    /// The settings.
    #[command(flatten)]
    pub(crate) settings: ProtocolSettings,
}
