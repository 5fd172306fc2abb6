//! `docs/schemas/*.json` and the tables of `docs/schemas.md`, generated from the requests and answers of `taflbase`.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use table::Tables;

/// The start of a generated part of the page: `<!-- schema: search.answer -->`.
const BEGIN: &str = "<!-- schema: ";
/// The end of a generated part.
const END: &str = "<!-- end -->";

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
