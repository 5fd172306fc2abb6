//! Names and language: one type name, one meaning; and plain English. Counts may only fall.

use std::collections::BTreeMap;

use super::{none, sources, word};

/// Type names that are public in two crates, with the reason.
const SHARED_NAMES: &[(&str, &str)] = &[];

/// The number of public type names that are used more than once. Lower it whenever it falls.
const MOST_SHARED: usize = 19;

/// Phrases of translated English in comments and messages, each as its halves, with the number that is left. Lower a number whenever it falls.
const PHRASES: &[(&str, &str, usize)] = &[
    ("so m", "any", 11),
    ("no", "body", 17),
    ("some", "body", 5),
    ("who", "ever", 3),
    ("is n", "one", 5),
    ("is n", "o ", 84),
    ("what is t", "o be", 5),
];

fn is_product(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let apart = ["tests", "tests.rs", "fuzz", "peers", "benches", "examples"];
    !parts.iter().any(|part| apart.contains(part))
}

#[test]
fn public_type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| is_product(path)) {
        for (nth, line) in text.lines().enumerate() {
            let Some(rest) = line.trim_start().strip_prefix("pub") else { continue };
            let rest =
                rest.strip_prefix("(crate)").or(rest.strip_prefix("(super)")).unwrap_or(rest).trim_start();
            let Some(name) =
                ["struct ", "enum ", "trait ", "union "].iter().find_map(|kind| rest.strip_prefix(kind))
            else {
                continue;
            };
            let name: String =
                name.chars().take_while(|symbol| symbol.is_alphanumeric() || *symbol == '_').collect();
            places.entry(name).or_default().push(format!("{path}:{}", nth + 1));
        }
    }
    places.retain(|name, places| places.len() > 1 && !SHARED_NAMES.iter().any(|(shared, _)| shared == name));
    assert!(
        places.len() <= MOST_SHARED,
        "{} names are used more than once, {MOST_SHARED} are allowed:\n{}",
        places.len(),
        places
            .iter()
            .map(|(name, places)| format!("{name}: {}", places.join(" ")))
            .collect::<Vec<_>>()
            .join("\n")
    );
}

/// Returns the part of a line that people read: its comment, or its first string.
fn prose(line: &str) -> Option<&str> {
    let comment = line.find("//").map(|at| &line[at..]);
    let string = || {
        let start = line.find('"')? + 1;
        let end = line[start..].find('"').map_or(line.len(), |end| start + end);
        Some(&line[start..end])
    };
    comment.or_else(string)
}

#[test]
fn prose_is_plain_english() {
    let sources: Vec<(String, String)> = sources().into_iter().filter(|(path, _)| is_product(path)).collect();
    let mut found = Vec::new();
    for (start, end, most) in PHRASES {
        let phrase = word(start, end);
        let places: Vec<String> = sources
            .iter()
            .flat_map(|(path, text)| text.lines().enumerate().map(move |(nth, line)| (path, nth, line)))
            .filter(|(_, _, line)| {
                prose(line).is_some_and(|prose| has_phrase(&prose.to_lowercase(), &phrase))
            })
            .map(|(path, nth, line)| format!("{path}:{}: {}", nth + 1, line.trim()))
            .collect();
        if places.len() > *most {
            found.push(format!(
                "\"{phrase}\" appears on {} lines, {most} are allowed:\n{}",
                places.len(),
                places[..places.len().min(20)].join("\n")
            ));
        }
    }
    none(found);
}

/// Returns whether a text holds a phrase between word boundaries.
fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_letter = |symbol: Option<char>| symbol.is_some_and(char::is_alphabetic);
    text.match_indices(phrase).any(|(at, _)| {
        let after = text[at + phrase.len()..].chars().next();
        !is_letter(text[..at].chars().next_back()) && (phrase.ends_with(' ') || !is_letter(after))
    })
}
