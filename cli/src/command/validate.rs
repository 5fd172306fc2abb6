//! `tafl validate`: checks records and reports findings.

use tafl_parser::{Format, Severity};
use taflbase::records::{
    FindingLimit, FindingLine, Input, RecordEvent, RecordReader, RecordRequest, ValidateRequest,
    ValidatedRecord, ValidationSummary,
};

use crate::args::records::{FindingFormat, ValidateArgs};
use crate::io::ColorMode;
use crate::number::counted;
use crate::quarantine::{BadRecord, Quarantine};
use crate::{Exit, Io, records, tally};

mod explain;
mod lines;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an answer cannot be written.
pub(crate) fn run(args: &ValidateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(code) = &args.explain {
        return explain::run(code, io);
    }
    if args.format == FindingFormat::Jsonl {
        return lines::run(args, io);
    }
    let request = ValidateRequest { keep_bad: args.quarantine.is_some(), ..args.request.clone() };
    let source = records::source(&request, io)?;
    let reader = &source.reader;
    let show = FindingView { format: args.format, style: io.style(), min_severity: min_severity(args) };
    let mut report = ValidationReport::new(args, show, &reader.inputs.list);
    report.begin(io)?;
    let (summary, counts) = request.process(
        &source,
        &io.job(),
        |record| CheckedGame::new(record, show),
        |nth, event| report.take(io, reader, nth, event),
    )?;
    io.end_progress();
    report.end(&summary, io)?;
    let exit = records::read_exit(reader, &counts);
    Ok(exit.and(if summary.has(args.fail_on.severity()) { Exit::Findings } else { Exit::Ok }))
}

/// Returns the minimum severity of findings that are shown.
fn min_severity(args: &ValidateArgs) -> Severity {
    match args.format {
        FindingFormat::Text if !args.notes => Severity::Warning,
        FindingFormat::Text | FindingFormat::Json | FindingFormat::Jsonl => Severity::Note,
    }
}

/// The code of the finding that a record agrees with other rules.
const AGREES_WITH_OTHER_RULES: &str = "R006";

/// The presentation of findings.
#[derive(Debug, Clone, Copy)]
struct FindingView {
    format: FindingFormat,
    style: ColorMode,
    min_severity: Severity,
}

impl FindingView {
    fn write(self, line: &FindingLine<'_>) -> Option<String> {
        // Findings about other rules are shown although they are notes, because an option requests them.
        if line.finding.level < self.min_severity && line.finding.code != AGREES_WITH_OTHER_RULES {
            return None;
        }
        let mut out = String::new();
        match self.format {
            FindingFormat::Text => {
                records::write_finding(line, self.style, &mut out);
                out.push('\n');
            }
            FindingFormat::Json => line.write_json(&mut out),
            FindingFormat::Jsonl => {
                line.write_json(&mut out);
                out.push('\n');
            }
        }
        Some(out)
    }
}

/// The output about a game.
struct CheckedGame {
    notation: Format,
    /// The findings that are shown: their codes and texts.
    shown: Vec<(&'static str, String)>,
    bad: Option<BadRecord>,
}

impl CheckedGame {
    fn new(mut record: ValidatedRecord, show: FindingView) -> CheckedGame {
        let text = |line: FindingLine<'_>| show.write(&line).map(|text| (line.finding.code, text));
        let shown = record.lines().filter_map(text).collect();
        let bad = record.bad_text.take().map(|text| {
            let mut findings = String::new();
            for line in record.lines() {
                line.write_json(&mut findings);
                findings.push('\n');
            }
            BadRecord { text, findings }
        });
        CheckedGame { notation: record.notation, shown, bad }
    }
}

/// Writes the report from the answers in order.
struct ValidationReport<'a> {
    limit: FindingLimit,
    /// Whether no finding has been written yet.
    is_first: bool,
    quarantine: Option<Quarantine<'a>>,
    show: FindingView,
}

impl<'a> ValidationReport<'a> {
    fn new(args: &ValidateArgs, show: FindingView, inputs: &'a [Input]) -> ValidationReport<'a> {
        ValidationReport {
            show,
            limit: FindingLimit::new(args.request.limit, args.request.limit_per_code),
            is_first: true,
            quarantine: args.quarantine.as_deref().map(|folder| Quarantine::new(folder, inputs)),
        }
    }

    fn begin(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        match self.show.format {
            FindingFormat::Json => io.print("{\"findings\":[")?,
            FindingFormat::Text | FindingFormat::Jsonl => {}
        }
        Ok(())
    }

    fn take(
        &mut self,
        io: &mut Io<'_>,
        reader: &RecordReader<'_>,
        nth: usize,
        event: RecordEvent<CheckedGame>,
    ) -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(CheckedGame { notation, shown, bad }) => {
                for (code, text) in &shown {
                    self.show(io, code, text)?;
                }
                if let (Some(quarantine), Some(bad)) = (&mut self.quarantine, &bad) {
                    quarantine.add(nth, notation, bad)?;
                }
            }
            RecordEvent::Finding(found) => {
                if let Some(text) = self.show.write(&found.finding.line_of_file(&found.file)) {
                    self.show(io, found.finding.code, &text)?;
                }
            }
            event => records::show_event(reader, nth, &event, io),
        }
        Ok(())
    }

    fn show(&mut self, io: &mut Io<'_>, code: &'static str, text: &str) -> anyhow::Result<()> {
        if !self.limit.admit(code) {
            return Ok(());
        }
        if !std::mem::take(&mut self.is_first) && self.show.format == FindingFormat::Json {
            io.print(",\n")?;
        }
        io.print(text)?;
        Ok(())
    }

    fn end(&mut self, summary: &ValidationSummary, io: &mut Io<'_>) -> anyhow::Result<()> {
        if let Some(quarantine) = &mut self.quarantine {
            quarantine.finish()?;
            let records = counted(quarantine.len(), "record", "records");
            io.notice(&format!("{records} written to the quarantine"));
        }
        let json = |summary| serde_json::to_string(summary).expect("a summary has only texts and numbers");
        match self.show.format {
            FindingFormat::Text => {
                if self.limit.hidden() > 0 {
                    let more = counted(self.limit.hidden(), "more finding", "more findings");
                    io.print(&format!("{more} not shown\n\n"))?;
                }
                io.print(&tally::to_text(summary, self.show.style))?;
            }
            FindingFormat::Json => {
                io.print("],\n\"summary\":")?;
                io.print(&json(summary))?;
                io.print("}\n")?;
            }
            FindingFormat::Jsonl => io.print(&format!("{}\n", json(summary)))?,
        }
        io.flush()?;
        Ok(())
    }
}
