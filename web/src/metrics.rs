//! The metrics of the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper bounds of the histogram's buckets, in microseconds.
const BUCKETS: [u64; 14] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000, 10_000_000,
];

/// The metrics of the server.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<&'static str, Histogram>>,
    answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    rejected: Mutex<BTreeMap<&'static str, u64>>,
    connections: AtomicU64,
}

/// The response times of a route.
#[derive(Default)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    sum: Duration,
    count: u64,
}

/// The current values of the gauges.
pub(crate) struct Gauges {
    /// The number of running engine searches.
    pub(crate) engine_jobs: usize,
    /// The number of running queries.
    pub(crate) queries: usize,
    /// The generation of the corpus; 0 while it cannot be read.
    pub(crate) generation: u64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn count_answer(&self, route: &'static str, status: u16, took: Duration) {
        *lock(&self.answers).entry((route, status)).or_default() += 1;
        let mut routes = lock(&self.routes);
        let histogram = routes.entry(route).or_default();
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        for (bound, bucket) in BUCKETS.iter().zip(&mut histogram.buckets) {
            *bucket += u64::from(micros <= *bound);
        }
        histogram.sum += took;
        histogram.count += 1;
    }

    /// Counts a rejected request or connection.
    pub(crate) fn count_rejection(&self, reason: &'static str) {
        *lock(&self.rejected).entry(reason).or_default() += 1;
    }

    /// Adds an open connection.
    pub(crate) fn add_connection(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a connection that was closed.
    pub(crate) fn remove_connection(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the metrics as text.
    pub(crate) fn text(&self, gauges: &Gauges) -> String {
        let mut out = String::new();
        let head = |out: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut out, "tafl_requests_total", "counter", "Requests by route and status.");
        for ((route, status), count) in lock(&self.answers).iter() {
            let _ = writeln!(out, "tafl_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        head(&mut out, "tafl_request_seconds", "histogram", "Time until the response began, by route.");
        for (route, histogram) in lock(&self.routes).iter() {
            for (bound, count) in BUCKETS.iter().zip(histogram.buckets) {
                let bound = *bound as f64 / 1e6;
                let _ =
                    writeln!(out, "tafl_request_seconds_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}");
            }
            let (count, sum) = (histogram.count, histogram.sum.as_secs_f64());
            let _ = writeln!(out, "tafl_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "tafl_request_seconds_sum{{route=\"{route}\"}} {sum:.6}");
            let _ = writeln!(out, "tafl_request_seconds_count{{route=\"{route}\"}} {count}");
        }
        head(&mut out, "tafl_rejected_total", "counter", "Rejected requests and connections, by reason.");
        for (reason, count) in lock(&self.rejected).iter() {
            let _ = writeln!(out, "tafl_rejected_total{{reason=\"{reason}\"}} {count}");
        }
        let all = [
            ("tafl_engine_jobs", "Running engine searches.", gauges.engine_jobs as u64),
            ("tafl_queries", "Running queries.", gauges.queries as u64),
            ("tafl_connections", "Open connections.", self.connections.load(Ordering::Relaxed)),
            (
                "tafl_corpus_generation",
                "Generation of the corpus; 0 while it cannot be read.",
                gauges.generation,
            ),
        ];
        for (name, help, value) in all {
            head(&mut out, name, "gauge", help);
            let _ = writeln!(out, "{name} {value}");
        }
        out
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_every_bucket_above_it() {
        let metrics = Metrics::default();
        metrics.count_answer("explore", 200, Duration::from_millis(3));
        let text = metrics.text(&Gauges { engine_jobs: 1, queries: 0, generation: 7 });
        assert!(text.contains("tafl_request_seconds_bucket{route=\"explore\",le=\"0.002\"} 0\n"), "{text}");
        assert!(text.contains("tafl_request_seconds_bucket{route=\"explore\",le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("tafl_requests_total{route=\"explore\",status=\"200\"} 1\n"), "{text}");
        assert!(text.contains("tafl_corpus_generation 7\n"), "{text}");
    }
}
