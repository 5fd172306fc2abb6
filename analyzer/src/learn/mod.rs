//! Learning from games: positions with what became of them, and what fits their worth.
//!
//! [`sample`] keeps positions with labels, [`selfplay`] makes them, [`tune`] makes weights of
//! them and [`trainer`] a network.

pub mod curve;
mod example;
pub mod label;
mod model;
mod optimizer;
pub mod sample;
pub mod selfplay;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod tune;
