//! The settings of an engine, and of its use under a protocol.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::SearchOptions;

use crate::{Bounded, RulesRequest, Seconds};

/// The threads and the memory of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SearchResources {
    /// Search with N threads; with more than one, answers differ from run to run
    #[serde(default, alias = "threads")]
    #[cfg_attr(
        feature = "clap",
        arg(long, alias = "threads", short_alias = 'j', value_name = "N", default_value_t)
    )]
    pub search_threads: Bounded<1, 256, 1>,
    /// The size of the transposition table, in mebibytes
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MIB", default_value_t))]
    pub hash: Bounded<1, 65536, 64>,
}

/// The settings of the engine when another program uses it by a protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ProtocolSettings {
    /// The rules at the start.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The time for a move under otep and htp, until a command sets another
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t))]
    pub time: Seconds<0, 5_000_000_000>,
    /// The threads and the memory.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub resources: SearchResources,
}

impl SearchResources {
    /// Returns the options of a search.
    pub fn options(&self) -> SearchOptions {
        SearchOptions {
            mebibytes: self.hash.size(),
            threads: self.search_threads.get() as u16,
            ..SearchOptions::default()
        }
    }
}
