//! Prefilters: necessary conditions for hits in a game, which an index can evaluate.

use super::game::GameCondition;
use super::token::Token;

/// A necessary condition for hits in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prefilter {
    /// Every game may have hits.
    Anything,
    /// No game can have hits.
    Nothing,
    /// All of these.
    All(Vec<Prefilter>),
    /// One of these.
    Any(Vec<Prefilter>),
    /// Some block of the game has this.
    Block(BlockFilter),
    /// The condition holds for the game.
    Game(GameCondition),
    /// The condition does not hold for the game.
    NotGame(GameCondition),
}

/// A necessary condition on one block of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BlockFilter {
    /// The block has this token.
    Has(Token),
    /// All of these; never empty.
    All(Vec<BlockFilter>),
    /// One of these; never empty.
    Any(Vec<BlockFilter>),
}

impl BlockFilter {
    /// Returns whether a block with these tokens meets the condition.
    pub fn holds(&self, has: &dyn Fn(&Token) -> bool) -> bool {
        match self {
            BlockFilter::Has(token) => has(token),
            BlockFilter::All(filters) => filters.iter().all(|filter| filter.holds(has)),
            BlockFilter::Any(filters) => filters.iter().any(|filter| filter.holds(has)),
        }
    }

    /// Returns the number of tokens.
    pub fn n_tokens(&self) -> usize {
        match self {
            BlockFilter::Has(_) => 1,
            BlockFilter::All(filters) | BlockFilter::Any(filters) => {
                filters.iter().map(BlockFilter::n_tokens).sum()
            }
        }
    }
}
