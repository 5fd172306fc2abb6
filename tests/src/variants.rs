//! The rules of the variants that tests name.

use tafl_rules::{RuleSet, catalog};

/// Returns the rules string of a variant of the catalog.
///
/// # Panics
///
/// Panics if the variant is unknown.
pub fn text(name: &str) -> &'static str {
    catalog::find(name).unwrap_or_else(|| panic!("no variant {name}")).text
}

/// Returns the rules of a variant of the catalog.
///
/// # Panics
///
/// Panics if the variant is unknown.
pub fn rules(name: &str) -> RuleSet {
    text(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the rules of words such as `copenhagen11 xsw:one`: variants of the catalog, and keys. If a key occurs twice, the
/// last value is used.
///
/// # Panics
///
/// Panics if a variant is unknown or the keys are not valid rules.
pub fn with_keys(words: &str) -> RuleSet {
    let mut all: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        if word.contains(':') {
            put_key(&mut all, word);
        } else {
            text(word).split_whitespace().for_each(|word| put_key(&mut all, word));
        }
    }
    let text = all.join(" ");
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Replaces a word with the same key, or adds it.
fn put_key(words: &mut Vec<String>, word: &str) {
    let key = word.split(':').next();
    words.retain(|known| known.split(':').next() != key);
    words.push(word.to_owned());
}
