//! Inference of the rules by which records were played.
//!
//! [`infer`] takes records and returns the catalog variants that explain them, the rules that explain them
//! best, the evidence for each option, and the remaining contradictions; it ignores the rules named in the
//! records. [`attribute`] does the same for a single record with known rules: it returns the changes under
//! which the record would be sound.

mod answer;
mod attribute;
mod chances;
mod derive;
mod evidence;
mod game;
mod groups;
mod kind;
mod parameter;
mod score;
mod search;
mod start;
mod trial;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tafl_rules::RuleSet;

use crate::record::Record;

pub use answer::{
    Contradiction, Inference, OptionChange, OptionEvidence, OptionStatus, OtherValue, RulesGroup,
    StartOrigin, VariantFit,
};
pub use attribute::{Attribution, attribute};
pub use evidence::{Probe, ProbedValue, option_values, probe};

/// Options for inference.
#[derive(Debug, Clone)]
pub struct InferOptions {
    /// Additional rules to start from; they also determine the start.
    pub hint: Option<RuleSet>,
    /// A catalog variant to exclude together with all variants that have the same rules; for tests of
    /// inference itself.
    pub without: Option<RuleSet>,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// A flag that stops the inference when another thread sets it. The answer is then meaningless.
    pub stop: Option<Arc<AtomicBool>>,
    /// The time after which the inference stops in the same way.
    pub deadline: Option<Instant>,
}

impl Default for InferOptions {
    fn default() -> InferOptions {
        InferOptions { hint: None, without: None, threads: NonZeroUsize::MIN, stop: None, deadline: None }
    }
}

impl InferOptions {
    /// Returns whether the inference should stop.
    fn is_over(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Infers the rules by which the records were played.
///
/// The rules and the variant named in the records are ignored; only their starts, first movers, moves,
/// captures, and results are used. The answer does not depend on the number of threads.
///
/// # Examples
///
/// ```
/// use tafl_parser::{Format, InferOptions, Source, infer};
///
/// let text = r#"{"AageGameTypeKey": 0, "Moves": ["d2-a2", "d3-a3", "g4-g3", "a3-d3"], "WhoWon": ""}"#;
/// let record = Format::AageNielsen.parse(&Source::new(text)).value;
/// let found = infer(&[&record], &InferOptions::default());
/// assert_eq!(found.groups[0].contradictions, []);
/// ```
pub fn infer(records: &[&Record], options: &InferOptions) -> Inference {
    groups::infer(records, options)
}
