//! `docs/schemas/*.json` and the tables of `docs/schemas.md`, generated from the requests and answers of `taflbase`.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use table::Tables;

use super::tidy::sources;

/// The start of a generated part of the page: `<!-- schema: search.answer -->`.
const BEGIN: &str = "<!-- schema: ";
/// The end of a generated part.
const END: &str = "<!-- end -->";

/// Requests without a schema of their own, with the reason.
const WITHOUT_SCHEMA: &[(&str, &str)] = &[
    ("BenchRequest", "it has no parameters"),
    ("FilterRequest", "it is a part of other requests"),
    ("RulesRequest", "it is a part of other requests"),
];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn is_update() -> bool {
    env::var_os("UPDATE").is_some()
}

#[test]
fn every_schema_has_its_file_and_every_file_its_schema() {
    let folder = docs().join("schemas");
    if is_update() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
    }
    let mut names = BTreeSet::new();
    for named in taflbase::schemas() {
        let file = format!("{}.json", named.name);
        let wanted = format!("{:#}\n", named.schema().to_value());
        if is_update() {
            fs::write(folder.join(&file), &wanted).unwrap();
        }
        let found = fs::read_to_string(folder.join(&file)).unwrap_or_default();
        assert!(found == wanted, "docs/schemas/{file} is out of date; UPDATE=1 rewrites it");
        assert!(names.insert(file), "two schemas have the name {}", named.name);
    }
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        files.collect::<BTreeSet<_>>(),
        names,
        "a file in docs/schemas belongs to no request or answer"
    );
}

#[test]
fn every_request_has_a_schema_with_its_own_title() {
    let (mut titles, mut parts) = (BTreeSet::new(), BTreeSet::new());
    for named in taflbase::schemas().into_iter().filter(|named| named.name.ends_with(".request")) {
        let schema = named.schema().to_value();
        let title = schema["title"].as_str().unwrap().to_owned();
        assert!(
            titles.insert(title.clone()),
            "the page would lack the second request with the title {title}"
        );
        parts.extend(schema["$defs"].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    for (path, text) in sources().into_iter().filter(|(path, _)| path.starts_with("taflbase/src/")) {
        let lines: Vec<&str> = text.lines().collect();
        for (nth, line) in lines.iter().enumerate() {
            let Some(rest) = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum ")) else {
                continue;
            };
            let name = rest.split(|symbol: char| !symbol.is_alphanumeric()).next().unwrap();
            let mut attributes =
                lines[..nth].iter().rev().take_while(|line| !line.is_empty() && !line.starts_with("///"));
            let is_request = name.ends_with("Request") && attributes.any(|line| line.contains("JsonSchema"));
            let is_known = titles.contains(name)
                || parts.contains(name)
                || WITHOUT_SCHEMA.iter().any(|(without, _)| *without == name);
            assert!(is_known || !is_request, "{path}: {name} is missing in taflbase/src/schemas.rs");
        }
    }
}

#[test]
fn the_page_has_the_tables_of_all_schemas() {
    let path = docs().join("schemas.md");
    let found = fs::read_to_string(&path).unwrap();
    let (wanted, shown) = with_tables(&found);
    let is_missing = |name: &&str| !shown.contains(*name);
    let missing: Vec<&str> =
        taflbase::schemas().iter().map(|schema| schema.name).filter(is_missing).collect();
    assert!(missing.is_empty(), "docs/schemas.md has no `{BEGIN}NAME -->` for {missing:?}");
    if is_update() {
        fs::write(&path, &wanted).unwrap();
    } else {
        let first = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert!(found == wanted, "docs/schemas.md is out of date, UPDATE=1 rewrites it; first: {first:?}");
    }
}

/// Returns the page with regenerated tables, and the names of its schemas.
fn with_tables(page: &str) -> (String, BTreeSet<String>) {
    let schemas = taflbase::schemas();
    let (mut tables, mut out, mut shown) = (Tables::default(), String::new(), BTreeSet::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        let Some(name) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) else {
            continue;
        };
        let named = schemas.iter().find(|schema| schema.name == name);
        let schema = named.unwrap_or_else(|| panic!("docs/schemas.md: no schema has the name `{name}`"));
        out += &tables.of(schema.schema().as_value(), name.ends_with(".request"));
        out += END;
        out.push('\n');
        let ends = lines.by_ref().any(|line| line == END);
        assert!(ends, "docs/schemas.md: `{line}` has no `{END}`");
        shown.insert(name.to_owned());
    }
    (out, shown)
}
