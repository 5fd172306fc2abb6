//! `tafl infer`: infers the rules of games.

mod text;

use tafl_parser::Severity;
use taflbase::json_pretty;
use taflbase::records::RecordEvent;

use crate::args::records::InferArgs;
use crate::args::rules::TextFormat;
use crate::exit::Reported;
use crate::variant::variant_named;
use crate::{Exit, Io, records};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules of the hint are unknown, or the answer cannot be written.
pub(crate) fn run(args: &InferArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    let hint = match &request.variant_hint {
        Some(text) => Some(variant_named(text, io).map_err(Reported)?.rules),
        None => None,
    };
    let reader = records::open_with(&request.paths, request.settings(), io);
    let job = io.job();
    let (answer, counts) = request.process(&reader, hint, &job, |nth, event| -> anyhow::Result<()> {
        match event {
            RecordEvent::Finding(found) => {
                let finding = &found.finding;
                if finding.level == Severity::Error {
                    io.error(&format!(
                        "{}: {} ({}); see `tafl validate`",
                        found.file, finding.name, finding.code
                    ));
                }
            }
            event => records::show_event(&reader, nth, &event, io),
        }
        Ok(())
    })?;
    io.end_progress();
    match args.format {
        TextFormat::Text => io.print(&text::answer(&answer, args.limit_per_list))?,
        TextFormat::Json => {
            io.print(&json_pretty(&answer))?;
        }
    }
    if records::read_exit(&reader, &counts) == Exit::Error || counts.file_errors > 0 {
        return Ok(Exit::Error);
    }
    Ok(if answer.is_explained() { Exit::Ok } else { Exit::Findings })
}
