//! The mathematics of the reports: intervals, comparisons, strengths, and lengths. It is independent of
//! games.
//!
//! Intervals are at 95 % unless stated otherwise. Values that cannot be estimated are [`NotEstimable`] or `None`,
//! never NaN.

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
