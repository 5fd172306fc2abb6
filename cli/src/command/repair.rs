//! `tafl repair`: suggests and applies corrections of broken records.

use std::collections::HashSet;

use anyhow::{Context, bail};
use tafl_parser::StreamEncoding;
use taflbase::escape::escape;
use taflbase::records::{
    HeaderFilter, Input, RecordEvent, RecordReader, RecordRequest, RepairAnswer, RepairRequest,
    RepairSummary, RepairedText,
};
use taflbase::{Named, WritableNotation, json_text};

use crate::args::records::FindingFormat;
use crate::args::repair::RepairArgs;
use crate::io::ColorMode;
use crate::output::{file_named, names_folder};
use crate::target::{Target, keep_apart};
use crate::{Exit, Io, records};

mod text;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an output cannot be written.
pub(crate) fn run(args: &RepairArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    let source = records::source(request, io)?;
    let reader = &source.reader;
    let show = RepairView { format: args.format, style: io.style(), with_report: args.report.is_some() };
    let inputs = &reader.inputs.list;
    let (output, report_file) = (file_named(args.output.as_deref()), file_named(args.report.as_deref()));
    keep_apart(&[("-o", output), ("--report", report_file)])?;
    if let Some(path) = report_file.filter(|path| names_folder(path)) {
        bail!("--report {} is a folder; name a file", path.display());
    }
    let target = match request.apply {
        Some(_) => Some(repaired_target(args, inputs)?),
        None => None,
    };
    let report = match &args.report {
        Some(path) => Some(Target::new(Some(path), None, inputs)?),
        None => None,
    };
    let header = request.to.map(|Named(WritableNotation(to))| HeaderFilter::new(to));
    let noted = HashSet::new();
    let mut run = RepairRun { reader, show, target, report, header, noted, is_first: true };
    run.begin(io)?;
    let (summary, counts) = request.process(
        &source,
        &io.job(),
        |answer| WrittenAnswer::new(answer, show),
        |nth, event| run.take(io, nth, event),
    )?;
    io.end_progress();
    run.end(&summary, request, io)?;
    let exit = if summary.has_faults() { Exit::Findings } else { Exit::Ok };
    Ok(exit.and(records::read_exit(reader, &counts)))
}

/// Returns the target of repaired inputs. Without --to each keeps its notation, so that several of them don't fit into
/// one file.
fn repaired_target<'a>(args: &RepairArgs, inputs: &'a [Input]) -> anyhow::Result<Target<'a>> {
    let to = args.request.to.map(|Named(WritableNotation(to))| to);
    let path = args.output.as_deref();
    let target = Target::new(path, to, inputs)?;
    if to.is_some() {
        return Ok(target);
    }
    if let (Target::File { .. }, Some(path), true) = (&target, path, inputs.len() > 1) {
        let (path, n) = (path.display(), inputs.len());
        bail!(
            "cannot write the records of {n} inputs to one file; name a folder, with a slash at the end: {path}/"
        );
    }
    Ok(target)
}

/// The presentation of broken records.
#[derive(Debug, Clone, Copy)]
struct RepairView {
    format: FindingFormat,
    style: ColorMode,
    /// Whether they are also written into a file, as lines of JSON.
    with_report: bool,
}

/// An answer as text.
enum WrittenAnswer {
    /// A record.
    Record {
        /// The text about it, if it is broken.
        text: Option<String>,
        /// The same as a line of JSON for the report.
        report: String,
    },
    /// The next part of the input, with repaired records.
    Text(RepairedText),
}

impl WrittenAnswer {
    fn new(answer: RepairAnswer, show: RepairView) -> WrittenAnswer {
        let record = match answer {
            RepairAnswer::Intact => return WrittenAnswer::Record { text: None, report: String::new() },
            RepairAnswer::Text(text) => return WrittenAnswer::Text(text),
            RepairAnswer::Broken(record) => record,
        };
        let json = || json_text(&record);
        let text = match show.format {
            FindingFormat::Text => text::record(&record, show.style),
            FindingFormat::Json => json(),
            FindingFormat::Jsonl => json() + "\n",
        };
        let report = if show.with_report { json() + "\n" } else { String::new() };
        WrittenAnswer::Record { text: Some(text), report }
    }
}

/// The state of the command.
struct RepairRun<'a, 'i> {
    reader: &'a RecordReader<'i>,
    show: RepairView,
    target: Option<Target<'a>>,
    report: Option<Target<'a>>,
    /// Drops the repeated headers of the notation in which all records are written.
    header: Option<HeaderFilter>,
    /// The inputs whose encoding was mentioned.
    noted: HashSet<usize>,
    /// Whether no record has been written yet.
    is_first: bool,
}

impl RepairRun<'_, '_> {
    fn begin(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        match self.show.format {
            FindingFormat::Json => io.print("{\"records\":[")?,
            FindingFormat::Text | FindingFormat::Jsonl => {}
        }
        Ok(())
    }

    fn take(&mut self, io: &mut Io<'_>, nth: usize, event: RecordEvent<WrittenAnswer>) -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(WrittenAnswer::Record { text, report }) => {
                if let Some(text) = &text {
                    if !std::mem::take(&mut self.is_first) && self.show.format == FindingFormat::Json {
                        io.print(",\n")?;
                    }
                    io.print(text)?;
                }
                if let Some(target) = &mut self.report {
                    target.write(io, nth, &report)?;
                }
            }
            RecordEvent::Record(WrittenAnswer::Text(RepairedText { text, encoding })) => {
                if encoding != StreamEncoding::Utf8 && !text.is_empty() && self.noted.insert(nth) {
                    let name = escape(&self.reader.inputs.list[nth].name());
                    io.notice(&format!(
                        "{name}: written as UTF-8 without compression; the input is {encoding}"
                    ));
                }
                if let Some(target) = &mut self.target {
                    let text = match &mut self.header {
                        Some(header) => header.filter(target.file_of(nth), &text),
                        None => &text,
                    };
                    target.write(io, nth, text)?;
                }
            }
            event => records::show_event(self.reader, nth, &event, io),
        }
        Ok(())
    }

    fn end(self, summary: &RepairSummary, request: &RepairRequest, io: &mut Io<'_>) -> anyhow::Result<()> {
        match self.show.format {
            FindingFormat::Text => {
                io.print(&text::summary(summary, self.show.style, request.apply.is_some()))?
            }
            FindingFormat::Json => io.print(&format!("],\n\"summary\":{}}}\n", json_text(summary)))?,
            FindingFormat::Jsonl => io.print(&format!("{}\n", json_text(summary)))?,
        }
        io.flush()?;
        for target in [self.target, self.report].into_iter().flatten() {
            target.finish().context("the output cannot be written")?;
        }
        Ok(())
    }
}
