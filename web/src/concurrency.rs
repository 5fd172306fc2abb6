//! The limits of concurrent work: a semaphore for each kind of work, and one for the memory of bodies.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::api_error::{ApiError, ErrorCode};
use super::limits::ServerLimits;
use super::routes::Work;

/// The limits of concurrent work.
pub(crate) struct ConcurrencyLimits {
    quick: Arc<Semaphore>,
    query: Arc<Semaphore>,
    engine: Arc<Semaphore>,
    write: Arc<Semaphore>,
    /// The memory of bodies, in KiB.
    bodies: Arc<Semaphore>,
    limits: ServerLimits,
}

/// A permit to work or to hold a body. Dropping it releases it.
pub(crate) struct Permit(#[expect(dead_code, reason = "only its drop matters")] OwnedSemaphorePermit);

impl ConcurrencyLimits {
    /// Returns semaphores for the limits.
    pub(crate) fn new(limits: ServerLimits) -> ConcurrencyLimits {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits));
        ConcurrencyLimits {
            quick: semaphore(limits.requests),
            query: semaphore(limits.queries),
            engine: semaphore(limits.engine_jobs),
            write: semaphore(1),
            bodies: semaphore(limits.held_bytes.div_ceil(1 << 10)),
            limits,
        }
    }

    /// Waits for a permit to do some work.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorCode::Busy`] if no permit is released in time.
    pub(crate) async fn acquire(&self, work: Work) -> Result<Permit, ApiError> {
        self.wait_for(self.semaphore(work), 1, "other requests did not finish").await
    }

    /// Waits for a permit to hold the bytes of a body. Bodies are read before the work has its permit, so that slow clients
    /// block no work; without this limit, every connection could hold a whole body.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorCode::Busy`] if not enough memory is released in time.
    pub(crate) async fn acquire_body(&self, bytes: usize) -> Result<Permit, ApiError> {
        let kibibytes = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        self.wait_for(&self.bodies, kibibytes, "no memory for the body became free").await
    }

    async fn wait_for(
        &self,
        semaphore: &Arc<Semaphore>,
        permits: u32,
        failure: &str,
    ) -> Result<Permit, ApiError> {
        let busy = || {
            let wait = self.limits.wait.as_secs_f64();
            ApiError::new(ErrorCode::Busy, format!("the server is busy; {failure} within {wait} s"))
                .help("try again in a few seconds")
        };
        let permit = timeout(self.limits.wait, Arc::clone(semaphore).acquire_many_owned(permits));
        permit.await.map_err(|_| busy())?.map(Permit).map_err(|_| busy())
    }

    /// Returns the number of running requests of a kind.
    pub(crate) fn running(&self, work: Work) -> usize {
        let permits = match work {
            Work::Quick => self.limits.requests,
            Work::Query | Work::Report => self.limits.queries,
            Work::Engine => self.limits.engine_jobs,
            Work::Write => 1,
        };
        permits.saturating_sub(self.semaphore(work).available_permits())
    }

    fn semaphore(&self, work: Work) -> &Arc<Semaphore> {
        match work {
            Work::Quick => &self.quick,
            Work::Query | Work::Report => &self.query,
            Work::Engine => &self.engine,
            Work::Write => &self.write,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn a_body_waits_for_memory_and_is_rejected_if_none_is_released() {
        let limits = ServerLimits {
            held_bytes: 4 << 10,
            wait: Duration::from_millis(20),
            ..ServerLimits::of_cores(1)
        };
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let concurrency = ConcurrencyLimits::new(limits);
            let large = concurrency.acquire_body(3 << 10).await.unwrap();
            let small = concurrency.acquire_body(1).await.unwrap();
            let rejected = concurrency.acquire_body(1).await.err();
            assert_eq!(rejected.map(|problem| problem.code), Some(ErrorCode::Busy));
            assert!(concurrency.acquire_body(0).await.is_ok(), "an empty body needs no memory");
            drop((large, small));
            assert!(concurrency.acquire_body(4 << 10).await.is_ok());
        });
    }
}
