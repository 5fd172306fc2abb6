//! Compares `docs/schemas.md`, which lists the fields of JSON outputs with their types, with actual outputs.
//!
//! A comment above a table selects what it describes: `<!-- answer: COMMAND -->` the output of a command, or
//! `<!-- shape: NAME -->` an object that other tables refer to. `<!-- answer: COMMAND => SHAPE -->` refers to a table
//! elsewhere, and `<!-- also: COMMAND -->` below an `answer` names another command with the same fields. Shapes with capital
//! initials are generated from types (`tests/suite/schemas.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value};

use super::root;
use super::sandbox::Sandbox;

/// The fields of an object, with their types.
type FieldTable<'t> = Vec<(&'t str, &'t str)>;

/// The tables of the page.
#[derive(Default)]
struct SchemaPage<'t> {
    shapes: BTreeMap<&'t str, FieldTable<'t>>,
    /// Commands, each with the name of the shape of its output.
    commands: Vec<(&'t str, &'t str)>,
}

impl<'t> SchemaPage<'t> {
    fn read(text: &'t str) -> SchemaPage<'t> {
        let mut page = SchemaPage::default();
        let mut last_command = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(mark) = line.strip_prefix("<!-- ").and_then(|mark| mark.strip_suffix(" -->")) else {
                continue;
            };
            // The comment at the end of a generated part has no name.
            let Some((kind, name)) = mark.split_once(": ") else { continue };
            if kind == "schema" {
                continue;
            }
            if kind == "also" {
                page.commands.push((name, last_command));
                continue;
            }
            if let Some((command, shape)) = name.split_once(" => ") {
                page.commands.push((command, shape));
                continue;
            }
            if kind == "answer" {
                page.commands.push((name, name));
                last_command = name;
            }
            let rows = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
            page.shapes.insert(name, rows.flat_map(fields).collect());
        }
        page
    }
}

/// Returns the fields in a row of a table, each with its type.
fn fields(row: &str) -> Vec<(&str, &str)> {
    let mut cells = row.split('|').skip(1);
    let (names, kind) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default().trim());
    names.split('`').skip(1).step_by(2).map(|name| (name, kind)).collect()
}

/// Compares outputs with the page.
struct SchemaCheck<'t> {
    page: &'t SchemaPage<'t>,
    /// The fields found in outputs, each with its shape.
    found: BTreeSet<(&'t str, &'t str)>,
    errors: BTreeSet<String>,
}

impl<'t> SchemaCheck<'t> {
    fn object(&mut self, object: &Map<String, Value>, shape: &'t str, path: &str) {
        let table = &self.page.shapes[shape];
        for (name, value) in object {
            let Some((name, kind)) = table.iter().find(|(field, _)| field == name) else {
                self.errors.insert(format!("{path}: the page has no `{name}` in {shape}"));
                continue;
            };
            self.found.insert((shape, name));
            let kind = self.kind(name, kind);
            if !self.matches(value, kind, &format!("{path}.{name}")) {
                self.errors.insert(format!("{path}: expected {kind} for `{name}`, found {value}"));
            }
        }
        for (name, kind) in table.iter().filter(|(_, kind)| !kind.ends_with("or absent")) {
            if !object.contains_key(*name) {
                self.errors.insert(format!("{path}: `{name}` ({kind}) of {shape} is missing"));
            }
        }
    }

    /// Returns the type of a field; `as SHAPE` is the type of the field of that name in `SHAPE`.
    fn kind(&mut self, name: &'t str, kind: &'t str) -> &'t str {
        let Some(shape) = kind.strip_prefix("as ") else { return kind };
        self.found.insert((shape, name));
        let field = self.page.shapes[shape].iter().find(|(field, _)| *field == name);
        field.unwrap_or_else(|| panic!("{shape} has no `{name}`")).1
    }

    fn matches(&mut self, value: &Value, kind: &'t str, path: &str) -> bool {
        kind.split(" or ").any(|kind| self.matches_one(value, kind, path))
    }

    fn matches_one(&mut self, value: &Value, kind: &'t str, path: &str) -> bool {
        if let (Some(kind), Some(list)) = (kind.strip_prefix("list of "), value.as_array()) {
            return list.iter().all(|value| self.matches_one(value, kind, &format!("{path}[]")));
        }
        if let (Some(kind), Some(map)) = (kind.strip_prefix("map of "), value.as_object()) {
            return map.values().all(|value| self.matches_one(value, kind, &format!("{path}.*")));
        }
        match (kind, value) {
            ("any", _)
            | ("null", Value::Null)
            | ("text", Value::String(_))
            | ("bool", Value::Bool(_))
            | ("number", Value::Number(_)) => true,
            ("int", Value::Number(number)) => number.is_i64() || number.is_u64(),
            (shape, Value::Object(object)) if self.page.shapes.contains_key(shape) => {
                self.object(object, shape, path);
                true
            }
            _ => false,
        }
    }
}

#[test]
fn the_page_documents_every_output_field() {
    let text = fs::read_to_string(root().join("docs/schemas.md")).unwrap();
    let page = SchemaPage::read(&text);
    assert!(page.commands.len() > 25, "{}", page.commands.len());
    let sandbox = Sandbox::new();
    let mut check = SchemaCheck { page: &page, found: BTreeSet::new(), errors: BTreeSet::new() };
    for (command, shape) in &page.commands {
        let output = sandbox.shell(command);
        let outputs = serde_json::Deserializer::from_str(&output.stdout).into_iter::<Value>();
        let mut n_objects = 0;
        for value in outputs.map(|value| value.unwrap_or_else(|error| panic!("{command}: {error}"))) {
            // Some commands write a list of such objects.
            let list = if let Value::Array(list) = value { list } else { vec![value] };
            for one in &list {
                n_objects += 1;
                check.object(one.as_object().expect("an object"), shape, command);
            }
        }
        assert!(n_objects > 0, "{command} writes nothing: {}", output.stderr);
    }
    // A generated shape is correct even if no command writes it.
    let is_reached = |shape: &str| check.found.iter().any(|(found, _)| *found == shape);
    let is_generated = |shape: &str| shape.starts_with(char::is_uppercase);
    let checked: Vec<_> =
        page.shapes.iter().filter(|(shape, _)| is_reached(shape) || !is_generated(shape)).collect();
    for (shape, table) in checked {
        for (name, _) in table.iter().filter(|(_, kind)| !kind.ends_with("or absent")) {
            if !check.found.contains(&(*shape, *name)) {
                check.errors.insert(format!("no output has the field `{name}` of {shape}"));
            }
        }
    }
    let errors: Vec<String> = check.errors.into_iter().collect();
    assert!(errors.is_empty(), "docs/schemas.md:\n{}", errors.join("\n"));
}

/// Returns the names in a column of the table with a heading.
fn column<'t>(page: &'t str, heading: &str, column: usize) -> BTreeSet<&'t str> {
    let (_, table) = page.split_once(&format!("| {heading} |")).expect("the page has the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(column + 1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn the_page_of_analyze_has_every_field_and_its_other_names() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let page = read("docs/analyze.md");
    let properties = |schema: &Value| -> BTreeSet<String> {
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let documented = |heading: &str, at: usize| -> BTreeSet<String> {
        column(&page, heading, at).into_iter().map(str::to_owned).collect()
    };
    let query: Value = serde_json::from_str(&read("docs/schemas/analyze-query.request.json")).unwrap();
    let names = documented("field of a query", 0);
    assert_eq!(names, properties(&query));
    let item: Value = serde_json::from_str(&read("docs/schemas/analyze.item.json")).unwrap();
    assert_eq!(documented("field of an answer", 0), properties(&item["$defs"]["AnalyzedTurn"]));
    let of_line = documented("field of an answer", 1);
    assert!(of_line.is_superset(&properties(&item["$defs"]["EvalLine"])), "{of_line:?}");
    // The message about an unknown field lists all names that are read.
    let error = serde_json::from_value::<taflbase::engine::AnalyzeQuery>(serde_json::json!({ "nodez": 1 }));
    let error = error.unwrap_err().to_string();
    let (_, expected) = error.split_once("expected one of ").expect(&error);
    let accepted: BTreeSet<String> = expected.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(accepted, names.union(&documented("field of a query", 1)).cloned().collect());
}
