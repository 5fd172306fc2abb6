//! The description of the API in OpenAPI: what it promises, and that generated clients get typed answers by it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::serve_game::served;
use super::served::Served;

/// The operations whose answers are described to the last field.
const TYPED: &[&str] = &[
    "info", "variants", "board", "position", "explore", "tree", "games", "search", "query", "game",
    "analysis", "report", "validate", "convert",
];

fn described(served: &Served) -> Value {
    served.json("/api/openapi.json")
}

/// Returns the operations with their names.
fn operations(described: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = described["paths"].as_object().unwrap().values();
    let methods = paths.flat_map(|methods| methods.as_object().unwrap());
    methods.map(|(method, value)| (value["operationId"].as_str().unwrap(), method.as_str(), value)).collect()
}

/// Checks a schema and all those below it: references lead somewhere, lists say what is in them, and objects say which
/// members they have.
fn check_schema(schema: &Value, described: &Value, at: &str, seen: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.strip_prefix('#').unwrap();
        let named = described.pointer(pointer).unwrap_or_else(|| panic!("{at}: nothing is called {name}"));
        if seen.insert(name.to_owned()) {
            check_schema(named, described, name, seen);
        }
        return;
    }
    let is = |kind: &str| match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        _ => false,
    };
    let is_any =
        ["type", "anyOf", "oneOf", "allOf", "enum", "const"].iter().all(|key| schema[*key].is_null());
    assert!(!is_any, "{at} may be anything: {schema}");
    if is("array") {
        assert!(schema["items"].is_object(), "{at} does not say what is in the list: {schema}");
    }
    if is("object") {
        let has_members = schema["properties"].as_object().is_some_and(|members| !members.is_empty());
        assert!(has_members || schema["additionalProperties"].is_object(), "{at} has no members: {schema}");
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        check_schema(member, described, &format!("{at}.{name}"), seen);
    }
    for key in ["items", "additionalProperties"] {
        if schema[key].is_object() {
            check_schema(&schema[key], described, &format!("{at}/{key}"), seen);
        }
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for choice in schema[key].as_array().into_iter().flatten() {
            check_schema(choice, described, at, seen);
        }
    }
}

#[test]
fn answers_are_described_to_the_last_field() {
    let described = described(&served());
    let mut typed = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (name, _, operation) in operations(&described) {
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if !TYPED.contains(&name) {
            continue;
        }
        typed.insert(name);
        let is_named = |schema: &Value| schema["$ref"].is_string();
        assert!(is_named(schema) || is_named(&schema["items"]), "{name} has no name: {schema}");
        check_schema(schema, &described, name, &mut seen);
    }
    assert_eq!(typed.len(), TYPED.len(), "{typed:?}");
    assert!(seen.len() >= 50, "{seen:?}");
}

#[test]
fn operations_have_bodies_parameters_errors_and_a_server() {
    let described = described(&served());
    assert_eq!(described["servers"][0]["url"], "/");
    for (name, method, operation) in operations(&described) {
        assert_eq!(operation["requestBody"]["required"] == true, method == "post", "{name}");
        let Some(parameters) = operation["parameters"].as_array() else { continue };
        for parameter in parameters {
            assert_ne!(parameter["description"], "", "{name} {parameter}");
            assert!(parameter["schema"]["type"].is_string(), "{name} {parameter}");
        }
        for status in ["400", "401", "403", "404", "413", "414", "431", "500", "503"] {
            let response = &operation["responses"][status]["$ref"];
            let pointer = response.as_str().and_then(|name| name.strip_prefix('#'));
            let body = described.pointer(pointer.unwrap_or_else(|| panic!("{name}: {status}")));
            assert!(body.unwrap()["content"]["application/json"]["schema"]["$ref"].is_string(), "{name}");
        }
    }
}

#[test]
fn the_limits_of_the_server_are_described() {
    let described = described(&served());
    let parameter = |path: &str, name: &str| {
        let parameters = described["paths"][path]["get"]["parameters"].as_array().unwrap();
        parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"].clone()
    };
    assert_eq!(parameter("/api/explore", "limit")["maximum"], 1000);
    assert_eq!(parameter("/api/explore", "limit")["default"], 200);
    assert_eq!(parameter("/api/tree", "depth")["maximum"], 8);
    assert_eq!(parameter("/api/search", "limit")["maximum"], 100_000);
}

/// Runs a program to its end.
///
/// # Panics
///
/// Panics if it fails.
fn run_tool(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {text}");
    text
}

/// Returns the folder with the tools, and writes the description beside a test's other files.
fn prepared(served: &Served) -> (PathBuf, PathBuf) {
    let tools = PathBuf::from(std::env::var_os("TAFL_CLIENTS").expect("TAFL_CLIENTS names a folder"));
    let document = served.path("openapi.json");
    std::fs::write(&document, served.get("/api/openapi.json").body).unwrap();
    (tools, document)
}

fn file_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn a_python_client_gets_typed_answers() {
    let served = served();
    let (tools, document) = prepared(&served);
    let (python, folder) = (tools.join("py/bin/python"), served.path("clients"));
    std::fs::create_dir_all(&folder).unwrap();
    let package = folder.join("tafl_client");
    let mut generator = Command::new(tools.join("py/bin/openapi-python-client"));
    generator.args(["generate", "--meta", "none", "--path"]).arg(&document);
    let messages = run_tool(generator.arg("--output-path").arg(&package).env("PYTHONUTF8", "1"));
    assert!(!messages.contains("Unable to"), "{messages}");
    let address = format!("http://{}", served.address());
    let mut check = Command::new(python);
    run_tool(check.arg(file_of("typed.py")).arg(&folder).arg(&address).env("PYTHONDONTWRITEBYTECODE", "1"));
}

#[test]
#[cfg_attr(not(has_clients), ignore = "TAFL_CLIENTS is not set")]
fn a_typescript_client_gets_typed_answers() {
    let served = served();
    let (tools, document) = prepared(&served);
    let tool = |name: &str| tools.join("node_modules/.bin").join(name);
    let folder = served.path("typescript");
    std::fs::create_dir_all(&folder).unwrap();
    run_tool(
        Command::new(tool("openapi-typescript")).arg(&document).arg("-o").arg(folder.join("openapi.ts")),
    );
    std::fs::copy(file_of("typed.ts"), folder.join("typed.ts")).unwrap();
    let mut compiler = Command::new(tool("tsc"));
    run_tool(compiler.args(["--noEmit", "--strict", "--target", "es2022"]).arg(folder.join("typed.ts")));
}
