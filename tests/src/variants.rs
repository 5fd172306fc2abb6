//! The rules of the variants that tests name.

use tafl_rules::catalog;
use tafl_rules::ruleset::RuleSet;

/// Returns the rules string of a variant of the catalog.
///
/// # Panics
///
/// Panics if there is no such variant.
pub fn text(name: &str) -> &'static str {
    catalog::find(name).unwrap_or_else(|| panic!("no variant {name}")).text
}

/// Returns the rules of a variant of the catalog.
///
/// # Panics
///
/// Panics if there is no such variant.
pub fn rules(name: &str) -> RuleSet {
    text(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}
