//! Everything besides the position that decides what an engine says of it: the provenance of every output.

use std::fmt;

use tafl_rules::AnyRulebook;
use tafl_rules::zobrist::KEY_VERSION;

use super::evaluation::hash;
use crate::engine::{Engine, Options};
use crate::limits::{Limits, Nodes};

/// Rules, engine and limits, as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The rules string, with the version of position keys.
    pub rules: String,
    /// Name, version, parameters and evaluation of the engine.
    pub engine: String,
    /// The limits of each search, with the size of its table, as [`limits_text`] writes them.
    pub limits: String,
}

impl Context {
    /// Returns the context of searches by an engine.
    pub fn of(engine: &Engine, book: &AnyRulebook, limits: &Limits) -> Context {
        Context {
            rules: format!("keys {KEY_VERSION} {}", book.rules()),
            engine: engine_text(engine),
            limits: limits_text(limits),
        }
    }

    /// Returns the number under which evaluations of this context are kept.
    pub fn key(&self) -> u64 {
        hash(self.to_string().as_bytes())
    }
}

/// Writes the three texts, a line each.
impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.engine, self.limits, self.rules)
    }
}

/// Returns who an engine is: name, version, and what its answers depend on.
pub fn engine_text(engine: &Engine) -> String {
    engine.identity().to_string()
}

/// Returns limits as `nodes 20000, 2 lines, 1 MiB`; a stop flag is no part of them.
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

/// Returns the engine's options for searches with these limits: one thread, and a table as large as they can use.
pub fn options_for(limits: &Limits) -> Options {
    Options { mebibytes: table_mebibytes(limits), threads: 1, ..Options::default() }
}

/// The table of each search begins empty, so a large one costs more than it brings: there is a mebibyte for so many nodes.
const NODES_A_MEBIBYTE: u64 = 32_768;
/// The largest table where nodes are limited, and the one where they are not, in mebibytes.
const MOST_MEBIBYTES: u64 = 64;

fn table_mebibytes(limits: &Limits) -> usize {
    let needed = |Nodes(nodes): Nodes| nodes.div_ceil(NODES_A_MEBIBYTE).clamp(1, MOST_MEBIBYTES);
    limits.nodes.map_or(MOST_MEBIBYTES, needed) as usize
}
