//! Files from which a series of games is continued, and its games as record lines.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tafl_parser::{Format, Record, WriteGame, write_record};
use tafl_rules::{Side, counted};
use taflbase::escape::escape;
use taflbase::play::{GameSeries, PairTerms, PlayerSpec, SavedPair};

use crate::Io;
use crate::args::play::PairFiles;
use crate::exit::Reported;
use crate::output::write_whole;
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
