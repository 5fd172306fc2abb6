//! How much is done at once: a gate for each kind of work, at which requests wait a little.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::limits::Limits;
use super::problem::{Code, Problem};
use super::routes::Work;

/// How much is done at once.
pub(crate) struct Gates {
    quick: Arc<Semaphore>,
    query: Arc<Semaphore>,
    engine: Arc<Semaphore>,
    limits: Limits,
}

/// A place that work has taken; dropping it makes room for others.
pub(crate) struct Place(#[expect(dead_code, reason = "it is held, not looked at")] OwnedSemaphorePermit);

impl Gates {
    /// Returns gates that let through what the limits say.
    pub(crate) fn new(limits: Limits) -> Gates {
        let gate = |places: usize| Arc::new(Semaphore::new(places));
        Gates {
            quick: gate(limits.requests),
            query: gate(limits.queries),
            engine: gate(limits.engine_jobs),
            limits,
        }
    }

    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// Returns that none became free in time.
    pub(crate) async fn enter(&self, work: Work) -> Result<Place, Problem> {
        let gate = Arc::clone(self.gate(work));
        let busy = || {
            let wait = self.limits.wait.as_secs_f64();
            Problem::new(Code::Busy, format!("the server is busy; no place became free in {wait} seconds"))
                .help("ask again in some seconds")
        };
        let permit = timeout(self.limits.wait, gate.acquire_owned()).await.map_err(|_| busy())?;
        permit.map(Place).map_err(|_| busy())
    }

    /// Returns how many places are taken.
    pub(crate) fn taken(&self, work: Work) -> usize {
        let places = match work {
            Work::Quick => self.limits.requests,
            Work::Query => self.limits.queries,
            Work::Engine => self.limits.engine_jobs,
        };
        places.saturating_sub(self.gate(work).available_permits())
    }

    fn gate(&self, work: Work) -> &Arc<Semaphore> {
        match work {
            Work::Quick => &self.quick,
            Work::Query => &self.query,
            Work::Engine => &self.engine,
        }
    }
}
