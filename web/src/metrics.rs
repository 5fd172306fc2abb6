//! What the server counts of itself, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper ends of the classes of times, in microseconds.
const CLASSES: [u64; 14] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000, 10_000_000,
];

/// What the server counts of itself.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<&'static str, Times>>,
    answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    rejected: Mutex<BTreeMap<&'static str, u64>>,
    connections: AtomicU64,
}

/// How long the answers of a route took.
#[derive(Default)]
struct Times {
    classes: [u64; CLASSES.len()],
    sum: Duration,
    count: u64,
}

/// What is as it is now, not counted.
pub(crate) struct Now {
    /// How many searches of the engine run.
    pub(crate) engine_jobs: usize,
    /// How many questions are being answered.
    pub(crate) queries: usize,
    /// How often the corpus was changed; 0 while it cannot be read.
    pub(crate) generation: u64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, route: &'static str, status: u16, took: Duration) {
        *lock(&self.answers).entry((route, status)).or_default() += 1;
        let mut routes = lock(&self.routes);
        let times = routes.entry(route).or_default();
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        for (end, class) in CLASSES.iter().zip(&mut times.classes) {
            *class += u64::from(micros <= *end);
        }
        times.sum += took;
        times.count += 1;
    }

    /// Counts a request, or a connection, that was turned away.
    pub(crate) fn rejected(&self, why: &'static str) {
        *lock(&self.rejected).entry(why).or_default() += 1;
    }

    /// Counts a connection that begins.
    pub(crate) fn connected(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a connection that ended.
    pub(crate) fn disconnected(&self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns all of it as text.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut out = String::new();
        let head = |out: &mut String, name: &str, kind: &str, words: &str| {
            let _ = writeln!(out, "# HELP {name} {words}\n# TYPE {name} {kind}");
        };
        head(&mut out, "tafl_requests_total", "counter", "Requests by route and status.");
        for ((route, status), count) in lock(&self.answers).iter() {
            let _ = writeln!(out, "tafl_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        head(&mut out, "tafl_request_seconds", "histogram", "Time until the answer began, by route.");
        for (route, times) in lock(&self.routes).iter() {
            for (end, count) in CLASSES.iter().zip(times.classes) {
                let end = *end as f64 / 1e6;
                let _ =
                    writeln!(out, "tafl_request_seconds_bucket{{route=\"{route}\",le=\"{end}\"}} {count}");
            }
            let (count, sum) = (times.count, times.sum.as_secs_f64());
            let _ = writeln!(out, "tafl_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(out, "tafl_request_seconds_sum{{route=\"{route}\"}} {sum:.6}");
            let _ = writeln!(out, "tafl_request_seconds_count{{route=\"{route}\"}} {count}");
        }
        head(&mut out, "tafl_rejected_total", "counter", "Requests and connections turned away, by reason.");
        for (why, count) in lock(&self.rejected).iter() {
            let _ = writeln!(out, "tafl_rejected_total{{reason=\"{why}\"}} {count}");
        }
        let gauges = [
            ("tafl_engine_jobs", "Searches of the engine that run.", now.engine_jobs as u64),
            ("tafl_queries", "Questions that are being answered.", now.queries as u64),
            ("tafl_connections", "Open connections.", self.connections.load(Ordering::Relaxed)),
            (
                "tafl_corpus_generation",
                "How often the corpus was changed; 0 while unreadable.",
                now.generation,
            ),
        ];
        for (name, words, value) in gauges {
            head(&mut out, name, "gauge", words);
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
    fn times_are_counted_in_all_classes_above_them() {
        let metrics = Metrics::default();
        metrics.answered("explore", 200, Duration::from_millis(3));
        let text = metrics.text(&Now { engine_jobs: 1, queries: 0, generation: 7 });
        assert!(text.contains("tafl_request_seconds_bucket{route=\"explore\",le=\"0.002\"} 0\n"), "{text}");
        assert!(text.contains("tafl_request_seconds_bucket{route=\"explore\",le=\"0.005\"} 1\n"), "{text}");
        assert!(text.contains("tafl_requests_total{route=\"explore\",status=\"200\"} 1\n"), "{text}");
        assert!(text.contains("tafl_corpus_generation 7\n"), "{text}");
    }
}
