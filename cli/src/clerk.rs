//! Stateless commands: one line out for each record in, in the order of the input, whatever a record holds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tafl_parser::reader::{Batch, ERROR_LINE_VERSION, ErrorLine, FileFinding, Order};
use tafl_parser::{Code, Parsed, Record, Severity, Source};

use crate::finding::Finding;
use crate::input::Input;
use crate::number::{Count, counted};
use crate::pipeline::Plan;
use crate::snippet::Snippet;
use crate::{Exit, Io};
use taflbase::escape::escape;

/// Answers records; one serves one thread.
pub(crate) trait Clerk: Send {
    /// Turns to the records of a batch.
    fn enter(&mut self, batch: &Batch);

    /// Adds the line of a record to `out`, and returns whether something is wrong with the record.
    fn answer(&mut self, source: Source<'_>, parsed: Parsed<Record>, order: Order, out: &mut Vec<u8>)
    -> Exit;

    /// Adds the line of a record that could not be had to `out`.
    fn refuse(&self, error: &ErrorLine<'_>, _order: Order, out: &mut Vec<u8>) {
        error.write(out);
    }
}

/// The code of a record at which the program itself failed.
pub(crate) const PANIC: &str = "panic";

/// What is said of such a record.
pub(crate) const FAILED: &str = "the program failed at this record; please report it";

/// How reading went.
pub(crate) struct Done {
    pub(crate) exit: Exit,
    /// How many inputs were read, as a tally counts them.
    pub(crate) files: u64,
}

/// Reads the inputs of a plan and writes a line for each record. `hire` makes a clerk; another one is hired where one fails
/// at a record.
///
/// # Errors
///
/// Fails when an answer cannot be written.
pub(crate) fn run<C: Clerk>(
    plan: &Plan,
    io: &mut Io<'_>,
    hire: impl Fn() -> C + Sync,
) -> anyhow::Result<Done> {
    let mut exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let (mut records, mut refused) = (0, 0);
    let (mut files, mut last_file) = (0, None);
    plan.read_numbered(
        io,
        &hire,
        |clerk, (nth, input), batch| Answers::new(clerk, &hire, (nth, input), batch),
        |io, step| {
            let input = &plan.inputs.list[step.input];
            let answers = match step.answer {
                Ok(answers) => answers,
                Err(error) => {
                    exit = Exit::Error;
                    io.error(&format!("{}: {error}", input.name()));
                    return Ok(());
                }
            };
            exit = exit.and(answers.exit);
            if last_file != Some(step.input) && !answers.is_passed_over(input) {
                (files, last_file) = (files + 1, Some(step.input));
            }
            (records, refused) = (records + answers.records, refused + answers.refused);
            answers.put(io, input)?;
            io.progress(&format!("{} games", Count(records)));
            Ok(())
        },
    )?;
    if refused > 0 {
        io.notice(&format!("{} no record that can be read", counted(refused, "line holds", "lines hold")));
    }
    Ok(Done { exit, files })
}

/// The answers for a batch.
struct Answers {
    text: Vec<u8>,
    records: u64,
    /// How many record lines held no record.
    refused: u64,
    exit: Exit,
    /// What is to be said about the file itself.
    file: Vec<(Code, String)>,
    /// Whether a partner may wait for the answers.
    is_awaited: bool,
}

/// Something in a batch that is to be answered.
enum Item<'b> {
    /// The record with this number.
    Record(usize),
    /// What stands in the place of a record, or is to be said about the file.
    Finding(&'b FileFinding),
}

/// Returns everything of a batch, in the order of the stream.
fn items(batch: &Batch) -> Vec<Item<'_>> {
    let records = batch.sources().enumerate().map(|(nth, source)| (source.base, Item::Record(nth)));
    let findings = batch.findings().iter().map(|found| (found.base, Item::Finding(found)));
    let mut items: Vec<(u64, Item<'_>)> = records.chain(findings).collect();
    if !batch.is_wrapped() {
        items.sort_by_key(|(base, _)| *base);
    }
    items.into_iter().map(|(_, item)| item).collect()
}

/// Returns what stands in the place of a record of the file with this name that could not be had.
pub(crate) fn error_line(name: &str, batch: &Batch, found: &FileFinding) -> ErrorLine<'static> {
    let (source, place) = match &found.record {
        Some((source, place)) => (Some(source.to_string()), Some(*place)),
        None if batch.is_wrapped() => (None, None),
        None => (Some(name.to_owned()), Some(found.line)),
    };
    ErrorLine {
        taflbase_error: ERROR_LINE_VERSION,
        source: source.map(Into::into),
        place,
        line: found.line,
        code: found.kind.code().text().into(),
        message: Finding::of_file(name, found).message.into(),
    }
}

impl Answers {
    fn new<C: Clerk>(
        clerk: &mut C,
        hire: &impl Fn() -> C,
        (nth, input): (usize, &Input),
        batch: &Batch,
    ) -> Answers {
        let mut answers = Answers {
            text: Vec::new(),
            records: 0,
            refused: 0,
            exit: Exit::Ok,
            file: Vec::new(),
            is_awaited: batch.is_wrapped(),
        };
        clerk.enter(batch);
        let source = batch.input().unwrap_or(nth as u64 + 1);
        for item in items(batch) {
            match item {
                Item::Record(at) => answers.record(clerk, hire, (batch, at), source),
                Item::Finding(found) => answers.finding(clerk, input, batch, found),
            }
        }
        answers
    }

    fn record<C: Clerk>(
        &mut self,
        clerk: &mut C,
        hire: &impl Fn() -> C,
        (batch, at): (&Batch, usize),
        input: u64,
    ) {
        self.records += 1;
        let before = self.text.len();
        let text = &mut self.text;
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let (source, parsed) = batch.parse_one(at);
            clerk.answer(source, parsed, [input, source.ordinal], text)
        }));
        let exit = answered.unwrap_or_else(|_| {
            self.text.truncate(before);
            *clerk = hire();
            clerk.enter(batch);
            if let Some(source) = batch.sources().nth(at) {
                let error = ErrorLine {
                    taflbase_error: ERROR_LINE_VERSION,
                    source: Some(source.name.into()),
                    place: Some(source.line),
                    line: source.line,
                    code: PANIC.into(),
                    message: FAILED.into(),
                };
                clerk.refuse(&error, [input, source.ordinal], &mut self.text);
            }
            Exit::Findings
        });
        self.exit = self.exit.and(exit);
    }

    fn finding<C: Clerk>(&mut self, clerk: &C, input: &Input, batch: &Batch, found: &FileFinding) {
        let code = found.kind.code();
        let name = input.name();
        let message = Finding::of_file(&name, found).message;
        if !batch.is_wrapped() {
            self.file.push((code, format!("{name}: {message}")));
        }
        if code.severity() != Severity::Error || input.is_passed_over(code) {
            return;
        }
        self.refused += u64::from(batch.is_wrapped());
        self.exit = self.exit.and(Exit::Findings);
        clerk.refuse(&error_line(&name, batch, found), [0, found.line], &mut self.text);
    }

    /// Returns whether the input holds no records, as files in folders may.
    fn is_passed_over(&self, input: &Input) -> bool {
        self.file.iter().any(|(code, _)| input.is_passed_over(*code))
    }

    /// Writes the lines; what is wrong with files goes to standard error, too.
    fn put(&self, io: &mut Io<'_>, input: &Input) -> anyhow::Result<()> {
        for (code, message) in &self.file {
            if input.is_passed_over(*code) {
                io.notice(&format!("passed over {}: it holds no known notation", escape(&input.name())));
                continue;
            }
            let mut text = String::new();
            let help = Some(code.help());
            Snippet { severity: code.severity(), code: Some(code.text()), message, place: None, help }
                .write(io.error_style(), &mut text);
            io.notice_always(text.trim_end());
        }
        io.write_bytes(&self.text)?;
        if self.is_awaited {
            io.flush()?;
        }
        Ok(())
    }
}
