//! Tuned weights and trained networks: their files, and the measurements of their errors.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::{EpochReport, Network, TrainingGame, TuneResult};
use tafl_rules::RuleSet;

/// The first line of a file of weights.
const WEIGHTS_HEADER: &str = "# taflbase weights 1";

/// Tuned weights or a trained network.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedModel {
    /// The measurements.
    pub answer: TuneAnswer,
    /// The content of the file of weights or of the network.
    pub file: Vec<u8>,
}

/// The measurements of tuned weights, of a trained network, or of training data.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "made", rename_all = "lowercase")]
pub enum TuneAnswer {
    /// Weights.
    Weights(WeightsAnswer),
    /// A network.
    Net(NetAnswer),
    /// Training data.
    Data(TrainingDataAnswer),
}

/// The contents of a file of training data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TrainingDataAnswer {
    /// The seed of the games.
    pub seed: u64,
    /// The number of games.
    pub games: u64,
    /// The number of games with random changes of the rules.
    pub games_with_changed_rules: u64,
    /// The number of positions.
    pub positions: u64,
    /// The number of games with positions that the attackers won.
    pub attackers_won: u64,
    /// The number of games with positions that the defenders won.
    pub defenders_won: u64,
    /// The number of games with positions that were drawn or did not end.
    pub drawn: u64,
}

impl TrainingDataAnswer {
    /// Counts a game.
    pub(super) fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.games_with_changed_rules += u64::from(game.has_changed_rules);
        self.positions += game.samples.len() as u64;
        match game.half_points {
            _ if game.samples.is_empty() => {}
            0 => self.defenders_won += 1,
            1 => self.drawn += 1,
            _ => self.attackers_won += 1,
        }
    }
}

/// Tuned weights with their errors.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WeightsAnswer {
    /// The number of positions for training.
    pub positions: usize,
    /// The number of held-out positions.
    pub held_out: usize,
    /// The cross entropy with the results of held-out games.
    pub error: f64,
    /// The same with the initial weights.
    pub error_before: f64,
    /// The weights, such as `man_attackers=100,man_defenders=100`.
    pub weights: String,
}

/// A trained network with its errors.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NetAnswer {
    /// The hash of the network's file, in hexadecimal.
    pub net: String,
    /// A sentence about the training.
    pub training: String,
    /// The epochs.
    pub epochs: Vec<TrainingEpoch>,
}

/// The errors of a network after an epoch, as cross entropies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct TrainingEpoch {
    /// The number of the epoch, from 1.
    pub epoch: usize,
    /// The error on the positions for training, during the epoch.
    pub train_error: f64,
    /// The error on held-out positions.
    pub error: f64,
    /// The error of the terms alone on held-out positions.
    pub error_of_terms: f64,
    /// The error of the search's scores on held-out positions.
    pub error_of_search: f64,
    /// The number of held-out positions.
    pub held_out: usize,
}

impl TunedModel {
    pub(super) fn of_weights(tuned: &TuneResult, rules: &RuleSet, result_weight: f64) -> TunedModel {
        let (positions, held_out) = (tuned.n_trained, tuned.n_held_out);
        let answer = WeightsAnswer {
            positions,
            held_out,
            error: tuned.after,
            error_before: tuned.before,
            weights: tuned.weights.to_string(),
        };
        let text = format!(
            "{WEIGHTS_HEADER}\n# rules: {rules}\n# training: {positions} positions, result weight {result_weight}, \
             held out {held_out}: {:.4}, before {:.4}\n{}\n",
            answer.error,
            answer.error_before,
            answer.terms()
        );
        TunedModel { answer: TuneAnswer::Weights(answer), file: text.into_bytes() }
    }

    pub(super) fn of_net(net: &Network, reports: &[EpochReport]) -> TunedModel {
        let answer = NetAnswer {
            net: format!("{:016x}", net.hash()),
            training: net.training.clone(),
            epochs: reports.iter().map(TrainingEpoch::from).collect(),
        };
        TunedModel { answer: TuneAnswer::Net(answer), file: net.to_bytes() }
    }
}

impl WeightsAnswer {
    /// Returns the weights with one term per line.
    pub fn terms(&self) -> String {
        self.weights.replace(',', "\n")
    }
}

impl From<&EpochReport> for TrainingEpoch {
    fn from(report: &EpochReport) -> TrainingEpoch {
        TrainingEpoch {
            epoch: report.epoch,
            train_error: report.train_loss,
            error: report.held_out.loss,
            error_of_terms: report.terms.loss,
            error_of_search: report.search.loss,
            held_out: report.held_out.count,
        }
    }
}
