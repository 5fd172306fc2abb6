//! The limits of requests.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

/// The limits of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ServerLimits {
    /// The longest body, in bytes.
    pub(crate) body_bytes: usize,
    /// The number of bytes of all bodies in memory, at least that of the longest.
    pub(crate) held_bytes: usize,
    /// The longest address, in bytes.
    pub(crate) url_bytes: usize,
    /// The maximum time of a query. A report may take [`ServerLimits::REPORT_QUERIES`] times as long.
    pub(crate) query_time: Duration,
    /// The maximum time of the engine for a request.
    pub(crate) engine_time: Duration,
    /// The maximum time of a change of the corpus.
    pub(crate) write_time: Duration,
    /// The maximum number of concurrent queries.
    pub(crate) queries: usize,
    /// The maximum number of concurrent engine searches.
    pub(crate) engine_jobs: usize,
    /// The maximum number of concurrent quick requests.
    pub(crate) requests: usize,
    /// The maximum number of open connections.
    pub(crate) connections: usize,
    /// The maximum time that a request waits for its permit.
    pub(crate) wait: Duration,
    /// The maximum time for a client to send the head of its request or the next chunk of its body, or to receive the next
    /// chunk of an answer. A whole body may take [`ServerLimits::BODY_TIMEOUTS`] times as long.
    pub(crate) client_timeout: Duration,
}

/// The maximum number of hits in a stream.
pub(crate) const MAX_STREAMED_HITS: u64 = 100_000;

impl ServerLimits {
    /// The maximum time for a whole body, as a multiple of the client timeout.
    pub(crate) const BODY_TIMEOUTS: u32 = 3;

    /// The maximum time of a report, as a multiple of that of a query.
    pub(crate) const REPORT_QUERIES: u32 = 12;

    /// The default time of a query, in seconds.
    pub(crate) const QUERY_SECONDS: u64 = 5;
    /// The default time of an engine search, in seconds.
    pub(crate) const ENGINE_SECONDS: u64 = 60;
    /// The default time without progress of a client, in seconds.
    pub(crate) const CLIENT_SECONDS: u64 = 10;
    /// The default size of a body, in mebibytes.
    pub(crate) const BODY_MEBIBYTES: u32 = 16;

    /// Returns the limits of a machine with this number of cores.
    pub(crate) const fn of_cores(cores: usize) -> ServerLimits {
        ServerLimits {
            body_bytes: (ServerLimits::BODY_MEBIBYTES as usize) << 20,
            held_bytes: 64 << 20,
            // The HTTP library accepts 65,534 bytes; a shorter address that is too long gets this server's own message.
            url_bytes: 65_000,
            query_time: Duration::from_secs(ServerLimits::QUERY_SECONDS),
            engine_time: Duration::from_secs(ServerLimits::ENGINE_SECONDS),
            write_time: Duration::from_secs(60),
            queries: 2,
            engine_jobs: cores,
            requests: 2 * cores,
            connections: 256,
            wait: Duration::from_secs(2),
            client_timeout: Duration::from_secs(ServerLimits::CLIENT_SECONDS),
        }
    }

    /// Returns the limits that affect clients.
    pub(crate) fn answer(&self) -> LimitsAnswer {
        LimitsAnswer {
            body_bytes: self.body_bytes,
            url_bytes: self.url_bytes,
            query_seconds: self.query_time.as_secs_f64(),
            engine_seconds: self.engine_time.as_secs_f64(),
            queries: self.queries,
            engine_jobs: self.engine_jobs,
            connections: self.connections,
            wait_seconds: self.wait.as_secs_f64(),
            streamed_hits: MAX_STREAMED_HITS,
        }
    }
}

/// The limits that affect clients.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LimitsAnswer {
    /// The maximum number of bytes of a body.
    body_bytes: usize,
    /// The maximum number of bytes of an address.
    url_bytes: usize,
    /// The maximum time of a query.
    query_seconds: f64,
    /// The maximum time of the engine for a request.
    engine_seconds: f64,
    /// The maximum number of concurrent queries.
    queries: usize,
    /// The maximum number of concurrent engine searches.
    engine_jobs: usize,
    /// The maximum number of open connections.
    connections: usize,
    /// The maximum time that a request waits for its permit.
    wait_seconds: f64,
    /// The maximum number of hits in a stream.
    streamed_hits: u64,
}
