//! Rules that were compiled for earlier requests.

use std::sync::Arc;

use quick_cache::sync::Cache;
use tafl_rules::{AnyRulebook, Setup};

use super::rules_source::RulesSource;
use super::variant::Variant;
use crate::Result;

/// The number of rule sets that are kept, so that no stream of requests fills the memory.
const MAX_RULES: usize = 256;

/// Rules and what they compile to.
#[derive(Debug)]
pub struct CompiledVariant {
    /// The rules.
    pub variant: Variant,
    /// The rules, compiled for the pieces of their start.
    pub book: AnyRulebook,
}

impl CompiledVariant {
    /// Returns the rules, compiled for the pieces of a position, too.
    ///
    /// # Errors
    ///
    /// Fails if they can't be played with these pieces.
    pub fn with_pieces_of(self: Arc<CompiledVariant>, setup: &Setup) -> Result<Arc<CompiledVariant>> {
        let known = self.variant.rules.pieces_in_play();
        if setup.pieces().all(|(_, piece)| known.contains(piece)) {
            return Ok(self);
        }
        let book = self.variant.compile(setup)?;
        Ok(Arc::new(CompiledVariant { variant: self.variant.clone(), book }))
    }
}

/// The rules that were requested.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RulesKey {
    source: RulesSource,
    changes: Vec<String>,
}

/// Compiled rules by the text that named them.
#[derive(Debug)]
pub struct RulesCache(Cache<RulesKey, Arc<CompiledVariant>>);

impl Default for RulesCache {
    fn default() -> RulesCache {
        RulesCache(Cache::new(MAX_RULES))
    }
}

impl RulesCache {
    /// Returns the rules of a name or a rules string, with single rules changed, as by `KEY=VALUE`. No file is read.
    ///
    /// # Errors
    ///
    /// As [`Variant::named`] and [`Variant::changed`]; and that the rules can't be played.
    pub fn named(&self, text: &str, changes: &[String]) -> Result<Arc<CompiledVariant>> {
        self.find(text, changes, false)
    }

    /// Returns the rules of a name, a rules string, or if `may_be_file`, a file, with single rules changed, as by
    /// `KEY=VALUE`.
    pub(crate) fn find(
        &self,
        text: &str,
        changes: &[String],
        may_be_file: bool,
    ) -> Result<Arc<CompiledVariant>> {
        let source = RulesSource::of(text, may_be_file)?;
        let key = RulesKey { source, changes: changes.to_vec() };
        if let Some(compiled) = self.0.get(&key) {
            return Ok(compiled);
        }
        let variant = Variant::from_source(&key.source)?.changed(changes)?;
        let book = variant.compile(&variant.rules.start)?;
        let compiled = Arc::new(CompiledVariant { variant, book });
        self.0.insert(key, Arc::clone(&compiled));
        Ok(compiled)
    }
}
