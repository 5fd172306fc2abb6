//! The order of blocks in the token table: blocks of boards of the same shape are consecutive.
//!
//! A token of a cell is in blocks of one shape only. In this order, the blocks that have or lack it are close together, which
//! makes their list short, and the sets of tokens of a shape are intersected word by word. The blocks of each shape
//! begin at a multiple of 64 and are in the order of the games.

use std::ops::Range;
use std::sync::Arc;

use super::{IndexError, NumberSet};
use crate::move_log::{MoveLog, MoveLogError};

/// The order of the blocks of a segment.
#[derive(Debug)]
pub(super) struct BlockOrder {
    /// By the codes of the shapes, in ascending order.
    shapes: Vec<ShapeBlocks>,
    /// The first place of each game.
    first: Arc<[u32]>,
    len: u32,
}

/// The blocks of boards of a shape.
#[derive(Debug)]
pub(super) struct ShapeBlocks {
    /// The code of the shape.
    pub(super) code: u32,
    /// The place of the first block.
    pub(super) first: u32,
    /// The number of blocks.
    pub(super) n_blocks: u32,
    /// The games in order, each with the place of its first block.
    games: Vec<(u32, u32)>,
}

impl BlockOrder {
    /// Returns the order of the blocks of a move log.
    ///
    /// # Errors
    ///
    /// Fails if the directory of the move log is damaged.
    pub(super) fn of(move_log: &MoveLog) -> Result<BlockOrder, IndexError> {
        let codes: Vec<u32> = move_log.shapes().map(super::tokens::shape_code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let new = |code| ShapeBlocks { code, first: 0, n_blocks: 0, games: Vec::new() };
        let mut shapes: Vec<ShapeBlocks> = sorted.into_iter().map(new).collect();
        let of_setups: Vec<usize> =
            codes.iter().map(|code| shapes.partition_point(|shape| shape.code < *code)).collect();
        let mut first = Vec::with_capacity(move_log.n_games() as usize);
        let mut of_games = Vec::with_capacity(first.capacity());
        for game in 0..move_log.n_games() {
            let entry = move_log.entry(game);
            let at = *of_setups.get(usize::from(entry.game_setup)).ok_or(MoveLogError::Game { game })?;
            first.push(shapes[at].n_blocks);
            of_games.push(at);
            let n_blocks = shapes[at].n_blocks.checked_add(entry.n_blocks());
            shapes[at].n_blocks = n_blocks.ok_or(MoveLogError::Game { game })?;
        }
        let len = set_firsts(&mut shapes).ok_or(IndexError::OtherMoveLog)?;
        for ((game, first), at) in (0..).zip(&mut first).zip(of_games) {
            *first += shapes[at].first;
            shapes[at].games.push((game, *first));
        }
        Ok(BlockOrder { shapes, first: first.into(), len })
    }

    /// Returns an order without games, from the codes of shapes and their numbers of blocks.
    #[cfg(test)]
    pub(super) fn of_counts(counts: &[(u32, u32)]) -> BlockOrder {
        let new = |(code, n_blocks): &(u32, u32)| ShapeBlocks {
            code: *code,
            first: 0,
            n_blocks: *n_blocks,
            games: Vec::new(),
        };
        let mut shapes: Vec<ShapeBlocks> = counts.iter().map(new).collect();
        let len = set_firsts(&mut shapes).unwrap();
        BlockOrder { shapes, first: Arc::default(), len }
    }

    /// Returns the blocks of each shape, in ascending order of the codes of the shapes.
    pub(super) fn shapes(&self) -> &[ShapeBlocks] {
        &self.shapes
    }

    /// Returns the number of places, some of which may have no block.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Returns the places of blocks from their numbers in the move log, which are in ascending order.
    pub(super) fn places<'a>(
        &'a self,
        move_log: &'a MoveLog,
        blocks: impl Iterator<Item = u32> + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        let mut game = 0;
        blocks.map(move |block| {
            game = move_log.game_of_block_from(block, game);
            self.first[game as usize] + (block - move_log.entry(game).first_block)
        })
    }

    /// Returns the first place of each game.
    pub(super) fn first_places(&self) -> &Arc<[u32]> {
        &self.first
    }

    /// Returns the places of the blocks of a shape, from a multiple of 64 on, or all places for code 0.
    pub(super) fn range(&self, shape: u32) -> Range<u32> {
        let known = self.shapes.iter().find(|known| known.code == shape);
        known.map_or(0..self.len, |known| known.first..known.first + known.n_blocks)
    }

    /// Returns the games of a set of places.
    pub(super) fn games_of(&self, places: &NumberSet) -> NumberSet {
        let mut found = NumberSet::empty(self.first.len() as u32);
        let mut places = places.iter().peekable();
        for shape in &self.shapes {
            let mut games = &shape.games[..];
            let last = shape.first + shape.n_blocks;
            while let Some(place) = places.next_if(|place| *place < last) {
                let n = n_at_front(games, |(_, first)| *first <= place);
                let Some((game, _)) = games[..n].last() else { continue };
                found.insert(*game);
                games = &games[n..];
                let end = games.first().map_or(last, |(_, next)| *next);
                while places.next_if(|place| *place < end).is_some() {}
            }
        }
        found
    }
}

/// Sets the first place of each shape, and returns the end of the last one; `None` if there are too many blocks.
fn set_firsts(shapes: &mut [ShapeBlocks]) -> Option<u32> {
    let mut len = 0u32;
    for shape in shapes {
        shape.first = len;
        len = len.checked_add(shape.n_blocks)?.checked_next_multiple_of(64)?;
    }
    Some(len)
}

/// Returns the number of leading elements for which a function holds; it holds for no later element. Exponential search is
/// faster than [`slice::partition_point`] if they are few.
fn n_at_front<T>(list: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let holds = |n: usize| list.get(n - 1).is_some_and(&holds);
    let (mut n, mut step) = (0, 1);
    while holds(n + step) {
        n += step;
        step *= 2;
    }
    while step > 1 {
        step /= 2;
        if holds(n + step) {
            n += step;
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::fixture::Fixture;

    #[test]
    fn the_front_of_a_list_is_counted() {
        for len in 0..20 {
            let list: Vec<usize> = (0..len).collect();
            for n in 0..=len {
                assert_eq!(n_at_front(&list, |number| *number < n), n);
            }
        }
    }

    #[test]
    fn places_are_in_the_order_of_shapes_then_games() {
        let fixture = Fixture::new(9, 60);
        let move_log = &fixture.move_log;
        let order = BlockOrder::of(move_log).unwrap();
        assert!(order.shapes().len() > 2);
        let places: Vec<u32> = order.places(move_log, 0..move_log.n_blocks()).collect();
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), places.len(), "each block has a place of its own");
        assert!(order.shapes().iter().all(|shape| shape.first % 64 == 0));
        for game in 0..move_log.n_games() {
            let entry = move_log.entry(game);
            let first = order.first_places()[game as usize];
            let own = places[entry.first_block as usize..].iter().take(entry.n_blocks() as usize);
            assert!(own.copied().eq(first..first + entry.n_blocks()));
        }
        for step in [1, 2, 7] {
            let mut set = NumberSet::empty(order.len());
            let mut games = NumberSet::empty(move_log.n_games());
            for block in (0..move_log.n_blocks()).step_by(step) {
                set.insert(places[block as usize]);
                games.insert(move_log.game_of_block(block));
            }
            assert_eq!(order.games_of(&set), games);
        }
    }
}
