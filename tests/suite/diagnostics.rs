//! `docs/diagnostics.md`: the page with every diagnostic code, generated from the code.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use tafl_parser::Code;

const HEAD: &str = "# Diagnostics

Every finding has a code and a name, which are never reused. `tafl validate --explain CODE`
shows the entry of a code. An *error* means that something could not be read or played, a *warning* that a record says
something false, and a *note* is additional information.

This page is generated: `UPDATE=1 cargo test --package tafl-tests` rewrites it.
";

const GROUPS: [(&str, &str); 8] = [
    ("T", "The text"),
    ("H", "Tags and other statements on the game as a whole"),
    ("R", "Rules strings"),
    ("L", "Moves that the rules do not allow"),
    ("C", "Captures"),
    ("E", "The end of the game and its result"),
    ("P", "The course of play"),
    ("W", "Losses in conversion"),
];

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (letter, title) in GROUPS {
        write!(page, "\n## {letter}: {title}\n").unwrap();
        for code in Code::all().filter(|code| code.as_str().starts_with(letter)) {
            let (name, severity) = (code.name(), code.severity());
            write!(page, "\n### {code} {name}\n\n*{severity}*\n\n").unwrap();
            paragraphs(&mut page, code.explain());
            write!(page, "\n**Help:** ").unwrap();
            paragraphs(&mut page, code.help());
        }
    }
    page
}

/// Adds the lines of a text without blanks at their ends.
fn paragraphs(page: &mut String, text: &str) {
    for line in text.trim().lines() {
        page.push_str(line.trim_end());
        page.push('\n');
    }
}

#[test]
fn the_page_of_diagnostics_matches_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    let wanted = page();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let first = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    assert!(found == wanted, "docs/diagnostics.md is out of date, UPDATE=1 rewrites it; first: {first:?}");
}

#[test]
fn every_code_is_on_the_page_once() {
    let page = page();
    for code in Code::all() {
        let title = format!("### {code} {}\n", code.name());
        assert_eq!(page.matches(&title).count(), 1, "{code}: its group has no title, or it occurs twice");
    }
}
