//! GLOSSARY.md: one row per term, and every term is used.

use super::{assert_none, texts};

/// Returns the terms of the tables: the first cells of their rows, split at commas. A note in parentheses, such as
/// `score (engine)`, distinguishes two meanings of a word.
fn terms(page: &str) -> Vec<String> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let cells = cells.filter(|cell| !["term", "key"].contains(cell) && !cell.starts_with('`'));
    cells.flat_map(|cell| cell.split(", ").map(|term| term.trim().to_owned())).collect()
}

/// Returns the words of a term without its note, each without the ending of a plural or a verb.
fn stems(term: &str) -> Vec<String> {
    let words = term.split(" (").next().unwrap_or(term).split(' ').map(str::to_lowercase);
    words.map(|word| word.trim_end_matches('s').trim_end_matches('e').to_owned()).collect()
}

fn glossary(texts: &[(String, String)]) -> &str {
    let page = texts.iter().find(|(path, _)| path == "GLOSSARY.md");
    &page.expect("the glossary is in the root").1
}

#[test]
fn every_term_of_the_glossary_has_one_row() {
    let texts = texts();
    let mut terms = terms(glossary(&texts));
    assert!(terms.len() > 100, "only {} terms: the tables have another form", terms.len());
    terms.sort();
    assert_none(terms.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect());
}

#[test]
fn every_term_of_the_glossary_is_used() {
    let texts = texts();
    let is_page = |path: &str| path.ends_with(".md") || path.ends_with(".rs") || path.ends_with(".js");
    let pages = texts.iter().filter(|(path, _)| is_page(path) && path != "GLOSSARY.md");
    let pages: Vec<String> = pages.map(|(_, text)| text.to_lowercase()).collect();
    let is_used = |term: &String| {
        let stems = stems(term);
        let line_has_all = |line: &str| stems.iter().all(|stem| line.contains(stem));
        pages.iter().any(|page| page.contains(&stems[0]) && page.lines().any(line_has_all))
    };
    assert_none(terms(glossary(&texts)).into_iter().filter(|term| !is_used(term)).collect());
}
