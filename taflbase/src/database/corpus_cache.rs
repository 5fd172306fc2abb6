//! Corpora that earlier requests opened.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quick_cache::sync::Cache;
use tafl_corpus::Manifest;

use super::CorpusSnapshot;
use super::error::named_folder;
use crate::Result;

/// The number of corpora that are kept open. A program works with one or two of them.
pub(super) const MAX_CORPORA: usize = 8;

/// Open corpora by their folders.
pub struct CorpusCache(Cache<PathBuf, Arc<CorpusSnapshot>>);

impl Default for CorpusCache {
    fn default() -> CorpusCache {
        CorpusCache(Cache::new(MAX_CORPORA))
    }
}

impl fmt::Debug for CorpusCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CorpusCache").field(&self.0.len()).finish()
    }
}

impl CorpusCache {
    /// Returns the corpus in a folder as it is now. It is opened only if no request did before, or if it has changed since.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder is not a corpus, or a file is missing or damaged. The error of a folder that is not a corpus
    /// contains the path, because the caller knows it.
    pub fn open(&self, path: &Path) -> Result<Arc<CorpusSnapshot>> {
        self.find(path).map_err(named_folder)
    }

    fn find(&self, path: &Path) -> Result<Arc<CorpusSnapshot>> {
        let snapshot = match self.0.get(path) {
            Some(known) => {
                let manifest = Manifest::read(path)?;
                if known.corpus().manifest().checksum == manifest.checksum {
                    return Ok(known);
                }
                known.reopen()?
            }
            None => CorpusSnapshot::open(path, None)?,
        };
        let snapshot = Arc::new(snapshot);
        self.0.insert(path.to_owned(), Arc::clone(&snapshot));
        Ok(snapshot)
    }
}
