//! Reports made of figures: which sentences, tables, plots and boards say what was measured.
//!
//! Each function takes figures of [`crate::measure`] and returns a [`Report`](super::Report). None of them counts anything.

mod balance;
mod compare;
mod groups;
mod hash;
mod health;
mod lengths;
mod players;
mod variant;
mod words;

pub use balance::{balance_report, variant_report};
pub use compare::compare_report;
pub use hash::games_hash;
pub use health::health_report;
pub use lengths::lengths_report;
pub use players::{crosstable_report, players_report};
