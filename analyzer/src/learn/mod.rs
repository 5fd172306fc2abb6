//! Learning from games: positions with what became of them, and what fits their worth.
//!
//! [`sample`] keeps positions with labels, [`selfplay`] makes them, [`label`] takes them from games that were played.

pub mod random;
pub mod sample;
pub mod selfplay;
