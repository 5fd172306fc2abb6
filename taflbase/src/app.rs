//! What outlives a request.

use std::sync::Arc;

#[cfg(feature = "database")]
use crate::database::CorpusCache;
use crate::engine::{EvalLogs, TablebaseCache};
use crate::{CompiledVariant, Result, RulesCache, Variant};

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
    reads_rules_files: bool,
    eval_logs: EvalLogs,
    tablebases: TablebaseCache,
    #[cfg(feature = "database")]
    corpora: CorpusCache,
}

impl App {
    /// Creates an application with empty caches. Requests name rules by a variant or by a rules string.
    pub fn new() -> App {
        App::default()
    }

    /// Lets requests name a file for rules, as on the command line. A server must not: its clients would read its files.
    #[must_use]
    pub fn with_rules_files(self) -> App {
        App { reads_rules_files: true, ..self }
    }

    /// Returns the compiled rules of earlier requests.
    pub fn rules(&self) -> &RulesCache {
        &self.rules
    }

    /// Returns the rules that a request names, compiled.
    pub(crate) fn compiled(&self, text: &str, changes: &[String]) -> Result<Arc<CompiledVariant>> {
        if self.reads_rules_files { self.rules.find(text, changes) } else { self.rules.named(text, changes) }
    }

    /// Returns the rules that a request names.
    pub(crate) fn variant(&self, text: &str, changes: &[String]) -> Result<Variant> {
        let variant = if self.reads_rules_files { Variant::find(text) } else { Variant::named(text) };
        variant?.changed(changes)
    }

    /// Returns the files of evaluations that are in use.
    pub(crate) fn eval_logs(&self) -> &EvalLogs {
        &self.eval_logs
    }

    /// Returns the tablebases of earlier requests.
    pub(crate) fn tablebases(&self) -> &TablebaseCache {
        &self.tablebases
    }

    /// Returns the corpora that earlier requests opened.
    #[cfg(feature = "database")]
    pub fn corpora(&self) -> &CorpusCache {
        &self.corpora
    }
}
