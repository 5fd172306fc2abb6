//! ARCHITECTURE.md: its tables name every module at the root of a crate, and only existing places.

use std::collections::BTreeSet;
use std::fs;

use super::{assert_none, root, sources};

/// The folders of sources, with the words with which the title of their section begins.
const SOURCES: [(&str, &str); 10] = [
    ("rules/src", "rules:"),
    ("parser/src", "parser:"),
    ("analyzer/src", "analyzer:"),
    ("corpus/src", "corpus:"),
    ("reports/src", "reports:"),
    ("cli/src", "cli:"),
    ("taflbase/src", "taflbase:"),
    ("web/src", "web:"),
    ("bindings/python/src", "bindings:"),
    ("tests/src", "tests "),
];

/// A row of a table: the folder of the crate, and the code spans in the first cell and in all cells.
struct TableRow {
    folder: &'static str,
    places: Vec<String>,
    spans: Vec<String>,
}

/// Returns the texts between backticks.
fn code_spans(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the rows of the tables in the sections of crates.
fn rows() -> Vec<TableRow> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut rows = Vec::new();
    for section in page.split("\n### ").skip(1) {
        let section = section.split("\n## ").next().unwrap_or(section);
        let Some((folder, _)) = SOURCES.into_iter().find(|(_, title)| section.starts_with(title)) else {
            continue;
        };
        let lines = section.lines().filter_map(|line| line.strip_prefix("| "));
        rows.extend(lines.map(|line| {
            let first = line.split(" | ").next().unwrap_or(line);
            TableRow { folder, places: code_spans(first), spans: code_spans(line) }
        }));
    }
    assert!(rows.len() > 60, "only {} rows: the tables have another form", rows.len());
    rows
}

/// Returns the places in a code span, such as `a/{b, c}` or `a, b`.
fn places(span: &str) -> Vec<String> {
    let Some((before, rest)) = span.split_once('{') else {
        return span.split(',').map(|place| place.trim().trim_end_matches('/').to_owned()).collect();
    };
    let (inner, after) = rest.split_once('}').expect("braces are closed");
    let inner = inner.split(',').map(|place| place.trim().trim_end_matches('/'));
    inner.map(|place| format!("{before}{place}{after}")).collect()
}

#[test]
fn every_module_of_a_crate_is_named_in_its_section() {
    let mut missing = BTreeSet::new();
    let rows = rows();
    for (folder, _) in SOURCES {
        let spans = rows.iter().filter(|row| row.folder == folder).flat_map(|row| &row.spans);
        let is_part = |symbol: char| !symbol.is_alphanumeric() && symbol != '_';
        let named: BTreeSet<&str> = spans.flat_map(|span| span.split(is_part)).collect();
        for (path, _) in sources() {
            let Some(file) = path.strip_prefix(folder).and_then(|path| path.strip_prefix('/')) else {
                continue;
            };
            let module = file.split('/').next().unwrap_or(file).trim_end_matches(".rs");
            if !["lib", "main", "bin"].contains(&module) && !named.contains(module) {
                missing.insert(format!("{folder}/{module}"));
            }
        }
    }
    assert_none(missing.into_iter().collect());
}

#[test]
fn every_place_in_a_table_exists() {
    let exists = |folder: &str, place: &str| {
        let own = folder.trim_end_matches("/src").split('/').next().unwrap_or(folder);
        let names = [format!("{folder}/{place}"), format!("{own}/{place}"), place.to_owned()];
        names.iter().any(|name| root().join(name).exists() || root().join(format!("{name}.rs")).is_file())
    };
    let mut gone = Vec::new();
    for row in rows() {
        let all = row.places.iter().flat_map(|span| places(span));
        let wrong = all.filter(|place| !place.contains('*') && !exists(row.folder, place));
        gone.extend(wrong.map(|place| format!("{}: {place}", row.folder)));
    }
    assert_none(gone);
}
