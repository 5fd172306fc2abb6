//! The variants of self-play for training.

use tafl_rules::{AnyRulebook, RuleSet, catalog};

use super::TuneRequest;
use crate::{CompiledVariant, Error, Result};

/// Returns the given variant, or all variants of the catalog, with their names, without those that the request leaves out.
///
/// # Errors
///
/// Fails if every variant is left out.
pub(super) fn variants(
    rules: Option<&CompiledVariant>,
    request: &TuneRequest,
) -> Result<Vec<(String, RuleSet)>> {
    let mut variants = match rules {
        Some(rules) => vec![(rules.variant.name(), rules.book.rules().clone())],
        None => distinct_variants(),
    };
    variants.retain(|(name, _)| !request.is_left_out(name));
    if variants.is_empty() {
        return Err(Error::parameter("without", "every variant of self-play is left out")
            .with_help("name fewer variants with --without"));
    }
    Ok(variants)
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
    use crate::App;

    #[test]
    fn variants_are_left_out_by_any_of_their_names() {
        let request = |without: &[&str]| TuneRequest {
            without: without.iter().map(|name| (*name).to_owned()).collect(),
            ..TuneRequest::default()
        };
        let has_copenhagen = |without: &[&str]| {
            let variants = variants(None, &request(without)).unwrap();
            variants.iter().any(|(name, _)| name == "copenhagen11")
        };
        assert!(has_copenhagen(&["brandubh7"]));
        assert!(!has_copenhagen(&["copenhagen11"]) && !has_copenhagen(&["copenhagen"]));
        let rules = App::new().rules().named("brandubh7", &[]).unwrap();
        let error = variants(Some(&rules), &request(&["brandubh"])).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("without"));
    }

    #[test]
    fn all_variants_are_distinct() {
        assert!(distinct_variants().len() >= 60);
    }
}
