//! Games of which there is a copy: which one is stored, and what it gets from the other one.

use super::CorpusMerger;
use crate::edit::keep_user_tags;
use crate::error::Result;
use crate::id::{GameId, name_hash};
use crate::ingest::{CopyMatch, RowLocation, note_hash, origin, rebased_copies, relative_symmetry};
use crate::row::{CopyNote, GameRow};

/// The game that is stored of two copies.
struct StoredCopy {
    orientation: u8,
    /// A number for its variant.
    variant: u64,
    /// The number of plies of the shorter copy, if it is a beginning.
    plies: Option<u32>,
}

impl CorpusMerger {
    /// Remembers the copies that come with a game.
    pub(super) fn add_copies(&mut self, row: &GameRow, late: Vec<CopyNote>) {
        self.dedup.noted.extend(row.copies.iter().map(note_hash));
        self.add_late(row.game, late);
    }

    fn add_late(&mut self, game: GameId, notes: Vec<CopyNote>) {
        for note in notes {
            if self.dedup.noted.insert(note_hash(&note)) {
                self.has_new_copies = true;
                self.dedup.saved.entry(game).or_default().push(note);
            }
        }
    }

    /// Notes a game and its copies with the stored one, except those that are already noted.
    pub(super) fn note_copy(&mut self, found: &CopyMatch, row: &GameRow, late: Vec<CopyNote>) {
        let stored = &found.stored;
        let of = StoredCopy { orientation: stored.orientation, variant: stored.variant, plies: found.plies };
        let mut notes = self.rebased_notes(row, of, late);
        notes.retain(|note| note.source.is_some() && note_hash(note) != stored.origin);
        self.add_late(stored.game, notes);
    }

    /// Returns a game and its copies as copies of the stored one.
    fn rebased_notes(&mut self, row: &GameRow, stored: StoredCopy, late: Vec<CopyNote>) -> Vec<CopyNote> {
        let own = CopyNote::of(row, stored.plies).named(row, stored.variant);
        let Some(shape) = self.setups.of(row).map(|start| start.shape()) else { return vec![own] };
        let own = CopyNote { symmetry: relative_symmetry(shape, row.orientation, stored.orientation), ..own };
        let copies = rebased_copies(shape, row.copies.iter().cloned().chain(late), &own);
        std::iter::once(own).chain(copies).collect()
    }

    /// Removes a stored game that has a better copy, and notes it as a copy of that. The copy gets its mark, the tags that users
    /// gave it, and its evaluations.
    pub(super) fn replace_stored(&mut self, found: &CopyMatch, row: &mut GameRow) -> Result<()> {
        let stored = &found.stored;
        let RowLocation { segment: number, row: at } = stored.at;
        if !self.rows.contains_key(&number) {
            let rows = self.open_segment(number)?.games_without_text()?;
            self.rows.insert(number, rows);
        }
        let old = self.rows[&number][at as usize].clone();
        row.duplicate_of = old.duplicate_of;
        keep_user_tags(&old, row);
        let shape = self.setups.of(row).map(|start| start.shape());
        if let Some(shape) = shape.filter(|_| found.plies.is_none()) {
            let symmetry = relative_symmetry(shape, stored.orientation, row.orientation);
            self.carried.note(stored.game, row.game, shape, symmetry);
        }
        let late = self.dedup.saved.remove(&stored.game).unwrap_or_default();
        let variant = name_hash(row.variant_name());
        let of = StoredCopy { orientation: row.orientation, variant, plies: found.plies };
        let mut notes = self.rebased_notes(&old, of, late);
        let itself = origin(row.source.as_deref(), row.place);
        notes.retain(|note| note.source.is_some() && note_hash(note) != itself);
        self.dedup.noted.extend(notes.iter().map(note_hash));
        self.dedup.saved.entry(row.game).or_default().extend(notes);
        self.has_new_copies = true;
        self.removed_rows.entry(number).or_default().push(at);
        Ok(())
    }
}
