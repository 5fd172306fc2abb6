//! The query language: parsing, compilation, and evaluation.
//!
//! A [`Query`] is read from text and written back. It is compiled for each game setup (rules and start) to a
//! [`QueryPlan`], which lists the requirements of every hit ([`Prefilter`], for an index) and finds the hits in a game
//! exactly, by playing it from the move log. `docs/query.md` is the language for people.

mod ast;
#[cfg(feature = "store")]
mod condition;
mod contradiction;
mod display;
mod error;
mod game;
mod hit;
mod number;
mod parse;
mod plan;
mod ply_set;
mod prefilter;
mod quick_reference;
mod token;
mod vocabulary;

pub use crate::pattern::{Anchor, Colors, ContentMask, Layer, Pattern, PatternSymmetries};
pub use ast::{Expr, KingTest, MoveArea, MoveTest, PlyTest, Query, Sequence, SetupTest};
#[cfg(feature = "store")]
pub use condition::GameFields;
pub use contradiction::QueryContradiction;
pub use error::{Expected, FoundText, PatternErrorKind, QueryError, QueryErrorKind};
pub(crate) use game::days_of;
#[cfg(feature = "store")]
pub(crate) use game::plain_word;
pub use game::{ConditionValue, Date, FieldKind, GameCondition, GameField};
pub use hit::{GameHit, GameTruth, Placement};
pub use number::{Comparison, Inequality, Sum, Term};
pub use plan::{CompiledSetup, PlanError, QueryPlan};
#[cfg(feature = "store")]
pub(crate) use plan::{RunBuffers, SearchedGame};
pub(crate) use ply_set::PlySet;
pub use prefilter::{BlockFilter, Prefilter};
pub use quick_reference::QUICK_REFERENCE;
#[cfg(feature = "store")]
pub(crate) use token::change_tokens_of;
pub use token::{Token, tokens_of};
pub use vocabulary::vocabulary;
