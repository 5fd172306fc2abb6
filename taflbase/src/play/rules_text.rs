//! Names of rules in messages.

use tafl_rules::{RuleSet, catalog};

/// Returns the name of rules in the catalog, such as `brandubh7`; with changes of single rules, as `brandubh7 --rule sw=w`.
pub(super) fn rules_text(rules: &RuleSet) -> String {
    if let Some(named) = catalog::all().find(|named| named.rules() == *rules) {
        return named.name.to_owned();
    }
    let text = rules.to_string();
    let candidates = catalog::all().filter(|named| named.rules().name == rules.name);
    let changed =
        candidates.filter_map(|named| Some((named.name, changes(&named.rules().to_string(), &text)?)));
    match (changed.min_by_key(|(_, changes)| changes.len()), &rules.name) {
        (Some((name, changes)), _) => {
            let options: Vec<String> = changes.iter().map(|change| format!(" --rule {change}")).collect();
            format!("{name}{}", options.concat())
        }
        (None, Some(label)) => format!("rules with the label {label}"),
        (None, None) => "rules without a name".to_owned(),
    }
}

/// Returns the rules in `text` that `of_catalog` lacks or has with another value, as `KEY=VALUE`; `None` if the boards or
/// starts differ, or if `text` lacks a rule of `of_catalog`.
fn changes(of_catalog: &str, text: &str) -> Option<Vec<String>> {
    let has_key = |token: &str| {
        let key = token.split(':').next();
        text.split(' ').any(|other| other.split(':').next() == key)
    };
    let is_start = |token: &&str| token.starts_with("dim:") || token.starts_with("start:");
    let has_same_start = of_catalog.split(' ').filter(is_start).eq(text.split(' ').filter(is_start));
    if !has_same_start || !of_catalog.split(' ').all(has_key) {
        return None;
    }
    let new = text.split(' ').filter(|token| of_catalog.split(' ').all(|other| other != *token));
    Some(new.map(|token| token.replacen(':', "=", 1)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn rules_are_named_by_the_catalog_and_their_changes() {
        let text = |name: &str, changes: &[&str]| {
            let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
            rules_text(&Variant::named(name).unwrap().changed(&changes).unwrap().rules)
        };
        assert_eq!(text("brandubh7", &[]), "brandubh7");
        assert_eq!(text("brandubh7", &["sw=w"]), "brandubh7 --rule sw=w");
        assert_eq!(text("dim:7 ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/", &[]), "rules without a name");
        let label = "dim:7 name:Own ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        assert_eq!(text(label, &[]), "rules with the label Own");
    }
}
