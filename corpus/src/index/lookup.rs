//! Index lookup: the candidate games and blocks of a prefilter.

use std::collections::HashMap;
use std::sync::Arc;

use tafl_rules::CanonicalKey;

use super::read::SegmentIndex;
use super::token_table::TokenFrequency;
use super::tokens::code;
use super::{IndexError, NumberSet};
use crate::move_log::MoveLog;
use crate::query::{BlockFilter, GameCondition, Prefilter, Token};

/// The approximate number of words of token lists that can be read in the time that replaying and testing a game takes.
const WORDS_PER_GAME: u64 = 2000;

/// The maximum number of words read for each block of the segment; beyond that, replaying all games is faster.
const MAX_WORDS_PER_BLOCK: u64 = 100;

/// The maximum number of filters whose blocks are found one filter after another.
const MAX_SEQUENTIAL: usize = 16;

/// A number of blocks for which a token list of any length is worth reading. Counting more blocks would take longer than
/// intersecting sets.
const MAX_COUNT: u32 = 1 << 12;

/// Index lookups of a query in a segment, with a cache. Sets of blocks are sets of places in the order of the token table.
pub(crate) struct IndexLookup<'i> {
    index: &'i SegmentIndex,
    move_log: &'i MoveLog,
    tokens: HashMap<u64, Arc<NumberSet>>,
    frequencies: HashMap<u64, TokenFrequency>,
    conditions: HashMap<GameCondition, Arc<NumberSet>>,
    /// The blocks found for whole filters: the same filter is used for games, for blocks, and for similar game setups.
    filter_blocks: HashMap<BlockFilter, Arc<NumberSet>>,
    /// The number of words that may still be read.
    budget: u64,
}

/// The candidates among games or blocks.
enum Candidates {
    /// All of them, or unknown.
    All,
    /// These numbers. Sets of tokens are shared, because a pattern has the same cells in many placements.
    Some(Arc<NumberSet>),
}

impl<'i> IndexLookup<'i> {
    /// Returns a lookup with an empty cache.
    pub(crate) fn new(index: &'i SegmentIndex, move_log: &'i MoveLog) -> IndexLookup<'i> {
        IndexLookup {
            index,
            move_log,
            tokens: HashMap::new(),
            frequencies: HashMap::new(),
            conditions: HashMap::new(),
            filter_blocks: HashMap::new(),
            budget: MAX_WORDS_PER_BLOCK * u64::from(index.n_blocks()),
        }
    }

    /// Returns the candidate games of a prefilter, a superset of those that meet it.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn games(&mut self, filter: &Prefilter) -> Result<NumberSet, IndexError> {
        Ok(match self.candidates(filter, self.index.n_games())? {
            Candidates::All => NumberSet::full(self.index.n_games()),
            Candidates::Some(games) => Arc::unwrap_or_clone(games),
        })
    }

    /// Returns the places of the blocks that may have a position that meets all conditions on positions, or `None` if
    /// the filter has none. Conditions on games are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn places_of_plies(
        &mut self,
        filter: &Prefilter,
    ) -> Result<Option<Arc<NumberSet>>, IndexError> {
        let n = self.index.order.len();
        Ok(match filter {
            Prefilter::Anything | Prefilter::Game(_) | Prefilter::NotGame(_) => None,
            Prefilter::Nothing => Some(NumberSet::empty(n).into()),
            Prefilter::Block(filter) => match self.cached_blocks(filter, self.index.n_games())? {
                Candidates::All => None,
                Candidates::Some(blocks) => Some(blocks),
            },
            Prefilter::All(filters) => {
                let mut all: Option<Arc<NumberSet>> = None;
                for filter in filters {
                    match (&mut all, self.places_of_plies(filter)?) {
                        (_, None) => {}
                        (Some(all), Some(found)) => Arc::make_mut(all).intersect_with(&found),
                        (all, Some(found)) => *all = Some(found),
                    }
                }
                all
            }
            Prefilter::Any(filters) => {
                let mut any = NumberSet::empty(n);
                for filter in filters {
                    match self.places_of_plies(filter)? {
                        None => return Ok(None),
                        Some(found) => any.union_with(&found),
                    }
                }
                Some(any.into())
            }
        })
    }

    /// Returns the first place of each game, from which its blocks follow one another.
    pub(crate) fn first_places(&self) -> &Arc<[u32]> {
        self.index.order.first_places()
    }

    /// Returns the games for which a condition holds.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn condition(&mut self, condition: &GameCondition) -> Result<Arc<NumberSet>, IndexError> {
        if let Some(known) = self.conditions.get(condition) {
            return Ok(known.clone());
        }
        let games = Arc::new(self.index.games_with(condition)?);
        self.conditions.insert(condition.clone(), games.clone());
        Ok(games)
    }

    /// Returns the candidate games of a prefilter, of which `left` are still undecided.
    fn candidates(&mut self, filter: &Prefilter, left: u32) -> Result<Candidates, IndexError> {
        Ok(match filter {
            Prefilter::Anything => Candidates::All,
            Prefilter::Nothing => Candidates::Some(NumberSet::empty(self.index.n_games()).into()),
            Prefilter::All(filters) => self.all(filters, left)?,
            Prefilter::Any(filters) => {
                let mut games = NumberSet::empty(self.index.n_games());
                for filter in filters {
                    match self.candidates(filter, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => games.union_with(&found),
                    }
                }
                Candidates::Some(games.into())
            }
            Prefilter::Block(filter) => match self.cached_blocks(filter, left)? {
                Candidates::All => Candidates::All,
                Candidates::Some(blocks) => Candidates::Some(self.index.order.games_of(&blocks).into()),
            },
            Prefilter::Game(condition) => Candidates::Some(self.condition(condition)?),
            Prefilter::NotGame(condition) => {
                let mut games = (*self.condition(condition)?).clone();
                games.invert();
                Candidates::Some(games.into())
            }
        })
    }

    /// Looks up blocks last, and only while that is cheaper than replaying the remaining games.
    fn all(&mut self, filters: &[Prefilter], mut left: u32) -> Result<Candidates, IndexError> {
        let mut order: Vec<(u64, &Prefilter)> = Vec::with_capacity(filters.len());
        for filter in filters {
            order.push((self.cost(filter)?, filter));
        }
        order.sort_by_key(|(cost, _)| *cost);
        let mut games: Option<Arc<NumberSet>> = None;
        for (_, filter) in order {
            let Candidates::Some(found) = self.candidates(filter, left)? else { continue };
            match &mut games {
                Some(games) => Arc::make_mut(games).intersect_with(&found),
                None => games = Some(found),
            }
            left = games.as_ref().map_or(left, |games| games.count());
            if left == 0 {
                break;
            }
        }
        Ok(games.map_or(Candidates::All, Candidates::Some))
    }

    /// Returns the approximate number of blocks to read.
    fn cost(&mut self, filter: &Prefilter) -> Result<u64, IndexError> {
        Ok(match filter {
            Prefilter::Anything | Prefilter::Nothing => 0,
            Prefilter::Game(_) | Prefilter::NotGame(_) => u64::from(self.index.n_games()),
            Prefilter::Block(filter) => self.frequency(filter)?,
            Prefilter::All(filters) | Prefilter::Any(filters) => {
                let mut sum = 0;
                for filter in filters {
                    sum += self.cost(filter)?;
                }
                sum
            }
        })
    }

    /// Returns the blocks that may match a filter, from the cache if it was evaluated before.
    fn cached_blocks(&mut self, filter: &BlockFilter, left: u32) -> Result<Candidates, IndexError> {
        if let Some(known) = self.filter_blocks.get(filter) {
            return Ok(Candidates::Some(known.clone()));
        }
        let found = self.blocks(filter, left)?;
        if let Candidates::Some(blocks) = &found {
            self.filter_blocks.insert(filter.clone(), blocks.clone());
        }
        Ok(found)
    }

    /// Returns the candidate blocks of a filter; `left` games are still undecided.
    fn blocks(&mut self, filter: &BlockFilter, left: u32) -> Result<Candidates, IndexError> {
        match filter {
            BlockFilter::Has(token) => match token.table_key() {
                Some(key) => {
                    let mut blocks = NumberSet::empty(self.index.order.len());
                    self.add_blocks_with_key(key, &mut blocks)?;
                    Ok(Candidates::Some(blocks.into()))
                }
                None => self.blocks_with(token, left),
            },
            BlockFilter::All(filters) => self.blocks_with_all(filters, left),
            BlockFilter::Any(filters) if filters.len() > MAX_SEQUENTIAL => {
                self.blocks_with_any(filters, left)
            }
            BlockFilter::Any(filters) => {
                let mut blocks = NumberSet::empty(self.index.order.len());
                for filter in filters {
                    if let BlockFilter::Has(token) = filter
                        && let Some(key) = token.table_key()
                    {
                        self.add_blocks_with_key(key, &mut blocks)?;
                        continue;
                    }
                    match self.blocks(filter, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => blocks.union_with(&found),
                    }
                }
                Ok(Candidates::Some(blocks.into()))
            }
        }
    }

    /// Returns the candidate blocks of many filters, such as those of the placements of a pattern. The sets of their tokens are
    /// combined part by part, because the same part of all sets fits in the cache of the processor.
    fn blocks_with_any(&mut self, filters: &[BlockFilter], left: u32) -> Result<Candidates, IndexError> {
        let mut conjunctions = Vec::with_capacity(filters.len());
        for filter in filters {
            let parts = match filter {
                BlockFilter::All(parts) => &parts[..],
                BlockFilter::Has(_) | BlockFilter::Any(_) => std::slice::from_ref(filter),
            };
            let mut sets = Vec::with_capacity(parts.len());
            for part in parts {
                if let Candidates::Some(found) = self.cached_blocks(part, left)? {
                    sets.push(found);
                }
            }
            if sets.is_empty() {
                return Ok(Candidates::All);
            }
            conjunctions.push(sets);
        }
        let range = self.index.order.range(common_shape(filters));
        Ok(Candidates::Some(NumberSet::union_of_intersections(range, &conjunctions).into()))
    }

    fn blocks_with_all(&mut self, filters: &[BlockFilter], left: u32) -> Result<Candidates, IndexError> {
        let mut order: Vec<(u64, &BlockFilter)> = Vec::with_capacity(filters.len());
        for filter in filters {
            order.push((self.frequency(filter)?, filter));
        }
        // The rarest first: for the remaining games, the others may not be worth their cost.
        order.sort_by_key(|(frequency, _)| *frequency);
        let (mut blocks, mut left): (Option<Arc<NumberSet>>, u32) = (None, left);
        for (_, filter) in order {
            let Candidates::Some(found) = self.blocks(filter, left)? else { continue };
            match &mut blocks {
                Some(blocks) => Arc::make_mut(blocks).intersect_with(&found),
                None => blocks = Some(found),
            }
            let count = blocks.as_ref().map_or(MAX_COUNT, |blocks| blocks.count_up_to(MAX_COUNT));
            left = if count < MAX_COUNT { left.min(count) } else { left };
            if left == 0 {
                break;
            }
        }
        Ok(blocks.map_or(Candidates::All, Candidates::Some))
    }

    fn blocks_with(&mut self, token: &Token, left: u32) -> Result<Candidates, IndexError> {
        let Some(code) = code(token) else { return Ok(Candidates::All) };
        if let Some(known) = self.tokens.get(&code) {
            return Ok(Candidates::Some(known.clone()));
        }
        let TokenFrequency { n_blocks, n_possible, cost } = self.frequency_of(code);
        let is_unselective = u64::from(n_blocks) >= u64::from(n_possible) * 63 / 64;
        if is_unselective || cost > self.budget || cost > WORDS_PER_GAME * u64::from(left) {
            return Ok(Candidates::All);
        }
        self.budget -= cost;
        let blocks = Arc::new(self.index.places_with_token(code)?);
        self.tokens.insert(code, blocks.clone());
        Ok(Candidates::Some(blocks))
    }

    /// Returns an upper bound of the number of blocks that meet a filter.
    fn frequency(&mut self, filter: &BlockFilter) -> Result<u64, IndexError> {
        match filter {
            BlockFilter::Has(token) => match code(token) {
                Some(code) => Ok(self.frequency_of(code).n_blocks.into()),
                None => Ok(0),
            },
            BlockFilter::All(filters) => {
                let mut least = u64::MAX;
                for filter in filters {
                    least = least.min(self.frequency(filter)?);
                }
                Ok(least)
            }
            BlockFilter::Any(filters) => {
                let mut sum = 0;
                for filter in filters {
                    sum += self.frequency(filter)?;
                }
                Ok(sum)
            }
        }
    }

    fn frequency_of(&mut self, code: u64) -> TokenFrequency {
        let index = self.index;
        *self.frequencies.entry(code).or_insert_with(|| index.token_frequency(code))
    }

    /// Adds the blocks that may have a position with a key.
    fn add_blocks_with_key(&self, key: CanonicalKey, found: &mut NumberSet) -> Result<(), IndexError> {
        let blocks = self.index.blocks_with_keys(&[key])?;
        self.index.order.places(self.move_log, blocks.into_iter()).for_each(|place| found.insert(place));
        Ok(())
    }
}

/// Returns the code of the shape of the boards whose blocks a filter can have; 0 if there is no such shape.
fn shape_of(filter: &BlockFilter) -> u32 {
    match filter {
        BlockFilter::Has(token) => code(token).map_or(0, |code| (code >> 32) as u32),
        // No block has tokens of two shapes.
        BlockFilter::All(filters) => filters.iter().map(shape_of).max().unwrap_or(0),
        BlockFilter::Any(filters) => common_shape(filters),
    }
}

/// Returns the shape of several filters; 0 if they do not have the same one.
fn common_shape(filters: &[BlockFilter]) -> u32 {
    let first = filters.first().map_or(0, shape_of);
    if filters.iter().all(|filter| shape_of(filter) == first) { first } else { 0 }
}
