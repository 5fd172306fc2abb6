//! Patterns with many placements, which are tested at once by shifting sets of cells as bits.

use tafl_rules::{Cell, Shape};

use super::ContentMask;
use super::placements::{CellCondition, PatternPlacements, PlacedLayers};
use crate::ply_state::{CellContent, PlyState};

/// Words of a set of cells: 21 files by 21 ranks.
const WORDS: usize = 7;
/// The zero words on either side, so that shifts read only zeros.
const PAD: usize = 7;

/// A set of cells by file and rank, with room for shifts.
type Padded = [u64; WORDS + 2 * PAD + 1];

/// A matcher that tests all placements of a pattern by shifts.
#[derive(Debug, Clone)]
pub(crate) struct ShiftMatcher {
    shape: Shape,
    /// The distinct masks of the cells of the pattern.
    masks: Vec<ContentMask>,
    /// The groups of placements that differ only by a shift.
    groups: Vec<ShiftGroup>,
    n_words: usize,
}

/// The placements of a pattern in one orientation.
#[derive(Debug, Clone)]
struct ShiftGroup {
    /// The cells where the first condition may lie.
    origins: [u64; WORDS],
    look_for: Vec<Vec<Shift>>,
    except: Vec<Vec<Shift>>,
}

/// The offset of a condition from the first one, and its mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shift {
    /// The index of the padded word in which the shifted set begins.
    word: u8,
    /// The number of bits beyond that.
    bits: u8,
    /// The number of the mask.
    mask: u16,
}

/// The cells that fit each mask of a slide, kept while a game is played.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellMatches(Vec<Padded>);

impl ShiftMatcher {
    /// Returns the matcher of a pattern, or `None` if it has so few placements that testing them one by one is faster.
    pub(crate) fn new(placed: &PatternPlacements, shape: Shape) -> Option<ShiftMatcher> {
        if placed.len() <= 24 {
            return None;
        }
        let n_words = (shape.n_ranks() as usize).pow(2).div_ceil(64);
        let mut matcher = ShiftMatcher { shape, masks: Vec::new(), groups: Vec::new(), n_words };
        for place in placed.places() {
            matcher.add(&place);
        }
        Some(matcher)
    }

    fn add(&mut self, place: &PlacedLayers<'_>) {
        let at = |cell: u16| bit(self.shape, Cell::new(usize::from(cell)));
        let mut conditions = place.look_for.iter().chain(&place.except).copied().flatten();
        let first = conditions.next().map_or(0, |condition| at(condition.cell));
        let mut shifts = |layers: &[&[CellCondition]]| -> Vec<Vec<Shift>> {
            layers.iter().map(|layer| layer.iter().map(|it| self.shift(it, first)).collect()).collect()
        };
        let (look_for, except) = (shifts(&place.look_for), shifts(&place.except));
        // Placements that differ by a shift are adjacent, unless a layer does not fit at the edge of the board.
        let known = self.groups.iter_mut().rev().take(8);
        let mut known = known.filter(|group| group.look_for == look_for && group.except == except);
        match known.next() {
            Some(group) => group.origins[first / 64] |= 1 << (first % 64),
            None => {
                let mut origins = [0; WORDS];
                origins[first / 64] |= 1 << (first % 64);
                self.groups.push(ShiftGroup { origins, look_for, except });
            }
        }
    }

    fn shift(&mut self, condition: &CellCondition, first: usize) -> Shift {
        let at = PAD * 64 + bit(self.shape, Cell::new(usize::from(condition.cell))) - first;
        // There are at most 2^13 masks, one for each set of contents.
        let mask = self.mask_number(condition.mask) as u16;
        Shift { word: (at / 64) as u8, bits: (at % 64) as u8, mask }
    }

    fn mask_number(&mut self, mask: ContentMask) -> usize {
        self.masks.iter().position(|known| *known == mask).unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        })
    }

    /// Sets the matches for a position.
    pub(crate) fn reset(&self, matches: &mut CellMatches, state: &PlyState) {
        matches.0.clear();
        matches.0.resize(self.masks.len(), [0; WORDS + 2 * PAD + 1]);
        for cell in self.shape.cells() {
            self.put(matches, cell, state.at(cell));
        }
    }

    /// Updates the matches after the ply that led to a position.
    #[inline]
    pub(crate) fn advance(&self, matches: &mut CellMatches, state: &PlyState) {
        let Some(mv) = state.last else { return };
        for cell in [mv.from, mv.to].iter().chain(&state.captured) {
            self.put(matches, *cell, state.at(*cell));
        }
    }

    #[inline]
    fn put(&self, matches: &mut CellMatches, cell: Cell, content: CellContent) {
        let at = bit(self.shape, cell);
        for (mask, set) in self.masks.iter().zip(&mut matches.0) {
            let word = &mut set[PAD + at / 64];
            *word = *word & !(1 << (at % 64)) | u64::from(mask.fits(content)) << (at % 64);
        }
    }

    /// Returns whether a placement matches.
    #[inline]
    pub(crate) fn holds(&self, matches: &CellMatches) -> bool {
        self.groups.iter().any(|group| {
            group.origins[..self.n_words].iter().enumerate().any(|(word, origins)| {
                let mut found = 0;
                for layer in &group.look_for {
                    found |= matches.all(layer, *origins, word);
                }
                for layer in &group.except {
                    found &= !matches.all(layer, found, word);
                }
                found != 0
            })
        })
    }
}

impl CellMatches {
    /// Returns those of the given placements in which all conditions of a layer hold.
    #[inline]
    fn all(&self, layer: &[Shift], mut places: u64, word: usize) -> u64 {
        for shift in layer {
            if places == 0 {
                return 0;
            }
            let set = &self.0[usize::from(shift.mask)];
            let low = usize::from(shift.word) + word;
            // A shift by 64 bits is not defined, so it is split in two.
            places &= set[low] >> shift.bits | set[low + 1] << 1 << (63 - shift.bits);
        }
        places
    }
}

#[inline]
fn bit(shape: Shape, cell: Cell) -> usize {
    match shape {
        // Cells of square boards already have these numbers.
        Shape::Square { .. } => cell.index(),
        Shape::Hex { .. } => {
            let coord = shape.coord(cell);
            coord.rank as usize * shape.n_ranks() as usize + coord.file as usize
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Facts, PieceSet, Setup, Side};

    use super::*;
    use crate::pattern::PatternSymmetries;
    use crate::pattern::placements::BoardInfo;
    use crate::pattern::{Anchor, Colors, Layer, Pattern};

    #[test]
    fn a_pattern_may_name_more_sets_of_contents_than_a_byte_counts() {
        let shape = Shape::square(7).unwrap();
        let board_info = BoardInfo {
            shape,
            thrones: Vec::new(),
            pieces: PieceSet::ALL,
            counts: [0; CellContent::COUNT],
            two_kings: true,
        };
        // In order: an empty cell, 255 sets of the first eight pieces, and only then the ninth piece.
        let ninth = ContentMask(1 << 9);
        let masks = [ContentMask::EMPTY]
            .into_iter()
            .chain((1..256).map(|bits| ContentMask(bits << 1)))
            .chain([ninth]);
        let pattern = Pattern {
            anchor: Anchor::Anywhere,
            turns: PatternSymmetries::AsItStands,
            colors: Colors::AsWritten,
            look_for: masks.map(|mask| Layer { rows: vec![vec![mask]] }).collect(),
            except: Vec::new(),
        };
        let placed = PatternPlacements::new(&pattern, &board_info, 0);
        let matcher = ShiftMatcher::new(&placed, shape).unwrap();
        assert_eq!(matcher.masks.len(), 257);
        let mut setup = Setup::empty(shape);
        let piece = ninth.contents().next().and_then(CellContent::piece);
        shape.cells().for_each(|cell| setup.put(cell, piece));
        let state = PlyState::start(&setup, Side::Attackers, Facts::default());
        let mut matches = CellMatches::default();
        matcher.reset(&mut matches, &state);
        assert!(placed.holds(state.board()) && matcher.holds(&matches));
    }
}
