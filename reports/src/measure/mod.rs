//! Figures from corpora for reports, as plain structs. Documents format them for people.
//!
//! [`load()`] reads games into [`Games`]; the functions take games and return plain structs. A value that
//! cannot be estimated is [`NotEstimable`](crate::stats::NotEstimable) with a reason, or `None` if the reason is
//! obvious.

pub mod adjusted;
pub mod balance;
pub mod boards;
pub mod branching;
pub mod compare;
pub mod crosstable;
pub mod design;
pub mod engine_games;
pub mod evals;
mod frame;
pub mod games;
pub mod health;
pub mod lengths;
pub mod load;
pub mod names;
pub mod players;
pub mod published;
pub mod sensitivity;
pub mod sources;
pub mod tags;
pub mod tally;
#[cfg(test)]
mod tests;

pub use balance::{BalanceFindings, BalanceOptions, VariantFindings, balance, balance_until};
pub use boards::{BoardFindings, BoardOptions, boards};
pub use branching::{Branching, branching};
pub use compare::{CompareOptions, SelectionComparison, compare};
pub use crosstable::{Crosstable, crosstable};
pub use design::{Arm, DesignFindings, DesignSpec, GameSource, design};
pub use engine_games::{EngineGames, EngineOptions};
pub use evals::{EvalFindings, evals};
pub use games::{GameFacts, Games, Variant};
pub use health::{Health, health};
pub use load::{Chosen, load, load_until};
pub use players::{PlayerTable, players};
pub use sources::{Disagreement, disagreement};
pub use tally::{Ended, Tally};
