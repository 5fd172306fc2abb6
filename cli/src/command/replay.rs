//! `tafl replay`: replays games and writes their plies.

use tafl_parser::{ErrorLine, Severity};
use taflbase::records::GameReplay;

use crate::args::records::{ReplayArgs, ReplayFormat};
use crate::records::{AnswerLine, write_lines};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an answer cannot be written.
pub(crate) fn run(args: &ReplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match args.format {
        ReplayFormat::Jsonl => {}
    }
    let line = |game: GameReplay| AnswerLine::json(&game, game.level == Some(Severity::Error));
    Ok(write_lines(&args.request, io, line, |error, _, out| ErrorLine::write(error, out))?.0)
}
