//! `docs/schemas.md` says what programs read: every field of every answer, with its type.
//!
//! Above a table stands `<!-- answer: COMMAND -->`, and the command's answer is held against it, or `<!-- shape: NAME -->`, which
//! other tables refer to. `<!-- answer: COMMAND => SHAPE -->` names the table of an answer, which stands elsewhere; tables of
//! shapes in capitals are generated from types (`tests/suite/schemas.rs`).
//! `<!-- also: COMMAND -->` below an answer names another command with the same fields.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value};

use super::root;
use super::sandbox::Sandbox;

/// The fields of an object, with their types.
type Table<'t> = Vec<(&'t str, &'t str)>;

/// What the page says.
#[derive(Default)]
struct Page<'t> {
    shapes: BTreeMap<&'t str, Table<'t>>,
    /// Commands, each with the name of the shape of its answers.
    answers: Vec<(&'t str, &'t str)>,
}

impl<'t> Page<'t> {
    fn read(text: &'t str) -> Page<'t> {
        let mut page = Page::default();
        let mut last_answer = "";
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(mark) = line.strip_prefix("<!-- ").and_then(|mark| mark.strip_suffix(" -->")) else {
                continue;
            };
            // The end of a generated part has no name.
            let Some((kind, name)) = mark.split_once(": ") else { continue };
            if kind == "schema" {
                continue;
            }
            if kind == "also" {
                page.answers.push((name, last_answer));
                continue;
            }
            if let Some((command, shape)) = name.split_once(" => ") {
                page.answers.push((command, shape));
                continue;
            }
            if kind == "answer" {
                page.answers.push((name, name));
                last_answer = name;
            }
            let rows = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
            page.shapes.insert(name, rows.flat_map(fields).collect());
        }
        page
    }
}

/// Returns the fields of a row of a table.
fn fields(row: &str) -> Vec<(&str, &str)> {
    let mut cells = row.split('|').skip(1);
    let (names, kind) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default().trim());
    names.split('`').skip(1).step_by(2).map(|name| (name, kind)).collect()
}

/// Holds answers against the page.
struct Check<'t> {
    page: &'t Page<'t>,
    /// Fields that were met, by shape.
    met: BTreeSet<(&'t str, &'t str)>,
    wrong: BTreeSet<String>,
}

impl<'t> Check<'t> {
    fn object(&mut self, object: &Map<String, Value>, shape: &'t str, place: &str) {
        let table = &self.page.shapes[shape];
        for (name, value) in object {
            let Some((name, kind)) = table.iter().find(|(field, _)| field == name) else {
                self.wrong.insert(format!("{place}: the page has no `{name}` in {shape}"));
                continue;
            };
            self.met.insert((shape, name));
            let kind = self.kind(name, kind);
            if !self.fits(value, kind, &format!("{place}.{name}")) {
                self.wrong.insert(format!("{place}: `{name}` should be {kind}, but is {value}"));
            }
        }
        for (name, kind) in table.iter().filter(|(_, kind)| !kind.ends_with("or absent")) {
            if !object.contains_key(*name) {
                self.wrong.insert(format!("{place}: `{name}` ({kind}) of {shape} is not there"));
            }
        }
    }

    /// Returns the type of a field; `as place` is that of the field with its name in `place`.
    fn kind(&mut self, name: &'t str, kind: &'t str) -> &'t str {
        let Some(shape) = kind.strip_prefix("as ") else { return kind };
        self.met.insert((shape, name));
        let field = self.page.shapes[shape].iter().find(|(field, _)| *field == name);
        field.unwrap_or_else(|| panic!("{shape} has no `{name}`")).1
    }

    fn fits(&mut self, value: &Value, kind: &'t str, place: &str) -> bool {
        kind.split(" or ").any(|kind| self.fits_one(value, kind, place))
    }

    fn fits_one(&mut self, value: &Value, kind: &'t str, place: &str) -> bool {
        if let (Some(kind), Some(list)) = (kind.strip_prefix("list of "), value.as_array()) {
            return list.iter().all(|value| self.fits_one(value, kind, &format!("{place}[]")));
        }
        if let (Some(kind), Some(map)) = (kind.strip_prefix("map of "), value.as_object()) {
            return map.values().all(|value| self.fits_one(value, kind, &format!("{place}.*")));
        }
        match (kind, value) {
            ("any", _)
            | ("null", Value::Null)
            | ("text", Value::String(_))
            | ("bool", Value::Bool(_))
            | ("number", Value::Number(_)) => true,
            ("int", Value::Number(number)) => number.is_i64() || number.is_u64(),
            (shape, Value::Object(object)) if self.page.shapes.contains_key(shape) => {
                self.object(object, shape, place);
                true
            }
            _ => false,
        }
    }
}

#[test]
fn the_page_has_every_field_of_every_answer() {
    let text = fs::read_to_string(root().join("docs/schemas.md")).unwrap();
    let page = Page::read(&text);
    assert!(page.answers.len() > 25, "{}", page.answers.len());
    let sandbox = Sandbox::new();
    let mut check = Check { page: &page, met: BTreeSet::new(), wrong: BTreeSet::new() };
    for (command, shape) in &page.answers {
        let ran = sandbox.shell(command);
        let answers = serde_json::Deserializer::from_str(&ran.stdout).into_iter::<Value>();
        let mut n_answers = 0;
        for answer in answers.map(|answer| answer.unwrap_or_else(|error| panic!("{command}: {error}"))) {
            // The answer of some commands is a list of such objects.
            let list = if let Value::Array(list) = answer { list } else { vec![answer] };
            for one in &list {
                n_answers += 1;
                check.object(one.as_object().expect("an object"), shape, command);
            }
        }
        assert!(n_answers > 0, "{command} answers nothing: {}", ran.stderr);
    }
    // A shape that is generated can't be wrong where no command writes it.
    let is_reached = |shape: &str| check.met.iter().any(|(met, _)| *met == shape);
    let is_generated = |shape: &str| shape.starts_with(char::is_uppercase);
    let checked: Vec<_> =
        page.shapes.iter().filter(|(shape, _)| is_reached(shape) || !is_generated(shape)).collect();
    for (shape, table) in checked {
        for (name, _) in table.iter().filter(|(_, kind)| !kind.ends_with("or absent")) {
            if !check.met.contains(&(*shape, *name)) {
                check.wrong.insert(format!("no answer has the field `{name}` of {shape}"));
            }
        }
    }
    let wrong: Vec<String> = check.wrong.into_iter().collect();
    assert!(wrong.is_empty(), "docs/schemas.md:\n{}", wrong.join("\n"));
}
