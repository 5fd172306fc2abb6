//! The limits of searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{Depth, Limits, Nodes};

use crate::{Bounded, Job, Seconds};

/// The limits of a search for an evaluation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct SearchLimits {
    /// Search N positions [default: 200,000 if no other limit is set]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Limits"))]
    pub nodes: Option<u64>,
    /// Search to a depth of PLIES
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLIES", help_heading = "Limits"))]
    pub depth: Option<u8>,
    /// Search for a number of seconds, such as 0.5
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = "Limits"))]
    pub time: Option<Seconds<0, 0>>,
}

/// The limits of a player's search for a move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct MoveLimits {
    /// Search N positions per move [default: 10,000 if no other limit is set]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Limits"))]
    pub nodes: Option<Bounded<1, { u64::MAX }, 1>>,
    /// Search to a depth of PLIES
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLIES", help_heading = "Limits"))]
    pub depth: Option<Bounded<1, 255, 1>>,
    /// Search for a number of seconds per move, such as 0.1; games then differ from run to run
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", help_heading = "Limits"))]
    pub time: Option<Seconds<1, 1>>,
}

impl SearchLimits {
    /// The number of positions if no limit is given.
    const NODES: u64 = 200_000;

    /// Returns the limits of a search for a number of lines, which ends when the job is canceled.
    pub fn limits(&self, lines: u16, job: &Job) -> Limits {
        let is_unset = self.nodes.is_none() && self.depth.is_none() && self.time.is_none();
        Limits {
            nodes: self.nodes.or(is_unset.then_some(SearchLimits::NODES)).map(Nodes),
            depth: self.depth.map(Depth),
            time: self.time.map(Seconds::get),
            stop: Some(job.cancel_token().flag()),
            multi_pv: Some(lines),
        }
    }
}

impl MoveLimits {
    /// The number of positions if no limit is given.
    const NODES: u64 = 10_000;

    /// Returns the limits of a search.
    pub fn limits(&self) -> Limits {
        let is_unset = self.nodes.is_none() && self.depth.is_none() && self.time.is_none();
        let nodes = self.nodes.map(Bounded::get).or(is_unset.then_some(MoveLimits::NODES));
        Limits {
            nodes: nodes.map(Nodes),
            depth: self.depth.map(|depth| Depth(depth.get() as u8)),
            time: self.time.map(Seconds::get),
            ..Limits::default()
        }
    }
}

/// Returns limits in words, such as `10000 nodes, 0.1 s`.
pub fn move_limits_text(limits: &Limits) -> String {
    // Digits are not grouped: a saved series is compared with a request by this text.
    let parts = [
        limits.nodes.map(|nodes| format!("{} {}", nodes.0, if nodes.0 == 1 { "node" } else { "nodes" })),
        limits.depth.map(|depth| format!("{} {}", depth.0, if depth.0 == 1 { "ply" } else { "plies" })),
        limits.time.map(|time| format!("{} s", time.as_secs_f64())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
