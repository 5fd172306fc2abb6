//! Learning from games: training data, and training of weights and networks.
//!
//! [`sample`] stores labeled positions, [`selfplay`] generates them, [`label`] takes them from
//! recorded games, [`tune`] fits weights, and [`trainer`] trains a network.

mod curve;
mod example;
mod handicap;
mod label;
mod model;
mod mutation;
mod optimizer;
mod sample;
mod selfplay;
mod split;
#[cfg(test)]
mod tests;
mod trainer;
mod tune;

pub use curve::ScoreCurve;
pub use label::{LabelConfig, Labeler};
pub use sample::{
    SampleError, TrainingGame, TrainingSample, read_samples, read_whole_games, write_sample_header,
};
pub use selfplay::{DataGen, DataGenConfig};
pub use split::TrainError;
pub use trainer::{EpochReport, TrainConfig, TrainMetrics, train};
pub use tune::{TuneConfig, TuneResult, tune};
