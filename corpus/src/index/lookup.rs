//! Index lookup: the candidate games and blocks of a prefilter.

use std::collections::HashMap;
use std::sync::Arc;

use super::read::SegmentIndex;
use super::tokens::code;
use super::{IndexError, NumberSet};
use crate::move_log::MoveLog;
use crate::query::{BlockFilter, GameCondition, Prefilter, Token};

/// The number of postings that are read in the time that it takes to replay a game and test it; measured.
const POSTINGS_A_GAME: u64 = 2000;

/// The most postings that are read for each block of the segment; beyond that, replaying all games is faster.
const POSTINGS_A_BLOCK: u64 = 100;

/// Index lookups of a query in a segment, with a cache.
pub(crate) struct IndexLookup<'i> {
    index: &'i SegmentIndex,
    move_log: &'i MoveLog,
    tokens: HashMap<u64, Arc<NumberSet>>,
    frequencies: HashMap<u64, u32>,
    conditions: HashMap<GameCondition, Arc<NumberSet>>,
    /// The blocks found for whole filters: the same filter is used for games, for blocks, and for similar game setups.
    answers: HashMap<BlockFilter, Arc<NumberSet>>,
    /// The number of postings that may still be read.
    budget: u64,
}

/// The candidates among games or blocks.
enum Candidates {
    /// All of them, or unknown.
    All,
    /// These numbers.
    Some(NumberSet),
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
            answers: HashMap::new(),
            budget: POSTINGS_A_BLOCK * u64::from(index.n_blocks()),
        }
    }

    /// Returns the candidate games of a prefilter, a superset of those that meet it.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn games(&mut self, filter: &Prefilter) -> Result<NumberSet, IndexError> {
        Ok(match self.fitting(filter, self.index.n_games())? {
            Candidates::All => NumberSet::all(self.index.n_games()),
            Candidates::Some(games) => games,
        })
    }

    /// Returns the blocks that may have a position that meets all conditions on positions, or `None` if the filter has
    /// none. Conditions on games are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the index cannot be read.
    pub(crate) fn blocks_of_plies(&mut self, filter: &Prefilter) -> Result<Option<NumberSet>, IndexError> {
        let n = self.index.n_blocks();
        Ok(match filter {
            Prefilter::Anything | Prefilter::Game(_) | Prefilter::NotGame(_) => None,
            Prefilter::Nothing => Some(NumberSet::none(n)),
            Prefilter::Block(filter) => match self.cached_blocks(filter, self.index.n_games())? {
                Candidates::All => None,
                Candidates::Some(blocks) => Some(blocks),
            },
            Prefilter::All(filters) => {
                let mut all: Option<NumberSet> = None;
                for filter in filters {
                    match (&mut all, self.blocks_of_plies(filter)?) {
                        (_, None) => {}
                        (Some(all), Some(found)) => all.keep(&found),
                        (all, Some(found)) => *all = Some(found),
                    }
                }
                all
            }
            Prefilter::Any(filters) => {
                let mut any = NumberSet::none(n);
                for filter in filters {
                    match self.blocks_of_plies(filter)? {
                        None => return Ok(None),
                        Some(found) => any.add(&found),
                    }
                }
                Some(any)
            }
        })
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
    fn fitting(&mut self, filter: &Prefilter, left: u32) -> Result<Candidates, IndexError> {
        Ok(match filter {
            Prefilter::Anything => Candidates::All,
            Prefilter::Nothing => Candidates::Some(NumberSet::none(self.index.n_games())),
            Prefilter::All(filters) => self.all(filters, left)?,
            Prefilter::Any(filters) => {
                let mut games = NumberSet::none(self.index.n_games());
                for filter in filters {
                    match self.fitting(filter, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => games.add(&found),
                    }
                }
                Candidates::Some(games)
            }
            Prefilter::Block(filter) => match self.cached_blocks(filter, left)? {
                Candidates::All => Candidates::All,
                Candidates::Some(blocks) => Candidates::Some(self.games_of(&blocks)),
            },
            Prefilter::Game(condition) => Candidates::Some((*self.condition(condition)?).clone()),
            Prefilter::NotGame(condition) => {
                let mut games = (*self.condition(condition)?).clone();
                games.invert();
                Candidates::Some(games)
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
        let mut games: Option<NumberSet> = None;
        for (_, filter) in order {
            let Candidates::Some(found) = self.fitting(filter, left)? else { continue };
            match &mut games {
                Some(games) => games.keep(&found),
                None => games = Some(found),
            }
            left = games.as_ref().map_or(left, NumberSet::count);
            if left == 0 {
                break;
            }
        }
        Ok(games.map_or(Candidates::All, Candidates::Some))
    }

    /// Returns the approximate number of postings to read.
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
        if let Some(known) = self.answers.get(filter) {
            return Ok(Candidates::Some((**known).clone()));
        }
        let found = self.blocks(filter, left)?;
        if let Candidates::Some(blocks) = &found {
            self.answers.insert(filter.clone(), Arc::new(blocks.clone()));
        }
        Ok(found)
    }

    /// Returns the candidate blocks of a filter; `left` games are still undecided.
    fn blocks(&mut self, filter: &BlockFilter, left: u32) -> Result<Candidates, IndexError> {
        match filter {
            BlockFilter::Has(token) => match token.table_key() {
                Some(key) => {
                    let mut blocks = NumberSet::none(self.index.n_blocks());
                    self.index.add_blocks_with_key(key, &mut blocks)?;
                    Ok(Candidates::Some(blocks))
                }
                None => self.blocks_with(token, left),
            },
            BlockFilter::All(filters) => self.blocks_with_all(filters, left),
            BlockFilter::Any(filters) => {
                let mut blocks = NumberSet::none(self.index.n_blocks());
                for filter in filters {
                    if let BlockFilter::Has(token) = filter
                        && let Some(key) = token.table_key()
                    {
                        self.index.add_blocks_with_key(key, &mut blocks)?;
                        continue;
                    }
                    match self.blocks(filter, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => blocks.add(&found),
                    }
                }
                Ok(Candidates::Some(blocks))
            }
        }
    }

    fn blocks_with_all(&mut self, filters: &[BlockFilter], left: u32) -> Result<Candidates, IndexError> {
        let mut order: Vec<(u64, &BlockFilter)> = Vec::with_capacity(filters.len());
        for filter in filters {
            order.push((self.frequency(filter)?, filter));
        }
        // The rarest first: for the remaining games, the others may not be worth their cost.
        order.sort_by_key(|(frequency, _)| *frequency);
        let (mut blocks, mut left): (Option<NumberSet>, u32) = (None, left);
        for (_, filter) in order {
            let Candidates::Some(found) = self.blocks(filter, left)? else { continue };
            match &mut blocks {
                Some(blocks) => blocks.keep(&found),
                None => blocks = Some(found),
            }
            left = blocks.as_ref().map_or(left, NumberSet::count).min(left);
            if left == 0 {
                break;
            }
        }
        Ok(blocks.map_or(Candidates::All, Candidates::Some))
    }

    fn blocks_with(&mut self, token: &Token, left: u32) -> Result<Candidates, IndexError> {
        let Some(code) = code(token) else { return Ok(Candidates::All) };
        if let Some(known) = self.tokens.get(&code) {
            return Ok(Candidates::Some((**known).clone()));
        }
        let n = u64::from(self.frequency_of(code)?);
        let says_little = n >= u64::from(self.index.n_blocks()) * 15 / 16;
        if says_little || n > self.budget || n > POSTINGS_A_GAME * u64::from(left) {
            return Ok(Candidates::All);
        }
        self.budget -= n;
        let blocks = Arc::new(self.index.blocks_with_token(code)?);
        self.tokens.insert(code, blocks.clone());
        Ok(Candidates::Some((*blocks).clone()))
    }

    /// Returns an upper bound of the number of blocks that meet a filter.
    fn frequency(&mut self, filter: &BlockFilter) -> Result<u64, IndexError> {
        match filter {
            BlockFilter::Has(token) => match code(token) {
                Some(code) => Ok(self.frequency_of(code)?.into()),
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

    fn frequency_of(&mut self, code: u64) -> Result<u32, IndexError> {
        if let Some(known) = self.frequencies.get(&code) {
            return Ok(*known);
        }
        let frequency = self.index.n_blocks_with_token(code)?;
        self.frequencies.insert(code, frequency);
        Ok(frequency)
    }

    /// Returns the games of blocks.
    fn games_of(&self, blocks: &NumberSet) -> NumberSet {
        let mut games = NumberSet::none(self.move_log.n_games());
        let mut after = 0;
        for block in blocks.iter() {
            // A block of a game that was already added.
            if block < after {
                continue;
            }
            let game = self.move_log.game_of_block(block);
            let entry = self.move_log.entry(game);
            after = entry.first_block.saturating_add(entry.n_blocks());
            games.insert(game);
        }
        games
    }
}
