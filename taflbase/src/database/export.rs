//! Exports: games of a corpus as records.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameRow, USER_TAG};
use tafl_parser::{
    Diagnostic, Format, Parsed, Record, Severity, WriteError, WriteGame, Written, tag, write_record,
};
use tafl_rules::{Side, Span};

use super::GameSelection;
use crate::records::{ConvertSummary, PlayedBuilder, RecordLoss};
use crate::stored::{StoredReplayer, StoredSelection};
use crate::{App, Error, Job, Named, Progress, Result, StreamRequest, WritableNotation};

/// Export games of a corpus as records
///
/// # Examples
///
/// ```no_run
/// use taflbase::database::ExportRequest;
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = ExportRequest { corpus: "games.corpus".into(), ..ExportRequest::default() };
/// let summary = request.run(&App::new(), &Job::default(), &mut |game| {
///     print!("{}", game.text);
///     Ok(())
/// })?;
/// eprintln!("{} games", summary.games);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ExportRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The games; all of them by default.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub select: GameSelection,
    /// The notation to write
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT"))]
    pub to: Named<WritableNotation>,
}

/// The record of a game of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExportedGame {
    /// The ID of the game: 16 hexadecimal digits.
    pub game: String,
    /// The record; empty if the notation cannot express the game.
    pub text: String,
    /// The losses of the notation, each kind once.
    pub losses: Vec<RecordLoss>,
    /// The reason why the game was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// An open corpus, and the games of it that are exported.
pub struct PreparedExport {
    games: StoredSelection,
    to: Format,
}

impl ExportRequest {
    /// Opens the corpus, and finds the games.
    ///
    /// # Errors
    ///
    /// Fails if the corpus can't be opened, the query is wrong, or a game is unknown.
    pub fn prepare(&self, job: &Job) -> Result<PreparedExport> {
        let games = StoredSelection::open(&self.corpus, &self.select, job)?;
        Ok(PreparedExport { games, to: self.to.0.0 })
    }
}

impl PreparedExport {
    /// Returns possible reasons why a query found no games; empty if it did, or without one.
    pub fn notes(&self) -> &[String] {
        self.games.notes()
    }

    /// Writes the games in the order of the corpus, and passes each record to `take`.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged, the job is stopped, or `take` fails.
    pub fn run<E: From<Error>>(
        &self,
        job: &Job,
        mut take: impl FnMut(ExportedGame) -> Result<(), E>,
    ) -> Result<ConvertSummary, E> {
        let mut writer = StoredRecordWriter::new(self.to);
        let mut summary = ConvertSummary::default();
        for game in self.games.reader() {
            job.check()?;
            let (parsed, row) = game?;
            let mut text = String::new();
            let written = writer.write(parsed, &row, &mut text)?;
            let mut losses = Vec::new();
            let left_out = match written {
                Ok(lost) => {
                    lost.iter().for_each(|diagnostic| RecordLoss::add(&mut losses, diagnostic));
                    None
                }
                Err(refusal) => Some(refusal.to_string()),
            };
            losses.iter().for_each(|loss| summary.add(loss.kind.clone(), loss.count));
            summary.games += u64::from(left_out.is_none());
            summary.left_out += u64::from(left_out.is_some());
            take(ExportedGame { game: row.game.to_string(), text, losses, left_out })?;
            let done = summary.games + summary.left_out;
            let proportion = Some(done as f64 / self.games.len().max(1) as f64);
            job.report(&Progress { done, unit: "games", proportion, detail: "" });
        }
        Ok(summary)
    }
}

impl StreamRequest for ExportRequest {
    type Item = ExportedGame;
    type Summary = ConvertSummary;

    fn run(
        self,
        _: &App,
        job: &Job,
        take: &mut (dyn FnMut(ExportedGame) -> Result<()> + Send),
    ) -> Result<ConvertSummary> {
        self.prepare(job)?.run(job, take)
    }
}

/// Writes records of a corpus in a notation, by the rules that they were stored with.
pub(super) struct StoredRecordWriter {
    to: Format,
    games: StoredReplayer,
    played: PlayedBuilder,
}

impl StoredRecordWriter {
    /// Creates a writer of a notation.
    pub(super) fn new(to: Format) -> StoredRecordWriter {
        StoredRecordWriter { to, games: StoredReplayer::default(), played: PlayedBuilder::default() }
    }

    /// Adds the record of a game to `out`, and returns what it loses, or why the notation cannot express it.
    ///
    /// # Errors
    ///
    /// Fails if the rules of the game can't be read, or records can't be written in the notation.
    pub(super) fn write(
        &mut self,
        parsed: Parsed<Record>,
        row: &GameRow,
        out: &mut String,
    ) -> Result<std::result::Result<Vec<Diagnostic>, WriteError>> {
        let mut record = parsed.value;
        complete(&mut record, row);
        // In its own notation, and in ours, a record is written as it is, but with its rules if the notation has them.
        let mut played = None;
        if self.to == record.format {
            if self.to.has_rules_tag() && record.rules.is_none() {
                record.rules = written(&row.rules);
            }
        } else if self.to != Format::Jsonl {
            let replayed = self.games.replay(row, Parsed::clean(record))?;
            played = self.played.played(&replayed);
            record = replayed.record;
        }
        let game = WriteGame { record: &record, played: played.as_ref() };
        let mut lost = match write_record(game, self.to, out) {
            Ok(lost) => lost,
            Err(error @ WriteError::NotExpressible { .. }) => return Ok(Err(error)),
            Err(error) => return Err(Error::parameter("to", error.to_string())),
        };
        lost.retain(|lost| lost.severity() > Severity::Note);
        Ok(Ok(lost))
    }
}

/// Adds what users have changed: tags, and names of players.
fn edited(record: &mut Record, row: &GameRow) {
    let mut new: Vec<(&str, &str)> = Vec::new();
    for (side, name) in [(Side::Attackers, tag::ATTACKERS), (Side::Defenders, tag::DEFENDERS)] {
        let player = row.player(side);
        if let Some(player) = player.filter(|_| row.written_player(side) != player) {
            new.push((name, player));
        }
    }
    record.tags.retain(|known| new.iter().all(|(name, _)| known.name != *name));
    let own = row.tags.iter().filter(|(name, _)| name == USER_TAG);
    new.extend(own.map(|(name, value)| (&**name, &**value)));
    for (name, value) in new {
        let is_there = record.tags.iter().any(|known| known.name == name && known.value == value);
        if !is_there {
            record.push_tag(name, value, Span::default());
        }
    }
}

fn written(text: &str) -> Option<Written> {
    Some(Written { text: text.into(), span: Span::default() })
}

/// Adds what a corpus knows of a record: its number, by which an import finds the game again, and its rules, if the record
/// names none because the name of its file or a request named them.
fn complete(record: &mut Record, row: &GameRow) {
    record.tags.retain(|known| known.name != tag::CORPUS_ID);
    record.push_tag(tag::CORPUS_ID, &row.game.to_string(), Span::default());
    edited(record, row);
    if record.rules.is_some() || record.variant.is_some() {
        return;
    }
    match &row.variant {
        Some(variant) => record.variant = written(variant),
        None => record.rules = written(&row.rules),
    }
}
