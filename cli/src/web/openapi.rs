//! The description of the API in OpenAPI 3.1, made from the table of routes.

use serde_json::{Map, Value, json};

use super::api::info::API_VERSION;
use super::problem::Code;
use super::routes::{self, EVENTS, JSON, Method, Param, ParamKind, Route, Work};

/// What an answer in JSON has at least: the route, then names with their types; `null` stands behind a type that may be
/// missing, and a name alone in its list says that the answer is a list.
const ANSWERS: &[(&str, &[(&str, &str)])] = &[
    (
        "info",
        &[
            ("program", "string"),
            ("version", "string"),
            ("api", "integer"),
            ("corpus", "object"),
            ("variants", "array"),
            ("limits", "object"),
            ("formats", "array"),
            ("findings", "array"),
            ("reasons", "array"),
        ],
    ),
    (
        "board",
        &[
            ("variant", "string null"),
            ("title", "string"),
            ("rules", "string"),
            ("shape", "object"),
            ("sides", "object"),
            ("first", "string"),
            ("cells", "array"),
            ("polygon", "array"),
            ("width", "number"),
            ("height", "number"),
            ("start", "string"),
            ("rules_words", "array"),
            ("rules_sections", "array"),
        ],
    ),
    (
        "position",
        &[
            ("variant", "string"),
            ("position", "string"),
            ("to_move", "string"),
            ("ply", "integer"),
            ("pieces", "array"),
            ("moves", "object"),
            ("history", "array"),
            ("last", "object null"),
            ("captured", "object"),
            ("outcome", "object null"),
            ("key", "string"),
            ("facts", "object"),
        ],
    ),
    (
        "explore",
        &[
            ("variant", "string"),
            ("moves_before", "array"),
            ("position", "string"),
            ("to_move", "string"),
            ("as_it_stands", "boolean"),
            ("where", "string null"),
            ("games", "integer"),
            ("attackers", "integer"),
            ("defenders", "integer"),
            ("draw", "integer"),
            ("unfinished", "integer"),
            ("attackers_share", "object null"),
            ("defenders_share", "object null"),
            ("mean_plies", "number null"),
            ("last_played", "string null"),
            ("ended_here", "integer"),
            ("went_on_otherwise", "integer"),
            ("top", "array"),
            ("moves", "array"),
            ("took_ms", "number"),
        ],
    ),
    ("tree", &[("variant", "string"), ("games", "integer"), ("counted_by", "string"), ("took_ms", "number")]),
    ("games", &[("games", "array"), ("total", "integer"), ("exact", "boolean"), ("offset", "integer")]),
    (
        "search",
        &[
            ("query", "string"),
            ("about", "string"),
            ("hits", "array"),
            ("summary", "object"),
            ("notes", "array"),
        ],
    ),
    ("query", &[("query", "string"), ("about", "string")]),
];

/// Returns the description.
pub(crate) fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes::all() {
        let path = paths.entry(route.path.to_owned()).or_insert_with(|| json!({}));
        let method = match route.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        path[method] = operation(route);
    }
    for (path, kind, summary) in [
        ("/metrics", "text/plain", "What the server counts of itself, as Prometheus reads it."),
        ("/healthz", "text/plain", "`ok` while the server lives. It needs no token."),
    ] {
        let name = path.trim_start_matches('/');
        let answer =
            json!({ "description": summary, "content": { kind: { "schema": { "type": "string" } } } });
        paths.insert(
            path.to_owned(),
            json!({ "get": { "operationId": name, "summary": summary, "responses": { "200": answer } } }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Taflbase",
            "version": format!("{API_VERSION}.0.0"),
            "summary": "Games of the tafl family: what was played, by which rules, and how it ended.",
            "description": "Read-only over one corpus. docs/api.md has examples.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": { "Error": error_schema() },
            "responses": { "Error": {
                "description": "Why there is no answer.",
                "content": { JSON: { "schema": { "$ref": "#/components/schemas/Error" } } },
            } },
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "cookie": { "type": "apiKey", "in": "cookie", "name": "taflbase" },
            },
        },
        // A server for its own machine wants no token.
        "security": [{}, { "bearer": [] }, { "cookie": [] }],
    })
}

fn operation(route: &Route) -> Value {
    let mut params: Vec<Value> = route.params().map(parameter).collect();
    if route.path.contains("{id}") {
        params.push(json!({
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The number of the game: 16 hexadecimal digits.",
            "schema": { "type": "string", "pattern": "^[0-9a-f]{16}$" },
        }));
    }
    let content: Map<String, Value> = route
        .types
        .iter()
        .map(|kind| ((*kind).to_owned(), json!({ "schema": schema(route, kind) })))
        .collect();
    let mut value = json!({
        "operationId": route.name,
        "summary": route.summary,
        "parameters": params,
        "responses": {
            "200": { "description": route.summary, "content": content },
            "default": { "$ref": "#/components/responses/Error" },
        },
        "x-work": work_word(route.work),
    });
    if route.method == Method::Post {
        value["requestBody"] = json!({
            "required": true,
            "description": "The text of records, plain or packed as gzip or Zstandard.",
            "content": { "application/octet-stream": {} },
        });
    }
    value
}

/// Returns the word for a kind of work.
const fn work_word(work: Work) -> &'static str {
    match work {
        Work::Quick => "quick",
        Work::Query => "query",
        Work::Engine => "engine",
    }
}

fn parameter(param: &Param) -> Value {
    json!({
        "name": param.name,
        "in": "query",
        "description": param.words,
        "schema": match param.kind {
            ParamKind::Text => json!({ "type": "string" }),
            ParamKind::Number(least, most, usual) => {
                json!({ "type": "integer", "minimum": least, "maximum": most, "default": usual })
            }
            ParamKind::Between(least, most) => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            ParamKind::Seconds => json!({ "type": "number", "exclusiveMinimum": 0 }),
            ParamKind::Choice(words) => json!({ "type": "string", "enum": words }),
            ParamKind::Flag => json!({ "type": "string", "enum": ["0", "1"], "default": "0" }),
        },
    })
}

/// Returns what an answer of a type is.
fn schema(route: &Route, kind: &str) -> Value {
    if kind == EVENTS {
        let words = "Server-sent events, each with a name and a line of JSON.";
        return json!({ "type": "string", "description": words });
    }
    if kind != JSON {
        return json!({ "type": "string" });
    }
    if route.name == "variants" {
        return json!({ "type": "array", "items": { "type": "object" } });
    }
    let Some((_, answer)) = ANSWERS.iter().find(|(name, _)| *name == route.name) else {
        return json!({ "type": "object" });
    };
    let types = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let properties: Map<String, Value> =
        answer.iter().map(|(name, kinds)| ((*name).to_owned(), json!({ "type": types(kinds) }))).collect();
    let required: Vec<&str> = answer.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn error_schema() -> Value {
    let range = json!({
        "type": ["object", "null"],
        "properties": { "start": { "type": "integer" }, "end": { "type": "integer" } },
    });
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {
            "type": "object",
            "required": ["code", "message", "help", "parameter", "span", "columns"],
            "properties": {
                "code": { "type": "string", "enum": Code::ALL.map(Code::word) },
                "message": { "type": "string" },
                "help": { "type": ["string", "null"] },
                "parameter": { "type": ["string", "null"] },
                "span": range,
                "columns": range,
            },
        } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_routes_differ() {
        let names: Vec<&str> = routes::all().map(|route| route.name).collect();
        let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len());
    }

    #[test]
    fn answers_are_those_of_routes() {
        for (name, _) in ANSWERS {
            assert!(routes::all().any(|route| route.name == *name), "{name}");
        }
    }

    #[test]
    fn parameters_of_a_route_differ() {
        for route in routes::all() {
            let names: Vec<&str> = route.params().map(|param| param.name).collect();
            let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
            assert_eq!(names.len(), different.len(), "{}", route.name);
        }
    }
}
