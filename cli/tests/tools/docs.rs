//! Parses the command lines in the documents, and checks that lists of formats and rule keys are complete.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// Splits a line into words like a shell, up to a comment, a pipe, or a redirection.
pub(super) fn shell_words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut is_inside) = (None, false);
    for symbol in line.chars() {
        match (quote, symbol) {
            (Some(mark), _) if symbol == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(symbol);
                if !std::mem::replace(&mut is_inside, true) {
                    words.push(String::new());
                }
            }
            (None, '#') if !is_inside => break,
            (None, '|' | '>' | ';' | '&' | '<') => break,
            (None, ' ') => is_inside = false,
            (_, _) => {
                if !std::mem::replace(&mut is_inside, true) {
                    words.push(String::new());
                }
                words.last_mut().expect("a word has started").push(symbol);
            }
        }
    }
    words
}

/// Returns the command lines of `tafl` on a page, with continuation lines joined.
fn command_lines(page: &str) -> Vec<String> {
    // Continuation lines are indented.
    let joined = page.split("\\\n").map(|part| part.trim_start_matches(' ')).collect::<Vec<_>>().join(" ");
    let mut is_inside = false;
    let mut found = Vec::new();
    for line in joined.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            is_inside = !is_inside && ["", "sh", "console", "text"].contains(&kind);
            continue;
        }
        // In a list of commands, spaces separate a command from its description.
        let command = line.strip_prefix("$ ").unwrap_or(line);
        let command = command.split("    ").next().unwrap_or(command);
        if is_inside && command.starts_with("tafl ") {
            found.push(command.to_owned());
        }
    }
    found
}

#[test]
fn every_command_line_in_the_documents_is_valid() {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md"), root().join("FORMATS.md")];
    pages.extend(fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut n_lines = 0;
    let mut failures = Vec::new();
    for page in pages.into_iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        for line in command_lines(&fs::read_to_string(&page).unwrap()) {
            n_lines += 1;
            // Lines with an ellipsis or an optional argument are not complete.
            let words = shell_words(&line);
            if words.iter().any(|word| word.contains("...") || word.starts_with('[')) {
                continue;
            }
            if let Err(error) = tafl_cli::check_args(&words) {
                failures.push(format!("{}: {line}\n{error}", page.display()));
            }
        }
    }
    assert!(n_lines > 60, "{n_lines}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_notation_is_in_the_table_of_formats() {
    let page = fs::read_to_string(root().join("FORMATS.md")).unwrap();
    for format in tafl_parser::Format::ALL {
        let written = if format.is_writable() { "| yes | yes |" } else { "| yes | |" };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{format}` |")));
        assert!(row.is_some_and(|row| row.contains(written)), "{format}: {row:?}");
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let n_writable = tafl_parser::Format::ALL.into_iter().filter(|format| format.is_writable()).count();
    assert_eq!((tafl_parser::Format::ALL.len(), n_writable), (21, 14));
    assert!(readme.contains("in twenty-one notations and writes them in fourteen"));
}

#[test]
fn every_key_of_the_catalog_is_in_the_glossary() {
    let glossary = fs::read_to_string(root().join("GLOSSARY.md")).unwrap();
    for variant in tafl_rules::catalog::all() {
        for word in variant.text.split(' ') {
            let key = word.split(':').next().unwrap();
            // The keys of the zones have the same suffixes.
            let suffix = ["cen", "afor", "dfor"].iter().find_map(|zone| {
                key.strip_prefix(zone).filter(|suffix| ["h", "p", "s", "re"].contains(suffix))
            });
            let key = suffix.map_or_else(|| key.to_owned(), |suffix| format!("cor{suffix}"));
            assert!(glossary.contains(&format!("`{key}`")), "`{key}` of {}", variant.name);
        }
    }
}

#[test]
fn pages_and_documents_have_the_levels_of_the_library() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let (script, page) =
        (read("web/assets/levels.js").replace('_', ""), read("docs/protocols.md").replace(',', ""));
    for level in tafl_analyzer::LEVELS {
        let (number, nodes, elo) = (level.number, level.nodes.0, level.elo);
        assert!(script.contains(&format!("level: {number}, elo: {elo}, nodes: {nodes},")), "{level:?}");
        let row = format!("| {number} | {nodes} | {elo} | ");
        let (_, interval) = page.split_once(&row).unwrap_or_else(|| panic!("{level:?}"));
        let bounds = interval.split_once('(').and_then(|(_, bounds)| bounds.split_once(')'));
        let (low, high) =
            bounds.and_then(|(bounds, _)| bounds.split_once(" to ")).expect("the row has an interval");
        let bound = |text: &str| text.parse::<i32>().expect("a bound is a number");
        let margin = (bound(high) - bound(low) + 1) / 2;
        assert!(script.contains(&format!("nodes: {nodes}, margin: {margin},")), "{level:?}: {margin}");
    }
}
