//! Reports made of figures: which sentences, tables, plots and boards say what was measured.
//!
//! Each function takes figures of [`crate::measure`] and returns a [`Report`](super::Report). None of them counts anything.

mod balance;
mod compare;
mod groups;
mod lengths;
mod variant;
mod words;

pub use balance::{balance_report, variant_report};
pub use compare::compare_report;
pub use lengths::lengths_report;
