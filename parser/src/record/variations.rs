//! The variations of a record, in little memory.
//!
//! A record may have hundreds of thousands of variations of a single move, in the shortest case `(a1b1)`. The moves of
//! all variations therefore share one list: with a list for each, such a variation took 22 times its size.

use std::ops::Range;

use tafl_rules::{Coord, Span};

use super::{LineBranch, MoveLine, MoveLineId, WrittenMove};

/// The variations of a record, each after its parent line.
///
/// # Examples
///
/// ```
/// use tafl_parser::{Format, LineBranch, MoveLineId, Record, WrittenMove};
/// use tafl_rules::Span;
///
/// let mut record = Record::new(Format::Pgn);
/// let mv = WrittenMove::new("d1".parse()?, "d3".parse()?, Span::default());
/// record.push_to(MoveLineId::MAIN, mv);
/// let branch = LineBranch { parent: MoveLineId::MAIN, at: 0, number: 1 };
/// let variation = record.variations.open(Some(branch), false);
/// record.push_to(variation, mv);
/// assert_eq!(record.lines().map(|line| line.moves.len()).collect::<Vec<_>>(), [1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Variations {
    heads: Vec<VariationHead>,
    /// The moves of each variation, one after another. If a variation continues after another one, its moves are moved
    /// to the end of the list, and leave a gap. [`FREE`] places follow them, for further moves. The list never becomes
    /// shorter, because a variation without moves may begin at its end.
    moves: Vec<WrittenMove>,
}

/// A variation without its moves.
#[derive(Debug, Clone, Copy)]
struct VariationHead {
    /// The branch point; `NO_PARENT` as the parent of a variation without one.
    branch: LineBranch,
    first_move: u32,
    /// Twice the number of moves, plus 1 if the variation opens with the second player of a turn.
    n_moves_and_flag: u32,
}

const NO_PARENT: MoveLineId = MoveLineId(u32::MAX);

/// The flag of a variation that opens with the second player of a turn.
const OPENS_WITH_SECOND: u32 = 1;
/// One move in a number with the flag.
const MOVE: u32 = 2;

/// A place without a move, which the variation before it may use. Its cells are on no board.
const FREE: WrittenMove = WrittenMove {
    first_capture: u32::MAX,
    n_captures: u16::MAX,
    ..WrittenMove::new(
        Coord::new(i16::MIN, i16::MIN),
        Coord::new(i16::MIN, i16::MIN),
        Span { start: u32::MAX, end: u32::MAX },
    )
};

impl VariationHead {
    const fn n_moves(&self) -> usize {
        (self.n_moves_and_flag / MOVE) as usize
    }

    const fn range(&self) -> Range<usize> {
        let first = self.first_move as usize;
        first..first + self.n_moves()
    }

    fn branch(&self) -> Option<LineBranch> {
        (self.branch.parent != NO_PARENT).then_some(self.branch)
    }
}

impl Variations {
    /// Returns the number of variations.
    pub const fn len(&self) -> usize {
        self.heads.len()
    }

    /// Returns whether there are no variations.
    pub const fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Returns the variations in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = MoveLine<'_>> + ExactSizeIterator + Clone {
        self.heads.iter().map(|head| self.line(head))
    }

    /// Adds a variation without moves, and returns its ID. `branch` is its branch point, if that is known.
    pub fn open(&mut self, branch: Option<LineBranch>, opens_with_second: bool) -> MoveLineId {
        let branch = branch.unwrap_or(LineBranch { parent: NO_PARENT, at: 0, number: 0 });
        let first_move = self.moves.len() as u32;
        let n_moves_and_flag = if opens_with_second { OPENS_WITH_SECOND } else { 0 };
        self.heads.push(VariationHead { branch, first_move, n_moves_and_flag });
        MoveLineId(self.heads.len() as u32)
    }

    /// Calls a function with every branch point.
    pub fn for_each_branch(&mut self, mut change: impl FnMut(&mut LineBranch)) {
        let heads = self.heads.iter_mut().filter(|head| head.branch.parent != NO_PARENT);
        heads.for_each(|head| change(&mut head.branch));
    }

    fn line(&self, head: &VariationHead) -> MoveLine<'_> {
        MoveLine {
            branch: head.branch(),
            opens_with_second: head.n_moves_and_flag & OPENS_WITH_SECOND != 0,
            moves: &self.moves[head.range()],
        }
    }

    /// Returns the variation with an index.
    pub(super) fn get(&self, nth: usize) -> Option<MoveLine<'_>> {
        self.heads.get(nth).map(|head| self.line(head))
    }

    /// Appends a move to the variation with an index.
    #[inline]
    pub(super) fn push(&mut self, nth: usize, mv: WrittenMove) {
        let head = &mut self.heads[nth];
        let range = head.range();
        match self.moves.get_mut(range.end) {
            None => self.moves.push(mv),
            Some(place) if *place == FREE => *place = mv,
            Some(_) => {
                let capacity = (head.n_moves() + 1).next_power_of_two();
                let first = self.moves.len();
                head.first_move = first as u32;
                self.moves.extend_from_within(range);
                self.moves.push(mv);
                self.moves.resize(first + capacity, FREE);
            }
        }
        head.n_moves_and_flag += MOVE;
    }

    /// Removes the last move of the variation with an index if a condition holds for it; returns whether it did.
    pub(super) fn pop_if(&mut self, nth: usize, is_meant: impl FnOnce(&WrittenMove) -> bool) -> bool {
        let head = &mut self.heads[nth];
        let Some(last) = self.moves[head.range()].last_mut().filter(|last| is_meant(last)) else {
            return false;
        };
        *last = FREE;
        head.n_moves_and_flag -= MOVE;
        true
    }

    pub(super) fn moves_mut(&mut self, nth: usize) -> &mut [WrittenMove] {
        &mut self.moves[self.heads[nth].range()]
    }

    pub(super) fn set_opens_with_second(&mut self, nth: usize, opens_with_second: bool) {
        let flag = if opens_with_second { OPENS_WITH_SECOND } else { 0 };
        let head = &mut self.heads[nth];
        head.n_moves_and_flag = head.n_moves_and_flag & !OPENS_WITH_SECOND | flag;
    }

    /// Returns the moves of all variations, in their order.
    pub(super) fn all_moves_mut(&mut self) -> impl Iterator<Item = &mut WrittenMove> {
        *self = self.selected(0..self.len());
        self.moves.iter_mut()
    }

    /// Returns the variations with these indices, in this order, without gaps between their moves.
    pub(crate) fn selected(&self, order: impl Iterator<Item = usize>) -> Variations {
        let mut selected = Variations::default();
        for nth in order {
            let MoveLine { branch, opens_with_second, moves } = self.line(&self.heads[nth]);
            selected.open(branch, opens_with_second);
            if let Some(head) = selected.heads.last_mut() {
                head.n_moves_and_flag += MOVE * moves.len() as u32;
            }
            selected.moves.extend_from_slice(moves);
        }
        selected
    }
}

impl PartialEq for Variations {
    fn eq(&self, other: &Variations) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    fn mv(file: i16) -> WrittenMove {
        WrittenMove::new(Coord { file, rank: 0 }, Coord { file, rank: 1 }, Span::default())
    }

    #[test]
    fn moves_of_variations_that_continue_later_stay_together() {
        let mut variations = Variations::default();
        let mut lists: Vec<Vec<WrittenMove>> = Vec::new();
        let mut rng = Rng::new(7);
        for nth in 0..2000 {
            if lists.is_empty() || rng.below(20) == 0 {
                variations.open(None, false);
                lists.push(Vec::new());
            }
            let line = rng.below(lists.len());
            if rng.below(7) == 0 {
                assert_eq!(variations.pop_if(line, |_| true), lists[line].pop().is_some());
            } else {
                variations.push(line, mv(nth));
                lists[line].push(mv(nth));
            }
        }
        assert!(lists.len() > 50);
        let found = |variations: &Variations| -> Vec<Vec<WrittenMove>> {
            variations.iter().map(|line| line.moves.to_vec()).collect()
        };
        assert_eq!(found(&variations), lists);
        let n_moves: usize = lists.iter().map(Vec::len).sum();
        assert_eq!(variations.all_moves_mut().count(), n_moves);
        assert_eq!(found(&variations), lists);
    }

    #[test]
    fn a_variation_without_moves_stays_empty_when_the_one_before_it_loses_its_last_move() {
        let mut variations = Variations::default();
        variations.open(None, false);
        variations.push(0, mv(1));
        variations.open(None, true);
        assert!(variations.pop_if(0, |_| true) && !variations.pop_if(1, |_| true));
        assert!(variations.iter().all(|line| line.moves.is_empty()));
        variations.push(1, mv(2));
        variations.push(0, mv(3));
        assert_eq!(variations.iter().map(|line| line.moves.to_vec()).collect::<Vec<_>>(), [[mv(3)], [mv(2)]]);
    }

    #[test]
    fn moves_that_are_taken_back_and_made_again_take_no_more_memory() {
        let mut variations = Variations::default();
        variations.open(None, false);
        (0..3).for_each(|nth| variations.push(0, mv(nth)));
        variations.open(None, false);
        variations.push(1, mv(9));
        (3..5).for_each(|nth| variations.push(0, mv(nth)));
        let n_places = variations.moves.len();
        for _ in 0..1000 {
            assert!(variations.pop_if(0, |_| true));
            variations.push(0, mv(4));
        }
        assert_eq!(variations.moves.len(), n_places);
    }

    #[test]
    fn a_variation_takes_few_bytes_besides_its_moves() {
        assert!(size_of::<VariationHead>() <= 20 && size_of::<WrittenMove>() <= 28);
    }
}
