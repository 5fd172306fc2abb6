//! The records that commands read, and the messages about their inputs.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tafl_parser::{ErrorLine, Order};
use tafl_rules::counted;
use taflbase::escape::escape;
use taflbase::records::{
    FindingLine, InputFinding, InputProblem, ReadCounts, ReadSettings, RecordEvent, RecordReader,
    RecordRequest, RecordSource, ReplayConfig, SkipReason,
};
use taflbase::{RulesRequest, json_line};

use crate::exit::Reported;
use crate::io::ColorMode;
use crate::output::{JsonLayout, JsonList};
use crate::snippet::{Snippet, SnippetPlace};
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};

/// Finds the inputs of a command. Missing ones are reported on standard error.
pub(crate) fn open_with<'i>(paths: &[PathBuf], settings: ReadSettings, io: &mut Io<'i>) -> RecordReader<'i> {
    let reader = RecordReader::new(paths, settings).with_stdin(io.take_stdin());
    for problem in &reader.inputs.problems {
        show_problem(problem, io);
    }
    reader
}

/// Reports on standard error that an input can't be read.
pub(crate) fn show_problem(problem: &InputProblem, io: &mut Io<'_>) {
    let text = problem.to_string();
    if problem.is_error() { io.error(&text) } else { io.notice(&escape(&text)) }
}

/// Finds the rules of a command line. Errors are reported on standard error.
///
/// # Errors
///
/// Returns a reported error if the variant is unknown, or the rules string can't be read or played.
pub(crate) fn replay_config(args: &RulesRequest, io: &mut Io<'_>) -> Result<Arc<ReplayConfig>, Reported> {
    let variant = variant_of(args, io).map_err(Reported)?;
    let config = variant.as_ref().map_or_else(|| Ok(ReplayConfig::default()), ReplayConfig::of);
    config.map(Arc::new).map_err(|error| Reported(print_error(&error, io)))
}

/// Opens the inputs of a request. Missing inputs and errors in the rules are reported on standard error.
///
/// # Errors
///
/// As [`replay_config`].
pub(crate) fn source<'i>(
    request: &impl RecordRequest,
    io: &mut Io<'i>,
) -> Result<RecordSource<'i>, Reported> {
    let config = replay_config(&request.inputs().rules, io)?;
    Ok(RecordSource { reader: open_with(&request.inputs().paths, request.settings(), io), config })
}

/// Reports an event of an input on standard error.
pub(crate) fn show_event<T>(reader: &RecordReader<'_>, nth: usize, event: &RecordEvent<T>, io: &mut Io<'_>) {
    show_event_of(|| reader.inputs.list[nth].name(), event, io);
}

/// Reports an event of the input with a name on standard error.
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

/// Returns the exit of a run as far as its inputs determine it.
pub(crate) fn read_exit(reader: &RecordReader<'_>, counts: &ReadCounts) -> Exit {
    if reader.inputs.is_incomplete() || counts.unreadable > 0 {
        Exit::Error
    } else if counts.failed > 0 {
        Exit::Findings
    } else {
        Exit::Ok
    }
}

/// Adds a finding to `out` as text.
pub(crate) fn write_finding(line: &FindingLine<'_>, style: ColorMode, out: &mut String) {
    let finding = &line.finding;
    let place = SnippetPlace {
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

/// The answer to a record, as a line.
pub(crate) struct AnswerLine {
    /// The line, with its line feed.
    pub(crate) text: Vec<u8>,
    /// Whether the record has findings.
    pub(crate) is_bad: bool,
}

impl AnswerLine {
    /// Returns an answer as a line of JSON.
    pub(crate) fn json(answer: &impl Serialize, is_bad: bool) -> AnswerLine {
        AnswerLine { text: json_line(answer).into_bytes(), is_bad }
    }
}

/// Writes one answer per record in the order of the input, even for unreadable records, and returns the exit. `line` makes
/// the line of an answer, on a worker thread; `reject` adds the line of an unreadable record.
///
/// # Errors
///
/// Returns an error if a line can't be written.
pub(crate) fn write_lines<R: RecordRequest>(
    request: &R,
    layout: JsonLayout,
    io: &mut Io<'_>,
    line: impl Fn(R::Answer) -> AnswerLine + Sync,
    reject: impl Fn(&ErrorLine<'_>, Order, &mut Vec<u8>) + Sync,
) -> anyhow::Result<(Exit, R::Summary)> {
    let source = source(request, io)?;
    let reader = &source.reader;
    let mut exit = Exit::Ok;
    let mut list = JsonList::new(layout);
    let (summary, counts) =
        request.process(&source, &io.job(), line, |nth, event| -> anyhow::Result<()> {
            let mut text = Vec::new();
            match &event {
                RecordEvent::Record(line) => {
                    exit = exit.and(if line.is_bad { Exit::Findings } else { Exit::Ok });
                    io.write_bytes(&list.item(&line.text))?;
                }
                RecordEvent::Finding(found) => {
                    if !found.is_record_line {
                        show_message(found, io);
                    }
                    if let Some(error) = &found.error {
                        exit = exit.and(Exit::Findings);
                        reject(error, [0, found.finding.line], &mut text);
                        io.write_bytes(&list.item(&text))?;
                    }
                }
                RecordEvent::Failed(error, order) => {
                    reject(error, *order, &mut text);
                    io.write_bytes(&list.item(&text))?;
                }
                RecordEvent::Awaited => io.flush()?,
                RecordEvent::Skipped(_) | RecordEvent::Unreadable(_) => show_event(reader, nth, &event, io),
            }
            Ok(())
        })?;
    io.print(list.end())?;
    io.end_progress();
    if counts.unreadable_lines > 0 {
        let lines = counted(counts.unreadable_lines, "line has", "lines have");
        io.notice(&format!("{lines} no readable record"));
    }
    Ok((exit.and(read_exit(reader, &counts)), summary))
}

/// Reports a finding about a file, without its place.
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
