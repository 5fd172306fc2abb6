//! What a game must have so that a question can hold in it: necessary, never sufficient.

use super::game::GameCondition;
use super::token::Token;

/// What a game must have so that a question can hold in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// Nothing is known: every game may have hits.
    Anything,
    /// No game can have hits.
    Nothing,
    /// All of these.
    All(Vec<Need>),
    /// One of these.
    Any(Vec<Need>),
    /// Some block of the game has this.
    Block(BlockNeed),
    /// The condition holds for the game.
    Game(GameCondition),
    /// The condition does not hold for the game.
    NotGame(GameCondition),
}

/// What one block of a game must have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BlockNeed {
    /// This token.
    Has(Token),
    /// All of these; never empty.
    All(Vec<BlockNeed>),
    /// One of these; never empty.
    Any(Vec<BlockNeed>),
}

impl BlockNeed {
    /// Returns whether a block with these tokens has what is needed.
    pub fn holds(&self, has: &dyn Fn(&Token) -> bool) -> bool {
        match self {
            BlockNeed::Has(token) => has(token),
            BlockNeed::All(needs) => needs.iter().all(|need| need.holds(has)),
            BlockNeed::Any(needs) => needs.iter().any(|need| need.holds(has)),
        }
    }

    /// Returns how many tokens are named.
    pub fn n_tokens(&self) -> usize {
        match self {
            BlockNeed::Has(_) => 1,
            BlockNeed::All(needs) | BlockNeed::Any(needs) => needs.iter().map(BlockNeed::n_tokens).sum(),
        }
    }
}
