//! The settings of evaluations of games: limits of searches, curves, and the file of earlier evaluations.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::{AnnotateError, Curves, EvalLog};

use super::games::GameStream;
use super::limits::SearchLimits;
use crate::escape::{escape, escape_path};
use crate::{App, Error, ErrorKind, Result};

/// The evaluation of the positions of games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct EvaluationSettings {
    /// The limits of each search.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: SearchLimits,
    /// Use the curves of this file from `tafl calibrate` [default: built-in ones]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub curves: Option<PathBuf>,
    /// Keep evaluations in this file, and reuse those that it has
    /// [default for a corpus: its file evals/cache.log]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub cache: Option<PathBuf>,
}

/// The built-in curves.
static BUILT_IN: LazyLock<Arc<Curves>> = LazyLock::new(|| Arc::new(Curves::built_in()));

/// Returns the curves that are built in.
pub(crate) fn built_in_curves() -> Arc<Curves> {
    Arc::clone(&BUILT_IN)
}

impl EvaluationSettings {
    /// Returns the curves of the file, or those that are built in.
    pub(super) fn read_curves(&self) -> Result<Arc<Curves>> {
        let Some(path) = &self.curves else { return Ok(built_in_curves()) };
        let name = escape_path(path);
        let text = fs::read_to_string(path)
            .map_err(|error| Error::new(ErrorKind::Io, format!("{name}: {error}")).of("curves"))?;
        let curves =
            Curves::read(&text).map_err(|error| Error::parameter("curves", format!("{name}: {error}")))?;
        Ok(Arc::new(curves))
    }

    /// Opens the file of evaluations, or that of the corpus; none if the games come from files and no file is named. While
    /// it is open, requests in the same application share it.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be used.
    pub fn open_cache(&self, games: &GameStream<'_>, app: &App) -> Result<Option<EvalCache>> {
        self.open_cache_in(games.stored().map(|games| games.evals_folder()), app)
    }

    /// Opens the file of evaluations, or that in a folder, which is created.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be used.
    pub fn open_cache_in(&self, folder: Option<PathBuf>, app: &App) -> Result<Option<EvalCache>> {
        let path = match (&self.cache, folder) {
            (Some(path), _) => path.clone(),
            (None, Some(folder)) => {
                let failed = |error| Error::new(ErrorKind::Io, format!("{}: {error}", escape_path(&folder)));
                fs::create_dir_all(&folder).map_err(failed)?;
                folder.join("cache.log")
            }
            (None, None) => return Ok(None),
        };
        if path.is_dir() {
            let message = format!("{} is a folder; --cache names a file", escape_path(&path));
            return Err(Error::parameter("cache", message));
        }
        Ok(Some(EvalCache { log: app.eval_logs().open(&path)?, path }))
    }
}

/// A file of evaluations that is open.
#[derive(Debug, Clone)]
pub struct EvalCache {
    path: PathBuf,
    log: Arc<Mutex<EvalLog>>,
}

impl EvalCache {
    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of evaluations in it.
    pub fn n_evaluations(&self) -> u64 {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Returns the number of bytes of incomplete and damaged evaluations that were dropped when it was opened.
    pub fn lost_bytes(&self) -> u64 {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).lost_bytes()
    }

    /// Returns the cache that searches read and write.
    pub(super) fn log(&self) -> &Mutex<EvalLog> {
        &self.log
    }
}

/// The files of evaluations that are open: a file is open once, and requests that name it share it.
#[derive(Debug, Default)]
pub(crate) struct EvalLogs(Mutex<HashMap<PathBuf, Weak<Mutex<EvalLog>>>>);

impl EvalLogs {
    fn open(&self, path: &Path) -> Result<Arc<Mutex<EvalLog>>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, log| log.strong_count() > 0);
        if let Some(log) = open.get(path).and_then(Weak::upgrade) {
            return Ok(log);
        }
        let log = EvalLog::open(path)
            .map_err(|error| Error::new(ErrorKind::Io, escape(&error.to_string())).of("cache"))?;
        let log = Arc::new(Mutex::new(log));
        open.insert(path.to_owned(), Arc::downgrade(&log));
        Ok(log)
    }
}

impl From<AnnotateError> for Error {
    fn from(error: AnnotateError) -> Error {
        let kind = match &error {
            AnnotateError::Log(_) => ErrorKind::Io,
            AnnotateError::Limits(_) => ErrorKind::BadParameter,
            AnnotateError::Board => ErrorKind::BadRecord,
            _ => ErrorKind::Internal,
        };
        Error::new(kind, error.to_string())
    }
}
