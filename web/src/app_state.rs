//! The state that all requests share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use serde_json::Value;
use taflbase::Job;

use super::api;
use super::concurrency::ConcurrencyLimits;
use super::limits::ServerLimits;
use super::metrics::Metrics;
use super::openapi;
use super::routes::{Route, Work};
use super::site::Site;
use super::store::Store;

/// The time after the end of a search in which its answer is made, so that a search at its limit still has one.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// The state that all requests share.
pub(crate) struct AppState {
    /// The corpus.
    pub(crate) store: Arc<Store>,
    /// The limits of concurrent work.
    pub(crate) concurrency: ConcurrencyLimits,
    /// The limits of a request.
    pub(crate) limits: ServerLimits,
    /// The metrics.
    pub(crate) metrics: Metrics,
    /// The settings of the site that visitors notice.
    pub(crate) site: Arc<Site>,
    /// The routes of the API.
    pub(crate) routes: Vec<Arc<Route>>,
    /// The OpenAPI description of the routes.
    pub(crate) description: Arc<Value>,
    /// The flags that cancel running work.
    jobs: Mutex<Vec<Weak<AtomicBool>>>,
}

impl AppState {
    /// Returns the state of a server with a corpus.
    pub(crate) fn new(store: Store, limits: ServerLimits, site: Site) -> AppState {
        let (concurrency, metrics) = (ConcurrencyLimits::new(limits), Metrics::default());
        let routes = api::routes();
        let description = Arc::new(openapi::document(&routes, &site.base_path));
        let routes = routes.into_iter().map(Arc::new).collect();
        AppState {
            store: Arc::new(store),
            concurrency,
            limits,
            metrics,
            site: Arc::new(site),
            routes,
            description,
            jobs: Mutex::default(),
        }
    }

    /// Cancels all running work.
    pub(crate) fn stop_all(&self) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        for flag in jobs.iter().filter_map(Weak::upgrade) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the job of a request, which is canceled when the server stops.
    pub(crate) fn job_for(&self, work: Work) -> Job {
        let job = Job::default().with_timeout(match work {
            Work::Quick | Work::Query => self.limits.query_time,
            Work::Report => ServerLimits::REPORT_QUERIES * self.limits.query_time,
            Work::Engine => self.limits.engine_time + ANSWER_TIME,
            Work::Write => self.limits.write_time,
        });
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.len() >= 2 * self.limits.connections {
            jobs.retain(|flag| flag.strong_count() > 0);
        }
        jobs.push(Arc::downgrade(&job.cancel_token().flag()));
        job
    }
}
