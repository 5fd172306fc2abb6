//! Learning from games: training data, and training of weights and networks.
//!
//! [`sample`] stores labeled positions, [`selfplay`] generates them, [`label`] takes them from
//! recorded games, [`tune`] fits weights, and [`trainer`] trains a network.

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
