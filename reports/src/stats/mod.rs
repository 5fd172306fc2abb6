//! The mathematics of the reports: intervals, comparisons, strengths, lengths. It knows numbers, no games.
//!
//! Intervals are at 95 % unless something else is said. What cannot be given is [`NotEstimable`] or nothing, never a number that
//! is none.

pub mod balance;
pub mod bootstrap;
pub mod compare;
pub mod hierarchy;
pub mod interval;
pub mod missing;
pub mod multiple;
pub mod normal;
pub mod quantile;
pub mod score;
pub mod sequential;
pub mod simulate;
pub mod strength;
pub mod survival;

pub use balance::{Balance, SignedRatio};
pub use interval::{Estimate, Rate};
pub use missing::NotEstimable;
