//! `tafl lines`: files cut into record lines.

use tafl_parser::reader::{Batch, RecordLine};
use tafl_parser::{Code, Severity};

use crate::args::lines::LinesArgs;
use crate::clerk;
use crate::exit::Said;
use crate::finding::Finding;
use crate::input::Input;
use crate::io::Style;
use crate::number::Count;
use crate::pipeline::{Plan, Step};
use crate::variant::variant_of;
use crate::{Exit, Io};
use taflbase::escape::escape;

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
    let plan = Plan::new(&args.input, io).calling_stdin(args.name.clone());
    let exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let job = Job { variant, first: args.source_number.get(), found: args.found, style: io.error_style() };
    let mut run = Run { plan: &plan, job: &job, current: None, waiting: Vec::new(), records: 0, exit };
    plan.read_numbered(
        io,
        || (),
        |(), (nth, input), batch| Cut::new(&job, nth, input, batch),
        |io, step| run.take(io, step),
    )?;
    run.end_input(io);
    Ok(run.exit)
}

/// How lines are written.
struct Job {
    /// What lines say of the rules.
    variant: Option<String>,
    /// The number of the first input.
    first: u64,
    /// Whether all files count as found in folders.
    found: bool,
    style: Style,
}

impl Job {
    /// Returns whether an input may be something else than records.
    fn is_found(&self, input: &Input) -> bool {
        self.found || matches!(input, Input::Found { .. })
    }

    /// Returns whether a finding about a file means no more than that it is something else.
    fn passes_over(&self, input: &Input, code: Code) -> bool {
        self.is_found(input) && Input::is_foreign(code)
    }
}

/// The lines of a batch.
struct Cut {
    text: Vec<u8>,
    records: u64,
    /// Whether moves are written in one of the records; only asked where it matters.
    has_moves: bool,
    /// What is to be said about the file.
    file: Vec<(Code, String)>,
}

impl Cut {
    fn new(job: &Job, nth: usize, input: &Input, batch: &Batch) -> Cut {
        let mut text = Vec::with_capacity(batch.sources().map(|source| source.text.len() + 200).sum());
        for at in 0..batch.len() {
            let number = job.first + nth as u64;
            RecordLine::of(batch, at, number, job.variant.as_deref()).write(&mut text);
        }
        let name = batch.name();
        let mut file = Vec::new();
        for found in batch.findings() {
            let code = found.kind.code();
            let finding = Finding::of_file(name, found);
            if code.severity() == Severity::Error && !job.passes_over(input, code) {
                clerk::error_line(name, batch, found).write(&mut text);
            }
            let mut told = String::new();
            finding.write_text(job.style, &mut told);
            file.push((code, told));
        }
        let has_moves =
            !job.is_found(input) || batch.parse().any(|(_, parsed)| !parsed.value.main().moves.is_empty());
        Cut { text, records: batch.len() as u64, has_moves, file }
    }
}

/// The course of the command.
struct Run<'p> {
    plan: &'p Plan,
    job: &'p Job,
    /// The number of the present input, and whether a record with moves came from it.
    current: Option<(usize, bool)>,
    /// Lines of the present file of a folder, as long as it has shown no moves.
    waiting: Vec<u8>,
    records: u64,
    exit: Exit,
}

impl Run<'_> {
    fn take(&mut self, io: &mut Io<'_>, step: Step<Cut>) -> anyhow::Result<()> {
        if self.current.is_none_or(|(nth, _)| nth != step.input) {
            self.end_input(io);
            self.current = Some((step.input, false));
        }
        let input = &self.plan.inputs.list[step.input];
        let cut = match step.answer {
            Ok(cut) => cut,
            Err(error) => {
                self.exit = Exit::Error;
                io.error(&format!("{}: {error}", input.name()));
                return Ok(());
            }
        };
        for (code, text) in &cut.file {
            if self.job.passes_over(input, *code) {
                pass_over(io, input);
                continue;
            }
            io.notice_always(text.trim_end());
            if code.severity() == Severity::Error {
                self.exit = self.exit.and(Exit::Findings);
            }
        }
        let is_shown = self.current.as_mut().is_some_and(|(_, shown)| {
            *shown |= cut.has_moves;
            *shown
        });
        if !is_shown {
            // A folder holds other files too: one without a single move is none of records.
            self.waiting.extend(cut.text);
            return Ok(());
        }
        io.write_bytes(&std::mem::take(&mut self.waiting))?;
        io.write_bytes(&cut.text)?;
        self.records += cut.records;
        io.progress(&format!("{} records", Count(self.records)));
        Ok(())
    }

    /// Ends the present input.
    fn end_input(&mut self, io: &mut Io<'_>) {
        let Some((nth, _)) = self.current.take() else { return };
        if !self.waiting.is_empty() {
            self.waiting.clear();
            pass_over(io, &self.plan.inputs.list[nth]);
        }
    }
}

fn pass_over(io: &mut Io<'_>, input: &Input) {
    io.notice(&format!("passed over {}: it holds no records", escape(&input.name())));
}
