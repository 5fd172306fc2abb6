//! The signature and the speed of the engine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{BenchLine, run_bench};

use crate::{App, Job, Progress, Request, Result};

/// Measure the signature and the speed of the engine
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::BenchRequest;
/// use taflbase::{App, Job, Request};
///
/// println!("signature {}", BenchRequest {}.run(&App::new(), &Job::default())?.signature);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct BenchRequest {}

/// The signature and the speed of the engine.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BenchAnswer {
    /// The version of the program.
    pub version: &'static str,
    /// The profile with which the program was built: `dev` or `release`.
    pub profile: &'static str,
    /// The number of positions that were searched. It changes only with the search or the evaluation.
    pub signature: u64,
    /// The time, in seconds.
    pub seconds: f64,
    /// The positions of the suite.
    pub positions: Vec<BenchPosition>,
}

/// The search of a position of the suite.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BenchPosition {
    /// The variant.
    pub variant: String,
    /// The depth, in plies.
    pub depth: u8,
    /// The number of positions that were searched.
    pub nodes: u64,
    /// The time, in seconds.
    pub seconds: f64,
}

impl Request for BenchRequest {
    type Answer = BenchAnswer;

    fn run(self, _: &App, job: &Job) -> Result<BenchAnswer> {
        let mut done = 0;
        let on_line = |line: &BenchLine| {
            done += line.nodes;
            job.report(&Progress { done, unit: "positions", proportion: None, detail: &line.variant });
        };
        let lines = job.with_stop_flag(|stop| run_bench(Some(stop), on_line));
        job.check()?;
        Ok(BenchAnswer {
            version: env!("CARGO_PKG_VERSION"),
            profile: if cfg!(debug_assertions) { "dev" } else { "release" },
            signature: lines.iter().map(|line| line.nodes).sum(),
            seconds: lines.iter().map(|line| line.time).sum::<Duration>().as_secs_f64(),
            positions: lines.into_iter().map(BenchPosition::from).collect(),
        })
    }
}

impl BenchAnswer {
    /// Returns the speed of all searches, in millions of positions per second.
    pub fn speed(&self) -> f64 {
        millions_per_second(self.signature, self.seconds)
    }
}

impl BenchPosition {
    /// Returns the speed of the search, in millions of positions per second.
    pub fn speed(&self) -> f64 {
        millions_per_second(self.nodes, self.seconds)
    }
}

impl From<BenchLine> for BenchPosition {
    fn from(line: BenchLine) -> BenchPosition {
        let BenchLine { variant, depth, nodes, time } = line;
        BenchPosition { variant, depth, nodes, seconds: time.as_secs_f64() }
    }
}

fn millions_per_second(nodes: u64, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9) / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn a_canceled_job_has_no_signature() {
        let job = Job::default();
        job.cancel_token().cancel();
        let error = BenchRequest {}.run(&App::new(), &job).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Canceled);
    }
}
