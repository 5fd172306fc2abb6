//! `tafl validate`: which records are sound, and what is wrong with the others.

use std::collections::BTreeMap;

use tafl_parser::reader::Batch;
use tafl_parser::{Code, Format, Severity, Source};

use crate::args::records::{FindingFormat, ValidateArgs};
use crate::finding::{Finder, Finding};
use crate::input::Input;
use crate::io::Style;
use crate::number::{Count, counted};
use crate::pipeline::{Plan, Step};
use crate::quarantine::{BadRecord, Quarantine};
use crate::referee::{Judged, Referee, Terms};
use crate::tally::{GameTally, Tally};
use crate::{Exit, Io};

mod explain;
mod lines;

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, or an answer cannot be written.
pub(crate) fn run(args: &ValidateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(code) = &args.explain {
        return explain::run(code, io);
    }
    let terms = Terms::new(&args.input.variant, io)?;
    let terms = if args.attribute { terms.attributing() } else { terms };
    let plan = Plan::new(&args.input, io);
    if args.format == FindingFormat::Jsonl {
        return lines::run(args, &terms, &plan, io);
    }
    let show = Show {
        format: args.format,
        style: io.style(),
        least: least_shown(args),
        keeps_bad: args.quarantine.is_some(),
    };
    let mut report = Report::new(args, &plan.inputs.list);
    report.begin(io)?;
    plan.read(
        io,
        || terms.referee(),
        |referee, input, batch| Checked::new(referee, input, batch, show),
        |io, step| report.take(io, step),
    )?;
    report.end(io)?;
    let tally = &report.tally;
    if plan.inputs.is_incomplete || tally.unreadable > 0 {
        return Ok(Exit::Error);
    }
    Ok(if tally.has(args.fail_on.severity()) { Exit::Findings } else { Exit::Ok })
}

/// Returns from which severity on findings are shown.
fn least_shown(args: &ValidateArgs) -> Severity {
    match args.format {
        FindingFormat::Text if !args.notes => Severity::Warning,
        FindingFormat::Text | FindingFormat::Json | FindingFormat::Jsonl => Severity::Note,
    }
}

/// The code of the finding that a record would be right under other rules.
const RIGHT_UNDER: &str = "R006";

/// How findings are shown.
#[derive(Debug, Clone, Copy)]
struct Show {
    format: FindingFormat,
    style: Style,
    least: Severity,
    /// Whether bad records are kept for the quarantine.
    keeps_bad: bool,
}

impl Show {
    fn write(self, finding: &Finding<'_>) -> Option<String> {
        // Who asks for other rules gets them, though they are notes.
        if finding.level() < self.least && finding.code != RIGHT_UNDER {
            return None;
        }
        let mut out = String::new();
        match self.format {
            FindingFormat::Text => {
                finding.write_text(self.style, &mut out);
                out.push('\n');
            }
            FindingFormat::Json => finding.write_json(&mut out),
            FindingFormat::Jsonl => {
                finding.write_json(&mut out);
                out.push('\n');
            }
        }
        Some(out)
    }
}

/// What was found out about a batch.
struct Checked {
    format: Option<Format>,
    games: Vec<CheckedGame>,
    /// Findings about the file, with their text.
    file: Vec<(Code, Option<String>)>,
}

/// What was found out about a game.
struct CheckedGame {
    tally: GameTally,
    /// The texts of the findings that are shown.
    shown: Vec<(Code, String)>,
    bad: Option<BadRecord>,
}

impl Checked {
    fn new(referee: &mut Referee<'_>, input: &Input, batch: &Batch, show: Show) -> Checked {
        referee.enter_batch(batch);
        let games = batch.parse().map(|(source, parsed)| {
            let judged = referee.judge(parsed);
            CheckedGame::new(source, &judged, show)
        });
        let games = games.collect();
        let name = input.name();
        let file = batch.findings().iter().map(|found| {
            let finding = Finding::of_file(&name, found);
            (found.kind.code(), show.write(&finding))
        });
        Checked { format: batch.format(), games, file: file.collect() }
    }
}

impl CheckedGame {
    fn new(source: Source<'_>, judged: &Judged, show: Show) -> CheckedGame {
        let mut game = CheckedGame { tally: judged.tally(), shown: Vec::new(), bad: None };
        if judged.diagnostics.is_empty() {
            return game;
        }
        let finder = Finder::new(source, &judged.record).with_variant(judged.variant());
        let findings: Vec<Finding<'_>> = judged.diagnostics.iter().map(|d| finder.find(d)).collect();
        let codes = game.tally.codes.iter();
        game.shown = findings
            .iter()
            .zip(codes)
            .filter_map(|(finding, code)| show.write(finding).map(|text| (*code, text)))
            .collect();
        if show.keeps_bad && game.tally.worst() >= Some(Severity::Warning) {
            let mut lines = String::new();
            for finding in &findings {
                finding.write_json(&mut lines);
                lines.push('\n');
            }
            game.bad = Some(BadRecord { text: source.text.to_owned(), findings: lines });
        }
        game
    }
}

/// Takes the answers in order and writes the report.
struct Report<'a> {
    inputs: &'a [Input],
    format: FindingFormat,
    limit: u64,
    /// How many findings of each code were written.
    written: BTreeMap<Code, u64>,
    /// How many more there are.
    hidden: u64,
    tally: Tally,
    quarantine: Option<Quarantine<'a>>,
    /// The number of the input that was counted last.
    counted: Option<usize>,
    style: Style,
}

impl<'a> Report<'a> {
    fn new(args: &ValidateArgs, inputs: &'a [Input]) -> Report<'a> {
        Report {
            inputs,
            format: args.format,
            limit: args.limit.unwrap_or(u64::MAX),
            written: BTreeMap::new(),
            hidden: 0,
            tally: Tally::default(),
            quarantine: args.quarantine.as_deref().map(|folder| Quarantine::new(folder, inputs)),
            counted: None,
            style: Style::Plain,
        }
    }

    fn begin(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        self.style = io.style();
        match self.format {
            FindingFormat::Json => io.print("{\"findings\":[")?,
            FindingFormat::Text | FindingFormat::Jsonl => {}
        }
        Ok(())
    }

    fn take(&mut self, io: &mut Io<'_>, step: Step<Checked>) -> anyhow::Result<()> {
        let input = &self.inputs[step.input];
        let checked = match step.answer {
            Ok(checked) => checked,
            Err(error) => {
                self.tally.unreadable += 1;
                io.error(&format!("{}: {error}", input.name()));
                return Ok(());
            }
        };
        if checked.file.iter().any(|(code, _)| input.is_passed_over(*code)) {
            self.tally.skipped += 1;
            io.notice(&format!(
                "passed over {}: it holds no known notation",
                taflbase::escape::escape(&input.name())
            ));
            return Ok(());
        }
        if self.counted != Some(step.input) {
            self.counted = Some(step.input);
            self.tally.files += 1;
        }
        for (code, text) in &checked.file {
            self.tally.add_file_finding(*code);
            if let Some(text) = text {
                self.show(io, *code, text)?;
            }
        }
        let Some(format) = checked.format else { return Ok(()) };
        for game in &checked.games {
            self.tally.add(format, &game.tally);
            for (code, text) in &game.shown {
                self.show(io, *code, text)?;
            }
            if let (Some(quarantine), Some(bad)) = (&mut self.quarantine, &game.bad) {
                quarantine.add(step.input, format, bad)?;
            }
        }
        io.progress(&format!("{} games", Count(self.tally.games().games)));
        Ok(())
    }

    fn show(&mut self, io: &mut Io<'_>, code: Code, text: &str) -> anyhow::Result<()> {
        let is_first = self.written.values().all(|count| *count == 0);
        let written = self.written.entry(code).or_default();
        if *written >= self.limit {
            self.hidden += 1;
            return Ok(());
        }
        *written += 1;
        if !is_first && self.format == FindingFormat::Json {
            io.print(",\n")?;
        }
        io.print(text)?;
        Ok(())
    }

    fn end(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        if let Some(quarantine) = &mut self.quarantine {
            quarantine.finish()?;
            let records = counted(quarantine.len(), "record", "records");
            io.notice(&format!("{records} written into the quarantine"));
        }
        match self.format {
            FindingFormat::Text => {
                if self.hidden > 0 {
                    let more = counted(self.hidden, "more finding is", "more findings are");
                    io.print(&format!("{more} not shown here\n\n"))?;
                }
                io.print(&self.tally.to_text(self.style))?;
            }
            FindingFormat::Json => {
                io.print("],\n\"summary\":")?;
                io.print(&self.tally.to_json())?;
                io.print("}\n")?;
            }
            FindingFormat::Jsonl => io.print(&format!("{}\n", self.tally.to_json()))?,
        }
        io.flush()?;
        Ok(())
    }
}
