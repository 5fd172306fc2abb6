//! `tafl repair`: what was meant where a record is wrong.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context;
use tafl_parser::reader::Batch;
use tafl_parser::repair::{RepairOptions, Repairer};
use taflbase::records::{
    MAX_REPLAYERS, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig, RequestedRules,
    RequestedRulesKey,
};

use crate::args::records::FindingFormat;
use crate::args::repair::{Apply, RepairArgs};
use crate::io::Style;
use crate::target::Target;
use crate::{Exit, Io, records};

mod mend;
mod sums;
mod told;

use mend::Mended;
use sums::Sums;

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or an output cannot be written.
pub(crate) fn run(args: &RepairArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let config = records::replay_config(&args.input.rules, io)?;
    let reader = records::open(&args.input, io);
    let job = Job {
        format: args.format,
        style: io.style(),
        limit: args.limit,
        apply: args.apply,
        wants_report: args.report.is_some(),
        options: RepairOptions {
            max_edits: usize::from(args.max_edits),
            confidence: f64::from(args.sure) / 100.0,
            ..RepairOptions::default()
        },
    };
    let inputs = &reader.inputs.list;
    let target = match args.apply {
        Some(_) => Some(Target::new(args.output.as_deref(), None, inputs)?),
        None => None,
    };
    let report = match &args.report {
        Some(path) => Some(Target::new(Some(path), None, inputs)?),
        None => None,
    };
    let mut run = Run { reader: &reader, job, target, report, sums: Sums::default(), is_first: true };
    run.begin(io)?;
    let counts = reader.process(
        &io.job(),
        || Mender {
            config: Arc::clone(&config),
            job,
            repairers: HashMap::new(),
            key: None,
            patches: HashMap::new(),
        },
        |nth, event| run.take(io, nth, event),
    )?;
    io.end_progress();
    let exit = run.end(io)?;
    Ok(exit.and(records::read_exit(&reader, &counts)))
}

/// What to do with each record.
#[derive(Debug, Clone, Copy)]
struct Job {
    format: FindingFormat,
    style: Style,
    limit: usize,
    apply: Option<Apply>,
    wants_report: bool,
    options: RepairOptions,
}

/// Repairs records: a repairer for each variant that files' names mention, and one for those that mention none.
struct Mender {
    config: Arc<ReplayConfig>,
    job: Job,
    repairers: HashMap<RequestedRulesKey, Repairer>,
    /// What the present file asks for.
    key: Option<RequestedRulesKey>,
    /// New texts of records of the present batch, by their numbers.
    patches: HashMap<usize, String>,
}

/// An answer about a record or a batch.
enum Answer {
    /// A record.
    Record {
        sums: Sums,
        /// What is said about it, if it is broken.
        text: Option<String>,
        /// The same as a line of JSON for the report.
        report: String,
    },
    /// The text of a batch with repaired records.
    Batch(String),
}

impl RecordWorker for Mender {
    type Answer = Answer;

    fn enter(&mut self, batch: &Batch) {
        let requested = self.config.requested(RequestedRules::of(batch));
        if self.repairers.len() >= MAX_REPLAYERS {
            self.repairers.clear();
        }
        let key = requested.key();
        self.repairers
            .entry(key)
            .or_insert_with(|| Repairer::new(self.config.options(&requested), self.job.options));
        self.key = Some(key);
        self.patches.clear();
    }

    fn record(&mut self, at: RecordAt<'_>) -> Answer {
        let job = self.job;
        let (source, parsed) = at.parse();
        let repairer = self.key.and_then(|key| self.repairers.get_mut(&key)).expect("a batch was entered");
        let diagnosis = repairer.repair(&source, &parsed);
        let mended = Mended::new(source, &parsed, &diagnosis, job.apply);
        let mut sums = Sums::default();
        sums.add(diagnosis.standing, mended.done);
        if mended.is_silent() {
            return Answer::Record { sums, text: None, report: String::new() };
        }
        let text = Some(mended.told(job));
        let report = if job.wants_report { mended.json(job) + "\n" } else { String::new() };
        if let Some(patch) = mended.patch {
            self.patches.insert(at.nth, patch.text);
        }
        Answer::Record { sums, text, report }
    }

    fn end(&mut self, batch: &Batch) -> Option<Answer> {
        let text = |patches: &mut HashMap<usize, String>| batch.rewritten(|nth| patches.remove(&nth));
        self.job.apply.map(|_| Answer::Batch(text(&mut self.patches)))
    }
}

/// The course of the command.
struct Run<'a, 'i> {
    reader: &'a RecordReader<'i>,
    job: Job,
    target: Option<Target<'a>>,
    report: Option<Target<'a>>,
    sums: Sums,
    /// Whether nothing was said yet.
    is_first: bool,
}

impl Run<'_, '_> {
    fn begin(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        match self.job.format {
            FindingFormat::Json => io.print("{\"records\":[")?,
            FindingFormat::Text | FindingFormat::Jsonl => {}
        }
        Ok(())
    }

    fn take(&mut self, io: &mut Io<'_>, nth: usize, event: RecordEvent<Answer>) -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(Answer::Record { sums, text, report }) => {
                self.sums.join(&sums);
                if let Some(text) = &text {
                    if !self.is_first && self.job.format == FindingFormat::Json {
                        io.print(",\n")?;
                    }
                    self.is_first = false;
                    io.print(text)?;
                }
                if let Some(target) = &mut self.report {
                    target.write(io, nth, &report)?;
                }
            }
            RecordEvent::Record(Answer::Batch(text)) => {
                if let Some(target) = &mut self.target {
                    target.write(io, nth, &text)?;
                }
            }
            event => {
                if let RecordEvent::Finding(found) = &event {
                    self.sums.add_file(found.finding.level);
                }
                records::show_event(self.reader, nth, &event, io);
            }
        }
        Ok(())
    }

    fn end(self, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        match self.job.format {
            FindingFormat::Text => io.print(&self.sums.text(self.job.style, self.job.apply))?,
            FindingFormat::Json => io.print(&format!("],\n\"summary\":{}}}\n", self.sums.json()))?,
            FindingFormat::Jsonl => io.print(&format!("{}\n", self.sums.json()))?,
        }
        io.flush()?;
        for target in [self.target, self.report].into_iter().flatten() {
            target.finish().context("the output cannot be written")?;
        }
        Ok(self.sums.exit())
    }
}
