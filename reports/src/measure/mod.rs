//! Figures from corpora: what the reports say. Nothing here is text for people; documents are made of it elsewhere.
//!
//! [`load`] reads games into [`Games`]; the functions take games and return plain structs. What cannot be given says why:
//! [`Missing`](crate::stats::Missing), or nothing where the reason is plain.

pub mod adjusted;
pub mod balance;
pub mod compare;
pub mod games;
pub mod lengths;
pub mod load;
pub mod names;
pub mod sensitivity;
pub mod tally;

pub use balance::{BalanceFindings, BalanceOptions, VariantFindings, balance};
pub use compare::{CompareOptions, Comparison, compare};
pub use games::{GameFacts, Games, Variant};
pub use load::{Chosen, load};
pub use tally::{Ended, Tally};
