//! Names and language: one type name, one meaning; and plain English. Counts may only fall.

use std::collections::BTreeMap;

use super::{assert_none, sources, word};

/// Type names that are public in two crates, with the reason.
const SHARED_NAMES: &[(&str, &str)] = &[];

/// The number of public type names that are used more than once. Lower it whenever it falls.
const MOST_SHARED: usize = 11;

/// Phrases of translated English in comments and messages, each as its halves, with the number of lines that remain in
/// products and in tests. Lower a number whenever it falls.
const PHRASES: &[(&str, &str, usize, usize)] = &[
    ("so m", "any", 8, 0),
    ("no", "body", 7, 3),
    ("some", "body", 0, 1),
    ("who", "ever", 0, 0),
    ("is n", "one", 2, 0),
    ("is n", "o ", 42, 0),
    ("what is t", "o be", 1, 0),
    ("passed o", "ver", 1, 0),
    ("kept as", "ide", 0, 0),
];

fn is_product(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let tests = ["tests", "tests.rs", "fuzz", "peers", "benches", "examples"];
    !parts.iter().any(|part| tests.contains(part))
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

/// Returns the parts of a line that people read: its strings and its comment.
fn prose(line: &str) -> Vec<&str> {
    let comment = line.find("//").map(|at| &line[at..]);
    let code = line.split("//").next().unwrap_or(line);
    code.split('"').skip(1).step_by(2).chain(comment).collect()
}

#[test]
fn prose_is_read_from_strings_and_comments() {
    assert_eq!(prose("a(\"b\", \"c\"); // d"), ["b", "c", "// d"]);
    assert_eq!(prose("let a = b;"), Vec::<&str>::new());
}

#[test]
fn prose_is_plain_english() {
    let sources = sources();
    let mut found = Vec::new();
    for (start, end, max_in_products, max_in_tests) in PHRASES {
        let phrase = word(start, end);
        let has_phrase = |line: &str| prose(line).iter().any(|part| contains(&part.to_lowercase(), &phrase));
        for (is_in_products, max) in [(true, max_in_products), (false, max_in_tests)] {
            let files = sources.iter().filter(|(path, _)| is_product(path) == is_in_products);
            let lines = files
                .flat_map(|(path, text)| text.lines().zip(1..).map(move |(line, nth)| (path, nth, line)));
            let places: Vec<String> = lines
                .filter(|(_, _, line)| has_phrase(line))
                .map(|(path, nth, line)| format!("{path}:{nth}: {}", line.trim()))
                .collect();
            if places.len() > *max {
                let (n, shown) = (places.len(), places[..places.len().min(20)].join("\n"));
                found.push(format!("\"{phrase}\" appears on {n} lines, {max} are allowed:\n{shown}"));
            }
        }
    }
    assert_none(found);
}

/// Returns whether a text contains a phrase between word boundaries.
fn contains(text: &str, phrase: &str) -> bool {
    let is_letter = |symbol: Option<char>| symbol.is_some_and(char::is_alphabetic);
    text.match_indices(phrase).any(|(at, _)| {
        let after = text[at + phrase.len()..].chars().next();
        !is_letter(text[..at].chars().next_back()) && (phrase.ends_with(' ') || !is_letter(after))
    })
}
