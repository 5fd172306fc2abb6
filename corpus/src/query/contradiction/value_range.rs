//! The quantities that clauses restrict, and the values that they allow.

use crate::query::ast::Expr;
use crate::query::game::GameField;
use crate::query::number::Term;
use crate::query::vocabulary;

/// A number of a position or of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Term(Term),
    Field(GameField),
}

impl Quantity {
    /// Returns the word in queries.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Quantity::Term(term) => vocabulary::term_word(term).unwrap_or("#"),
            Quantity::Field(field) => field.as_str(),
        }
    }
}

/// The values that a clause allows for a quantity.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueRange<'e> {
    pub(super) quantity: Quantity,
    pub(super) low: i64,
    pub(super) high: i64,
    /// The clause that the values follow from.
    pub(super) clause: &'e Expr,
}
