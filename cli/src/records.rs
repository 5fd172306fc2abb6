//! Records as input of commands: what is read, and how what happens on the way is shown.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tafl_parser::{ErrorLine, Order};
use taflbase::escape::escape;
use taflbase::records::{
    FindingLine, InputFinding, InputProblem, ReadCounts, ReadSettings, RecordEvent, RecordReader,
    RecordRequest, RecordSource, ReplayConfig, SkipReason,
};

use crate::args::rules::VariantArgs;
use crate::exit::Said;
use crate::io::Style;
use crate::number::counted;
use crate::snippet::{Place, Snippet};
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};

/// Finds the inputs of a command; what is missing is shown on standard error.
pub(crate) fn open_with<'i>(paths: &[PathBuf], settings: ReadSettings, io: &mut Io<'i>) -> RecordReader<'i> {
    let reader = RecordReader::new(paths, settings).with_stdin(io.take_stdin());
    for problem in &reader.inputs.problems {
        show_problem(problem, io);
    }
    reader
}

/// Shows on standard error why something that was named is not read.
pub(crate) fn show_problem(problem: &InputProblem, io: &mut Io<'_>) {
    let text = problem.to_string();
    if problem.is_error() { io.error(&text) } else { io.notice(&escape(&text)) }
}

/// Finds the rules that the command line names. What is wrong with them is shown on standard error.
///
/// # Errors
///
/// Returns an error that has been shown if there is no such variant, or the rules string can't be read or played.
pub(crate) fn replay_config(args: &VariantArgs, io: &mut Io<'_>) -> Result<Arc<ReplayConfig>, Said> {
    let variant = variant_of(args, io).map_err(Said)?;
    let config = variant.as_ref().map_or_else(|| Ok(ReplayConfig::default()), ReplayConfig::of);
    config.map(Arc::new).map_err(|error| Said(print_error(&error, io)))
}

/// Opens the inputs of a request. What is missing, and what is wrong with the rules, is shown on standard error.
///
/// # Errors
///
/// As [`replay_config`].
pub(crate) fn source<'i>(request: &impl RecordRequest, io: &mut Io<'i>) -> Result<RecordSource<'i>, Said> {
    let config = replay_config(&request.inputs().rules, io)?;
    Ok(RecordSource { reader: open_with(&request.inputs().paths, request.settings(), io), config })
}

/// Shows on standard error what happened to an input besides its records.
pub(crate) fn show_event<T>(reader: &RecordReader<'_>, nth: usize, event: &RecordEvent<T>, io: &mut Io<'_>) {
    show_event_of(|| reader.inputs.list[nth].name(), event, io);
}

/// Shows on standard error what happened to the input with a name, besides its records.
pub(crate) fn show_event_of<T>(name: impl Fn() -> String, event: &RecordEvent<T>, io: &mut Io<'_>) {
    match event {
        RecordEvent::Record(_) | RecordEvent::Awaited => {}
        RecordEvent::Finding(found) => {
            let InputFinding { file, finding, .. } = &**found;
            let mut text = String::new();
            write_finding(&finding.line_of_file(file), io.error_style(), &mut text);
            io.notice_always(text.trim_end());
        }
        RecordEvent::Failed(line, _) => {
            let file = line.source.as_deref().unwrap_or("-");
            io.error(&format!("{file}:{}: {}", line.line, line.message));
        }
        RecordEvent::Skipped(reason) => {
            let reason = match reason {
                SkipReason::UnrecognizedFormat => "unrecognized format",
                SkipReason::NoRecords => "no records",
            };
            io.notice(&format!("skipped {}: {reason}", escape(&name())));
        }
        RecordEvent::Unreadable(error) => io.error(&format!("{}: {error}", name())),
    }
}

/// Returns how a run ends, as far as reading decides it.
pub(crate) fn read_exit(reader: &RecordReader<'_>, counts: &ReadCounts) -> Exit {
    if reader.inputs.is_incomplete() || counts.unreadable > 0 {
        Exit::Error
    } else if counts.failed > 0 {
        Exit::Findings
    } else {
        Exit::Ok
    }
}

/// Adds a finding to `out` as people read it.
pub(crate) fn write_finding(line: &FindingLine<'_>, style: Style, out: &mut String) {
    let finding = &line.finding;
    let place = Place {
        name: &line.file,
        line: finding.line,
        column: finding.column,
        text: &finding.excerpt.text,
        part: finding.excerpt.part,
        within: &line.within(),
    };
    let snippet = Snippet {
        severity: finding.level,
        code: Some(finding.code),
        message: &finding.message,
        place: Some(place),
        help: Some(finding.help),
    };
    snippet.write(style, out);
}

/// A line that answers a record.
pub(crate) struct AnswerLine {
    /// The line, with its line feed.
    pub(crate) text: Vec<u8>,
    /// Whether something is wrong with the record.
    pub(crate) is_bad: bool,
}

impl AnswerLine {
    /// Returns an answer as a line of JSON.
    pub(crate) fn json(answer: &impl Serialize, is_bad: bool) -> AnswerLine {
        let mut text = serde_json::to_vec(answer).expect("answers have only texts, numbers, and lists");
        text.push(b'\n');
        AnswerLine { text, is_bad }
    }
}

/// Writes a line for each record in the order of the input, whatever a record holds, and returns how the run ends. `line`
/// makes the line of an answer, on the thread that made it; `refuse` adds the line of a record that can't be had.
///
/// # Errors
///
/// Fails if a line can't be written.
pub(crate) fn write_lines<R: RecordRequest>(
    request: &R,
    io: &mut Io<'_>,
    line: impl Fn(R::Answer) -> AnswerLine + Sync,
    refuse: impl Fn(&ErrorLine<'_>, Order, &mut Vec<u8>) + Sync,
) -> anyhow::Result<(Exit, R::Summary)> {
    let source = source(request, io)?;
    let reader = &source.reader;
    let mut exit = Exit::Ok;
    let (summary, counts) =
        request.process(&source, &io.job(), line, |nth, event| -> anyhow::Result<()> {
            let mut text = Vec::new();
            match &event {
                RecordEvent::Record(line) => {
                    exit = exit.and(if line.is_bad { Exit::Findings } else { Exit::Ok });
                    io.write_bytes(&line.text)?;
                }
                RecordEvent::Finding(found) => {
                    if !found.is_record_line {
                        show_message(found, io);
                    }
                    if let Some(error) = &found.error {
                        exit = exit.and(Exit::Findings);
                        refuse(error, [0, found.finding.line], &mut text);
                        io.write_bytes(&text)?;
                    }
                }
                RecordEvent::Failed(error, order) => {
                    refuse(error, *order, &mut text);
                    io.write_bytes(&text)?;
                }
                RecordEvent::Awaited => io.flush()?,
                RecordEvent::Skipped(_) | RecordEvent::Unreadable(_) => show_event(reader, nth, &event, io),
            }
            Ok(())
        })?;
    io.end_progress();
    if counts.refused > 0 {
        let lines = counted(counts.refused, "line holds", "lines hold");
        io.notice(&format!("{lines} no record that can be read"));
    }
    Ok((exit.and(read_exit(reader, &counts)), summary))
}

/// Shows a finding about a file, without a place in it.
fn show_message(found: &InputFinding, io: &mut Io<'_>) {
    let InputFinding { file, finding, .. } = found;
    let message = format!("{file}: {}", finding.message);
    let mut text = String::new();
    Snippet {
        severity: finding.level,
        code: Some(finding.code),
        message: &message,
        place: None,
        help: Some(finding.help),
    }
    .write(io.error_style(), &mut text);
    io.notice_always(text.trim_end());
}
