//! `tafl repair`: what was meant where a record is wrong.

use std::collections::HashMap;

use anyhow::Context;
use tafl_parser::reader::Batch;
use tafl_parser::repair::{RepairOptions, Repairer};
use tafl_parser::{Code, Severity};

use crate::args::records::FindingFormat;
use crate::args::repair::{Apply, RepairArgs};
use crate::finding::Finding;
use crate::input::Input;
use crate::io::Style;
use crate::number::Count;
use crate::pipeline::{Plan, Step};
use crate::referee::{AskedKey, MOST_REPLAYERS, Terms};
use crate::target::Target;
use crate::{Exit, Io};
use taflbase::escape::escape;

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
    let terms = Terms::new(&args.input.variant, io)?;
    let plan = Plan::new(&args.input, io);
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
    let inputs = &plan.inputs.list;
    let target = match args.apply {
        Some(_) => Some(Target::new(args.output.as_deref(), None, inputs)?),
        None => None,
    };
    let report = match &args.report {
        Some(path) => Some(Target::new(Some(path), None, inputs)?),
        None => None,
    };
    let mut run = Run { inputs, job, target, report, sums: Sums::default(), unreadable: 0, is_first: true };
    run.begin(io)?;
    plan.read(
        io,
        || Bench { terms: &terms, repairers: HashMap::new() },
        |bench, input, batch| Answer::new(bench, input, batch, job),
        |io, step| run.take(io, step),
    )?;
    let exit = run.end(io)?;
    Ok(if plan.inputs.is_incomplete { Exit::Error } else { exit })
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

/// What a thread works with: a repairer for each variant that files' names mention, and one for those that mention none.
struct Bench<'t> {
    terms: &'t Terms,
    repairers: HashMap<AskedKey, Repairer>,
}

/// What became of a batch.
struct Answer {
    sums: Sums,
    /// What is said about each broken record.
    texts: Vec<String>,
    /// The same as lines of JSON for the report.
    report: String,
    /// The records, where they are written.
    records: Option<String>,
    /// What is said about the file itself.
    file: Vec<(Code, Severity, String)>,
}

impl Answer {
    fn new(bench: &mut Bench<'_>, input: &Input, batch: &Batch, job: Job) -> Answer {
        let asked = bench.terms.asked(batch);
        if bench.repairers.len() >= MOST_REPLAYERS {
            bench.repairers.clear();
        }
        let repairer = bench
            .repairers
            .entry(asked.key())
            .or_insert_with(|| Repairer::new(bench.terms.replay_options(&asked), job.options));
        let mut answer = Answer {
            sums: Sums::default(),
            texts: Vec::new(),
            report: String::new(),
            records: None,
            file: Vec::new(),
        };
        let mut patches = HashMap::new();
        for (nth, (source, parsed)) in batch.parse().enumerate() {
            let diagnosis = repairer.repair(&source, &parsed);
            let mended = Mended::new(source, &parsed, &diagnosis, job.apply);
            answer.sums.add(diagnosis.standing, mended.done);
            if mended.is_silent() {
                continue;
            }
            answer.texts.push(mended.told(job));
            if job.wants_report {
                answer.report += &mended.json(job);
                answer.report.push('\n');
            }
            if let Some(patch) = mended.patch {
                patches.insert(nth, patch.text);
            }
        }
        if job.apply.is_some() {
            answer.records = Some(batch.rewritten(|nth| patches.remove(&nth)));
        }
        let name = input.name();
        for found in batch.findings() {
            let mut text = String::new();
            Finding::of_file(&name, found).write_text(job.style, &mut text);
            let code = found.kind.code();
            answer.file.push((code, code.severity(), text));
        }
        answer
    }
}

/// The course of the command.
struct Run<'a> {
    inputs: &'a [Input],
    job: Job,
    target: Option<Target<'a>>,
    report: Option<Target<'a>>,
    sums: Sums,
    /// How many inputs could not be read, to the end or at all.
    unreadable: u64,
    /// Whether nothing was said yet.
    is_first: bool,
}

impl Run<'_> {
    fn begin(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        match self.job.format {
            FindingFormat::Json => io.print("{\"records\":[")?,
            FindingFormat::Text | FindingFormat::Jsonl => {}
        }
        Ok(())
    }

    fn take(&mut self, io: &mut Io<'_>, step: Step<Answer>) -> anyhow::Result<()> {
        let input = &self.inputs[step.input];
        let answer = match step.answer {
            Ok(answer) => answer,
            Err(error) => {
                self.unreadable += 1;
                io.error(&format!("{}: {error}", input.name()));
                return Ok(());
            }
        };
        for (code, severity, text) in &answer.file {
            if input.is_passed_over(*code) {
                io.notice(&format!("passed over {}: it holds no known notation", escape(&input.name())));
                return Ok(());
            }
            io.notice_always(text.trim_end());
            self.sums.add_file(*severity);
        }
        self.sums.join(&answer.sums);
        for text in &answer.texts {
            if !self.is_first && self.job.format == FindingFormat::Json {
                io.print(",\n")?;
            }
            self.is_first = false;
            io.print(text)?;
        }
        if let (Some(target), Some(records)) = (&mut self.target, &answer.records) {
            target.write(io, step.input, records)?;
        }
        if let Some(report) = &mut self.report {
            report.write(io, step.input, &answer.report)?;
        }
        io.progress(&format!("{} games", Count(self.sums.games())));
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
        Ok(if self.unreadable > 0 { Exit::Error } else { self.sums.exit() })
    }
}
