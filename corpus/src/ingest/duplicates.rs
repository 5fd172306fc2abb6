//! Detection of copies.
//!
//! Two records are copies of one game if they have the same line of play under the symmetries of the rules, and if
//! their players and dates do not conflict; unknown values conflict with nothing. An unfinished game is also a copy if
//! it is the beginning of another game of the same players on the same day.

use std::collections::HashMap;

use super::date::Day;
use crate::id::{GameId, LineOfPlayId, name_hash};
use crate::move_log::GameResult;
use crate::row::GameRow;

/// The location of a game: the number of the segment, and the row.
pub(crate) type RowLocation = (u64, u32);

/// A stored game, with the values that decide about copies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DedupEntry {
    /// The number of the game.
    pub(crate) game: GameId,
    /// Its location.
    pub(crate) at: RowLocation,
    /// Its quality score.
    pub(crate) quality_score: u32,
    /// The number of plies.
    pub(crate) plies: u32,
    /// The symmetry that leads to the canonical form of its line.
    pub(crate) orientation: u8,
    /// Whether it is unfinished.
    pub(crate) is_unfinished: bool,
    /// A number for file and line of the record.
    pub(crate) origin: u64,
    players: [u64; 2],
    day: Day,
    /// The index of the next game with the same line of play.
    next: Option<u32>,
}

/// The relation of a new game to the stored ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Its whole line is that of the stored game with this index.
    Same(usize),
    /// It is not a copy by its line.
    New,
}

/// The players, the day and the rules of a game, where all are known.
type MeetingKey = (u64, u64, Day, u64);

/// The games that are stored.
#[derive(Debug, Default)]
pub(crate) struct StoredGames {
    stored: Vec<DedupEntry>,
    lines: HashMap<LineOfPlayId, u32>,
    /// Games of two known players on a known day.
    meetings: HashMap<MeetingKey, Vec<u32>>,
}

impl StoredGames {
    /// Returns a stored game.
    pub(crate) fn get(&self, index: usize) -> &DedupEntry {
        &self.stored[index]
    }

    /// Returns the relation of a new game to the stored ones. Of several copies, the one with the highest score counts.
    pub(crate) fn relation(&self, row: &GameRow, day: Day) -> Relation {
        let wanted = DedupEntry::of(row, day, (0, 0));
        let mut best: Option<usize> = None;
        let mut next = self.lines.get(&row.line).copied();
        while let Some(index) = next {
            let stored = &self.stored[index as usize];
            let is_better = best.is_none_or(|best| stored.quality_score > self.stored[best].quality_score);
            if stored.fits(&wanted) && is_better {
                best = Some(index as usize);
            }
            next = stored.next;
        }
        best.map_or(Relation::New, Relation::Same)
    }

    /// Returns the games of the same players on the same day that are still stored and have another length.
    pub(crate) fn of_meeting(&self, row: &GameRow, day: Day) -> Vec<usize> {
        let Some(meeting) = meeting(row, day) else { return Vec::new() };
        let known = self.meetings.get(&meeting).map_or(&[][..], Vec::as_slice);
        let other = |index: &&u32| {
            let stored = &self.stored[**index as usize];
            !stored.is_gone() && stored.plies != row.plies
        };
        known.iter().filter(other).map(|index| *index as usize).collect()
    }

    /// Adds a game that is stored.
    pub(crate) fn add(&mut self, row: &GameRow, day: Day, at: RowLocation) {
        let index = self.stored.len() as u32;
        let next = self.lines.insert(row.line, index);
        self.stored.push(DedupEntry { next, ..DedupEntry::of(row, day, at) });
        if let Some(meeting) = meeting(row, day) {
            self.meetings.entry(meeting).or_default().push(index);
        }
    }

    /// Replaces a game by another one with the same line.
    pub(crate) fn replace(&mut self, index: usize, row: &GameRow, day: Day, at: RowLocation) {
        let next = self.stored[index].next;
        self.stored[index] = DedupEntry { next, ..DedupEntry::of(row, day, at) };
        if let Some(meeting) = meeting(row, day) {
            let known = self.meetings.entry(meeting).or_default();
            if !known.contains(&(index as u32)) {
                known.push(index as u32);
            }
        }
    }

    /// Forgets a game that is no longer stored: no game is a copy of it.
    pub(crate) fn forget(&mut self, index: usize) {
        self.stored[index].plies = u32::MAX;
    }
}

impl DedupEntry {
    fn of(row: &GameRow, day: Day, at: RowLocation) -> DedupEntry {
        DedupEntry {
            game: row.game,
            at,
            quality_score: row.quality_score,
            plies: row.plies,
            orientation: row.orientation,
            is_unfinished: row.result == GameResult::Unfinished,
            origin: origin(row.source.as_deref(), row.place),
            players: [name_hash(row.attackers.as_deref()), name_hash(row.defenders.as_deref())],
            day,
            next: None,
        }
    }

    /// Returns whether it is no longer stored, see [`StoredGames::forget`].
    fn is_gone(&self) -> bool {
        self.plies == u32::MAX
    }

    /// Returns whether players and day do not conflict.
    fn fits(&self, other: &DedupEntry) -> bool {
        let fits = |(left, right): (&u64, &u64)| *left == 0 || *right == 0 || left == right;
        !self.is_gone() && self.players.iter().zip(&other.players).all(fits) && self.day.fits(other.day)
    }
}

/// Returns a number for the place of a record.
pub(crate) fn origin(source: Option<&str>, place: Option<u32>) -> u64 {
    name_hash(source).rotate_left(7) ^ u64::from(place.unwrap_or(0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn meeting(row: &GameRow, day: Day) -> Option<MeetingKey> {
    let player = |name: &Option<String>| Some(name_hash(name.as_deref())).filter(|hash| *hash != 0);
    let meeting = (player(&row.attackers)?, player(&row.defenders)?, day, row.rules_id.0);
    (day.day > 0).then_some(meeting)
}
