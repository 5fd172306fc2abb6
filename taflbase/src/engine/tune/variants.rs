//! The variants of self-play for training.

use tafl_rules::{AnyRulebook, RuleSet, catalog};

use crate::CompiledVariant;

/// Returns the given variant, or all variants of the catalog, with their names.
pub(super) fn variants(rules: Option<&CompiledVariant>) -> Vec<(String, RuleSet)> {
    match rules {
        Some(rules) => vec![(rules.variant.name().to_owned(), rules.book.rules().clone())],
        None => distinct_variants(),
    }
}

/// Returns the variants of the catalog, one for each set of equal rules.
fn distinct_variants() -> Vec<(String, RuleSet)> {
    let mut variants: Vec<(String, RuleSet)> = Vec::new();
    for named in catalog::all() {
        let rules = named.rules();
        let is_new = variants.iter().all(|(_, known)| *known != rules);
        if is_new && AnyRulebook::compile(&rules).is_ok() {
            variants.push((named.name.to_owned(), rules));
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_variants_are_distinct() {
        assert!(distinct_variants().len() >= 60);
    }
}
