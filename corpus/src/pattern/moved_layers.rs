//! The layers of the placements of a pattern, without their places on the board.
//!
//! Most placements of a pattern differ only in the place: two by three cells have 720 placements on 11x11 cells, but eight
//! layers that are moved to 90 places each.

use std::collections::HashMap;

use tafl_rules::{Cell, Shape};

use super::ContentMask;
use super::placements::{CellCondition, PatternPlacements};

/// The places of the words that a matcher keeps for the cells of a board.
///
/// The cells are places of a square grid, so that moving a layer adds the same number to all its places, also on hexagonal
/// boards.
#[derive(Debug, Clone)]
pub(crate) struct WordLayout {
    /// The distinct sets of contents of the pattern.
    pub(crate) masks: Vec<ContentMask>,
    /// The place of each cell.
    pub(crate) places: Vec<u16>,
    /// The number of places of the grid, which is the number of words of a set of contents.
    pub(crate) n_places: usize,
    /// The number of words of a set of places. The upper half is empty, so that reading after the last place needs no
    /// check.
    pub(crate) set_len: usize,
}

/// A layer, the layers that must not match beside it, and the origins to which they are moved.
#[derive(Debug, Clone)]
pub(crate) struct MovedLayer {
    /// The rarest contents first.
    conditions: Vec<MovedCondition>,
    /// For each layer that must not match, the words of its conditions for an origin at place 0, modulo 2^64.
    excepts: Vec<Vec<usize>>,
    /// The origins: the places of the first cells. Words of a set of places with their numbers, without empty ones.
    pub(crate) origins: Vec<(usize, u64)>,
}

/// A condition on a cell.
#[derive(Debug, Clone, Copy)]
struct MovedCondition {
    /// Its word for an origin at place 0.
    word: usize,
    /// The word and the bit of the set of cells for an origin at place 0.
    set: usize,
    bit: u32,
}

impl MovedLayer {
    /// Returns the origins of a word at which each condition holds at some position, though perhaps not all at the same.
    #[inline]
    pub(crate) fn may_match(&self, sets: &[u64], number: usize, origins: u64) -> u64 {
        let mut left = origins;
        for condition in &self.conditions {
            let at = condition.set + number;
            // Two shifts: one by 64 bits is not defined.
            left &= sets[at] >> condition.bit | sets[at + 1] << 1 << (63 - condition.bit);
            if left == 0 {
                break;
            }
        }
        left
    }

    /// Returns the positions at which the layer matches at an origin, of those in `asked`.
    #[inline]
    pub(crate) fn matches(&self, words: &[u64], origin: usize, asked: u64) -> u64 {
        let mut left = asked;
        for condition in &self.conditions {
            left &= words[condition.word + origin];
        }
        if left != 0 {
            for except in &self.excepts {
                let all = except.iter().fold(u64::MAX, |all, word| all & words[word.wrapping_add(origin)]);
                left &= !all;
            }
        }
        left
    }
}

/// A condition of a layer relative to its origin: the difference of the places, and the number of the set of contents.
type RelativeCondition = (isize, usize);

/// The conditions of a layer, and those of the layers that must not match beside it.
type RelativeLayers = (Vec<RelativeCondition>, Vec<Vec<RelativeCondition>>);

/// Returns the layers of all placements, each once.
pub(crate) fn moved_layers(placed: &PatternPlacements, shape: Shape) -> (WordLayout, Vec<MovedLayer>) {
    let mut layout = WordLayout::new(shape);
    let mut order: Vec<RelativeLayers> = Vec::new();
    let mut origins: HashMap<RelativeLayers, Vec<usize>> = HashMap::new();
    for place in placed.places() {
        for layer in &place.look_for {
            let origin = layer.iter().map(|condition| layout.place(condition)).min().unwrap_or(0);
            let relative = (
                layout.relative(layer, origin),
                place.except.iter().map(|except| layout.relative(except, origin)).collect(),
            );
            match origins.get_mut(&relative) {
                Some(origins) => origins.push(origin),
                None => {
                    order.push(relative.clone());
                    origins.insert(relative, vec![origin]);
                }
            }
        }
    }
    let layers = order.iter().map(|relative| layout.moved_layer(relative, &origins[relative])).collect();
    (layout, layers)
}

impl WordLayout {
    fn new(shape: Shape) -> WordLayout {
        let side = shape.n_ranks();
        let places = shape.cells().map(|cell: Cell| {
            let coord = shape.coord(cell);
            (coord.rank * side + coord.file) as u16
        });
        let n_places = side as usize * side as usize;
        let set_len = 2 * n_places.div_ceil(64);
        WordLayout { masks: Vec::new(), places: places.collect(), n_places, set_len }
    }

    fn place(&self, condition: &CellCondition) -> usize {
        usize::from(self.places[usize::from(condition.cell)])
    }

    fn relative(&mut self, layer: &[CellCondition], origin: usize) -> Vec<RelativeCondition> {
        let mut relative = Vec::with_capacity(layer.len());
        for condition in layer {
            let place = self.place(condition) as isize - origin as isize;
            relative.push((place, self.mask(condition.mask)));
        }
        relative
    }

    /// Returns the number of a set of contents.
    fn mask(&mut self, mask: ContentMask) -> usize {
        let known = self.masks.iter().position(|known| *known == mask);
        known.unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        })
    }

    fn moved_layer(&self, (conditions, excepts): &RelativeLayers, origins: &[usize]) -> MovedLayer {
        let word = |(place, mask): &RelativeCondition| (mask * self.n_places).wrapping_add_signed(*place);
        let mut set = vec![0; self.set_len / 2];
        origins.iter().for_each(|origin| set[origin / 64] |= 1 << (origin % 64));
        MovedLayer {
            conditions: conditions
                .iter()
                .map(|condition| {
                    // The origin is the first place, so the difference is not negative.
                    let place = condition.0.unsigned_abs();
                    MovedCondition {
                        word: word(condition),
                        set: condition.1 * self.set_len + place / 64,
                        bit: (place % 64) as u32,
                    }
                })
                .collect(),
            excepts: excepts.iter().map(|except| except.iter().map(word).collect()).collect(),
            origins: set.into_iter().enumerate().filter(|(_, bits)| *bits != 0).collect(),
        }
    }
}
