//! Inference: by which rules records were played.
//!
//! [`infer`] takes records, whatever they say about their rules, and returns the variants of the catalog that explain
//! them, the rules that explain them best, what each option rests on, and what still contradicts. [`attribute`] asks
//! the same of a single record whose rules are known: under which change of the rules it would be right.

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

use tafl_rules::RuleSet;

use crate::record::Record;

pub use answer::{
    Change, Contradiction, Explanation, Group, Inference, OptionEvidence, OtherValue, Standing, StartOrigin,
};
pub use attribute::{Attribution, attribute};
pub use evidence::{Probe, ProbedValue, probe, values};

/// How to infer.
#[derive(Debug, Clone)]
pub struct InferOptions {
    /// Rules to begin with, besides those of the catalog; their start is known then.
    pub hint: Option<RuleSet>,
    /// Variants of the catalog that are to be forgotten, and all with the same rules: for tests of inference itself.
    pub without: Option<RuleSet>,
    /// How many threads to use.
    pub threads: NonZeroUsize,
}

impl Default for InferOptions {
    fn default() -> InferOptions {
        InferOptions { hint: None, without: None, threads: NonZeroUsize::MIN }
    }
}

/// Returns what records say about the rules that they were played by.
///
/// What the records themselves say about rules and variant is not asked, only their starts, first movers, moves,
/// captures and results. The answer is the same for every number of threads.
///
/// # Examples
///
/// ```
/// use tafl_parser::infer::{InferOptions, infer};
/// use tafl_parser::{Format, Source};
///
/// let text = r#"{"AageGameTypeKey": 0, "Moves": ["d2-a2", "d3-a3", "g4-g3", "a3-d3"], "WhoWon": ""}"#;
/// let record = Format::AageNielsen.parse(&Source::new(text)).value;
/// let found = infer(&[&record], &InferOptions::default());
/// assert_eq!(found.groups[0].contradictions, []);
/// ```
pub fn infer(records: &[&Record], options: &InferOptions) -> Inference {
    groups::infer(records, options)
}
