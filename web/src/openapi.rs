//! The description of the API in OpenAPI 3.1, made from the table of routes and the schemas of their answers.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::api_error::ErrorBody;
use super::param::{Param, ParamKind};
use super::routes::{EVENTS, JSON, Method, Route, RouteTable, Work};

/// The version of the API: a new one where an old program would misunderstand an answer.
pub(crate) const API_VERSION: u32 = 1;

/// Returns the description.
pub(crate) fn document(routes: RouteTable) -> Value {
    let mut generator = generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes.iter().flat_map(|routes| routes.iter()) {
        let path = paths.entry(route.path.to_owned()).or_insert_with(|| json!({}));
        let method = match route.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        path[method] = operation(route, &mut generator);
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
    let error = generator.subschema_for::<ErrorBody>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Taflbase",
            "version": format!("{API_VERSION}.0.0"),
            "summary": "Games of the tafl family: what was played, by which rules, and how it ended.",
            "description": "Read-only over one corpus. docs/api.md has examples.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        // The server that sent the description.
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": { "Error": {
                "description": "Why there is no answer.",
                "content": { JSON: { "schema": error } },
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

/// Returns what makes the schemas: named components, as answers are written.
fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    settings.into_generator()
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
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
        .map(|kind| ((*kind).to_owned(), json!({ "schema": schema(route, kind, generator) })))
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
            "content": { "application/octet-stream": { "schema": { "type": "string", "format": "binary" } } },
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

/// Returns the schema of an answer of a type.
fn schema(route: &Route, kind: &str, generator: &mut SchemaGenerator) -> Value {
    match kind {
        JSON => (route.schema)(generator).to_value(),
        EVENTS => {
            json!({ "type": "string", "description": "Server-sent events, each with a name and a line of JSON." })
        }
        _ => json!({ "type": "string" }),
    }
}
