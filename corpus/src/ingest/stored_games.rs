//! The games that are stored, and the detection of copies of them.
//!
//! A record may be a copy of a game if both have the same line of play under the symmetries of the rules, and if their
//! players and dates do not conflict; unknown values conflict with nothing. It is a copy only with evidence: short
//! games coincide by chance (see [`LONG_LINE`]). An unfinished game is also a copy if it is the beginning of another
//! game of the same players on the same day.

use std::collections::{HashMap, HashSet};

use tafl_parser::tag;

use super::date::StatedDate;
use crate::id::{GameId, LineOfPlayId, RulesId, name_hash};
use crate::move_log::GameResult;
use crate::row::GameRow;

/// The number of plies from which an equal line of play is evidence of a copy.
///
/// Of 28,574 games of aagenielsen.dk, 38 have all their moves in common with a game of other players. The longest has
/// 17 plies; the 22,308 games of more than 20 plies have no such pair (at most 0.02 % with 95 % confidence).
/// `docs/corpus.md` has the table.
pub(crate) const LONG_LINE: u32 = 24;

/// The location of a game while a corpus is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct RowLocation {
    /// The number of the segment, not its index as in [`GameAt`](crate::folder::GameAt).
    pub(crate) segment: u64,
    /// The row in the segment.
    pub(crate) row: u32,
}

/// A stored game, with the values that decide about copies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DedupEntry {
    /// The ID of the game.
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
    /// A number for the name of its rules; 0 without a name.
    pub(crate) variant: u64,
    players: [u64; 2],
    date: StatedDate,
    /// A number for the ID that the record states; 0 without an ID.
    record_id: u64,
    /// The ID of the game of a corpus from which the record was exported.
    exported_as: Option<GameId>,
    /// The index of the next game with the same line of play.
    next: Option<u32>,
}

/// The relation of a new game to the stored ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyRelation {
    /// It is a copy of the stored game with this index.
    Copy(usize),
    /// It has the line of the stored game with this index, but there is no evidence that it is a copy.
    PossibleCopy(usize),
    /// It is not a copy by its line.
    New,
}

/// The players, the day, and the rules of a game, where all are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MeetingKey {
    attackers: u64,
    defenders: u64,
    day: StatedDate,
    rules: RulesId,
}

/// The games that are stored.
#[derive(Debug, Default)]
pub(crate) struct StoredGames {
    stored: Vec<DedupEntry>,
    lines: HashMap<LineOfPlayId, u32>,
    /// The IDs of the stored games.
    ids: HashSet<GameId>,
    /// Games of two known players on a known day.
    meetings: HashMap<MeetingKey, Vec<u32>>,
}

impl StoredGames {
    /// Returns a stored game.
    pub(crate) fn get(&self, index: usize) -> &DedupEntry {
        &self.stored[index]
    }

    /// Returns the relation of a new game to the stored ones. Of several games of which it is a copy, the one with the
    /// highest score counts, unless one is the same record; likewise of several possible ones.
    pub(crate) fn relation(&self, row: &GameRow, date: StatedDate) -> CopyRelation {
        let wanted = DedupEntry::of(row, date, RowLocation::default());
        // The same record first, then copies, then the score.
        let mut best: Option<((bool, bool, u32), usize)> = None;
        let mut next = self.lines.get(&row.line).copied();
        while let Some(index) = next {
            let stored = &self.stored[index as usize];
            if stored.fits(&wanted) {
                let is_same_record = stored.is_same_record(&wanted);
                let rank = (is_same_record, stored.is_copy(&wanted), stored.quality_score);
                if best.is_none_or(|(other, _)| rank > other) {
                    best = Some((rank, index as usize));
                }
            }
            next = stored.next;
        }
        match best {
            Some(((_, true, _), index)) => CopyRelation::Copy(index),
            Some(((_, false, _), index)) => CopyRelation::PossibleCopy(index),
            None => CopyRelation::New,
        }
    }

    /// Returns the games of the same players on the same day that are still stored and have another length.
    pub(crate) fn of_meeting(&self, row: &GameRow, date: StatedDate) -> Vec<usize> {
        let Some(meeting) = meeting(row, date) else { return Vec::new() };
        let known = self.meetings.get(&meeting).map_or(&[][..], Vec::as_slice);
        let own_id = record_id(row);
        let other = |index: &&u32| {
            let stored = &self.stored[**index as usize];
            let is_other = stored.record_id != 0 && own_id != 0 && stored.record_id != own_id;
            let is_short = stored.plies.min(row.plies) < LONG_LINE;
            !stored.is_gone() && stored.plies != row.plies && !(is_other && is_short)
        };
        known.iter().filter(other).map(|index| *index as usize).collect()
    }

    /// Adds a game that is stored.
    pub(crate) fn add(&mut self, row: &GameRow, date: StatedDate, at: RowLocation) {
        let index = self.stored.len() as u32;
        let next = self.lines.insert(row.line, index);
        self.ids.insert(row.game);
        self.stored.push(DedupEntry { next, ..DedupEntry::of(row, date, at) });
        if let Some(meeting) = meeting(row, date) {
            self.meetings.entry(meeting).or_default().push(index);
        }
    }

    /// Replaces a game by another one with the same line.
    pub(crate) fn replace(&mut self, index: usize, row: &GameRow, date: StatedDate, at: RowLocation) {
        let DedupEntry { game, next, .. } = self.stored[index];
        self.ids.remove(&game);
        self.ids.insert(row.game);
        self.stored[index] = DedupEntry { next, ..DedupEntry::of(row, date, at) };
        if let Some(meeting) = meeting(row, date) {
            let known = self.meetings.entry(meeting).or_default();
            if !known.contains(&(index as u32)) {
                known.push(index as u32);
            }
        }
    }

    /// Forgets a game that is no longer stored: no game is a copy of it.
    pub(crate) fn forget(&mut self, index: usize) {
        self.ids.remove(&self.stored[index].game);
        self.stored[index].plies = u32::MAX;
    }

    /// Returns an ID for a game that no other stored game has: its own, if that is free. `replaced` is the index of
    /// the game that it replaces.
    pub(crate) fn free_id(&self, row: &GameRow, replaced: Option<usize>) -> GameId {
        let is_own = replaced.is_some_and(|index| self.stored[index].game == row.game);
        if is_own || !self.ids.contains(&row.game) {
            return row.game;
        }
        row.game_id().of_record(row.source.as_deref(), row.place)
    }
}

impl DedupEntry {
    pub(super) fn of(row: &GameRow, date: StatedDate, at: RowLocation) -> DedupEntry {
        DedupEntry {
            game: row.game,
            at,
            quality_score: row.quality_score,
            plies: row.plies,
            orientation: row.orientation,
            is_unfinished: row.result == GameResult::Unfinished,
            origin: origin(row.source.as_deref(), row.place),
            variant: name_hash(row.variant_name()),
            players: [name_hash(row.attackers.as_deref()), name_hash(row.defenders.as_deref())],
            date,
            record_id: record_id(row),
            exported_as: exported_as(row),
            next: None,
        }
    }

    /// Returns whether it is no longer stored, see [`StoredGames::forget`].
    fn is_gone(&self) -> bool {
        self.plies == u32::MAX
    }

    /// Returns whether another record of the line is the same one: it comes from the same place, or was exported from a
    /// corpus whose games have the same IDs.
    pub(super) fn is_same_record(&self, other: &DedupEntry) -> bool {
        let is_exported = other.exported_as.is_some_and(|id| id == self.game || self.exported_as == Some(id));
        self.origin == other.origin || is_exported
    }

    /// Returns whether another record of the line is a copy, given that [`DedupEntry::fits`]: it is the same record,
    /// the line is long, or the ID or both players agree.
    fn is_copy(&self, other: &DedupEntry) -> bool {
        let is_same_id = self.record_id != 0 && self.record_id == other.record_id;
        let has_same_players =
            self.players.iter().all(|player| *player != 0) && self.players == other.players;
        self.is_same_record(other) || self.plies >= LONG_LINE || is_same_id || has_same_players
    }

    /// Returns whether players, day, and the IDs of short games do not conflict. Archives number the games differently,
    /// so a long line is stronger evidence than different IDs.
    fn fits(&self, other: &DedupEntry) -> bool {
        let fits = |(left, right): (&u64, &u64)| *left == 0 || *right == 0 || left == right;
        let has_same_id = fits((&self.record_id, &other.record_id));
        !self.is_gone()
            && (self.plies >= LONG_LINE || self.is_same_record(other) || has_same_id)
            && self.players.iter().zip(&other.players).all(fits)
            && self.date.fits(other.date)
    }
}

/// Returns a number for the ID that a record states, or 0 without an ID.
fn record_id(row: &GameRow) -> u64 {
    let id = row.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag::ID));
    name_hash(id.map(|(_, value)| &**value))
}

/// Returns the ID of a game in the corpus from which its record was exported.
pub(super) fn exported_as(row: &GameRow) -> Option<GameId> {
    let id = row.tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag::CORPUS_ID));
    id.and_then(|(_, value)| value.parse().ok())
}

/// Returns a number for the place of a record.
pub(crate) fn origin(source: Option<&str>, place: Option<u32>) -> u64 {
    name_hash(source).rotate_left(7) ^ u64::from(place.unwrap_or(0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn meeting(row: &GameRow, date: StatedDate) -> Option<MeetingKey> {
    let player = |name: &Option<String>| Some(name_hash(name.as_deref())).filter(|hash| *hash != 0);
    let (attackers, defenders) = (player(&row.attackers)?, player(&row.defenders)?);
    (date.day > 0).then_some(MeetingKey { attackers, defenders, day: date, rules: row.rules_id })
}
