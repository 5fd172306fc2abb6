//! Learning from games: training data, and training of weights and networks.
//!
//! [`sample`] stores labeled positions, [`selfplay`] generates them, [`label`] takes them from
//! recorded games, [`tune`] fits weights, and [`trainer`] trains a network.

mod curve;
mod example;
mod label;
mod model;
mod optimizer;
mod sample;
mod selfplay;
#[cfg(test)]
mod tests;
mod trainer;
mod tune;

pub use curve::{ScoreCurve, SideWeights};
pub use label::{Labeler, Labels};
pub use sample::{SampleError, TrainingSample, read_samples, write_samples};
pub use selfplay::{DataGen, DataGenConfig};
pub use trainer::{EpochReport, TrainConfig, TrainError, TrainMetrics, train};
pub use tune::{Tuned, Tuning, tune};
