//! The command line: types for clap and nothing else.

pub(crate) mod annotate;
pub(crate) mod board;
#[cfg(feature = "database")]
pub(crate) mod database;
pub(crate) mod engine;
pub(crate) mod lines;
pub(crate) mod play;
pub(crate) mod records;
pub(crate) mod repair;
pub(crate) mod rules;
pub(crate) mod solve;
pub(crate) mod tools;
pub(crate) mod tune;

use clap::{Args, Parser, Subcommand};

use crate::features;
use crate::io::ColorChoice;

use annotate::{AnnotateArgs, CalibrateArgs, PuzzlesArgs};
use board::{MoveArgs, ShowArgs};
use engine::EvalArgs;
use lines::LinesArgs;
use play::{EngineArgs, MatchArgs, SelfplayArgs};
use records::{ConvertArgs, InferArgs, ReplayArgs, ValidateArgs};
use repair::RepairArgs;
use rules::{PerftArgs, RulesArgs};
use solve::SolveArgs;
use tools::{BenchArgs, CompletionsArgs, DemoArgs, ManArgs};
use tune::TuneArgs;

/// Reads, checks, explains and converts games of the tafl family.
#[derive(Debug, Parser)]
#[command(name = "tafl", version, long_version = features::VERSION, max_term_width = 80)]
#[command(after_help = "\
Exit code: 0 fine, 1 something is wrong with the input, 2 something could not be
done. What a command finds out is on standard output, the rest on standard
error.

Examples:
  tafl demo                          the program shows itself on its samples
  tafl validate games/               which records are sound, what is wrong
  tafl convert --to jsonl games.csv  records in another notation")]
pub(crate) struct Cli {
    /// What every command understands.
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Write in colors: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Everywhere")]
    #[arg(hide_possible_values = true)]
    pub(crate) color: ColorChoice,
    /// Write no notices and no progress to standard error
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say which records are sound, and what is wrong with the others
    Validate(ValidateArgs),
    /// Suggest what was meant where a record is wrong, and mend it
    Repair(RepairArgs),
    /// Write records in another notation
    Convert(ConvertArgs),
    /// Say what happened in each game, ply by ply
    Replay(ReplayArgs),
    /// Find out by which rules games were played
    Infer(InferArgs),
    /// Cut files into lines that hold a record each, with its place
    Lines(LinesArgs),
    /// Say whether a move is legal, and what it does
    Move(MoveArgs),
    /// Say what a position is worth, and what to play
    Eval(EvalArgs),
    /// Learn from games what positions are worth
    Tune(TuneArgs),
    /// Let players play against each other, and say who is better
    Match(MatchArgs),
    /// Let the engine play against itself, and write the games
    Selfplay(SelfplayArgs),
    /// Speak a protocol for engines with another program
    Engine(EngineArgs),
    /// Prove who wins, or check a proof
    Solve(SolveArgs),
    /// Say where games were won and lost, ply by ply
    Annotate(AnnotateArgs),
    /// Find positions with one winning move
    Puzzles(PuzzlesArgs),
    /// Find out how often a side wins with a score
    Calibrate(CalibrateArgs),
    /// Draw a board or a game
    Show(ShowArgs),
    /// List, show, explain and compare rules
    Rules(RulesArgs),
    /// Count the sequences of legal moves
    Perft(PerftArgs),
    #[cfg(feature = "database")]
    #[command(flatten)]
    Database(database::DatabaseCommand),
    /// Show a corpus in the browser, and answer programs
    #[cfg(feature = "serve")]
    Serve(tafl_web::ServeConfig),
    /// Measure how fast this program is here
    Bench(BenchArgs),
    /// Run the main commands on samples that come with the program
    Demo(DemoArgs),
    /// Write completions for a shell
    Completions(CompletionsArgs),
    /// Write the manual page
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_fits_80_columns() {
        let mut cli = Cli::command();
        cli.build();
        let mut left = vec![cli];
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
