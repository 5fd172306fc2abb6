//! The cache of reports about one state of the corpus.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The expected number of cached reports.
const EXPECTED_REPORTS: usize = 256;

/// A cache of report documents, by request. Each snapshot has its own, so that reports about earlier states take no memory.
pub(crate) struct ReportCache(Cache<String, Arc<Vec<u8>>, DocumentWeighter>);

impl ReportCache {
    /// Returns an empty cache.
    pub(crate) fn new() -> ReportCache {
        ReportCache(Cache::with_weighter(EXPECTED_REPORTS, MAX_BYTES, DocumentWeighter))
    }

    /// Returns a cached document, or makes it. Other requests for the same document wait for it.
    ///
    /// # Errors
    ///
    /// Returns the error of `make`.
    pub(crate) fn get_or_make<E>(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<Vec<u8>>, E> {
        self.0.get_or_insert_with(key, || make().map(Arc::new))
    }
}

/// Weighs a document by its length.
#[derive(Clone)]
struct DocumentWeighter;

impl Weighter<String, Arc<Vec<u8>>> for DocumentWeighter {
    fn weight(&self, _: &String, document: &Arc<Vec<u8>>) -> u64 {
        document.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_made_once_and_an_error_is_not_kept() {
        let cache = ReportCache::new();
        let of = |made: Result<Vec<u8>, &'static str>| cache.get_or_make("balance", || made);
        assert_eq!(of(Err("no games")), Err("no games"));
        assert_eq!(*of(Ok(vec![1])).unwrap(), [1]);
        assert_eq!(*of(Ok(vec![2])).unwrap(), [1]);
    }
}
