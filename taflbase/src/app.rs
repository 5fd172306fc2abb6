//! What outlives a request.

use crate::RulesCache;
#[cfg(feature = "database")]
use crate::database::CorpusCache;

/// Open corpora, compiled rules, engines, and bounded caches, shared by all requests of a program.
///
/// # Examples
///
/// ```
/// let app = taflbase::App::new();
/// # let _ = app;
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct App {
    rules: RulesCache,
    #[cfg(feature = "database")]
    corpora: CorpusCache,
}

impl App {
    /// Creates an application with empty caches.
    pub fn new() -> App {
        App::default()
    }

    /// Returns the compiled rules of earlier requests.
    pub fn rules(&self) -> &RulesCache {
        &self.rules
    }

    /// Returns the corpora that earlier requests opened.
    #[cfg(feature = "database")]
    pub fn corpora(&self) -> &CorpusCache {
        &self.corpora
    }
}
