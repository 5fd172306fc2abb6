//! The command line, as types for clap.

pub(crate) mod annotate;
pub(crate) mod board;
#[cfg(feature = "database")]
pub(crate) mod database;
pub(crate) mod engine;
mod groups;
pub(crate) mod lines;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod play;
pub(crate) mod records;
pub(crate) mod repair;
pub(crate) mod rules;
pub(crate) mod solve;
pub(crate) mod tools;
pub(crate) mod tune;

use std::ffi::OsString;

#[cfg(feature = "database")]
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use taflbase::records::STDIN_PATH;

use crate::features;
use crate::io::ColorChoice;

use annotate::{AnnotateArgs, CalibrateArgs, PuzzlesArgs};
use board::{MoveArgs, ShowArgs};
use engine::{AnalyzeArgs, EvalArgs};
use lines::LinesArgs;
use play::{EngineArgs, LeagueArgs, MatchArgs, OpeningsArgs, SelfplayArgs};
use records::{ConvertArgs, InferArgs, ReplayArgs, ValidateArgs};
use repair::RepairArgs;
use rules::{PerftArgs, RulesArgs};
use solve::SolveArgs;
use tools::{BenchArgs, CompletionsArgs, DemoArgs, ManArgs};
use tune::TuneArgs;

/// Validate, convert, search, annotate, and analyze games of the tafl family
#[derive(Debug, Parser)]
#[command(name = "tafl", version, long_version = features::VERSION, max_term_width = 80)]
#[command(after_help = "\
Exit code: 0 success; 1 a negative answer or findings, as each command
describes; 2 error. Results go to standard output, and notices, progress, and
errors to standard error.

Examples:
  tafl demo                          run the main commands on bundled samples
  tafl validate games/               check the records in a folder
  tafl convert --to jsonl games.csv  convert records to another notation")]
pub(crate) struct Cli {
    /// The options of every command.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The options of every command.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Use colors: auto, always, or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Global options")]
    #[arg(hide_possible_values = true)]
    pub(crate) color: ColorChoice,
    /// Don't print notices and progress to standard error
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
}

/// Returns the whole command line, with the commands in groups.
pub(crate) fn command() -> clap::Command {
    groups::group(Cli::command())
}

/// Reads a command line, the program's name first.
///
/// # Errors
///
/// Returns the usage error, or the request for help or for the version.
pub(crate) fn parse<I>(words: I) -> Result<Cli, clap::Error>
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let words = words.into_iter().map(|word| without_hyphen(word.into()));
    let mut matches = command().try_get_matches_from(words)?;
    #[cfg(feature = "database")]
    if let Some(error) = database::report::option_without_selfplay(&matches) {
        return Err(command().error(ErrorKind::MissingRequiredArgument, error));
    }
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

/// Returns an argument; `-:2`, a game of standard input, would be read as an option and gets the other name of standard
/// input.
fn without_hyphen(word: OsString) -> OsString {
    match word.to_str().and_then(|text| text.strip_prefix("-:")) {
        Some(game) => format!("{STDIN_PATH}:{game}").into(),
        None => word,
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check records, and explain their errors
    Validate(ValidateArgs),
    /// Suggest corrections of broken records, and apply them
    Repair(RepairArgs),
    /// Convert records to another notation
    Convert(ConvertArgs),
    /// Replay games, and print every ply with its effects
    Replay(ReplayArgs),
    /// Infer the rules by which games were played
    Infer(InferArgs),
    /// Split files into lines with one record each
    Lines(LinesArgs),
    /// Check whether a move is legal, and show its effect
    Move(MoveArgs),
    /// Evaluate a position, and suggest moves
    Eval(EvalArgs),
    /// Analyze positions that are queried as JSON lines
    Analyze(AnalyzeArgs),
    /// Train evaluation weights on games
    Tune(TuneArgs),
    /// Play matches between engines
    Match(MatchArgs),
    /// Play a league of several engines, and rate them
    League(LeagueArgs),
    /// Find openings that are balanced
    Openings(OpeningsArgs),
    /// Generate games of the engine against itself
    Selfplay(SelfplayArgs),
    /// Run the engine under a protocol, for other programs
    Engine(EngineArgs),
    /// Prove who wins a position, or check a proof
    Solve(SolveArgs),
    /// Annotate games with evaluations, errors, and better moves
    Annotate(AnnotateArgs),
    /// Find positions with a single winning move
    Puzzles(PuzzlesArgs),
    /// Fit curves that convert scores to expected results
    Calibrate(CalibrateArgs),
    /// Draw a board or a game
    Show(ShowArgs),
    /// List, show, explain, and compare rules
    Rules(RulesArgs),
    /// Count sequences of legal moves
    Perft(PerftArgs),
    #[cfg(feature = "database")]
    #[command(flatten)]
    Database(database::DatabaseCommand),
    /// Serve a corpus to browsers and programs
    #[cfg(feature = "serve")]
    Serve(tafl_web::ServeConfig),
    /// Serve tools to language models
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    /// Measure the speed of this program on this machine
    Bench(BenchArgs),
    /// Run the main commands on bundled samples
    Demo(DemoArgs),
    /// Generate shell completions
    Completions(CompletionsArgs),
    /// Generate manual pages
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn help_fits_80_columns() {
        let mut left = vec![command()];
        while let Some(mut command) = left.pop() {
            for text in [command.render_help().to_string(), command.render_long_help().to_string()] {
                for line in text.lines() {
                    assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
                }
            }
            left.extend(command.get_subcommands().cloned());
        }
    }
}
