//! How much is done at once: a gate for each kind of work, and one for bodies, at which requests wait a little.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::api_error::{ApiError, ErrorCode};
use super::limits::Limits;
use super::routes::Work;

/// How much is done at once.
pub(crate) struct ConcurrencyLimits {
    quick: Arc<Semaphore>,
    query: Arc<Semaphore>,
    engine: Arc<Semaphore>,
    /// Kibibytes of bodies.
    bodies: Arc<Semaphore>,
    limits: Limits,
}

/// A place that work has taken; dropping it makes room for others.
pub(crate) struct Permit(#[expect(dead_code, reason = "it is held, not looked at")] OwnedSemaphorePermit);

impl ConcurrencyLimits {
    /// Returns concurrency that let through what the limits say.
    pub(crate) fn new(limits: Limits) -> ConcurrencyLimits {
        let gate = |places: usize| Arc::new(Semaphore::new(places));
        ConcurrencyLimits {
            quick: gate(limits.requests),
            query: gate(limits.queries),
            engine: gate(limits.engine_jobs),
            bodies: gate(limits.held_bytes.div_ceil(1 << 10)),
            limits,
        }
    }

    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// Returns that none became free in time.
    pub(crate) async fn enter(&self, work: Work) -> Result<Permit, ApiError> {
        self.take(self.gate(work), 1, "no place became free").await
    }

    /// Waits until so many bytes of a body may be held. Bodies are read before work has its place, so that a slow client
    /// takes none; without this, every connection could hold a whole body.
    ///
    /// # Errors
    ///
    /// Returns that others held too much for too long.
    pub(crate) async fn hold(&self, bytes: usize) -> Result<Permit, ApiError> {
        let kibibytes = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        self.take(&self.bodies, kibibytes, "no room for the body became free").await
    }

    async fn take(&self, gate: &Arc<Semaphore>, places: u32, failure: &str) -> Result<Permit, ApiError> {
        let busy = || {
            let wait = self.limits.wait.as_secs_f64();
            ApiError::new(ErrorCode::Busy, format!("the server is busy; {failure} in {wait} seconds"))
                .help("ask again in some seconds")
        };
        let taking = Arc::clone(gate).acquire_many_owned(places);
        let permit = timeout(self.limits.wait, taking).await.map_err(|_| busy())?;
        permit.map(Permit).map_err(|_| busy())
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn bodies_wait_for_room_and_are_refused_when_none_comes() {
        let limits = Limits { held_bytes: 4 << 10, wait: Duration::from_millis(20), ..Limits::of_cores(1) };
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let concurrency = ConcurrencyLimits::new(limits);
            let held = concurrency.hold(3 << 10).await.unwrap();
            let small = concurrency.hold(1).await.unwrap();
            assert_eq!(concurrency.hold(1).await.err().map(|problem| problem.code), Some(ErrorCode::Busy));
            assert!(concurrency.hold(0).await.is_ok(), "nothing takes no room");
            drop((held, small));
            assert!(concurrency.hold(4 << 10).await.is_ok());
        });
    }
}
