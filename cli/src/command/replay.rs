//! `tafl replay`: replays games, and writes them for people or their plies for programs.

#[cfg(feature = "database")]
mod table;
mod text;

use tafl_parser::{ErrorLine, Severity};
use taflbase::records::{GameReplay, GameSheet, GameSheetRequest, RecordEvent, RecordRequest};

use crate::args::records::{ReplayArgs, ReplayFormat};
use crate::output::JsonLayout;
use crate::records::{self, AnswerLine, write_lines};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an answer cannot be written.
pub(crate) fn run(args: &ReplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let layout = match args.format {
        ReplayFormat::Text => return write_sheets(args, io),
        ReplayFormat::Json => JsonLayout::Array,
        ReplayFormat::Jsonl => JsonLayout::Lines,
        #[cfg(feature = "database")]
        ReplayFormat::Arrow => return table::write(args, io),
        #[cfg(not(feature = "database"))]
        ReplayFormat::Arrow => anyhow::bail!(crate::features::needs_database("--format arrow")),
    };
    let line = |game: GameReplay| AnswerLine::json(&game, game.level == Some(Severity::Error));
    Ok(write_lines(&args.request, layout, io, line, |error, _, out| ErrorLine::write(error, out))?.0)
}

/// Writes games for people.
fn write_sheets(args: &ReplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = GameSheetRequest { input: args.request.input.clone(), diagram_every: args.diagram_every };
    let source = records::source(&request, io)?;
    let style = io.style();
    let mut exit = Exit::Ok;
    let sheet_text = |sheet: GameSheet| (text::write(&sheet, style), sheet.level == Some(Severity::Error));
    let ((), counts) =
        request.process(&source, &io.job(), sheet_text, |nth, event| -> anyhow::Result<()> {
            match &event {
                RecordEvent::Record((text, is_bad)) => {
                    exit = exit.and(if *is_bad { Exit::Findings } else { Exit::Ok });
                    io.print(text)?;
                }
                RecordEvent::Finding(found) if found.error.is_some() => {
                    exit = exit.and(Exit::Findings);
                    records::show_event(&source.reader, nth, &event, io);
                }
                RecordEvent::Awaited => io.flush()?,
                _ => records::show_event(&source.reader, nth, &event, io),
            }
            Ok(())
        })?;
    io.end_progress();
    Ok(exit.and(records::read_exit(&source.reader, &counts)))
}
