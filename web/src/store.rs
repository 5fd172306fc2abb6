//! The corpus that is served: reopened when its folder changes, while running requests keep their snapshots.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use taflbase::corpus::{CorpusError, MANIFEST_FILE};

use taflbase::App;

use super::api_error::ApiError;
use super::snapshot::Snapshot;

/// The minimum time between two checks for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The corpus that is served.
pub(crate) struct Store {
    path: PathBuf,
    threads: NonZeroUsize,
    app: Arc<App>,
    state: Mutex<StoreState>,
    /// Locked while the corpus is opened, so that only one thread opens it.
    opening: Mutex<()>,
}

struct StoreState {
    current: Result<Arc<Snapshot>, ApiError>,
    fingerprint: Option<Fingerprint>,
    checked: Instant,
}

/// The metadata that distinguishes a manifest from its predecessor without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fingerprint {
    changed: Option<SystemTime>,
    length: u64,
    /// The inode, on Unix.
    inode: u64,
}

impl Store {
    /// Opens the corpus in a folder for searches with this number of threads.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be opened.
    pub(crate) fn open(path: PathBuf, threads: NonZeroUsize, app: App) -> Result<Store, CorpusError> {
        let app = Arc::new(app);
        let fingerprint = fingerprint(&path);
        let snapshot = Snapshot::open(&path, threads, Arc::clone(&app))?;
        let state = StoreState { current: Ok(Arc::new(snapshot)), fingerprint, checked: Instant::now() };
        Ok(Store { path, threads, app, state: Mutex::new(state), opening: Mutex::default() })
    }

    /// Returns the current snapshot. A changed corpus is reopened in the background, and the old snapshot is used until then.
    ///
    /// # Errors
    ///
    /// Returns an error if the corpus cannot be read.
    pub(crate) fn current(self: &Arc<Store>) -> Result<Arc<Snapshot>, ApiError> {
        let (known, before) = {
            let mut state = self.lock();
            if state.checked.elapsed() < CHECK_INTERVAL {
                return state.current.clone();
            }
            state.checked = Instant::now();
            (state.fingerprint, state.current.clone())
        };
        // The fingerprint is taken before the manifest is read, so that the next check notices a change in between.
        let now = fingerprint(&self.path);
        if before.is_ok() && now == known {
            return before;
        }
        if before.is_ok() && now.is_some() {
            let (store, old) = (Arc::clone(self), before.clone());
            let opening = thread::Builder::new().spawn(move || drop(store.reopen(now, old)));
            if opening.is_ok() {
                return before;
            }
        }
        // No old snapshot can be served meanwhile.
        self.reopen(now, before)
    }

    /// Reopens the corpus if it changed, before this returns. If it can't be read, the next request finds that out.
    pub(crate) fn refresh(&self) {
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let now = fingerprint(&self.path);
        let before = {
            let state = self.lock();
            if state.fingerprint == now {
                return;
            }
            state.current.clone()
        };
        // The error is kept for the next request.
        let _ = self.open_as(now, before);
    }

    /// Reopens the corpus, unless another thread does.
    fn reopen(
        &self,
        now: Option<Fingerprint>,
        before: Result<Arc<Snapshot>, ApiError>,
    ) -> Result<Arc<Snapshot>, ApiError> {
        let _opening = match self.opening.try_lock() {
            Ok(opening) => opening,
            // A thread that panicked while it opened the corpus changed no state.
            Err(TryLockError::Poisoned(opening)) => opening.into_inner(),
            Err(TryLockError::WouldBlock) => return before,
        };
        self.open_as(now, before)
    }

    /// Opens the corpus and keeps it as the current one.
    fn open_as(
        &self,
        now: Option<Fingerprint>,
        before: Result<Arc<Snapshot>, ApiError>,
    ) -> Result<Arc<Snapshot>, ApiError> {
        let opened = match &before {
            Ok(old) => old.reopen(),
            Err(_) => Ok(Snapshot::open(&self.path, self.threads, Arc::clone(&self.app))?),
        };
        // Counts and the explorer are loaded before the first request needs them.
        let opened = opened.and_then(|snapshot| {
            snapshot.stats()?;
            snapshot.corpus.explorer()?;
            Ok(snapshot)
        });
        // For example, the process has too many open files: the old state is served until the next check.
        if let (Err(error), Ok(_)) = (&opened, &before)
            && is_temporary(error)
        {
            tracing::warn!(
                "the old state of the corpus is served, because the new one can't be opened: {error}"
            );
            self.lock().checked = Instant::now();
            return before;
        }
        let current = opened.map(Arc::new).map_err(ApiError::from);
        let mut state = self.lock();
        state.current = current.clone();
        state.fingerprint = now;
        state.checked = Instant::now();
        current
    }

    /// Returns the generation of the corpus; 0 while it cannot be read.
    pub(crate) fn generation(&self) -> u64 {
        self.lock().current.as_ref().map_or(0, |snapshot| snapshot.corpus.corpus().manifest().generation)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, StoreState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fingerprint(corpus: &std::path::Path) -> Option<Fingerprint> {
    let manifest = fs::metadata(corpus.join(MANIFEST_FILE)).ok()?;
    Some(Fingerprint { changed: manifest.modified().ok(), length: manifest.len(), inode: inode(&manifest) })
}

/// Returns whether the cause is a temporary failure of the system, such as too many open files, and not a damaged corpus.
fn is_temporary(error: &taflbase::Error) -> bool {
    let cause = error.cause.as_deref().and_then(|cause| cause.downcast_ref::<CorpusError>());
    cause.is_some_and(CorpusError::is_temporary)
}

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::api_error::ErrorCode;

    #[test]
    fn a_corpus_is_opened_again_after_a_panic() {
        let before = ApiError::new(ErrorCode::Internal, "internal server error");
        let state = StoreState { current: Err(before.clone()), fingerprint: None, checked: Instant::now() };
        let store = Store {
            path: PathBuf::from("no/such/corpus"),
            threads: NonZeroUsize::MIN,
            app: Arc::default(),
            state: Mutex::new(state),
            opening: Mutex::default(),
        };
        let result = catch_unwind::<_, ()>(AssertUnwindSafe(|| {
            let _opening = store.opening.lock();
            panic!("on purpose");
        }));
        assert!(result.is_err());
        let code = store.reopen(None, Err(before)).err().map(|problem| problem.code);
        assert_eq!(code, Some(ErrorCode::CorpusDamaged));
    }
}
