//! The variant of the catalog that is most similar to some rules.

use super::differences::{RulesDifference, rules_differences};
use crate::catalog::{self, NamedRules};
use crate::ruleset::RuleSet;

/// The variant of the catalog with the fewest differences from some rules.
#[derive(Debug, Clone)]
pub struct SimilarVariant {
    /// The variant.
    pub variant: &'static NamedRules,
    /// The differences that can affect play: on the left the variant's rules, on the right the others.
    pub differences: Vec<RulesDifference>,
}

/// Returns the variant of the catalog with the fewest differences that can affect play, on a board of the same shape; of several
/// such variants, the first. `None` if the catalog has no variant on such a board.
///
/// # Examples
///
/// ```
/// use tafl_rules::{RuleSet, similar_variant};
///
/// let mut rules = RuleSet::named("copenhagen11")?;
/// rules.shieldwall = None;
/// let found = similar_variant(&rules).unwrap();
/// assert_eq!((found.variant.name, found.differences.len()), ("copenhagen11", 1));
/// # Ok::<(), tafl_rules::catalog::UnknownVariant>(())
/// ```
pub fn similar_variant(rules: &RuleSet) -> Option<SimilarVariant> {
    let on_same_board = catalog::all()
        .map(|variant| (variant, variant.rules()))
        .filter(|(_, other)| other.shape() == rules.shape());
    let compared = on_same_board.map(|(variant, other)| {
        let mut differences = rules_differences(&other, rules);
        differences.retain(|difference| difference.matters);
        SimilarVariant { variant, differences }
    });
    compared.min_by_key(|similar| similar.differences.len())
}
