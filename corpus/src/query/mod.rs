//! Questions about games and positions: one language, from the text to the hits in a game.
//!
//! A [`Query`] is read from text and written back. It is compiled for each arena (rules and start) to a [`Plan`], which
//! says what any hit needs ([`Need`], for an index) and finds the hits in a game exactly, by playing it from the tape.
//! `docs/query.md` is the language for people.

pub mod ast;
mod card;
mod display;
pub mod error;
pub mod game;
pub mod hit;
#[cfg(feature = "store")]
pub(crate) mod holds;
pub mod need;
pub mod number;
pub mod parse;
pub mod plan;
mod plies;
pub mod token;
pub mod words;

pub use ast::{Expr, MoveTest, Query, Test};
pub use card::CARD;
pub use error::{QueryError, QueryErrorKind};
pub use game::{Date, GameCondition, GameField, Value};
pub use hit::{GameTruth, Hit, Placement};
#[cfg(feature = "store")]
pub use holds::GameFields;
pub use need::{BlockNeed, Need};
pub use number::{Comparison, Sum, Term};
pub use plan::{Plan, PlanError, Ring};
pub use token::{Token, tokens_of};
