//! Prefilters: necessary conditions for hits in a game, which an index can evaluate.

#[cfg(feature = "store")]
use tafl_rules::CanonicalKey;

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

#[cfg(feature = "store")]
impl Prefilter {
    /// Adds the keys of a filter that only positions with certain keys meet, and returns whether it is such a filter.
    pub(crate) fn keys(&self, keys: &mut Vec<CanonicalKey>) -> bool {
        match self {
            Prefilter::Nothing => true,
            Prefilter::Block(filter) => filter.keys(keys),
            Prefilter::Any(filters) => filters.iter().all(|filter| filter.keys(keys)),
            Prefilter::Anything | Prefilter::All(_) | Prefilter::Game(_) | Prefilter::NotGame(_) => false,
        }
    }
}

impl BlockFilter {
    #[cfg(feature = "store")]
    fn keys(&self, keys: &mut Vec<CanonicalKey>) -> bool {
        match self {
            BlockFilter::Has(token) => token.table_key().map(|key| keys.push(key)).is_some(),
            // One of them suffices: all must hold.
            BlockFilter::All(filters) => filters.iter().any(|filter| filter.keys(keys)),
            BlockFilter::Any(filters) => filters.iter().all(|filter| filter.keys(keys)),
        }
    }

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
