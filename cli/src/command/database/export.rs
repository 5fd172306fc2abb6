//! `tafl export`: games of a corpus as records.

use std::io::Write as _;

use anyhow::Context;
use tafl_corpus::Corpus;
use tafl_corpus::GameAt;
use tafl_corpus::GameRow;
use tafl_parser::{Diagnostic, Format, Parsed, Record, Severity, WriteGame, Written, write_record};
use tafl_rules::Span;
use taflbase::Job;
use taflbase::database::CorpusSnapshot;
use taflbase::records::{ConvertSummary, LossKind, PlayedBuilder};

use crate::args::database::corpus::ExportArgs;
use crate::command::convert::losses::to_text;
use crate::number::Count;
use crate::output::{Output, file_named};
use crate::target::spare;
use crate::{Exit, Io};
use taflbase::stored::StoredReplayer;

/// Runs the command.
///
/// # Errors
///
/// Fails when there is no corpus, the query is wrong, a file is damaged, or the output cannot be written.
pub(crate) fn run(args: &ExportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    spare(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    let snapshot = CorpusSnapshot::open(&args.corpus, None)?;
    let games = args.select.find(&snapshot, &Job::default())?;
    let corpus = snapshot.corpus();
    let mut output = file_named(args.output.as_deref())
        .map(|path| Output::create(path).with_context(|| format!("{} cannot be written", path.display())))
        .transpose()?;
    let mut exporter = Exporter::new(args.to);
    let mut losses = ConvertSummary::default();
    let mut rows = Rows::default();
    for at in games {
        let row = rows.get(corpus, at)?;
        let mut text = String::new();
        exporter.export(corpus.record(at, row)?, row, &mut losses, &mut text)?;
        match &mut output {
            Some(output) => output.write_all(text.as_bytes()).context("the output cannot be written")?,
            None => io.print(&text)?,
        }
        io.progress(&format!("{} games", Count(losses.games)));
    }
    if let Some(output) = output {
        output.finish().context("the output cannot be written")?;
    }
    for line in to_text(&losses, args.to) {
        io.notice(&line);
    }
    Ok(Exit::Ok)
}

/// The rows of the segment that was asked for last.
#[derive(Default)]
struct Rows {
    segment: Option<usize>,
    rows: Vec<GameRow>,
}

impl Rows {
    fn get(&mut self, corpus: &Corpus, at: GameAt) -> anyhow::Result<&GameRow> {
        if self.segment != Some(at.segment) {
            self.rows = corpus.segments()[at.segment].games()?;
            self.segment = Some(at.segment);
        }
        Ok(&self.rows[at.row as usize])
    }
}

/// Writes records by the rules that they were stored with.
pub(crate) struct Exporter {
    to: Format,
    games: StoredReplayer,
    played: PlayedBuilder,
}

impl Exporter {
    /// Returns an exporter into a notation.
    pub(crate) fn new(to: Format) -> Exporter {
        Exporter { to, games: StoredReplayer::default(), played: PlayedBuilder::default() }
    }

    /// Adds the record of a game to `out`, and what it loses to `losses`.
    ///
    /// # Errors
    ///
    /// Fails when the rules of the game cannot be read, or the notation is only read.
    pub(crate) fn export(
        &mut self,
        parsed: Parsed<Record>,
        row: &GameRow,
        losses: &mut ConvertSummary,
        out: &mut String,
    ) -> anyhow::Result<()> {
        let Parsed { value: mut record, .. } = parsed;
        if record.rules.is_none() && record.variant.is_none() {
            // What the file's name or a command line said is said in the record now.
            let written = |text: &str| Some(Written { text: text.into(), span: Span::default() });
            match &row.variant {
                Some(variant) => record.variant = written(variant),
                None => record.rules = written(&row.rules),
            }
        }
        let needs_board = self.to != record.format && self.to != Format::Jsonl;
        let played = match needs_board {
            true => {
                let judged = self.games.replay(row, Parsed { value: record, diagnostics: Vec::new() })?;
                let played = self.played.played(&judged);
                record = judged.record;
                played
            }
            false => None,
        };
        let lost: Vec<Diagnostic> =
            write_record(WriteGame { record: &record, played: played.as_ref() }, self.to, out)?;
        losses.games += 1;
        for diagnostic in lost.iter().filter(|diagnostic| diagnostic.severity() > Severity::Note) {
            let (kind, count) = LossKind::of(diagnostic);
            losses.add(kind, count);
        }
        Ok(())
    }
}
