//! What a request may cost.

use std::time::Duration;

use serde_json::{Value, json};

/// What a request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The longest body, in bytes.
    pub(crate) body_bytes: usize,
    /// How many bytes of bodies are held at once, at least as many as the longest has.
    pub(crate) held_bytes: usize,
    /// The longest address, in bytes.
    pub(crate) url_bytes: usize,
    /// How long a question may take.
    pub(crate) query_time: Duration,
    /// How long the engine may search for one request.
    pub(crate) engine_time: Duration,
    /// How many questions are answered at once.
    pub(crate) queries: usize,
    /// How many searches of the engine run at once.
    pub(crate) engine_jobs: usize,
    /// How many cheap requests are answered at once.
    pub(crate) requests: usize,
    /// How many connections are open at once.
    pub(crate) connections: usize,
    /// How long a request waits for its turn.
    pub(crate) wait: Duration,
    /// How long a client may take to send the head of its request, or the next piece of its body, or to take the next
    /// piece of an answer; a whole body may take [`Limits::BODY_PATIENCE`] times as long.
    pub(crate) patience: Duration,
    /// The most hits that are streamed.
    pub(crate) streamed_hits: u64,
}

impl Limits {
    /// How often the patience a whole body may take.
    pub(crate) const BODY_PATIENCE: u32 = 3;

    /// Returns the limits of a machine with so many cores.
    pub(crate) const fn of_cores(cores: usize) -> Limits {
        Limits {
            body_bytes: 16 << 20,
            held_bytes: 64 << 20,
            url_bytes: 65_000,
            query_time: Duration::from_secs(5),
            engine_time: Duration::from_secs(60),
            queries: 2,
            engine_jobs: cores,
            requests: 2 * cores,
            connections: 256,
            wait: Duration::from_secs(2),
            patience: Duration::from_secs(10),
            streamed_hits: 100_000,
        }
    }

    /// Returns the limits as clients may want to know them.
    pub(crate) fn json(&self) -> Value {
        json!({
            "body_bytes": self.body_bytes,
            "url_bytes": self.url_bytes,
            "query_seconds": self.query_time.as_secs_f64(),
            "engine_seconds": self.engine_time.as_secs_f64(),
            "queries": self.queries,
            "engine_jobs": self.engine_jobs,
            "connections": self.connections,
            "wait_seconds": self.wait.as_secs_f64(),
            "streamed_hits": self.streamed_hits,
        })
    }
}
