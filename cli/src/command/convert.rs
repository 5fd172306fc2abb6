//! `tafl convert`: records in another notation.

use std::sync::Arc;

use anyhow::Context;
use tafl_parser::reader::Batch;
use tafl_parser::record::Written;
use tafl_parser::write::{WriteGame, write};
use tafl_parser::{Diagnostic, Format, Parsed, Record, Severity, Source};
use tafl_rules::Span;
use taflbase::escape::escape;
use taflbase::records::{
    FindingLocator, FindingRecord, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig,
    ReplayWorker,
};

use crate::args::records::ConvertArgs;
use crate::io::Style;
use crate::number::counted;
use crate::target::{Target, spare};
use crate::{Exit, Io, records};

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
    let config = records::replay_config(&args.input.variant, io)?;
    let reader = records::open(&args.input, io);
    let is_listing = args.losses.is_some();
    let job = Job { to: args.to, style: io.error_style(), is_listing };
    spare(&[args.losses.as_deref()], &args.input.paths)?;
    let target = Target::new(args.output.as_deref(), Some(args.to), &reader.inputs.list)?;
    let mut run = Run { target, losses: Losses::default(), listing: Listing::new(args.losses.as_deref())? };
    let counts = reader.process(
        &io.job(),
        || Converter::new(&config, job),
        |nth, event| run.take(io, &reader, nth, event),
    )?;
    io.end_progress();
    run.target.finish().context("the output cannot be written")?;
    run.listing.finish().context("the list of losses cannot be written")?;
    for line in run.losses.summary(args.to) {
        io.notice(&line);
    }
    let has_errors = run.losses.has_errors() || counts.file_errors > 0;
    let exit = records::read_exit(&reader, &counts);
    Ok(exit.and(if has_errors { Exit::Findings } else { Exit::Ok }))
}

/// So many errors of a record that is left out are told.
const MOST_TOLD: usize = 100;

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

/// What became of a record.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    /// The record, written; empty if it was left out.
    pub(crate) text: String,
    /// Why the record was left out.
    pub(crate) left_out: Option<String>,
    /// What was lost or not understood, and how often: once for each kind.
    pub(crate) losses: Vec<(Kind, u64)>,
    /// A line of JSON for each loss, where they are listed.
    list: String,
}

/// Writes records in another notation.
pub(crate) struct Converter {
    replay: ReplayWorker,
    scribe: Scribe,
    job: Job,
}

impl RecordWorker for Converter {
    type Answer = Converted;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Converted {
        let (source, parsed) = at.parse();
        self.convert(source, parsed)
    }
}

impl Converter {
    /// Creates a converter.
    pub(crate) fn new(config: &Arc<ReplayConfig>, job: Job) -> Converter {
        Converter { replay: ReplayWorker::new(config), scribe: Scribe::default(), job }
    }

    /// Writes a record, and notes what was lost or why it was left out.
    pub(crate) fn convert(&mut self, source: Source<'_>, parsed: Parsed<Record>) -> Converted {
        let Converter { replay, scribe, job } = self;
        let mut converted = Converted::default();
        let Parsed { value: mut record, diagnostics } = parsed;
        let is_broken = diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
        if is_broken && record.main().moves.is_empty() {
            converted.leave_out(source, &record, &diagnostics, *job);
            return converted;
        }
        name_variant(&mut record, replay.expected());
        // In its own notation, and in ours, a record is written as it stands.
        let needs_board = job.to != record.format && job.to != Format::Jsonl;
        let replayed = needs_board.then(|| replay.replay(Parsed::clean(record.clone())));
        let played = replayed.as_ref().and_then(|replayed| scribe.played(replayed));
        let game = WriteGame { record: &record, played: played.as_ref() };
        match write(game, job.to, &mut converted.text) {
            Ok(lost) => converted.note(source, &record, diagnostics.iter().chain(&lost), *job),
            Err(error) => {
                converted.text.clear();
                converted.left_out = Some(format!("{}: {error}", escape(source.name)));
            }
        }
        converted
    }
}

impl Converted {
    /// Notes a record of which nothing could be read.
    fn leave_out(&mut self, source: Source<'_>, record: &Record, diagnostics: &[Diagnostic], job: Job) {
        let finder = FindingLocator::new(source, record);
        let at = FindingRecord::of(source, record);
        let mut text = String::new();
        let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
        for diagnostic in errors().take(MOST_TOLD) {
            records::write_finding(&finder.find(diagnostic).line(at), job.style, &mut text);
        }
        if let Some(more @ 1..) = errors().count().checked_sub(MOST_TOLD) {
            let more = counted(more as u64, "more error", "more errors");
            text.push_str(&format!("and {more} of the same record\n"));
        }
        self.left_out = Some(text);
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
        for diagnostic in diagnostics.filter(|diagnostic| diagnostic.severity() > Severity::Note) {
            let (kind, count) = Kind::of(diagnostic);
            match self.losses.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, sum)) => *sum += count,
                None => self.losses.push((kind, count)),
            }
            if job.is_listing {
                let finder = finder.get_or_insert_with(|| FindingLocator::new(source, record));
                let at = FindingRecord::of(source, record);
                finder.find(diagnostic).line(at).write_json(&mut self.list);
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
}

impl Run<'_> {
    fn take(
        &mut self,
        io: &mut Io<'_>,
        reader: &RecordReader<'_>,
        nth: usize,
        event: RecordEvent<Converted>,
    ) -> anyhow::Result<()> {
        let RecordEvent::Record(converted) = event else {
            records::show_event(reader, nth, &event, io);
            return Ok(());
        };
        match &converted.left_out {
            Some(text) => {
                io.notice_always(text.trim_end());
                self.losses.leave_out();
            }
            None => self.losses.add_game(),
        }
        self.listing.write(io, &converted.list).context("the list of losses cannot be written")?;
        for (kind, count) in converted.losses {
            self.losses.add(kind, count);
        }
        self.target.write(io, nth, &converted.text)
    }
}
