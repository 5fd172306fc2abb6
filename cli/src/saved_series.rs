//! Files from which a series of games is continued, and its games as record lines.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tafl_parser::{Format, Record, WriteGame, write_record};
use taflbase::escape::escape;
use taflbase::play::{GameSeries, SavedFault};

use crate::Io;
use crate::output::write_whole;

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

/// Shows why a player lost a game of a pair, and what it wrote to its standard error.
pub(crate) fn show_fault(pair: u64, player: &str, fault: &SavedFault, io: &mut Io<'_>) {
    io.error(&format!("pair {}: {player} loses as {}: {}", pair + 1, fault.side, fault.words));
    for line in &fault.stderr {
        io.notice_always(&format!("  | {}", escape(line)));
    }
}

/// Replaces the file of a series, if there is one.
///
/// # Errors
///
/// Fails if the file can't be written.
pub(crate) fn save<T: Serialize + DeserializeOwned>(
    path: Option<&Path>,
    series: &GameSeries<T>,
) -> taflbase::Result<()> {
    let Some(path) = path else { return Ok(()) };
    write_whole(path, &series.to_bytes()).map_err(|error| {
        taflbase::Error::new(taflbase::ErrorKind::Io, format!("{}: {error}", path.display()))
    })
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
