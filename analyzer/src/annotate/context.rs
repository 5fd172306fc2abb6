//! The provenance of evaluations: everything that determines the engine's answer besides the
//! position.

use std::fmt;

use tafl_rules::{AnyRulebook, KEY_VERSION};

use super::evaluation::hash;
use crate::engine::{Engine, SearchOptions};
use crate::limits::{Limits, Nodes};

/// The rules, the engine, and the limits, as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalContext {
    /// The rules string, with the version of position keys.
    pub rules: String,
    /// Name, version, parameters and evaluation of the engine.
    pub engine: String,
    /// The limits of each search, with the size of its table, as [`limits_text`] writes them.
    pub limits: String,
}

impl EvalContext {
    /// Returns the context of searches by an engine.
    pub fn of(engine: &Engine, book: &AnyRulebook, limits: &Limits) -> EvalContext {
        EvalContext {
            rules: format!("keys {KEY_VERSION} {}", book.rules()),
            engine: engine.identity().to_string(),
            limits: limits_text(limits),
        }
    }

    /// Returns the hash under which evaluations with this context are stored.
    pub fn key(&self) -> u64 {
        hash(self.to_string().as_bytes())
    }
}

/// Writes the three texts, one per line.
impl fmt::Display for EvalContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.engine, self.limits, self.rules)
    }
}

/// Returns limits as `nodes 20000, 2 lines, 1 MiB`, without the stop flag.
pub fn limits_text(limits: &Limits) -> String {
    let mut parts = Vec::new();
    if let Some(nodes) = limits.nodes {
        parts.push(format!("nodes {}", nodes.0));
    }
    if let Some(depth) = limits.depth {
        parts.push(format!("depth {}", depth.0));
    }
    if let Some(time) = limits.time {
        parts.push(format!("time {}", time.as_secs_f64()));
    }
    if let Some(lines) = limits.multi_pv.filter(|lines| *lines != 1) {
        parts.push(format!("{lines} lines"));
    }
    parts.push(format!("{} MiB", table_mebibytes(limits)));
    parts.join(", ")
}

/// Returns the engine options for searches with these limits: one thread, and a table of a suitable
/// size.
pub(super) fn options_for(limits: &Limits) -> SearchOptions {
    SearchOptions { mebibytes: table_mebibytes(limits), threads: 1, ..SearchOptions::default() }
}

/// The number of nodes for each mebibyte of the table. A mebibyte has 65,536 entries, so the table
/// is at most half full. The table is cleared before each search, so a larger one would cost more
/// time than it saves.
const NODES_PER_MEBIBYTE: u64 = 32_768;
/// The size of the largest table, also used without a limit of nodes, in mebibytes.
const MAX_MEBIBYTES: u64 = 64;

fn table_mebibytes(limits: &Limits) -> usize {
    let needed = |Nodes(nodes): Nodes| nodes.div_ceil(NODES_PER_MEBIBYTE).clamp(1, MAX_MEBIBYTES);
    limits.nodes.map_or(MAX_MEBIBYTES, needed) as usize
}
