//! Patterns that are tested at all positions of a game at once.
//!
//! For each cell and each set of contents that the pattern names, a word has a bit for each position: whether the cell has
//! one of the contents. A ply changes few cells, and therefore few words. A placement matches at the positions at which
//! all its cells fit, which is the conjunction of some words.
//!
//! Most placements do not match at all: before any word is read, sets of cells rule them out, for all placements of a
//! [`MovedLayer`] at once. For each set of contents, such a set has the cells that fit at any of the positions.

#[cfg(test)]
mod tests;

use std::ops::Range;

use tafl_rules::Setup;

use super::ContentMask;
use super::moved_layers::{MovedLayer, WordLayout, moved_layers};
use super::placements::PatternPlacements;
use crate::move_log::{MoveLogError, ReplayCursor};
use crate::ply_state::CellContent;
use crate::query::PlySet;

/// The number of positions that are tested at once: the bits of a word. In an archive, most games have fewer.
const WINDOW: u32 = u64::BITS;

/// A matcher that tests all placements of a pattern at all positions of a game.
#[derive(Debug, Clone)]
pub(crate) struct GameMatcher {
    layout: WordLayout,
    /// For each pair of contents, before and after a change, the range of the words in `flips` that change.
    flip_ranges: Box<[(u32, u32); PAIRS]>,
    flips: Vec<WordFlip>,
    layers: Vec<MovedLayer>,
    /// The position before the first ply, where nearly all games begin, and its words.
    start: Vec<CellContent>,
    start_words: FitWords,
}

/// The words of a set of contents.
#[derive(Debug, Clone, Copy)]
struct WordFlip {
    /// The first of its words.
    words: u32,
    /// The first word of its set of cells.
    set: u32,
}

/// The part of a game whose positions are tested.
#[derive(Clone, Copy)]
pub(crate) struct MatchRange<'b> {
    /// The first ply after which no position is tested.
    pub(crate) end: u32,
    /// Returns whether positions after some plies are tested; others may be, too.
    pub(crate) has: Option<&'b dyn Fn(Range<u32>) -> bool>,
}

impl MatchRange<'_> {
    /// The whole game.
    pub(crate) const WHOLE: MatchRange<'static> = MatchRange { end: u32::MAX, has: None };
}

/// Buffers that are reused from game to game.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchBuffers {
    board: Vec<CellContent>,
    fits: FitWords,
}

/// The words of the positions of a window.
#[derive(Debug, Clone, Default)]
struct FitWords {
    /// For each set of contents and each place of the grid, a bit for each position.
    words: Vec<u64>,
    /// For each set of contents, the places that fit at any position, and perhaps more.
    sets: Vec<u64>,
}

impl GameMatcher {
    /// Returns the matcher of a pattern for games that begin at a position.
    pub(crate) fn new(placed: &PatternPlacements, start: &Setup) -> GameMatcher {
        let (layout, layers) = moved_layers(placed, start.shape());
        let start: Vec<CellContent> =
            start.shape().cells().map(|cell| CellContent::of(start.piece(cell))).collect();
        let (flips, flip_ranges) = flips_of(&layout);
        let mut start_words = FitWords::default();
        start_words.fill(&layout, &start);
        GameMatcher { layout, flip_ranges, flips, layers, start, start_words }
    }

    /// Finds the positions of a part of a game at which a placement matches. The cursor is at the start of the game,
    /// and does not move.
    ///
    /// # Errors
    ///
    /// Fails if the game in the move log is damaged.
    pub(crate) fn find(
        &self,
        cursor: &ReplayCursor<'_>,
        part: MatchRange<'_>,
        buffers: &mut MatchBuffers,
        plies: &mut PlySet,
    ) -> Result<(), MoveLogError> {
        let MatchBuffers { board, fits } = buffers;
        self.begin(cursor.state().board(), board, fits);
        plies.clear();
        let mut changes = cursor.board_changes();
        // The first window begins with the first position, and the others with a ply.
        let (mut start, mut begin) = (cursor.state().ply, 1);
        let mut n_left = cursor.n_plies_left().min(part.end.saturating_sub(start + 1));
        loop {
            let len = WINDOW.min(n_left.saturating_add(begin));
            for n in begin..len {
                let from_here = u64::MAX << n;
                changes.advance(board, |cell, before, after| {
                    self.put(fits, cell, pair(before, after), from_here);
                })?;
            }
            n_left -= len - begin;
            let is_tested = part.has.is_none_or(|has| has(start..start + len));
            let bits = if is_tested { self.matches(fits, u64::MAX >> (WINDOW - len)) } else { 0 };
            plies.extend(bits, len);
            if n_left == 0 {
                return Ok(());
            }
            fits.roll(&self.layout);
            (start, begin) = (start + len, 0);
        }
    }

    /// Sets the buffers to the first position of a game.
    fn begin(&self, first: &[CellContent], board: &mut Vec<CellContent>, fits: &mut FitWords) {
        board.clear();
        board.extend_from_slice(first);
        if *first == *self.start {
            fits.words.clone_from(&self.start_words.words);
            fits.sets.clone_from(&self.start_words.sets);
        } else {
            fits.fill(&self.layout, first);
        }
    }

    /// Changes the content of a cell at some positions.
    #[inline]
    fn put(&self, fits: &mut FitWords, cell: usize, pair: u8, positions: u64) {
        let place = usize::from(self.layout.places[cell]);
        let (from, to) = self.flip_ranges[usize::from(pair)];
        // The slices stay in registers, unlike those of the vectors behind `fits`.
        let (words, sets) = (&mut fits.words[..], &mut fits.sets[..]);
        let (number, bit) = (place / 64, 1 << (place % 64));
        for flip in &self.flips[from as usize..to as usize] {
            words[flip.words as usize + place] ^= positions;
            // Before or after the change, the cell fits.
            sets[flip.set as usize + number] |= bit;
        }
    }

    /// Returns the positions at which a placement matches, as bits, of those in `asked`.
    fn matches(&self, fits: &FitWords, asked: u64) -> u64 {
        let mut found = 0;
        for layer in &self.layers {
            for (number, origins) in &layer.origins {
                let mut left = layer.may_match(&fits.sets, *number, *origins);
                while left != 0 {
                    let origin = number * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    found |= layer.matches(&fits.words, origin, asked);
                }
                if found == asked {
                    return found;
                }
            }
        }
        found
    }
}

impl FitWords {
    /// Sets every bit to that of a position.
    fn fill(&mut self, layout: &WordLayout, board: &[CellContent]) {
        self.words.clear();
        self.words.resize(layout.masks.len() * layout.n_places, 0);
        self.sets.clear();
        self.sets.resize(layout.masks.len() * layout.set_len, 0);
        for (number, mask) in layout.masks.iter().enumerate() {
            for (content, place) in board.iter().zip(&layout.places) {
                let place = usize::from(*place);
                if mask.fits(*content) {
                    self.words[number * layout.n_places + place] = u64::MAX;
                    self.sets[number * layout.set_len + place / 64] |= 1 << (place % 64);
                }
            }
        }
    }

    /// Begins the next window: every bit is that of the last position.
    fn roll(&mut self, layout: &WordLayout) {
        let sets = self.sets.chunks_exact_mut(layout.set_len);
        for (words, set) in self.words.chunks_exact_mut(layout.n_places).zip(sets) {
            for (words, set) in words.chunks_mut(64).zip(set) {
                // Words of other places are 0.
                let mut left = std::mem::take(set);
                while left != 0 {
                    let place = left.trailing_zeros();
                    left &= left - 1;
                    let word = &mut words[place as usize];
                    let last = *word >> (WINDOW - 1);
                    *word = last.wrapping_neg();
                    *set |= last << place;
                }
            }
        }
    }
}

/// The number of pairs of contents.
const PAIRS: usize = 256;
const _: () = assert!(CellContent::COUNT <= 16, "a content has four bits of a pair");

/// Returns the number of a pair of contents.
#[inline]
fn pair(before: CellContent, after: CellContent) -> u8 {
    before.code() << 4 | after.code()
}

/// Returns the words that change with the content of a cell, and for each pair of contents their range.
fn flips_of(layout: &WordLayout) -> (Vec<WordFlip>, Box<[(u32, u32); PAIRS]>) {
    let (mut flips, mut ranges) = (Vec::new(), Box::new([(0, 0); PAIRS]));
    for before in ContentMask::ANY.contents() {
        for after in ContentMask::ANY.contents() {
            let from = flips.len();
            for (number, mask) in layout.masks.iter().enumerate() {
                if mask.fits(before) != mask.fits(after) {
                    let (words, set) = (number * layout.n_places, number * layout.set_len);
                    flips.push(WordFlip { words: words as u32, set: set as u32 });
                }
            }
            ranges[usize::from(pair(before, after))] = (from as u32, flips.len() as u32);
        }
    }
    (flips, ranges)
}
