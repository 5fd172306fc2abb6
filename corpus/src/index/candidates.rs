//! From what a question needs to the games that may have hits.

use std::collections::HashMap;
use std::sync::Arc;

use super::read::SegmentIndex;
use super::tokens::code;
use super::{Bits, IndexError};
use crate::query::{BlockNeed, GameCondition, Need, Token};
use crate::tape::Tape;

/// How many postings can be read in the time in which a game is played from the tape and looked through; measured.
const POSTINGS_A_GAME: u64 = 2000;

/// How many postings are worth reading for each block of the segment before all its games are played instead.
const POSTINGS_A_BLOCK: u64 = 100;

/// What the index says about a segment while one question is asked: remembers what was read.
pub struct Prefilter<'i> {
    index: &'i SegmentIndex,
    tape: &'i Tape,
    tokens: HashMap<u64, Arc<Bits>>,
    frequencies: HashMap<u64, u32>,
    conditions: HashMap<GameCondition, Arc<Bits>>,
    /// The blocks found for whole needs: they are asked for games and then for blocks, and alike by arenas that are alike.
    answers: HashMap<BlockNeed, Arc<Bits>>,
    /// How many more postings may be read.
    budget: u64,
}

/// The numbers that may fit.
enum Candidates {
    /// All of them, or nobody knows.
    All,
    /// These.
    Some(Bits),
}

impl<'i> Prefilter<'i> {
    /// Returns a prefilter that knows nothing yet.
    pub fn new(index: &'i SegmentIndex, tape: &'i Tape) -> Prefilter<'i> {
        Prefilter {
            index,
            tape,
            tokens: HashMap::new(),
            frequencies: HashMap::new(),
            conditions: HashMap::new(),
            answers: HashMap::new(),
            budget: POSTINGS_A_BLOCK * u64::from(index.n_blocks()),
        }
    }

    /// Returns the games that may have what is needed: all that have it are among them.
    ///
    /// # Errors
    ///
    /// Returns that the index cannot be read.
    pub fn games(&mut self, need: &Need) -> Result<Bits, IndexError> {
        Ok(match self.fitting(need, self.index.n_games())? {
            Candidates::All => Bits::all(self.index.n_games()),
            Candidates::Some(games) => games,
        })
    }

    /// Returns the blocks that may have a moment with what is needed, where all of it must hold at one moment; nothing
    /// where that says nothing. What is needed of games is not looked at.
    ///
    /// # Errors
    ///
    /// Returns that the index cannot be read.
    pub fn blocks_of_moments(&mut self, need: &Need) -> Result<Option<Bits>, IndexError> {
        let n = self.index.n_blocks();
        Ok(match need {
            Need::Anything | Need::Game(_) | Need::NotGame(_) => None,
            Need::Nothing => Some(Bits::none(n)),
            Need::Block(need) => match self.answered(need, self.index.n_games())? {
                Candidates::All => None,
                Candidates::Some(blocks) => Some(blocks),
            },
            Need::All(needs) => {
                let mut all: Option<Bits> = None;
                for need in needs {
                    match (&mut all, self.blocks_of_moments(need)?) {
                        (_, None) => {}
                        (Some(all), Some(found)) => all.keep(&found),
                        (all, Some(found)) => *all = Some(found),
                    }
                }
                all
            }
            Need::Any(needs) => {
                let mut any = Bits::none(n);
                for need in needs {
                    match self.blocks_of_moments(need)? {
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
    /// Returns that the index cannot be read.
    pub fn condition(&mut self, condition: &GameCondition) -> Result<Arc<Bits>, IndexError> {
        if let Some(known) = self.conditions.get(condition) {
            return Ok(known.clone());
        }
        let games = Arc::new(self.index.games_with(condition)?);
        self.conditions.insert(condition.clone(), games.clone());
        Ok(games)
    }

    /// Returns the games that may have what is needed, where `left` games are to be decided about.
    fn fitting(&mut self, need: &Need, left: u32) -> Result<Candidates, IndexError> {
        Ok(match need {
            Need::Anything => Candidates::All,
            Need::Nothing => Candidates::Some(Bits::none(self.index.n_games())),
            Need::All(needs) => self.all(needs, left)?,
            Need::Any(needs) => {
                let mut games = Bits::none(self.index.n_games());
                for need in needs {
                    match self.fitting(need, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => games.add(&found),
                    }
                }
                Candidates::Some(games)
            }
            Need::Block(need) => match self.answered(need, left)? {
                Candidates::All => Candidates::All,
                Candidates::Some(blocks) => Candidates::Some(self.games_of(&blocks)),
            },
            Need::Game(condition) => Candidates::Some((*self.condition(condition)?).clone()),
            Need::NotGame(condition) => {
                let mut games = (*self.condition(condition)?).clone();
                games.invert();
                Candidates::Some(games)
            }
        })
    }

    /// Asks about blocks last, and only while that is cheaper than playing the games that are left.
    fn all(&mut self, needs: &[Need], mut left: u32) -> Result<Candidates, IndexError> {
        let mut order: Vec<(u64, &Need)> = Vec::with_capacity(needs.len());
        for need in needs {
            order.push((self.cost(need)?, need));
        }
        order.sort_by_key(|(cost, _)| *cost);
        let mut games: Option<Bits> = None;
        for (_, need) in order {
            let Candidates::Some(found) = self.fitting(need, left)? else { continue };
            match &mut games {
                Some(games) => games.keep(&found),
                None => games = Some(found),
            }
            left = games.as_ref().map_or(left, Bits::count);
            if left == 0 {
                break;
            }
        }
        Ok(games.map_or(Candidates::All, Candidates::Some))
    }

    /// Returns about how many postings must be read.
    fn cost(&mut self, need: &Need) -> Result<u64, IndexError> {
        Ok(match need {
            Need::Anything | Need::Nothing => 0,
            Need::Game(_) | Need::NotGame(_) => u64::from(self.index.n_games()),
            Need::Block(need) => self.frequency(need)?,
            Need::All(needs) | Need::Any(needs) => {
                let mut sum = 0;
                for need in needs {
                    sum += self.cost(need)?;
                }
                sum
            }
        })
    }

    /// Returns the blocks that may have what is needed; what was found for a need is found once, be it asked for games
    /// and for blocks.
    fn answered(&mut self, need: &BlockNeed, left: u32) -> Result<Candidates, IndexError> {
        if let Some(known) = self.answers.get(need) {
            return Ok(Candidates::Some((**known).clone()));
        }
        let found = self.blocks(need, left)?;
        if let Candidates::Some(blocks) = &found {
            self.answers.insert(need.clone(), Arc::new(blocks.clone()));
        }
        Ok(found)
    }

    /// Returns the blocks that may have what is needed, where `left` games are to be decided about.
    fn blocks(&mut self, need: &BlockNeed, left: u32) -> Result<Candidates, IndexError> {
        match need {
            BlockNeed::Has(Token::Key(key)) => Ok(Candidates::Some(self.index.blocks_with_key(*key)?)),
            BlockNeed::Has(token) => self.blocks_with(token, left),
            BlockNeed::All(needs) => self.blocks_with_all(needs, left),
            BlockNeed::Any(needs) => {
                let mut blocks = Bits::none(self.index.n_blocks());
                for need in needs {
                    if let BlockNeed::Has(Token::Key(key)) = need {
                        self.index.add_blocks_with_key(*key, &mut blocks)?;
                        continue;
                    }
                    match self.blocks(need, left)? {
                        Candidates::All => return Ok(Candidates::All),
                        Candidates::Some(found) => blocks.add(&found),
                    }
                }
                Ok(Candidates::Some(blocks))
            }
        }
    }

    fn blocks_with_all(&mut self, needs: &[BlockNeed], left: u32) -> Result<Candidates, IndexError> {
        let mut order: Vec<(u64, &BlockNeed)> = Vec::with_capacity(needs.len());
        for need in needs {
            order.push((self.frequency(need)?, need));
        }
        // The rarest first: what it leaves may not be worth the others.
        order.sort_by_key(|(frequency, _)| *frequency);
        let (mut blocks, mut left): (Option<Bits>, u32) = (None, left);
        for (_, need) in order {
            let Candidates::Some(found) = self.blocks(need, left)? else { continue };
            match &mut blocks {
                Some(blocks) => blocks.keep(&found),
                None => blocks = Some(found),
            }
            left = blocks.as_ref().map_or(left, Bits::count).min(left);
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

    /// Returns in how many blocks a need is met, at most.
    fn frequency(&mut self, need: &BlockNeed) -> Result<u64, IndexError> {
        match need {
            BlockNeed::Has(token) => match code(token) {
                Some(code) => Ok(self.frequency_of(code)?.into()),
                None => Ok(0),
            },
            BlockNeed::All(needs) => {
                let mut least = u64::MAX;
                for need in needs {
                    least = least.min(self.frequency(need)?);
                }
                Ok(least)
            }
            BlockNeed::Any(needs) => {
                let mut sum = 0;
                for need in needs {
                    sum += self.frequency(need)?;
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
    fn games_of(&self, blocks: &Bits) -> Bits {
        let mut games = Bits::none(self.tape.n_games());
        let mut after = 0;
        for block in blocks.iter() {
            // The block of a game that is known already.
            if block < after {
                continue;
            }
            let game = self.tape.game_of_block(block);
            let entry = self.tape.entry(game);
            after = entry.first_block.saturating_add(entry.n_blocks());
            games.insert(game);
        }
        games
    }
}
