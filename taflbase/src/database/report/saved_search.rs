//! Games of a search that are saved, so that it can be interrupted.

use std::collections::VecDeque;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tafl_reports::{EngineGames, GameSource, SelfplayGame};
use tafl_rules::{Outcome, Side};

use crate::escape::escape_path;
use crate::play::GameSeries;
use crate::{Error, ErrorKind, Job, Result};

/// A game in the file of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedSearchGame {
    /// The index of the rules.
    rules: usize,
    /// The number of the opening.
    number: u64,
    /// The winner; absent for draws and unfinished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    /// The reason of the end; absent for unfinished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    plies: u32,
}

impl SavedSearchGame {
    fn of(rules: usize, number: u64, game: &SelfplayGame) -> SavedSearchGame {
        let winner = game.outcome.and_then(|outcome| outcome.winner);
        SavedSearchGame {
            rules,
            number,
            winner: winner.map(|side| side.as_str().to_owned()),
            reason: game.outcome.map(|outcome| outcome.reason.as_str().to_owned()),
            plies: game.plies,
        }
    }

    /// Returns the game; `None` if a word is unknown.
    fn game(&self) -> Option<SelfplayGame> {
        let winner: Option<Side> = match &self.winner {
            Some(word) => Some(word.parse().ok()?),
            None => None,
        };
        let outcome = match &self.reason {
            Some(word) => Some(Outcome { winner, reason: word.parse().ok()? }),
            None => None,
        };
        Some(SelfplayGame { outcome, plies: self.plies })
    }
}

/// Games that are taken from a file as far as it has them, and then played.
struct ResumedGames<'s> {
    saved: VecDeque<SavedSearchGame>,
    engine: EngineGames,
    series: &'s mut GameSeries<SavedSearchGame>,
}

impl GameSource for ResumedGames<'_> {
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
        let mut games = Vec::new();
        for number in numbers.clone() {
            let is_next = |saved: &SavedSearchGame| saved.rules == arm && saved.number == number;
            match self.saved.front().filter(|saved| is_next(saved)).and_then(SavedSearchGame::game) {
                Some(game) => {
                    games.push(game);
                    self.saved.pop_front();
                }
                None => break,
            }
        }
        let next = numbers.start + games.len() as u64;
        if next < numbers.end {
            // The file was cut off in the middle of a portion; its other games are of no use.
            self.saved.clear();
            let more = self.engine.play(arm, nodes, next..numbers.end);
            games.extend(more);
        }
        let saved =
            (numbers.start..).zip(&games).map(|(number, game)| SavedSearchGame::of(arm, number, game));
        self.series.played.extend(saved);
        games
    }
}

/// Games that are saved after every portion.
pub(super) struct SavingGames<'s> {
    inner: ResumedGames<'s>,
    file: Option<&'s Path>,
    job: &'s Job,
    failure: Option<Error>,
}

impl<'s> SavingGames<'s> {
    /// Creates the source of games; those of the series are not played again.
    pub(super) fn new(
        engine: EngineGames,
        series: &'s mut GameSeries<SavedSearchGame>,
        file: Option<&'s Path>,
        job: &'s Job,
    ) -> SavingGames<'s> {
        let saved = std::mem::take(&mut series.played).into();
        SavingGames { inner: ResumedGames { saved, engine, series }, file, job, failure: None }
    }

    /// Returns the first error of the file.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

impl GameSource for SavingGames<'_> {
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
        if self.failure.is_some() {
            return Vec::new();
        }
        let before = self.inner.series.played.len();
        let games = self.inner.play(arm, nodes, numbers);
        if self.job.is_over() {
            // Games that were interrupted are not complete.
            self.inner.series.played.truncate(before);
        } else if let Some(path) = self.file {
            let bytes = self.inner.series.to_bytes();
            self.failure = replace_file(path, &bytes)
                .err()
                .map(|error| Error::new(ErrorKind::Io, format!("{}: {error}", escape_path(path))));
        }
        games
    }
}

/// Reads the games of an interrupted search.
pub(super) fn saved_series(
    file: Option<&Path>,
    settings: &impl Serialize,
) -> Result<GameSeries<SavedSearchGame>> {
    match file.filter(|path| path.exists()) {
        Some(path) => {
            let name = escape_path(path);
            let content =
                fs::read(path).map_err(|error| Error::new(ErrorKind::Io, format!("{name}: {error}")))?;
            GameSeries::read(&name, &content, settings)
        }
        None => Ok(GameSeries::new(settings)),
    }
}

/// Replaces a file at once: a reader finds the old or the new content.
fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let aside = PathBuf::from(name);
    let mut file = fs::File::create(&aside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&aside, path)
}

#[cfg(test)]
mod tests {
    use tafl_rules::Reason;

    use super::*;

    #[test]
    fn saved_games_are_read_as_they_were() {
        let games = [
            SelfplayGame { outcome: Some(Outcome::win(Side::Attackers, Reason::KingCaptured)), plies: 9 },
            SelfplayGame { outcome: Some(Outcome { winner: None, reason: Reason::Repetition }), plies: 5 },
            SelfplayGame { outcome: None, plies: 300 },
        ];
        for game in games {
            assert_eq!(SavedSearchGame::of(1, 2, &game).game(), Some(game));
        }
    }
}
