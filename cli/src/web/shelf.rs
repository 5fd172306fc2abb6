//! Rules that were compiled for earlier requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tafl_rules::AnyRulebook;

use super::params::Params;
use super::problem::Problem;
use crate::variant::Variant;

/// More rules than this are forgotten, so that no stream of requests fills the memory.
const MOST: usize = 256;

/// Rules that were compiled, by the text that named them.
#[derive(Default)]
pub(crate) struct Shelf {
    known: Mutex<HashMap<String, Arc<Ruled>>>,
}

/// Rules, and what they compile to.
#[derive(Debug)]
pub(crate) struct Ruled {
    /// The rules.
    pub(crate) variant: Variant,
    /// The rules, compiled for the pieces of their start.
    pub(crate) book: AnyRulebook,
}

impl Shelf {
    /// Returns the rules that the parameters `variant` or `rules` name.
    ///
    /// # Errors
    ///
    /// Returns that neither or both are given, or what is wrong with the one that is.
    pub(crate) fn named(&self, params: &Params) -> Result<Arc<Ruled>, Problem> {
        match (params.text("variant"), params.text("rules")) {
            (Some(name), None) => self.get(name, "variant"),
            (None, Some(text)) => self.get(text, "rules"),
            (Some(_), Some(_)) => {
                Err(Problem::parameter("rules", "`variant` and `rules` are given, one is enough"))
            }
            (None, None) => Err(Problem::parameter("variant", "say by which rules")
                .help("variant=NAME, see /api/variants, or rules=STRING")),
        }
    }

    /// Returns the rules of a name or a rules string, the value of a parameter.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(crate) fn get(&self, text: &str, parameter: &'static str) -> Result<Arc<Ruled>, Problem> {
        if let Some(ruled) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(Arc::clone(ruled));
        }
        let problem = |error| Problem::of_variant(&error, text, parameter);
        let variant = Variant::of_text(text).map_err(problem)?;
        let book = variant.compile(&variant.rules.start).map_err(problem)?;
        let ruled = Arc::new(Ruled { variant, book });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.to_owned(), Arc::clone(&ruled));
        Ok(ruled)
    }
}
