//! `tafl lines`: splits files into record lines.

use tafl_parser::RecordLine;
use taflbase::records::{RecordEvent, RecordRequest};

use crate::args::lines::LinesArgs;
use crate::{Exit, Io, records};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or a line cannot be written.
pub(crate) fn run(args: &LinesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let source = records::source(&args.request, io)?;
    let (reader, job) = (&source.reader, io.job());
    let write = |line: RecordLine<'_>| {
        let mut text = Vec::new();
        line.write(&mut text);
        text
    };
    let take = |nth, event: RecordEvent<Vec<u8>>| -> anyhow::Result<()> {
        let error = match &event {
            RecordEvent::Record(line) => return Ok(io.write_bytes(line)?),
            RecordEvent::Finding(found) => found.error.as_ref(),
            RecordEvent::Failed(error, _) => Some(error),
            RecordEvent::Skipped(_) | RecordEvent::Unreadable(_) | RecordEvent::Awaited => None,
        };
        if let Some(error) = error {
            let mut line = Vec::new();
            error.write(&mut line);
            io.write_bytes(&line)?;
        }
        records::show_event(reader, nth, &event, io);
        Ok(())
    };
    let ((), counts) = args.request.process(&source, &job, write, take)?;
    io.end_progress();
    let exit = if counts.file_errors > 0 { Exit::Findings } else { Exit::Ok };
    Ok(exit.and(records::read_exit(reader, &counts)))
}
