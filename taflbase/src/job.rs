//! Jobs: progress, deadline, and cancellation of a running request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, ErrorKind, Result};

/// The time between two checks whether a job is over, where nothing wakes the thread that checks it.
pub(crate) const CANCEL_INTERVAL: Duration = Duration::from_millis(20);

/// A flag that cancels a job from another thread. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Cancels the job.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the job was canceled.
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for loops such as the engine's that take one.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Returns a guard that cancels the job when it is dropped, for example together with a future that owns it.
    pub fn cancel_on_drop(self) -> CancelOnDrop {
        CancelOnDrop(self)
    }
}

/// A guard that cancels a job when it is dropped, see [`CancelToken::cancel_on_drop`].
#[derive(Debug)]
#[must_use]
pub struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// The number of units done, such as games.
    pub done: u64,
    /// The unit, in the plural, even if one is done: `games`. It ends in `s`, which a display removes if one is done.
    pub unit: &'a str,
    /// The proportion that is done, from 0 to 1, if it is known.
    pub proportion: Option<f64>,
    /// More to show, such as a rate; may be empty.
    pub detail: &'a str,
}

impl Progress<'_> {
    /// Returns the proportion of units that are done, if their total is known and not 0.
    pub(crate) fn proportion_of(done: u64, total: Option<u64>) -> Option<f64> {
        total.filter(|total| *total > 0).map(|total| done as f64 / total as f64)
    }
}

/// Progress, deadline, and cancellation of a request. Every long loop calls [`Job::check`].
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use taflbase::{ErrorKind, Job};
///
/// let job = Job::default().with_timeout(Duration::from_secs(10));
/// assert!(job.check().is_ok());
/// job.cancel_token().cancel();
/// assert_eq!(job.check().unwrap_err().kind, ErrorKind::Canceled);
/// ```
#[derive(Default)]
pub struct Job {
    token: CancelToken,
    deadline: Option<Instant>,
    on_progress: Option<OnProgress>,
}

/// A function that receives progress.
type OnProgress = Box<dyn Fn(&Progress<'_>) + Send + Sync>;

impl Job {
    /// Sets the time after which [`Job::check`] fails. A timeout that the clock can't count sets no deadline.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Job {
        Job { deadline: Instant::now().checked_add(timeout), ..self }
    }

    /// Sets the token that cancels the job.
    #[must_use]
    pub fn with_token(self, token: CancelToken) -> Job {
        Job { token, ..self }
    }

    /// Sets the function that receives progress. It is called often and should be quick.
    #[must_use]
    pub fn with_progress(self, on_progress: impl Fn(&Progress<'_>) + Send + Sync + 'static) -> Job {
        Job { on_progress: Some(Box::new(on_progress)), ..self }
    }

    /// Returns the token that cancels the job.
    pub fn cancel_token(&self) -> CancelToken {
        self.token.clone()
    }

    /// Returns a job with the same deadline and cancellation, without progress.
    #[cfg(feature = "database")]
    pub(crate) fn silent(&self) -> Job {
        Job { token: self.token.clone(), deadline: self.deadline, on_progress: None }
    }

    /// Returns whether progress is reported to anyone.
    pub fn has_progress(&self) -> bool {
        self.on_progress.is_some()
    }

    /// Returns the deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns whether the job should stop: it was canceled, or its time is over.
    pub fn is_over(&self) -> bool {
        self.token.is_canceled() || self.is_late()
    }

    /// Checks whether the job may continue.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Canceled`] or [`ErrorKind::TimedOut`].
    pub fn check(&self) -> Result<()> {
        if self.token.is_canceled() {
            return Err(Error::new(ErrorKind::Canceled, "canceled"));
        }
        if self.is_late() {
            return Err(Error::new(ErrorKind::TimedOut, "the answer takes too long")
                .with_help("restrict the request to a variant, a year, a player, or a smaller page"));
        }
        Ok(())
    }

    /// Reports progress.
    pub fn report(&self, progress: &Progress<'_>) {
        if let Some(on_progress) = &self.on_progress {
            on_progress(progress);
        }
    }

    /// Runs a task that ends when a flag is set, and sets the flag when the job is over. The token's own flag doesn't know
    /// the deadline.
    pub(crate) fn with_stop_flag<T>(&self, run: impl FnOnce(Arc<AtomicBool>) -> T) -> T {
        let Some(deadline) = self.deadline else { return run(self.token.flag()) };
        let stop = Arc::new(AtomicBool::new(false));
        let (running, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(|| {
                let ended = ended;
                loop {
                    let left = deadline.saturating_duration_since(Instant::now());
                    match ended.recv_timeout(left.min(CANCEL_INTERVAL)) {
                        Err(RecvTimeoutError::Timeout) if !self.is_over() => {}
                        Err(RecvTimeoutError::Timeout) => return stop.store(true, Ordering::Relaxed),
                        Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            });
            // The thread ends when the sender is dropped, even by a panic.
            let _running = running;
            run(Arc::clone(&stop))
        })
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{BuildTablesRequest, MoveLimits};
    use crate::play::{MatchRequest, PairTerms, SelfPlayRequest};
    use crate::{App, Bounded, PerftRequest, Request, RulesRequest, StreamRequest};

    /// Runs a request that takes minutes, cancels it, and checks that it ends with the right error.
    fn check_canceled<T>(run: impl FnOnce(&App, &Job) -> Result<T>) {
        let job = Job::default();
        let token = job.cancel_token();
        let canceler = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            token.cancel();
        });
        let started = Instant::now();
        let error = run(&App::new(), &job).err().map(|error| error.kind);
        assert_eq!(error, Some(ErrorKind::Canceled));
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
        canceler.join().unwrap();
    }

    #[test]
    fn a_timeout_that_the_clock_cannot_count_sets_no_deadline() {
        let job = Job::default().with_timeout(Duration::MAX);
        assert!(job.deadline().is_none() && job.check().is_ok());
    }

    #[test]
    fn a_canceled_count_ends() {
        let request = PerftRequest { variant: "copenhagen11".into(), depth: 12, ..PerftRequest::default() };
        check_canceled(|app, job| request.clone().run(app, job));
        check_canceled(|app, job| PerftRequest { divide: true, ..request.clone() }.run(app, job));
    }

    /// A match with one endless search per move.
    fn endless_match() -> MatchRequest {
        MatchRequest {
            first: "taflbase".into(),
            second: "random".into(),
            terms: PairTerms {
                variant: vec!["copenhagen11".into()],
                limits: MoveLimits { nodes: Some(Bounded::new(u64::MAX).unwrap()), ..MoveLimits::default() },
                ..PairTerms::default()
            },
            ..MatchRequest::default()
        }
    }

    #[test]
    fn a_canceled_match_ends_inside_a_search() {
        check_canceled(|app, job| Request::run(endless_match(), app, job));
    }

    #[test]
    fn a_match_ends_at_its_deadline() {
        let job = || Job::default().with_timeout(Duration::from_millis(100));
        let error = Request::run(endless_match(), &App::new(), &job()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TimedOut);
        let rules = RulesRequest::of("copenhagen11");
        let request =
            SelfPlayRequest { rules, limits: endless_match().terms.limits, ..SelfPlayRequest::default() };
        let error = request.run(&App::new(), &job(), &mut |_| Ok(())).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TimedOut);
    }

    #[test]
    fn a_canceled_tablebase_is_not_finished() {
        let pieces = Bounded::new(8).unwrap();
        let request = BuildTablesRequest { rules: RulesRequest::of("brandubh7"), pieces };
        check_canceled(|app, job| request.run(app, job, &mut |_| Ok(())));
    }

    #[cfg(feature = "database")]
    #[test]
    fn a_report_of_self_play_ends_inside_a_search() {
        use crate::database::{BalanceReportRequest, DesignReportRequest, ReportRequest};

        let nodes = 1 << 50;
        let mut balance = BalanceReportRequest::default();
        balance.games.variant = Some("copenhagen11".into());
        balance.selfplay_options.selfplay = true;
        balance.selfplay_options.nodes = vec![nodes];
        let vary = vec!["ka=n".to_owned()];
        let design = DesignReportRequest {
            variant: Some("copenhagen11".into()),
            vary,
            nodes,
            ..DesignReportRequest::default()
        };
        for report in [ReportRequest::Balance(balance), ReportRequest::Design(design)] {
            check_canceled(|app, job| report.clone().make(&[], app, job));
            let job = Job::default().with_timeout(Duration::from_millis(100));
            let error = report.make(&[], &App::new(), &job).err().map(|error| error.kind);
            assert_eq!(error, Some(ErrorKind::TimedOut));
        }
    }
}
