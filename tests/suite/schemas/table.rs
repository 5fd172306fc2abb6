//! A JSON Schema as tables in Markdown: one for each object, with a row for each field.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value, json};

/// Writes tables, each shape once on a page.
#[derive(Default)]
pub(super) struct Tables {
    written: BTreeSet<String>,
}

/// A schema with its definitions.
#[derive(Clone, Copy)]
struct Root<'s> {
    definitions: Option<&'s Map<String, Value>>,
    is_request: bool,
}

impl Tables {
    /// Returns the tables of a schema: its own, and those of the schemas to which it refers.
    pub(super) fn of(&mut self, schema: &Value, is_request: bool) -> String {
        let root = Root { definitions: schema.get("$defs").and_then(Value::as_object), is_request };
        let mut out = String::new();
        let name = schema["title"].as_str().expect("a schema has a title");
        self.write(root, name, schema, &mut out);
        out
    }

    fn write(&mut self, root: Root<'_>, name: &str, schema: &Value, out: &mut String) {
        if !self.written.insert(name.to_owned()) {
            return;
        }
        write!(out, "\n**{name}**: {}\n\n", sentence(&text(schema))).unwrap();
        // Alternatives that all have names of their own have their own tables.
        let any =
            schema.get("anyOf").filter(|any| any.as_array().is_some_and(|all| all.iter().any(has_fields)));
        let alternatives = schema.get("oneOf").or(any).and_then(Value::as_array);
        let mut next = Vec::new();
        references(schema, &mut next);
        match alternatives {
            Some(all) if root.is_request => {
                for object in all {
                    write!(out, "{}\n\n", alternative(object)).unwrap();
                    root.write_fields(name, object, out);
                }
            }
            Some(all) => {
                // The fields of alternatives that have a name of their own are in this table.
                self.written.extend(all.iter().filter(|object| !has_fields(object)).filter_map(reference));
                let all: Vec<Value> = all.iter().map(|object| root.resolved(object).clone()).collect();
                root.write_fields(name, &merged(&all), out);
            }
            None => root.write_fields(name, schema, out),
        }
        for reference in next {
            let definition = root.definition(&reference);
            if is_object(definition) && words(definition).is_empty() {
                self.write(root, &reference, definition, out);
            }
        }
    }
}

impl<'s> Root<'s> {
    fn definition(&self, name: &str) -> &'s Value {
        let definitions = self.definitions.expect("references have definitions");
        definitions.get(name).unwrap_or_else(|| panic!("no definition `{name}`"))
    }

    /// Returns the definition that a schema without fields of its own refers to, or the schema itself.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        let name = reference(schema).filter(|_| !has_fields(schema));
        name.map_or(schema, |name| self.definition(&name))
    }

    /// Writes the table of an object; nothing for a schema that isn't one.
    fn write_fields(&self, name: &str, object: &Value, out: &mut String) {
        let Some(fields) = object.get("properties").and_then(Value::as_object) else { return };
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if self.is_request {
            out.push_str("| parameter | type | default | meaning |\n|---|---|---|---|\n");
        } else {
            write!(out, "<!-- shape: {name} -->\n| field | type | meaning |\n|---|---|---|\n").unwrap();
        }
        for (field, schema) in fields {
            let is_required = required.contains(&field.as_str());
            let mut kind = self.kind(schema);
            let meaning = self.meaning(schema);
            if self.is_request {
                let kind = kind.trim_end_matches(" or null");
                let default = match schema.get("default") {
                    Some(Value::Null) | None if is_required => "required".to_owned(),
                    Some(Value::Null) | None => String::new(),
                    Some(default) => format!("`{default}`"),
                };
                writeln!(out, "| `{field}` | {kind}{} | {default} | {meaning} |", range(schema)).unwrap();
            } else {
                if !is_required {
                    kind.push_str(" or absent");
                }
                writeln!(out, "| `{field}` | {kind} | {meaning} |").unwrap();
            }
        }
        out.push('\n');
    }

    /// Returns the words for a type: `list of Hit or null`.
    fn kind(&self, schema: &Value) -> String {
        if let Some(name) = reference(schema) {
            let definition = self.definition(&name);
            let is_text = !words(definition).is_empty();
            return if is_text { "text".to_owned() } else { self.kind_of_definition(&name, definition) };
        }
        if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
            let kinds: Vec<String> = any.iter().map(|schema| self.kind(schema)).collect();
            return kinds.join(" or ");
        }
        match &schema["type"] {
            Value::String(kind) => self.simple(kind, schema),
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                kinds.map(|kind| self.simple(kind, schema)).collect::<Vec<_>>().join(" or ")
            }
            _ if !words(schema).is_empty() => "text".to_owned(),
            _ => "any".to_owned(),
        }
    }

    fn kind_of_definition(&self, name: &str, definition: &Value) -> String {
        if is_object(definition) { name.to_owned() } else { self.kind(definition) }
    }

    fn simple(&self, kind: &str, schema: &Value) -> String {
        match kind {
            "string" => "text".to_owned(),
            "integer" => "int".to_owned(),
            "boolean" => "bool".to_owned(),
            "array" => {
                format!("list of {}", schema.get("items").map_or("any".to_owned(), |of| self.kind(of)))
            }
            "object" => match schema.get("additionalProperties") {
                Some(of) => format!("map of {}", self.kind(of)),
                None => "any".to_owned(),
            },
            kind => kind.to_owned(),
        }
    }

    /// Returns the description of a field, with its possible values.
    fn meaning(&self, schema: &Value) -> String {
        let target = reference(schema).map(|name| self.definition(&name));
        let described = if schema.get("description").is_some() { schema } else { target.unwrap_or(schema) };
        let mut meaning = text(described);
        let words = match target {
            Some(definition) => words(definition),
            None => words(schema),
        };
        let are_named = words.iter().all(|word| meaning.contains(&format!("`{word}`")));
        if !words.is_empty() && !are_named {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            write!(meaning, " ({})", words.join(", ")).unwrap();
        }
        meaning.trim().to_owned()
    }
}

/// Returns whether a schema is an object, or a choice between objects.
fn is_object(schema: &Value) -> bool {
    ["properties", "oneOf"].iter().any(|key| schema.get(key).is_some())
}

/// Returns whether a schema has fields of its own.
fn has_fields(schema: &Value) -> bool {
    schema.get("properties").is_some()
}

/// Returns the alternatives of an answer as one object; fields that only some of them have may be absent.
fn merged(alternatives: &[Value]) -> Value {
    let (mut fields, mut required): (Map<String, Value>, Option<Vec<Value>>) = (Map::new(), None);
    for object in alternatives {
        let own = object["required"].as_array().cloned().unwrap_or_default();
        required = Some(match required {
            None => own,
            Some(before) => before.into_iter().filter(|name| own.contains(name)).collect(),
        });
        for (name, schema) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let word = schema.get("const").cloned();
            match fields.get_mut(name) {
                None if word.is_some() => drop(fields.insert(name.clone(), json!({ "enum": [word] }))),
                None => drop(fields.insert(name.clone(), schema.clone())),
                Some(before) => {
                    if let Some(words) = before.get_mut("enum").and_then(Value::as_array_mut) {
                        words.extend(word);
                    }
                }
            }
        }
    }
    json!({ "properties": fields, "required": required })
}

/// Returns the range of a number in a request.
fn range(schema: &Value) -> String {
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(low), Some(high)) => format!(", {low} to {high}"),
        (Some(low), None) if low.as_f64() != Some(0.0) => format!(", at least {low}"),
        _ => String::new(),
    }
}

/// Returns the name of the definition that a schema refers to.
fn reference(schema: &Value) -> Option<String> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    Some(name.to_owned())
}

/// Adds the names of all definitions that a schema refers to, in order.
fn references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            names.extend(reference(schema));
            for (key, value) in map {
                if key != "$defs" {
                    references(value, names);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}

/// Returns the words that a schema allows; empty if it isn't a list of words.
fn words(schema: &Value) -> Vec<&str> {
    if let Some(word) = schema.get("const").and_then(Value::as_str) {
        return vec![word];
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.iter().filter_map(Value::as_str).collect();
    }
    let alternatives = schema.get("oneOf").and_then(Value::as_array);
    let all: Vec<Vec<&str>> = alternatives.into_iter().flatten().map(words).collect();
    if all.iter().any(Vec::is_empty) { Vec::new() } else { all.concat() }
}

/// Returns a description on one line, safe in a table.
fn text(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let first = text.split("\n\n").next().unwrap_or_default();
    first.replace('\n', " ").replace('|', "\\|")
}

fn sentence(text: &str) -> String {
    if text.is_empty() || text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

/// Returns the line above the fields of one alternative of a request or an answer.
fn alternative(object: &Value) -> String {
    let fields = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    let tag = fields
        .filter_map(|(name, schema)| Some(format!("`\"{name}\": \"{}\"`", schema.get("const")?.as_str()?)));
    let tag: Vec<String> = tag.collect();
    let link = reference(object).map(|name| format!(", and the parameters of {name}")).unwrap_or_default();
    format!("{}{link}: {}", tag.join(", "), sentence(&text(object)))
}
