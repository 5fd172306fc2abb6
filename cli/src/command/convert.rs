//! `tafl convert`: records in another notation.

use anyhow::Context;
use tafl_parser::reader::Batch;
use tafl_parser::record::Written;
use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Diagnostic, Format, Parsed, Record, Severity, Source};
use tafl_rules::Span;

use crate::args::records::ConvertArgs;
use crate::finding::{Finder, Finding};
use crate::input::Input;
use crate::io::Style;
use crate::number::{Count, counted};
use crate::pipeline::{Plan, Step};
use crate::referee::{Referee, Terms};
use crate::target::{Target, spare};
use crate::{Exit, Io};
use taflbase::escape::escape;

pub(crate) mod losses;
pub(crate) mod played;

use losses::{Kind, Listing, Losses};
use played::Scribe;

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or the output cannot be written.
pub(crate) fn run(args: &ConvertArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let terms = Terms::new(&args.input.variant, io)?;
    let plan = Plan::new(&args.input, io);
    let is_listing = args.losses.is_some();
    let job = Job { to: args.to, style: io.error_style(), is_listing };
    spare(&[args.losses.as_deref()], &args.input.paths)?;
    let target = Target::new(args.output.as_deref(), Some(args.to), &plan.inputs.list)?;
    let mut run =
        Run { target, losses: Losses::default(), listing: Listing::new(args.losses.as_deref())?, failed: 0 };
    plan.read(
        io,
        || (terms.referee(), Scribe::default()),
        |(referee, scribe), input, batch| Converted::new((referee, scribe), input, batch, job),
        |io, step| run.take(io, (step.input, &plan.inputs.list[step.input]), step),
    )?;
    run.target.finish().context("the output cannot be written")?;
    run.listing.finish().context("the list of losses cannot be written")?;
    for line in run.losses.summary(args.to) {
        io.notice(&line);
    }
    if plan.inputs.is_incomplete || run.failed > 0 {
        return Ok(Exit::Error);
    }
    Ok(if run.losses.has_errors() { Exit::Findings } else { Exit::Ok })
}

/// So many errors of a record that is left out are told.
const MOST_TOLD: usize = 100;

/// What a thread works with.
pub(crate) type Hands<'h, 't> = (&'h mut Referee<'t>, &'h mut Scribe);

/// What to do with each record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    /// The notation to write.
    pub(crate) to: Format,
    /// How findings are written.
    pub(crate) style: Style,
    /// Whether every loss is listed.
    pub(crate) is_listing: bool,
}

/// What became of a batch.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    /// The records, written.
    pub(crate) text: String,
    /// How many there are.
    pub(crate) games: u64,
    /// What is said about records and files that were left out.
    pub(crate) left_out: Vec<String>,
    /// What was lost or not understood, and how often: once for each game and kind.
    pub(crate) losses: Vec<(Kind, u64)>,
    /// A line of JSON for each loss, where they are listed.
    list: String,
    /// What is said about the file itself.
    file: Vec<(tafl_parser::Code, String)>,
}

impl Converted {
    fn new((referee, scribe): Hands<'_, '_>, input: &Input, batch: &Batch, job: Job) -> Converted {
        let mut converted = Converted::default();
        referee.enter_batch(batch);
        for (source, parsed) in batch.parse() {
            converted.add((&mut *referee, &mut *scribe), source, parsed, job);
        }
        let name = input.name();
        for found in batch.findings() {
            let finding = Finding::of_file(&name, found);
            let mut text = String::new();
            finding.write_text(job.style, &mut text);
            converted.file.push((found.kind.code(), text));
        }
        converted
    }

    /// Writes a record, and notes what was lost or why it was left out.
    pub(crate) fn add(
        &mut self,
        (referee, scribe): Hands<'_, '_>,
        source: Source<'_>,
        parsed: Parsed<Record>,
        job: Job,
    ) {
        let Parsed { value: mut record, diagnostics } = parsed;
        let is_broken = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
        if is_broken && record.main().moves.is_empty() {
            return self.leave_out(source, &record, &diagnostics, job);
        }
        name_variant(&mut record, referee.expected());
        // In its own notation, and in ours, a record is written as it stands.
        let needs_board = job.to != record.format && job.to != Format::Jsonl;
        let judged = needs_board.then(|| referee.judge(Parsed::clean(record.clone())));
        let played = judged.as_ref().and_then(|judged| scribe.played(judged));
        let game = WriteGame { record: &record, played: played.as_ref() };
        let before = self.text.len();
        match write(game, job.to, &mut self.text) {
            Ok(lost) => {
                self.games += 1;
                self.note(source, &record, diagnostics.iter().chain(&lost), job);
            }
            Err(error) => {
                self.text.truncate(before);
                self.left_out.push(format!("{}: {error}", escape(source.name)));
            }
        }
    }

    /// Notes a record of which nothing could be read.
    fn leave_out(&mut self, source: Source<'_>, record: &Record, diagnostics: &[Diagnostic], job: Job) {
        let finder = Finder::new(source, record);
        let mut text = String::new();
        let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
        for diagnostic in errors().take(MOST_TOLD) {
            finder.find(diagnostic).write_text(job.style, &mut text);
        }
        if let Some(more @ 1..) = errors().count().checked_sub(MOST_TOLD) {
            let more = counted(more as u64, "more error", "more errors");
            text.push_str(&format!("and {more} of the same record\n"));
        }
        self.left_out.push(text);
    }

    /// Notes what was not understood or could not be said.
    fn note<'d>(
        &mut self,
        source: Source<'_>,
        record: &Record,
        diagnostics: impl Iterator<Item = &'d Diagnostic>,
        job: Job,
    ) {
        let mut finder = None;
        let first = self.losses.len();
        for diagnostic in diagnostics.filter(|diagnostic| diagnostic.severity() > Severity::Note) {
            let (kind, count) = Kind::of(diagnostic);
            match self.losses[first..].iter_mut().find(|(known, _)| *known == kind) {
                Some((_, sum)) => *sum += count,
                None => self.losses.push((kind, count)),
            }
            if job.is_listing {
                let finder = finder.get_or_insert_with(|| Finder::new(source, record));
                finder.find(diagnostic).write_json(&mut self.list);
                self.list.push('\n');
            }
        }
    }
}

/// Writes the variant that the command line or the file's name gives into a record that names neither rules nor a
/// variant: what is written will have another file name.
fn name_variant(record: &mut Record, expected: Option<&'static str>) {
    if let (None, None, Some(name)) = (&record.rules, &record.variant, expected) {
        record.variant = Some(Written { text: name.into(), span: Span::default() });
    }
}

/// The course of the command.
struct Run<'a> {
    target: Target<'a>,
    losses: Losses,
    listing: Listing,
    /// How many inputs could not be read.
    failed: u64,
}

impl Run<'_> {
    fn take(
        &mut self,
        io: &mut Io<'_>,
        (nth, input): (usize, &Input),
        step: Step<Converted>,
    ) -> anyhow::Result<()> {
        let converted = match step.answer {
            Ok(converted) => converted,
            Err(error) => {
                self.failed += 1;
                io.error(&format!("{}: {error}", input.name()));
                return Ok(());
            }
        };
        for (code, text) in &converted.file {
            if input.is_passed_over(*code) {
                io.notice(&format!("passed over {}: it holds no known notation", escape(&input.name())));
                continue;
            }
            io.notice_always(text.trim_end());
            self.losses.add_file(code.severity());
        }
        for text in &converted.left_out {
            io.notice_always(text.trim_end());
            self.losses.leave_out();
        }
        self.listing.write(io, &converted.list).context("the list of losses cannot be written")?;
        for (kind, count) in converted.losses {
            self.losses.add(kind, count);
        }
        self.losses.add_games(converted.games);
        self.target.write(io, nth, &converted.text)?;
        io.progress(&format!("{} games", Count(self.losses.games())));
        Ok(())
    }
}
