//! The corpus that is served now: opened anew when its folder changes, while older requests keep what they have.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use taflbase::corpus::MANIFEST_FILE;

use taflbase::App;

use super::api_error::ApiError;
use super::snapshot::Snapshot;

/// How often the folder is looked at, at most.
const PAUSE: Duration = Duration::from_secs(1);

/// The corpus that is served now.
pub(crate) struct Store {
    path: PathBuf,
    threads: NonZeroUsize,
    app: Arc<App>,
    state: Mutex<State>,
    /// Held while the corpus is opened, so that only one request does.
    opening: Mutex<()>,
}

struct State {
    current: Result<Arc<Snapshot>, ApiError>,
    mark: Option<Mark>,
    looked: Instant,
}

/// What tells one manifest from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    changed: Option<SystemTime>,
    length: u64,
    /// The number of the file, where the system has such numbers.
    file: u64,
}

impl Store {
    /// Opens the corpus in a folder, which is searched by this number of threads.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be opened.
    pub(crate) fn open(path: PathBuf, threads: NonZeroUsize) -> Result<Store, taflbase::corpus::CorpusError> {
        let app: Arc<App> = Arc::default();
        let mark = mark(&path);
        let snapshot = Snapshot::open(&path, threads, Arc::clone(&app))?;
        let state = State { current: Ok(Arc::new(snapshot)), mark, looked: Instant::now() };
        Ok(Store { path, threads, app, state: Mutex::new(state), opening: Mutex::default() })
    }

    /// Returns the corpus as it is now. One that changed is opened beside, and served as it was until that is done.
    ///
    /// # Errors
    ///
    /// Returns that it cannot be read.
    pub(crate) fn current(self: &Arc<Store>) -> Result<Arc<Snapshot>, ApiError> {
        let (known, before) = {
            let mut state = self.lock();
            if state.looked.elapsed() < PAUSE {
                return state.current.clone();
            }
            state.looked = Instant::now();
            (state.mark, state.current.clone())
        };
        // Looked at before the manifest is read: a change in between is seen the next time.
        let now = mark(&self.path);
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
        // There is nothing to be served meanwhile.
        self.reopen(now, before)
    }

    /// Opens the corpus anew, unless that is being done.
    fn reopen(
        &self,
        now: Option<Mark>,
        before: Result<Arc<Snapshot>, ApiError>,
    ) -> Result<Arc<Snapshot>, ApiError> {
        let _opening = match self.opening.try_lock() {
            Ok(opening) => opening,
            // A thread that panicked while it opened the corpus left no state.
            Err(TryLockError::Poisoned(opening)) => opening.into_inner(),
            Err(TryLockError::WouldBlock) => return before,
        };
        let opened = match &before {
            Ok(old) => old.reopen(),
            Err(_) => Ok(Snapshot::open(&self.path, self.threads, Arc::clone(&self.app))?),
        };
        // What lists and the explorer need is read before the first request.
        let opened = opened.and_then(|snapshot| {
            snapshot.stats()?;
            snapshot.corpus.explorer()?;
            Ok(snapshot)
        });
        let current = opened.map(Arc::new).map_err(ApiError::from);
        let mut state = self.lock();
        state.current = current.clone();
        state.mark = now;
        state.looked = Instant::now();
        current
    }

    /// Returns how often the corpus was changed, as far as is known; 0 while it cannot be read.
    pub(crate) fn generation(&self) -> u64 {
        self.lock().current.as_ref().map_or(0, |snapshot| snapshot.corpus.corpus().manifest().generation)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn mark(corpus: &std::path::Path) -> Option<Mark> {
    let found = fs::metadata(corpus.join(MANIFEST_FILE)).ok()?;
    Some(Mark { changed: found.modified().ok(), length: found.len(), file: file_number(&found) })
}

#[cfg(unix)]
fn file_number(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn file_number(_: &fs::Metadata) -> u64 {
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
        let state = State { current: Err(before.clone()), mark: None, looked: Instant::now() };
        let store = Store {
            path: PathBuf::from("no/such/corpus"),
            threads: NonZeroUsize::MIN,
            app: Arc::default(),
            state: Mutex::new(state),
            opening: Mutex::default(),
        };
        let ended = catch_unwind::<_, ()>(AssertUnwindSafe(|| {
            let _opening = store.opening.lock();
            panic!("on purpose");
        }));
        assert!(ended.is_err());
        let code = store.reopen(None, Err(before)).err().map(|problem| problem.code);
        assert_eq!(code, Some(ErrorCode::CorpusDamaged));
    }
}
