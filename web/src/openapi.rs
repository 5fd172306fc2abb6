//! The OpenAPI 3.1 description, made from the table of routes and the schemas of their answers.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::api_error::{ErrorBody, ErrorCode};
use super::media_type::{EVENTS, JSON};
use super::routes::{Route, Work};

/// The version of the API. It increases if an old program would misunderstand an answer.
pub(crate) const API_VERSION: u32 = 2;

/// Returns the description of a server whose addresses begin with a base path.
pub(crate) fn document(routes: &[Route], base_path: &str) -> Value {
    let mut generator = generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let method = if route.is_post() { "post" } else { "get" };
        paths.insert(route.path.to_owned(), json!({ method: operation(route, &mut generator) }));
    }
    for (path, kind, summary) in [
        ("/metrics", "text/plain", "The metrics of the server, in the text format of Prometheus."),
        ("/healthz", "text/plain", "`ok` while the server runs. Needs no token."),
    ] {
        let name = path.trim_start_matches('/');
        let answer =
            json!({ "description": summary, "content": { kind: { "schema": { "type": "string" } } } });
        let mut responses = error_responses();
        responses.insert("200".to_owned(), answer);
        paths.insert(
            path.to_owned(),
            json!({ "get": { "operationId": name, "summary": summary, "responses": responses } }),
        );
    }
    let error = generator.subschema_for::<ErrorBody>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Taflbase",
            "version": format!("{API_VERSION}.0.0"),
            "summary": "A database of tafl games with rules, search, statistics, and an engine.",
            "description": "Access to one corpus, whose games only a server with --write changes. docs/api.md has examples.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        // The server that sent the description.
        "servers": [{ "url": if base_path.is_empty() { "/" } else { base_path } }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": { "Error": {
                "description": "The error of the request.",
                "content": { JSON: { "schema": error } },
            } },
            "securitySchemes": {
                "bearer": { "type": "http", "scheme": "bearer" },
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "taflbase-PORT",
                    "description": "PORT is the port of the server's address, 80 if it has none.",
                },
            },
        },
        // A server that only its own machine reaches needs no token.
        "security": [{}, { "bearer": [] }, { "cookie": [] }],
    })
}

/// Returns the generator of the schemas: named components that describe serialized answers.
fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    settings.with_transform(RecursiveTransform(list_values)).into_generator()
}

/// Lists the values of an enum in one schema. schemars writes a schema for each value, and client generators would make a
/// type of each.
fn list_values(schema: &mut Schema) {
    let Some(variants) = schema.get("oneOf").and_then(Value::as_array) else { return };
    let values =
        variants.iter().map(|variant| variant.get("const").filter(|value| value.is_string()).cloned());
    let Some(values) = values.collect::<Option<Vec<Value>>>() else { return };
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), values.into());
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let content: Map<String, Value> = route
        .types
        .iter()
        .map(|kind| ((*kind).to_owned(), json!({ "schema": schema(route, kind, generator) })))
        .collect();
    let mut responses = error_responses();
    responses.insert("200".to_owned(), json!({ "description": route.summary, "content": content }));
    let mut value = json!({
        "operationId": route.name,
        "summary": route.summary,
        "parameters": route.params.openapi(),
        "responses": responses,
        "x-work": work_name(route.work),
    });
    if let Some(body) = route.body {
        value["requestBody"] = json!({
            "required": true,
            "description": body.description,
            "content": { body.content_type: { "schema": { "type": "string", "format": "binary" } } },
        });
    }
    value
}

/// Returns the responses to all errors. A wrong method has no operation, so its error isn't described.
fn error_responses() -> Map<String, Value> {
    let codes = ErrorCode::ALL.into_iter().filter(|code| *code != ErrorCode::BadMethod);
    let response = || json!({ "$ref": "#/components/responses/Error" });
    codes.map(|code| (code.status().to_string(), response())).collect()
}

/// Returns the name of a kind of work.
const fn work_name(work: Work) -> &'static str {
    match work {
        Work::Quick => "quick",
        Work::Query => "query",
        Work::Report => "report",
        Work::Engine => "engine",
        Work::Write => "write",
    }
}

/// Returns the schema of an answer with a media type.
fn schema(route: &Route, kind: &str, generator: &mut SchemaGenerator) -> Value {
    match kind {
        JSON => (route.schema)(generator).to_value(),
        EVENTS => {
            json!({ "type": "string", "description": "Server-sent events, each with a name and a line of JSON." })
        }
        _ => json!({ "type": "string" }),
    }
}
