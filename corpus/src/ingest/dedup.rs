//! The copies of games that a corpus has, for import and merge.

use std::collections::{HashMap, HashSet};

use super::date::{Day, day_of};
use super::duplicates::{DedupEntry, Relation, RowLocation, StoredGames, origin};
use super::summary::CopyPolicy;
use crate::error::Result;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::move_log::GameResult;
use crate::rejected_record::RejectedRecord;
use crate::row::{CopyNote, GameRow};

/// An index of the games, copies, and rejected records of a corpus, which finds the copies of new ones.
#[derive(Debug, Default)]
pub(crate) struct DedupIndex {
    games: StoredGames,
    /// Numbers of the copies that are noted.
    pub(crate) noted: HashSet<u64>,
    /// Copies that are not in the row of their game.
    pub(crate) saved: HashMap<GameId, Vec<CopyNote>>,
    /// Numbers of the rejected records.
    pub(crate) rejected: HashSet<u64>,
}

/// A stored game of which a new one is a copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopyMatch {
    index: usize,
    /// The stored game.
    pub(crate) stored: DedupEntry,
    /// The number of plies of the shorter game, if it is the beginning of the other one.
    pub(crate) plies: Option<u32>,
}

impl CopyMatch {
    /// Returns whether the new game is to replace the stored one.
    pub(crate) fn is_better(&self, row: &GameRow, keep: CopyPolicy) -> bool {
        match self.plies {
            Some(_) => row.plies > self.stored.plies,
            None => keep == CopyPolicy::Better && row.quality_score > self.stored.quality_score,
        }
    }
}

impl DedupIndex {
    /// Returns the index of a corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub(crate) fn of(corpus: &Corpus) -> Result<DedupIndex> {
        let mut index = DedupIndex { saved: corpus.late_copies()?, ..DedupIndex::default() };
        for segment in corpus.segments() {
            for (row, game) in (0..).zip(segment.games_without_text()?) {
                if !segment.is_removed(row) {
                    index.add(&game, day_of(&game), (segment.number(), row));
                    index.noted.extend(game.copies.iter().map(note_number));
                }
            }
        }
        index.noted.extend(index.saved.values().flatten().map(note_number));
        index.rejected = corpus.rejected()?.iter().map(RejectedRecord::number).collect();
        Ok(index)
    }

    /// Returns the stored game of which a new one is a copy. `keys` returns the keys of all positions of a stored
    /// game, or of the new one; they are read only if one game may be the beginning of the other.
    ///
    /// # Errors
    ///
    /// Returns the error of `keys`.
    pub(crate) fn find(
        &self,
        row: &GameRow,
        day: Day,
        mut keys: impl FnMut(Option<RowLocation>) -> Result<Vec<u64>>,
    ) -> Result<Option<CopyMatch>> {
        if let Relation::Same(index) = self.games.relation(row, day) {
            return Ok(Some(CopyMatch { index, stored: *self.games.get(index), plies: None }));
        }
        for index in self.games.of_meeting(row, day) {
            let stored = *self.games.get(index);
            let is_shorter = row.plies < stored.plies;
            let is_unfinished =
                if is_shorter { row.result == GameResult::Unfinished } else { stored.is_unfinished };
            if !is_unfinished {
                continue;
            }
            let (own, other) = (keys(None)?, keys(Some(stored.at))?);
            let (short, long) = if is_shorter { (own, other) } else { (other, own) };
            if long.starts_with(&short) {
                return Ok(Some(CopyMatch { index, stored, plies: Some(short.len() as u32 - 1) }));
            }
        }
        Ok(None)
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, row: &GameRow, day: Day, at: RowLocation) {
        self.games.add(row, day, at);
    }

    /// Replaces a stored game by a better copy.
    pub(crate) fn replace(&mut self, found: &CopyMatch, row: &GameRow, day: Day, at: RowLocation) {
        if found.plies.is_some() {
            // Another line of play: the old one is not found any more.
            self.games.forget(found.index);
            self.games.add(row, day, at);
        } else {
            self.games.replace(found.index, row, day, at);
        }
    }
}

/// Returns a number for the place of a copy.
pub(crate) fn note_number(note: &CopyNote) -> u64 {
    origin(note.source.as_deref(), note.place)
}
