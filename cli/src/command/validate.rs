//! `tafl validate`: checks records and reports findings.

use tafl_parser::{Format, Severity};
use tafl_rules::counted;
use taflbase::records::{
    FindingLimit, FindingLine, Inputs, RecordEvent, RecordReader, RecordRequest, ValidateRequest,
    ValidatedRecord, ValidationSummary,
};

use crate::args::records::{ValidateArgs, ValidationFormat};
use crate::quarantine::{BadRecord, Quarantine};
use crate::{Exit, Io, records};

mod document;
mod explain;
mod github;
mod lines;
mod place;
mod sarif;

use document::{FindingDocument, FinishedRun, JsonFindings, TextFindings};
use github::GithubFindings;
use sarif::SarifFindings;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or an answer cannot be written.
pub(crate) fn run(args: &ValidateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(code) = &args.explain {
        return explain::run(code, io);
    }
    if args.format == ValidationFormat::Jsonl {
        return lines::run(args, io);
    }
    let request = ValidateRequest { keep_bad: args.quarantine.is_some(), ..args.request.clone() };
    let source = records::source(&request, io)?;
    let reader = &source.reader;
    let show = &FindingView::new(args, io);
    let mut report = ValidationReport::new(args, show, &reader.inputs);
    io.print(&show.format.begin())?;
    let (summary, counts) = request.process(
        &source,
        &io.job(),
        |record| CheckedGame::new(record, show),
        |nth, event| report.take(io, reader, nth, event),
    )?;
    io.end_progress();
    let findings = if summary.has(args.fail_on.severity()) { Exit::Findings } else { Exit::Ok };
    let exit = records::read_exit(reader, &counts).and(findings);
    report.end(&summary, exit, io)?;
    Ok(exit)
}

/// The code of the finding that a record agrees with other rules.
const AGREES_WITH_OTHER_RULES: &str = "R006";

/// The presentation of findings.
struct FindingView {
    format: Box<dyn FindingDocument>,
    min_severity: Severity,
}

impl FindingView {
    fn new(args: &ValidateArgs, io: &Io<'_>) -> FindingView {
        let format: Box<dyn FindingDocument> = match args.format {
            ValidationFormat::Text => Box::new(TextFindings { style: io.style() }),
            ValidationFormat::Json => Box::new(JsonFindings),
            ValidationFormat::Sarif => Box::new(SarifFindings::new()),
            ValidationFormat::Github => Box::new(GithubFindings::new()),
            ValidationFormat::Jsonl => unreachable!("each record is answered by a line"),
        };
        let is_for_people = args.format != ValidationFormat::Json;
        let min_severity = if is_for_people && !args.notes { Severity::Warning } else { Severity::Note };
        FindingView { format, min_severity }
    }

    fn write(&self, line: &FindingLine<'_>) -> Option<String> {
        // Findings about other rules are shown although they are notes, because an option requests them.
        if line.finding.level < self.min_severity && line.finding.code != AGREES_WITH_OTHER_RULES {
            return None;
        }
        Some(self.format.finding(line))
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
    fn new(mut record: ValidatedRecord, show: &FindingView) -> CheckedGame {
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
    show: &'a FindingView,
    /// The inputs that could not be read, with the reason.
    unread: Vec<String>,
}

impl<'a> ValidationReport<'a> {
    fn new(args: &ValidateArgs, show: &'a FindingView, inputs: &'a Inputs) -> ValidationReport<'a> {
        let missing = inputs.problems.iter().filter(|problem| problem.is_error());
        ValidationReport {
            show,
            limit: FindingLimit::new(args.request.limit, args.request.limit_per_code),
            is_first: true,
            quarantine: args.quarantine.as_deref().map(|folder| Quarantine::new(folder, &inputs.list)),
            unread: missing.map(ToString::to_string).collect(),
        }
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
            event => {
                if let RecordEvent::Unreadable(error) = &event {
                    self.unread.push(format!("{}: {error}", reader.inputs.list[nth].name()));
                }
                records::show_event(reader, nth, &event, io);
            }
        }
        Ok(())
    }

    fn show(&mut self, io: &mut Io<'_>, code: &'static str, text: &str) -> anyhow::Result<()> {
        if !self.limit.admit(code) {
            return Ok(());
        }
        if !std::mem::take(&mut self.is_first) {
            io.print(self.show.format.separator())?;
        }
        io.print(text)?;
        Ok(())
    }

    fn end(&mut self, summary: &ValidationSummary, exit: Exit, io: &mut Io<'_>) -> anyhow::Result<()> {
        if let Some(quarantine) = &mut self.quarantine {
            quarantine.finish()?;
            let records = counted(quarantine.len(), "record", "records");
            io.notice(&format!("{records} written to the quarantine"));
        }
        let hidden = self.limit.hidden();
        io.print(&self.show.format.end(&FinishedRun { summary, hidden, unread: &self.unread, exit }))?;
        io.flush()?;
        Ok(())
    }
}
