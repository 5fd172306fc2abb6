//! Patterns with many places, tested in all of them at once by shifting sets of cells.

use tafl_rules::{Cell, Shape};

use super::Mask;
use super::placed::Placed;
use crate::moment::{Content, Moment};

/// Words of a set of cells: 21 files by 21 ranks.
const WORDS: usize = 7;
/// Zeros on either side, so that shifts read nothing else.
const PAD: usize = 7;

/// A set of cells by file and rank, with room for shifts.
type Padded = [u64; WORDS + 2 * PAD + 1];

/// A pattern in all its places, as shifts.
#[derive(Debug, Clone)]
pub(crate) struct Slide {
    shape: Shape,
    /// What the cells of the pattern ask for, each once.
    masks: Vec<Mask>,
    /// The places that differ only by a shift.
    ways: Vec<Way>,
    n_words: usize,
}

/// A pattern in one orientation.
#[derive(Debug, Clone)]
struct Way {
    /// Where the first condition may lie.
    origins: [u64; WORDS],
    /// How far each condition lies behind the first one, and the number of its mask; rarest first.
    shifts: Vec<(i32, usize)>,
}

/// The cells that fit each mask of a slide, kept while a game is played.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fitting(Vec<Padded>);

impl Slide {
    /// Returns the pattern as shifts, or nothing where that is not worth it or not possible.
    pub(crate) fn new(placed: &Placed, shape: Shape) -> Option<Slide> {
        if placed.len() <= 24 || !placed.is_simple() {
            return None;
        }
        let n_words = (shape.n_ranks() as usize).pow(2).div_ceil(64);
        let mut slide = Slide { shape, masks: Vec::new(), ways: Vec::new(), n_words };
        let mut last_way = None;
        for (placement, layers) in placed.places() {
            let conditions = *layers.first()?;
            let at = |cell: u16| bit(shape, Cell::new(usize::from(cell))) as i32;
            let first = at(conditions.first()?.cell);
            let mut shifts: Vec<(i32, usize)> = conditions
                .iter()
                .map(|condition| (at(condition.cell) - first, slide.mask_number(condition.mask)))
                .collect();
            shifts[1..].sort();
            let way = (placement.symmetry, placement.swapped);
            let is_same = last_way == Some(way) && slide.ways.last().is_some_and(|way| way.shifts == shifts);
            if !is_same {
                slide.ways.push(Way { origins: [0; WORDS], shifts });
            }
            last_way = Some(way);
            let way = slide.ways.last_mut().expect("a way was added");
            way.origins[first as usize / 64] |= 1 << (first % 64);
        }
        Some(slide)
    }

    fn mask_number(&mut self, mask: Mask) -> usize {
        self.masks.iter().position(|known| *known == mask).unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        })
    }

    /// Puts the sets at a position.
    pub(crate) fn reset(&self, fitting: &mut Fitting, moment: &Moment) {
        fitting.0.clear();
        fitting.0.resize(self.masks.len(), [0; WORDS + 2 * PAD + 1]);
        for cell in self.shape.cells() {
            self.put(fitting, cell, moment.at(cell));
        }
    }

    /// Follows the ply that led to a position.
    #[inline]
    pub(crate) fn advance(&self, fitting: &mut Fitting, moment: &Moment) {
        let Some(mv) = moment.last else { return };
        for cell in [mv.from, mv.to].iter().chain(&moment.captured) {
            self.put(fitting, *cell, moment.at(*cell));
        }
    }

    #[inline]
    fn put(&self, fitting: &mut Fitting, cell: Cell, content: Content) {
        let at = bit(self.shape, cell);
        for (mask, set) in self.masks.iter().zip(&mut fitting.0) {
            let word = &mut set[PAD + at / 64];
            *word = *word & !(1 << (at % 64)) | u64::from(mask.fits(content)) << (at % 64);
        }
    }

    /// Returns whether the pattern lies anywhere.
    #[inline]
    pub(crate) fn holds(&self, fitting: &Fitting) -> bool {
        self.ways.iter().any(|way| {
            (0..self.n_words).any(|word| {
                let mut left = way.origins[word];
                for (shift, mask) in &way.shifts {
                    left &= shifted(&fitting.0[*mask], word, *shift);
                    if left == 0 {
                        return false;
                    }
                }
                true
            })
        })
    }
}

/// Returns a word of a set moved back by `shift` places.
#[inline]
fn shifted(set: &Padded, word: usize, shift: i32) -> u64 {
    let at = ((PAD + word) as i32 * 64 + shift) as usize;
    let (low, bits) = (at / 64, at % 64);
    // A shift by 64 is split in two, because a single one is not defined.
    set[low] >> bits | set[low + 1] << 1 << (63 - bits)
}

#[inline]
fn bit(shape: Shape, cell: Cell) -> usize {
    match shape {
        // Cells of square boards are numbered in just this way.
        Shape::Square { .. } => cell.index(),
        Shape::Hex { .. } => {
            let coord = shape.coord(cell);
            coord.rank as usize * shape.n_ranks() as usize + coord.file as usize
        }
    }
}
