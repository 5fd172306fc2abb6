//! The limits of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

// The clock of the standard library panics in browsers.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;
#[cfg(target_arch = "wasm32")]
pub(crate) use web_time::Instant;

/// A depth of search in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(pub u8);

/// A number of nodes (positions) visited by a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nodes(pub u64);

/// The limits of a search, which stops at the first one that it reaches. Without limits it stops at
/// the maximum depth.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The last depth to complete.
    pub depth: Option<Depth>,
    /// The maximum number of nodes to visit.
    pub nodes: Option<Nodes>,
    /// The maximum duration.
    pub time: Option<Duration>,
    /// A flag that stops the search when another thread sets it.
    pub stop: Option<Arc<AtomicBool>>,
    /// The number of best moves to find, each with its line; `None` means one.
    pub multi_pv: Option<u16>,
}

impl Limits {
    /// Returns limits with only a depth.
    pub fn depth(plies: u8) -> Limits {
        Limits { depth: Some(Depth(plies)), ..Limits::default() }
    }

    /// Returns limits with only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(Nodes(nodes)), ..Limits::default() }
    }

    /// Returns limits with only a duration.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Returns limits with more nodes and time by a factor; the depth remains.
    pub fn times(&self, factor: u32) -> Limits {
        Limits {
            nodes: self.nodes.map(|Nodes(nodes)| Nodes(nodes.saturating_mul(factor.into()))),
            time: self.time.map(|time| time.saturating_mul(factor)),
            ..self.clone()
        }
    }

    /// Returns whether the time of a search that began at `started` is over, or the search was
    /// stopped from outside.
    pub(crate) fn is_over(&self, started: Instant) -> bool {
        self.time.is_some_and(|time| started.elapsed() >= time) || self.is_stopped()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        is_set(self.stop.as_deref())
    }
}

/// Returns whether another thread has set a flag that stops work; false without a flag.
pub(crate) fn is_set(stop: Option<&AtomicBool>) -> bool {
    stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
}
