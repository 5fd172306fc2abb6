//! Measurements of quality: how many known faults repair undoes, and how many options inference finds again.
//!
//! `tests/benchmarks` prints them with their times; the tests of the workspace check that they stay meaningful.

pub mod inference;
pub mod recovery;
pub mod repair;
pub mod repair_stats;
