//! What is remembered of a corpus into which games are taken.

use std::collections::{HashMap, HashSet};

use super::date::day_of;
use super::duplicates::{Games, origin};
use crate::error::Result;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::rejected::Rejected;
use crate::row::CopyNote;

/// What is remembered of a corpus: enough to find copies.
#[derive(Debug, Default)]
pub(crate) struct Stock {
    /// The games.
    pub(crate) games: Games,
    /// Numbers of the copies that are noted.
    pub(crate) noted: HashSet<u64>,
    /// Copies that stand apart from their games.
    pub(crate) saved: HashMap<GameId, Vec<CopyNote>>,
    /// Numbers of the records that are kept aside.
    pub(crate) aside: HashSet<u64>,
}

impl Stock {
    /// Returns what is to be remembered of a corpus.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub(crate) fn of(corpus: &Corpus) -> Result<Stock> {
        let mut stock = Stock { saved: corpus.late_copies()?, ..Stock::default() };
        for segment in corpus.segments() {
            for (row, game) in (0..).zip(segment.games_without_text()?) {
                if !segment.is_removed(row) {
                    stock.games.add(&game, day_of(&game), (segment.number(), row));
                    stock.noted.extend(game.copies.iter().map(note_number));
                }
            }
        }
        stock.noted.extend(stock.saved.values().flatten().map(note_number));
        stock.aside = corpus.rejected()?.iter().map(Rejected::number).collect();
        Ok(stock)
    }
}

/// Returns a number for the place of a copy.
pub(crate) fn note_number(note: &CopyNote) -> u64 {
    origin(note.source.as_deref(), note.place)
}
