//! Training of weights and networks on games.

mod answer;
mod data;
mod positions;
mod variants;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{
    EpochReport, NetChoice, Network, SearchOptions, TrainConfig, TrainError, TuneConfig, Weights, train, tune,
};
use tafl_parser::Format;
use tafl_rules::catalog;

use crate::escape::escape;
use crate::records::{ReadSettings, RecordReader};
use crate::{
    App, Bounded, CompiledVariant, Error, ErrorKind, Job, Named, Progress, Proportion, Request, Result,
    RulesRequest, Threads,
};

pub use answer::{NetAnswer, TrainingDataAnswer, TrainingEpoch, TuneAnswer, TunedModel, WeightsAnswer};
pub use data::{DataRun, PreparedData};
pub use positions::{LabeledPositions, TrainingGameCounts};

/// The size of the transposition tables of the searches for labels, in mebibytes: they visit few positions.
const TABLE_MEBIBYTES: usize = 2;

/// Train the evaluation on games
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::TuneRequest;
/// use taflbase::{App, Bounded, Job, Request, RulesRequest};
///
/// let request = TuneRequest {
///     rules: RulesRequest::of("brandubh7"),
///     selfplay: Bounded::new(500).expect("it is in the range"),
///     ..TuneRequest::default()
/// };
/// let tuned = request.run(&App::new(), &Job::default())?;
/// std::fs::write("brandubh.weights", &tuned.file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct TuneRequest {
    /// Read games from these files or folders; games by other rules or without a result are skipped
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of detecting it
    #[serde(rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// The rules.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// Train weights or a network, or only write training data
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", default_value_t, value_enum))]
    pub make: TuneProduct,
    /// Also play N games of the engine against itself
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t, help_heading = "Positions"))]
    pub selfplay: Bounded<0, { u32::MAX as u64 }, 0>,
    /// Search N positions for each label and each move
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t, help_heading = "Positions"))]
    pub nodes: Bounded<1, 100_000_000, 1000>,
    /// Search with this network for labels and moves, or with `none` [default: the built-in one]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", help_heading = "Positions"))]
    pub net: Option<String>,
    /// Add the labeled positions of this file, which --keep or --make data wrote; if rules are given, those of others are skipped
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", help_heading = "Positions"))]
    pub positions: Vec<PathBuf>,
    /// Leave out the games of this variant, also those with changed rules, to find out how a network does on unknown rules
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", help_heading = "Positions"))]
    pub without: Vec<String>,
    /// Give the result of the game this weight in the target, from 0 to 1; the rest is the score of the search [default: 0.6
    /// for weights, 0.3 for networks]
    #[serde(alias = "outcome")]
    #[cfg_attr(
        feature = "clap",
        arg(long, alias = "outcome", value_name = "WEIGHT", help_heading = "Learning")
    )]
    pub result_weight: Option<Proportion<60>>,
    /// Train a network with N passes over the positions
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t, help_heading = "Learning"))]
    pub epochs: Bounded<1, 10_000, 6>,
    /// Hold out one in N games for validation
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t, help_heading = "Learning"))]
    pub held_out: Bounded<2, 1_000_000, 10>,
    /// Use this seed for all random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t, help_heading = "Learning"))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
}

/// The product of a training.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum TuneProduct {
    /// One number for each term of the evaluation, as text
    #[default]
    Weights,
    /// A network that corrects the sum of the terms, for all rules
    Net,
    /// Positions from self-play of the given variant or of all variants, for later training
    Data,
}

/// A tuning request whose rules and network are read.
pub struct PreparedTuning {
    request: TuneRequest,
    /// The rules, which a network does not need.
    rules: Option<Arc<CompiledVariant>>,
    options: SearchOptions,
}

impl TuneRequest {
    /// Returns how the games are read.
    pub fn settings(&self) -> ReadSettings {
        let format = self.notation.map(|Named(format)| format);
        ReadSettings { format, threads: Threads::ONE, ..ReadSettings::default() }
    }

    /// Returns whether the request leaves out the games of a variant of the catalog. It may name the variant by an alias.
    fn is_left_out(&self, variant: &str) -> bool {
        let name_of = |text| catalog::find(text).map_or(text, |named| named.name);
        self.without.iter().any(|text| name_of(text.as_str()) == variant)
    }

    /// Reads the rules and the network.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules, or that the network can't be read.
    pub fn prepare(self, app: &App) -> Result<PreparedTuning> {
        let rules = if self.make == TuneProduct::Net && self.paths.is_empty() {
            self.rules.find(app)?
        } else {
            Some(self.rules.require(app)?)
        };
        let options = self.search_options()?;
        Ok(PreparedTuning { request: self, rules, options })
    }

    /// Returns the options of the searches for labels, with the network.
    fn search_options(&self) -> Result<SearchOptions> {
        let net = match self.net.as_deref() {
            None => NetChoice::BuiltIn,
            Some("none") => NetChoice::Terms,
            Some(path) => NetChoice::Given(Arc::new(read_net(path)?)),
        };
        Ok(SearchOptions { mebibytes: TABLE_MEBIBYTES, net, ..SearchOptions::default() })
    }
}

/// Reads a network.
fn read_net(path: &str) -> Result<Network> {
    let bad = |kind, error: &dyn std::fmt::Display| {
        Error::new(kind, format!("{}: {error}", escape(path))).of("net")
    };
    let bytes = fs::read(path).map_err(|error| bad(ErrorKind::Io, &error))?;
    Network::from_bytes(&bytes).map_err(|error| bad(ErrorKind::BadParameter, &error))
}

impl PreparedTuning {
    /// Trains weights or a network on positions, and reports each epoch of a network as progress.
    ///
    /// # Errors
    ///
    /// Fails if there are too few positions or the job is stopped.
    pub fn train(&self, positions: &LabeledPositions, job: &Job) -> Result<TunedModel> {
        job.check()?;
        let tuned = match self.request.make {
            TuneProduct::Weights => self.tune_weights(positions),
            TuneProduct::Net => self.train_net(positions, job),
            TuneProduct::Data => {
                let message = "`data` has no model to train; make `weights` or `net`";
                return Err(Error::parameter("make", message));
            }
        };
        job.check()?;
        tuned.map_err(|error| Error::new(ErrorKind::BadParameter, error.to_string()))
    }

    fn tune_weights(&self, positions: &LabeledPositions) -> Result<TunedModel, TrainError> {
        let book = &self.rules.as_ref().expect("`prepare` requires rules for weights").book;
        let result_weight = self.request.result_weight.unwrap_or_default().get();
        let held_out = self.request.held_out.get() as u32;
        let tuning = TuneConfig { result_weight: result_weight as f32, held_out, ..TuneConfig::default() };
        let tuned = tune(book, &positions.labeled, &Weights::of_rules(book.rules()), &tuning)?;
        Ok(TunedModel::of_weights(&tuned, book.rules(), result_weight))
    }

    fn train_net(&self, positions: &LabeledPositions, job: &Job) -> Result<TunedModel, TrainError> {
        let epochs = self.request.epochs.size();
        let default = TrainConfig::default();
        let config = TrainConfig {
            seed: self.request.seed.get(),
            epochs,
            result_weight: self
                .request
                .result_weight
                .map_or(default.result_weight, |share| share.get() as f32),
            held_out: self.request.held_out.get() as u32,
            ..default
        };
        let mut reports: Vec<EpochReport> = Vec::new();
        let net = train(&positions.labeled, &config, |report| {
            job.report(&Progress {
                done: report.epoch as u64,
                unit: "epochs",
                proportion: Some(report.epoch as f64 / epochs as f64),
                detail: &format!("error {:.4}", report.held_out.loss),
            });
            reports.push(*report);
        })?;
        Ok(TunedModel::of_net(&net, &reports))
    }
}

impl Request for TuneRequest {
    type Answer = TunedModel;

    fn run(self, app: &App, job: &Job) -> Result<TunedModel> {
        if self.make == TuneProduct::Data {
            return self.prepare_data(app)?.run(job);
        }
        let reader = RecordReader::new(&self.paths, self.settings());
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(Error::new(ErrorKind::Io, problem.to_string()).of("paths"));
        }
        let prepared = self.prepare(app)?;
        let positions = prepared.label(&reader, job, |_, _| Ok::<(), Error>(()))?;
        prepared.train(&positions, job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selfplay_gives_positions_for_both_products() {
        let request = TuneRequest {
            rules: RulesRequest::of("brandubh7"),
            selfplay: Bounded::new(6).unwrap(),
            nodes: Bounded::new(30).unwrap(),
            held_out: Bounded::new(3).unwrap(),
            epochs: Bounded::new(1).unwrap(),
            ..TuneRequest::default()
        };
        let tuned = request.clone().run(&App::new(), &Job::default()).unwrap();
        assert!(tuned.file.starts_with(b"# taflbase weights 1\n"));
        let TuneAnswer::Weights(weights) = tuned.answer else { panic!("weights were requested") };
        assert!(weights.positions > 0 && weights.held_out > 0);
        let net =
            TuneRequest { make: TuneProduct::Net, ..request }.run(&App::new(), &Job::default()).unwrap();
        let TuneAnswer::Net(answer) = net.answer else { panic!("a network was requested") };
        assert_eq!(answer.epochs.len(), 1);
        assert!(Network::from_bytes(&net.file).is_ok());
    }

    #[test]
    fn a_request_without_games_has_too_few_positions() {
        let request = TuneRequest { rules: RulesRequest::of("brandubh7"), ..TuneRequest::default() };
        let error = request.run(&App::new(), &Job::default()).unwrap_err();
        assert!(error.message.starts_with("too few positions"), "{error}");
    }
}
