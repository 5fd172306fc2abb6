//! Names and language: one type name, one meaning; and plain English.

use std::collections::BTreeMap;

use super::{assert_none, sources, word};

/// Public type names that are used twice, with the reason.
const SHARED_NAMES: &[(&str, &str)] = &[
    ("EvalTable", STAND_IN),
    ("StoredReader", STAND_IN),
    ("StoredReplayer", STAND_IN),
    ("StoredSelection", STAND_IN),
];

/// The reason for the types of `taflbase/src/stored/without.rs`.
const STAND_IN: &str = "builds without the database have an uninhabited type of the same name";

/// Phrases of translated English, each as its halves, so that this file does not contain them.
const PHRASES: &[(&str, &str)] = &[
    ("so m", "any"),
    ("no", "body"),
    ("some", "body"),
    ("who", "ever"),
    ("is n", "one"),
    ("is n", "o "),
    ("what is t", "o be"),
    ("passed o", "ver"),
    ("kept as", "ide"),
];

/// Correct uses of the phrases, as their halves.
const CORRECT: &[(&str, &str)] = &[("there is n", "o "), ("is n", "o longer"), ("is n", "o better")];

/// Files that may contain a phrase, as its halves, with the reason.
const EXCEPTIONS: &[(&str, &str, &str, &str)] = &[
    ("taflbase/src/play/match_answer.rs", "no", "body", "a value in the JSON of matches"),
    ("cli/src/command/match/text.rs", "no", "body", "a value in the JSON of matches"),
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
    let is_stale = |name: &str| places.get(name).is_none_or(|places| places.len() < 2);
    let stale = SHARED_NAMES.iter().filter(|(name, _)| is_stale(name));
    assert_none(
        stale.map(|(name, _)| format!("{name} is not used twice: remove it from SHARED_NAMES")).collect(),
    );
    places.retain(|name, places| places.len() > 1 && !SHARED_NAMES.iter().any(|(shared, _)| shared == name));
    assert_none(places.iter().map(|(name, places)| format!("{name}: {}", places.join(" "))).collect());
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
    let correct: Vec<String> = CORRECT.iter().map(|(start, end)| word(start, end)).collect();
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (line, nth) in text.lines().zip(1..) {
            let mut prose = prose(line).join("\n").to_lowercase();
            for correct in &correct {
                prose = prose.replace(correct, "");
            }
            for (start, end) in PHRASES {
                let is_exception =
                    EXCEPTIONS.iter().any(|(file, a, b, _)| *file == path && (a, b) == (start, end));
                if !is_exception && contains(&prose, &word(start, end)) {
                    found.push(format!("{path}:{nth}: {}", line.trim()));
                }
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
