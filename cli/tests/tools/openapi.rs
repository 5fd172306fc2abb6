//! The OpenAPI description: its schemas, parameters, and errors, real responses, and the typed responses of generated clients.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::serve_game::start_server;
use super::test_server::TestServer;

/// The operations with complete response schemas.
const TYPED: &[&str] = &[
    "info", "variants", "board", "position", "explore", "tree", "games", "search", "query", "game",
    "analysis", "report", "validate", "convert",
];

/// Returns the OpenAPI description.
fn description(server: &TestServer) -> Value {
    server.json("/api/openapi.json")
}

/// Returns the operations, each with its name and method.
fn operations(description: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = description["paths"].as_object().unwrap().values();
    let methods = paths.flat_map(|methods| methods.as_object().unwrap());
    methods.map(|(method, value)| (value["operationId"].as_str().unwrap(), method.as_str(), value)).collect()
}

/// Asserts that a schema and its subschemas are complete: references have targets, arrays have an item type, and objects have
/// members.
fn check_schema(schema: &Value, description: &Value, at: &str, seen: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.strip_prefix('#').unwrap();
        let named =
            description.pointer(pointer).unwrap_or_else(|| panic!("{at}: undefined reference {name}"));
        if seen.insert(name.to_owned()) {
            check_schema(named, description, name, seen);
        }
        return;
    }
    let is = |kind: &str| match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        _ => false,
    };
    let is_untyped =
        ["type", "anyOf", "oneOf", "allOf", "enum", "const"].iter().all(|key| schema[*key].is_null());
    assert!(!is_untyped, "{at} has no type: {schema}");
    if is("array") {
        assert!(schema["items"].is_object(), "{at} has no item type: {schema}");
    }
    if is("object") {
        let has_members = schema["properties"].as_object().is_some_and(|members| !members.is_empty());
        assert!(has_members || schema["additionalProperties"].is_object(), "{at} has no members: {schema}");
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        check_schema(member, description, &format!("{at}.{name}"), seen);
    }
    for key in ["items", "additionalProperties"] {
        if schema[key].is_object() {
            check_schema(&schema[key], description, &format!("{at}/{key}"), seen);
        }
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for choice in schema[key].as_array().into_iter().flatten() {
            check_schema(choice, description, at, seen);
        }
    }
}

#[test]
fn response_schemas_are_complete() {
    let description = description(&start_server());
    let mut typed = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (name, _, operation) in operations(&description) {
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if !TYPED.contains(&name) {
            continue;
        }
        typed.insert(name);
        let is_named = |schema: &Value| schema["$ref"].is_string();
        assert!(is_named(schema) || is_named(&schema["items"]), "{name} has an unnamed schema: {schema}");
        check_schema(schema, &description, name, &mut seen);
    }
    assert_eq!(typed.len(), TYPED.len(), "{typed:?}");
    assert!(seen.len() >= 50, "{seen:?}");
}

/// Returns a valid URL for a route.
fn example(server: &TestServer, path: &str) -> Option<String> {
    let game = || server.json("/api/games")["games"][0]["game"].as_str().unwrap().to_owned();
    Some(match path {
        "/api/board" | "/api/position" | "/api/picture" | "/api/explore" | "/api/tree" | "/api/heat-maps" => {
            format!("{path}?variant=brandubh7")
        }
        "/api/search" => "/api/search?query=capture&limit=3".to_owned(),
        "/api/query" => "/api/query?query=capture".to_owned(),
        "/api/analysis" => "/api/analysis?variant=brandubh7&nodes=2000&format=json".to_owned(),
        "/api/oembed" => format!("/api/oembed?url=http://{}/game/{}", server.address(), game()),
        "/api/player" => {
            let games = server.json("/api/games?limit=200");
            let named = games["games"]
                .as_array()
                .unwrap()
                .iter()
                .find_map(|game| game["attackers"].as_str().filter(|name| name.is_ascii()));
            format!("/api/player?name={}", named.unwrap())
        }
        "/api/report" => "/api/report?kind=health&format=json".to_owned(),
        "/api/game/{id}/annotate" => format!("/api/game/{}/annotate?nodes=1000", game()),
        "/api/game/{id}/record" => format!("/api/game/{}/record?to=opentafl", game()),
        _ if path.contains("{id}") => path.replace("{id}", &game()),
        _ => path.to_owned(),
    })
}

/// Asserts that a value and its parts match a schema of the OpenAPI description.
fn assert_matches(value: &Value, schema: &Value, description: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.strip_prefix('#').unwrap();
        let named =
            description.pointer(pointer).unwrap_or_else(|| panic!("{at}: undefined reference {name}"));
        return assert_matches(value, named, description, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let is_null = |choice: &&Value| choice["type"] == "null";
        if value.is_null() {
            assert!(choices.iter().any(|choice| is_null(&choice)), "{at} is null");
        } else if let [only] = choices.iter().filter(|choice| !is_null(choice)).collect::<Vec<_>>()[..] {
            assert_matches(value, only, description, at);
        }
        return;
    }
    let is_kind = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let has_type = match &schema["type"] {
        Value::String(kind) => is_kind(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is_kind(kind.as_str().unwrap())),
        _ => true,
    };
    assert!(has_type, "{at} is {value}, not {}", schema["type"]);
    if let (Some(values), Some(_)) = (value.as_array(), schema.get("items")) {
        values
            .iter()
            .for_each(|value| assert_matches(value, &schema["items"], description, &format!("{at}[]")));
    }
    let Some(object) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(object.contains_key(name.as_str().unwrap()), "{at} has no {name}");
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = object.get(name) {
            assert_matches(value, schema, description, &format!("{at}.{name}"));
        }
    }
}

#[test]
fn every_response_matches_its_schema() {
    let server = TestServer::start(&[]);
    let description = server.json("/api/openapi.json");
    assert_eq!(description["openapi"], "3.1.0");
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 15, "{:?}", paths.keys());
    for (path, methods) in paths {
        let Some(operation) = methods.get("get") else {
            assert!(methods.get("post").is_some(), "{path}");
            assert_eq!(server.get(path).status, 405, "{path}");
            continue;
        };
        if path.starts_with("/api/stud") {
            // `serve_write` requests these from a server that has them.
            server.assert_rejected(server.get(path), 403, "read-only");
            continue;
        }
        let address = example(&server, path).unwrap();
        let response = server.get(&address);
        assert_eq!(response.status, 200, "{address}: {}", String::from_utf8_lossy(&response.body));
        let content = operation["responses"]["200"]["content"].as_object().unwrap();
        let kind = response.header("content-type").unwrap();
        let kind = kind.split(';').next().unwrap();
        assert!(content.keys().any(|known| known.starts_with(kind)), "{address}: {kind}");
        if kind == "application/json" {
            assert_matches(&response.json(), &content[kind]["schema"], &description, &address);
        }
    }
}

#[test]
fn the_described_parameters_are_the_accepted_ones() {
    let server = TestServer::start(&[]);
    for (path, methods) in server.json("/api/openapi.json")["paths"].as_object().unwrap() {
        let Some(operation) = methods.get("get").filter(|_| path.starts_with("/api/")) else { continue };
        let parameters = operation["parameters"].as_array().unwrap();
        let names: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let path = path.replace("{id}", "0123456789abcdef");
        let error = server.assert_rejected(server.get(&format!("{path}?nothing=1")), 400, "bad-parameter");
        let help = if names.is_empty() {
            "this address takes no parameters".to_owned()
        } else {
            format!("expected {}", names.join(", "))
        };
        assert_eq!(error["help"], help.as_str(), "{path}");
    }
}

#[test]
fn operations_have_bodies_parameters_errors_and_a_server() {
    let description = description(&start_server());
    assert_eq!(description["servers"][0]["url"], "/");
    for (name, method, operation) in operations(&description) {
        // Some changes have only parameters.
        assert!(operation["requestBody"]["required"] != true || method == "post", "{name}");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert_ne!(parameter["description"], "", "{name} {parameter}");
            assert!(parameter["schema"]["type"].is_string(), "{name} {parameter}");
        }
        for status in ["400", "401", "403", "404", "413", "414", "431", "500", "503"] {
            let response = &operation["responses"][status]["$ref"];
            let pointer = response.as_str().and_then(|name| name.strip_prefix('#'));
            let body = description.pointer(pointer.unwrap_or_else(|| panic!("{name}: {status}")));
            assert!(body.unwrap()["content"]["application/json"]["schema"]["$ref"].is_string(), "{name}");
        }
    }
}

#[test]
fn requests_about_positions_require_a_variant() {
    let server = start_server();
    let description = description(&server);
    for path in ["board", "position", "picture", "explore", "tree", "heat-maps", "analysis"] {
        let path = format!("/api/{path}");
        let parameters = description["paths"][&path]["get"]["parameters"].as_array().unwrap();
        let variant = parameters.iter().find(|parameter| parameter["name"] == "variant").unwrap();
        assert_eq!(variant["required"], true, "{path}");
        let error = server.assert_rejected(server.get(&path), 400, "bad-parameter");
        assert_eq!(error["parameter"], "variant", "{path}");
    }
}

#[test]
fn the_limits_of_parameters_are_described() {
    let description = description(&start_server());
    let parameter = |path: &str, name: &str| {
        let parameters = description["paths"][path]["get"]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"].clone()
    };
    assert_eq!(parameter("/api/explore", "limit")["maximum"], 1000);
    assert_eq!(parameter("/api/explore", "limit")["default"], 200);
    assert_eq!(parameter("/api/tree", "depth")["maximum"], 8);
    assert_eq!(parameter("/api/search", "limit")["maximum"], 100_000);
}

/// Runs a program, and returns its output.
///
/// # Panics
///
/// Panics if the program fails.
fn run_tool(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {text}");
    text
}

/// Writes the description to a file, and returns the folder of the tools and the path of the file.
fn write_description(server: &TestServer) -> (PathBuf, PathBuf) {
    let tools = PathBuf::from(std::env::var_os("TAFL_CLIENTS").expect("TAFL_CLIENTS names a folder"));
    let document = server.path("openapi.json");
    std::fs::write(&document, server.get("/api/openapi.json").body).unwrap();
    (tools, document)
}

/// Returns the path of a file in `tests/clients`.
fn client_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn a_python_client_gets_typed_responses() {
    let server = start_server();
    let (tools, document) = write_description(&server);
    let (python, folder) = (tools.join("py/bin/python"), server.path("clients"));
    std::fs::create_dir_all(&folder).unwrap();
    let package = folder.join("tafl_client");
    let mut generator = Command::new(tools.join("py/bin/openapi-python-client"));
    generator.args(["generate", "--meta", "none", "--path"]).arg(&document);
    let messages = run_tool(generator.arg("--output-path").arg(&package).env("PYTHONUTF8", "1"));
    assert!(!messages.contains("Unable to"), "{messages}");
    let address = format!("http://{}", server.address());
    let mut check = Command::new(python);
    run_tool(
        check.arg(client_file("typed.py")).arg(&folder).arg(&address).env("PYTHONDONTWRITEBYTECODE", "1"),
    );
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn a_typescript_client_gets_typed_responses() {
    let server = start_server();
    let (tools, document) = write_description(&server);
    let tool = |name: &str| tools.join("node_modules/.bin").join(name);
    let folder = server.path("typescript");
    std::fs::create_dir_all(&folder).unwrap();
    run_tool(
        Command::new(tool("openapi-typescript")).arg(&document).arg("-o").arg(folder.join("openapi.ts")),
    );
    std::fs::copy(client_file("typed.ts"), folder.join("typed.ts")).unwrap();
    let mut compiler = Command::new(tool("tsc"));
    run_tool(compiler.args(["--noEmit", "--strict", "--target", "es2022"]).arg(folder.join("typed.ts")));
}
