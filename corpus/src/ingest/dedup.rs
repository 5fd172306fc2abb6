//! The copies of games that a corpus has, for import and merge.

use std::collections::{HashMap, HashSet};

use super::columns::SOUND_SCORE;
use super::date::{StatedDate, date_of};
use super::stored_games::{CopyRelation, DedupEntry, RowLocation, StoredGames, exported_as, origin};
use super::summary::{CopyPolicy, DuplicatePolicy};
use crate::error::Result;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::move_log::GameResult;
use crate::player_alias::AliasTable;
use crate::rejected_record::RejectedRecord;
use crate::row::{CopyNote, GameRow};

/// An index of the games, copies, and rejected records of a corpus, which finds the copies of new ones.
#[derive(Debug, Default)]
pub(crate) struct DedupIndex {
    games: StoredGames,
    /// Hashes of the places of the copies that are noted.
    pub(crate) noted: HashSet<u64>,
    /// Copies that are not in the row of their game.
    pub(crate) saved: HashMap<GameId, Vec<CopyNote>>,
    /// Hashes of the rejected records.
    pub(crate) rejected: HashSet<u64>,
}

/// The relation of a new game to the stored ones, under a policy.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DedupOutcome {
    /// It is stored as a new game.
    New,
    /// It is stored and marked: it is, or may be, a copy of this game.
    Marked(GameId),
    /// It is not stored again.
    Copy(CopyMatch),
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
            None => keep == CopyPolicy::Better && self.quality_score(row) > self.stored.quality_score,
        }
    }

    /// Returns the quality score of a copy. An export of the stored game may have lost its faults, but counts as equally sound.
    fn quality_score(&self, row: &GameRow) -> u32 {
        if exported_as(row) != Some(self.stored.game) {
            return row.quality_score;
        }
        row.quality_score % SOUND_SCORE + self.stored.quality_score / SOUND_SCORE * SOUND_SCORE
    }
}

impl DedupIndex {
    /// Returns the index of a corpus. Players are compared by the names that a table of aliases gives them.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub(crate) fn of(corpus: &Corpus, names: &AliasTable) -> Result<DedupIndex> {
        let mut index = DedupIndex { saved: corpus.late_copies()?, ..DedupIndex::default() };
        for segment in corpus.segments() {
            for (row, game) in (0..).zip(segment.games_without_text()?) {
                if !segment.is_removed(row) {
                    let at = RowLocation { segment: segment.number(), row };
                    index.add(&names.named(&game), date_of(&game), at);
                    index.noted.extend(game.copies.iter().map(note_hash));
                }
            }
        }
        index.noted.extend(index.saved.values().flatten().map(note_hash));
        index.rejected = corpus.rejected()?.iter().map(RejectedRecord::hash).collect();
        Ok(index)
    }

    /// Returns the relation of a new game to the stored ones. `keys` returns the keys of all positions of a stored
    /// game, or of the new one; they are read only if one game may be the beginning of the other.
    ///
    /// # Errors
    ///
    /// Returns the error of `keys`.
    pub(crate) fn find(
        &self,
        row: &GameRow,
        date: StatedDate,
        policy: DuplicatePolicy,
        mut keys: impl FnMut(Option<RowLocation>) -> Result<Vec<u64>>,
    ) -> Result<DedupOutcome> {
        let same = match self.games.relation(row, date) {
            CopyRelation::Copy(index) => {
                let found = CopyMatch { index, stored: *self.games.get(index), plies: None };
                if found.stored.is_same_record(&DedupEntry::of(row, date, RowLocation::default()))
                    || policy == DuplicatePolicy::Drop
                {
                    return Ok(DedupOutcome::Copy(found));
                }
                Some(found.stored.game)
            }
            CopyRelation::PossibleCopy(index) => Some(self.games.get(index).game),
            CopyRelation::New => None,
        };
        if let Some(game) = same {
            let is_marked = policy != DuplicatePolicy::Keep;
            return Ok(if is_marked { DedupOutcome::Marked(game) } else { DedupOutcome::New });
        }
        let beginning = self.beginning(row, date, &mut keys)?;
        Ok(match (beginning, policy) {
            (Some(found), DuplicatePolicy::Drop) => DedupOutcome::Copy(found),
            (Some(found), DuplicatePolicy::Note) => DedupOutcome::Marked(found.stored.game),
            (Some(_), DuplicatePolicy::Keep) | (None, _) => DedupOutcome::New,
        })
    }

    /// Returns the stored game that is the beginning of a new one, or that begins with it.
    fn beginning(
        &self,
        row: &GameRow,
        date: StatedDate,
        keys: &mut impl FnMut(Option<RowLocation>) -> Result<Vec<u64>>,
    ) -> Result<Option<CopyMatch>> {
        for index in self.games.of_meeting(row, date) {
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

    /// Returns an ID for a new game that no other stored game has, see [`StoredGames::free_id`].
    pub(crate) fn free_id(&self, row: &GameRow, replaced: Option<&CopyMatch>) -> GameId {
        self.games.free_id(row, replaced.map(|found| found.index))
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, row: &GameRow, date: StatedDate, at: RowLocation) {
        self.games.add(row, date, at);
    }

    /// Replaces a stored game by a better copy.
    pub(crate) fn replace(&mut self, found: &CopyMatch, row: &GameRow, date: StatedDate, at: RowLocation) {
        if found.plies.is_some() {
            // Another line of play: the old one is not found any more.
            self.games.forget(found.index);
            self.games.add(row, date, at);
        } else {
            self.games.replace(found.index, row, date, at);
        }
    }
}

/// Returns a hash of the place of a copy.
pub(crate) fn note_hash(note: &CopyNote) -> u64 {
    origin(note.source.as_deref(), note.place)
}
