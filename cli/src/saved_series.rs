//! Files from which a series of games is continued, and its games as record lines.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tafl_parser::{Format, Record, WriteGame, write_record};
use tafl_rules::{Count, Side, counted};
use taflbase::escape::{escape, escape_path};
use taflbase::play::{GameSeries, PairTerms, PlayerSpec, SavedPair};

use crate::Io;
use crate::args::play::PairFiles;
use crate::exit::Reported;
use crate::output::write_whole;
use crate::stop_message::StopMessage;
use crate::target::{keep_apart, protect_inputs};
use crate::variant::variant_named;

/// Reads the series of a file, or begins a new one.
///
/// # Errors
///
/// Fails if the file can't be read, or belongs to games with other settings.
pub(crate) fn read_or_begin<T: Serialize + DeserializeOwned>(
    path: Option<&Path>,
    settings: &impl Serialize,
) -> anyhow::Result<GameSeries<T>> {
    let Some(path) = path.filter(|path| path.exists()) else { return Ok(GameSeries::new(settings)) };
    let name = path.display().to_string();
    let content = fs::read(path).with_context(|| name.clone())?;
    Ok(GameSeries::read(&name, &content, settings)?)
}

/// Reports the files, records, and games of `--openings` that are not used.
pub(crate) fn show_notices(notices: &[String], io: &mut Io<'_>) {
    for notice in notices {
        io.notice(&escape(notice));
    }
}

/// Reports that there are fewer openings than the default number of pairs, so that only `n_pairs` are played between two
/// players.
pub(crate) fn show_few_openings(n_pairs: u64, io: &mut Io<'_>) {
    let pairs = counted(n_pairs, "pair is", "pairs are");
    io.notice(&format!("{pairs} played between two players, because there are no more different openings"));
}

/// Checks the files, the players, and the rules of a series before any program starts.
///
/// # Errors
///
/// Fails if an output would replace an input, or if a player or the rules are unknown.
pub(crate) fn check<'p>(
    players: impl IntoIterator<Item = &'p String>,
    terms: &PairTerms,
    files: &PairFiles,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    keep_apart(&[("--resume", files.resume.as_deref()), ("-o", files.output.as_deref())])?;
    protect_inputs(&[files.output.as_deref(), files.resume.as_deref()], &terms.openings)?;
    for name in players {
        PlayerSpec::read(name)?;
    }
    for name in terms.variants() {
        variant_named(name, io).map_err(Reported)?;
    }
    Ok(())
}

/// Shows why players lost games of a pair, and what they wrote to their standard error. The first player has the attackers
/// in the first game.
pub(crate) fn show_faults(number: u64, pair: &SavedPair, players: [&PlayerSpec; 2], io: &mut Io<'_>) {
    for (game, first_side) in pair.games.iter().zip(Side::ALL) {
        let Some(fault) = &game.fault else { continue };
        let loser = &players[usize::from(fault.side != first_side.as_str())].text;
        io.error(&format!("pair {}: {loser} loses as {}: {}", number + 1, fault.side, fault.words));
        for line in &fault.stderr {
            io.notice_always(&format!("  | {}", escape(line)));
        }
    }
}

/// The kind of the parts of a series.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SeriesPart {
    Pair,
    Game,
    Round,
}

impl SeriesPart {
    fn counted(self, n: u64) -> String {
        match self {
            SeriesPart::Pair => counted(n, "pair", "pairs"),
            SeriesPart::Game => counted(n, "game", "games"),
            SeriesPart::Round => counted(n, "round", "rounds"),
        }
    }
}

/// The file of `--resume`, if there is one, and the message that is printed if the command is stopped.
pub(crate) struct SeriesFile<'p> {
    path: Option<&'p Path>,
    message: StopMessage,
    /// The number of pairs, games, or rounds of the whole series.
    total: u64,
    part: SeriesPart,
}

impl<'p> SeriesFile<'p> {
    /// Returns the file of a series with `total` parts, `done` of which are already in it.
    pub(crate) fn new(
        path: Option<&'p Path>,
        part: SeriesPart,
        done: u64,
        total: u64,
        io: &Io<'_>,
    ) -> SeriesFile<'p> {
        let file = SeriesFile { path, message: io.handle_stop_signals(), total, part };
        file.message.set(file.stop_text(done));
        file
    }

    /// Replaces the file.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be written.
    pub(crate) fn save<T: Serialize + DeserializeOwned>(
        &self,
        series: &GameSeries<T>,
    ) -> taflbase::Result<()> {
        self.write(series.played.len() as u64, || series.to_bytes())
    }

    /// Replaces the content of the file, in which `done` parts of the series are.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be written.
    pub(crate) fn write(&self, done: u64, content: impl FnOnce() -> Vec<u8>) -> taflbase::Result<()> {
        let Some(path) = self.path else { return Ok(()) };
        write_whole(path, &content()).map_err(|error| {
            taflbase::Error::new(taflbase::ErrorKind::Io, format!("{}: {error}", path.display()))
        })?;
        self.message.set(self.stop_text(done));
        Ok(())
    }

    /// Returns the message that is printed if the command is stopped when `done` parts of the series are in the file.
    fn stop_text(&self, done: u64) -> String {
        match self.path {
            None => "stopped: nothing is saved; run the command again, with --resume FILE to save progress"
                .to_owned(),
            Some(_) if done == 0 => "stopped: nothing is saved yet; run the command again".to_owned(),
            Some(path) => format!(
                "stopped: saved {} of {} in {}; run the command again to go on",
                // The file may have been written for a longer series.
                Count(done.min(self.total)),
                self.part.counted(self.total),
                escape_path(path)
            ),
        }
    }
}

/// Returns records as lines of JSON.
///
/// # Errors
///
/// Fails if a record can't be written.
pub(crate) fn record_lines(records: impl Iterator<Item = Record>) -> anyhow::Result<String> {
    let mut text = String::new();
    for record in records {
        write_record(WriteGame { record: &record, played: None }, Format::Jsonl, &mut text)?;
    }
    Ok(text)
}
