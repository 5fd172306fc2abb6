//! `tafl lines`: files cut into record lines.

use tafl_parser::reader::{Batch, RecordLine};
use taflbase::records::{ReadSettings, RecordAt, RecordEvent, RecordWorker};

use crate::args::lines::LinesArgs;
use crate::exit::Said;
use crate::variant::variant_of;
use crate::{Exit, Io, records};

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or a line cannot be written.
pub(crate) fn run(args: &LinesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let variant = variant_of(&args.input.variant, io).map_err(Said)?;
    let variant = variant.map(|variant| match variant.named {
        Some(named) => named.name.to_owned(),
        None => variant.rules.to_string(),
    });
    let settings = ReadSettings {
        stdin_name: args.name.clone(),
        all_found: args.found,
        needs_moves: true,
        ..records::settings(&args.input)
    };
    let reader = records::open_with(&args.input.paths, settings, io);
    let first = args.source_number.get();
    let cutter = || Cutter { variant: variant.as_deref(), first, has_moves: true };
    let counts = reader.process(&io.job(), cutter, |nth, event| -> anyhow::Result<()> {
        match &event {
            RecordEvent::Record(line) => io.write_bytes(line)?,
            RecordEvent::Finding(found) => {
                let mut line = Vec::new();
                if let Some(error) = &found.error {
                    error.write(&mut line);
                }
                io.write_bytes(&line)?;
            }
            RecordEvent::Failed(error, _) => {
                let mut line = Vec::new();
                error.write(&mut line);
                io.write_bytes(&line)?;
            }
            RecordEvent::Skipped(_) | RecordEvent::Unreadable(_) | RecordEvent::Awaited => {}
        }
        records::show_event(&reader, nth, &event, io);
        Ok(())
    })?;
    io.end_progress();
    let exit = if counts.file_errors > 0 { Exit::Findings } else { Exit::Ok };
    Ok(exit.and(records::read_exit(&reader, &counts)))
}

/// Writes record lines.
struct Cutter<'v> {
    /// What lines say of the rules.
    variant: Option<&'v str>,
    /// The number of the first input.
    first: u64,
    /// Whether the last record has moves, which only matters for files that may be something else.
    has_moves: bool,
}

impl RecordWorker for Cutter<'_> {
    type Answer = Vec<u8>;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> Vec<u8> {
        let mut line = Vec::new();
        RecordLine::of(at.batch, at.nth, self.first + at.input as u64, self.variant).write(&mut line);
        self.has_moves = !at.is_found || !at.parse().1.value.main().moves.is_empty();
        line
    }

    fn has_moves(&self) -> bool {
        self.has_moves
    }
}
