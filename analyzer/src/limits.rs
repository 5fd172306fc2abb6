//! When a search stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A depth of search in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(pub u8);

/// A number of positions that a search looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nodes(pub u64);

/// When a search stops: at the first limit that it reaches. Without any it stops at the greatest depth.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The last depth that is searched in full.
    pub depth: Option<Depth>,
    /// The most positions to look at.
    pub nodes: Option<Nodes>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// Set from outside to stop at once.
    pub stop: Option<Arc<AtomicBool>>,
    /// The number of best moves to find, each with its line; one if not given.
    pub multi_pv: Option<u16>,
}

impl Limits {
    /// Returns limits with a depth only.
    pub fn depth(plies: u8) -> Limits {
        Limits { depth: Some(Depth(plies)), ..Limits::default() }
    }

    /// Returns limits with a number of positions only.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(Nodes(nodes)), ..Limits::default() }
    }

    /// Returns limits with a time only.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Returns whether the time of work that began then is up, or somebody stopped it.
    pub(crate) fn is_over(&self, started: Instant) -> bool {
        self.time.is_some_and(|time| started.elapsed() >= time) || self.is_stopped()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
