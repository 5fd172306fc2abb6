//! SARIF logs: the structure that the schema of SARIF 2.1.0 requires, and the places of findings.

use std::fs;

use serde_json::Value;

use super::{in_workspace, sample_folder, tafl, text};

/// An object of the schema: its path, its required members, and the other members that it may have.
struct SchemaObject {
    path: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
}

const fn object(
    path: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
) -> SchemaObject {
    SchemaObject { path, required, optional }
}

/// The objects of a log, from sarif-schema-2.1.0.json: it forbids other members (`additionalProperties` is false) except in
/// property bags. Members that `tafl` never writes are left out. `*` stands for each element of a list or each member.
const OBJECTS: &[SchemaObject] = &[
    object("", &["version", "runs"], &["$schema"]),
    object(
        "/runs/*",
        &["tool"],
        &["invocations", "originalUriBaseIds", "columnKind", "results", "properties"],
    ),
    object("/runs/*/tool", &["driver"], &[]),
    object("/runs/*/tool/driver", &["name"], &["version", "semanticVersion", "rules"]),
    object(
        "/runs/*/tool/driver/rules/*",
        &["id"],
        &["name", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"],
    ),
    object("/runs/*/tool/driver/rules/*/shortDescription", &["text"], &[]),
    object("/runs/*/tool/driver/rules/*/fullDescription", &["text"], &[]),
    object("/runs/*/tool/driver/rules/*/help", &["text"], &["markdown"]),
    object("/runs/*/tool/driver/rules/*/defaultConfiguration", &[], &["level"]),
    object("/runs/*/invocations/*", &["executionSuccessful"], &["exitCode", "toolExecutionNotifications"]),
    object("/runs/*/invocations/*/toolExecutionNotifications/*", &["message"], &["level"]),
    object("/runs/*/invocations/*/toolExecutionNotifications/*/message", &["text"], &[]),
    object("/runs/*/originalUriBaseIds/*", &[], &["uri"]),
    object("/runs/*/results/*", &["message"], &["ruleId", "ruleIndex", "level", "locations", "properties"]),
    object("/runs/*/results/*/message", &["text"], &[]),
    object("/runs/*/results/*/locations/*", &[], &["physicalLocation"]),
    object(
        "/runs/*/results/*/locations/*/physicalLocation",
        &["artifactLocation", "region"],
        &["contextRegion"],
    ),
    object("/runs/*/results/*/locations/*/physicalLocation/artifactLocation", &["uri"], &["uriBaseId"]),
    object(
        "/runs/*/results/*/locations/*/physicalLocation/region",
        &["startLine"],
        &["startColumn", "endColumn", "snippet"],
    ),
    object(
        "/runs/*/results/*/locations/*/physicalLocation/contextRegion",
        &["startLine", "startColumn", "endColumn", "snippet"],
        &[],
    ),
    object("/runs/*/results/*/locations/*/physicalLocation/region/snippet", &["text"], &[]),
    object("/runs/*/results/*/locations/*/physicalLocation/contextRegion/snippet", &["text"], &[]),
];

/// Returns the values at a path.
fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    let Some(rest) = path.strip_prefix('/') else { return vec![value] };
    let (name, rest) = rest.find('/').map_or((rest, ""), |end| rest.split_at(end));
    let below: Vec<&Value> = match (name, value) {
        ("*", Value::Array(list)) => list.iter().collect(),
        ("*", Value::Object(map)) => map.values().collect(),
        (name, value) => value.get(name).into_iter().collect(),
    };
    below.into_iter().flat_map(|value| at(value, rest)).collect()
}

/// Asserts that a log has the structure that the schema requires.
fn check_structure(log: &Value) {
    for object in OBJECTS {
        for value in at(log, object.path) {
            let members = value.as_object().unwrap_or_else(|| panic!("{}: {value}", object.path));
            for name in object.required {
                assert!(members.contains_key(*name), "{} has no {name}: {value}", object.path);
            }
            for (name, member) in members {
                let is_known = object.required.iter().chain(object.optional).any(|known| known == name);
                assert!(is_known, "{} has {name}", object.path);
                match name.as_str() {
                    "startLine" | "startColumn" | "endColumn" => {
                        assert!(member.as_u64() > Some(0), "{value}")
                    }
                    "ruleIndex" | "exitCode" => assert!(member.is_u64(), "{value}"),
                    "level" => assert!(["error", "warning", "note"].contains(&member.as_str().unwrap())),
                    "uri" | "helpUri" => {
                        let uri = member.as_str().unwrap();
                        assert!(uri.is_ascii() && !uri.contains([' ', '\\', '"', '<', '>']), "{uri}");
                    }
                    "text" | "markdown" | "id" | "name" => assert!(!member.as_str().unwrap().is_empty()),
                    _ => {}
                }
            }
        }
    }
    assert_eq!(
        (&log["version"], &log["runs"][0]["columnKind"]),
        (&"2.1.0".into(), &"unicodeCodePoints".into())
    );
}

fn log_of(output: &std::process::Output) -> Value {
    let log = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stdout)));
    check_structure(&log);
    log
}

#[test]
fn results_refer_to_rules_and_to_marked_text() {
    let folder = sample_folder();
    fs::create_dir(folder.path().join("games/þ x")).unwrap();
    fs::write(folder.path().join("games/þ x/a.csv"), "b4-b2 c4-c5 # þ\nb4-b2 þþ-c9 c4-c9\n").unwrap();
    let output = tafl(folder.path(), &["validate", "--variant", "brandubh7", "--format", "sarif", "games"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let log = log_of(&output);
    let run = &log["runs"][0];
    let base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"].as_str().unwrap();
    assert!(base.starts_with("file:///") && base.ends_with('/'), "{base}");
    let results = run["results"].as_array().unwrap();
    assert!(results.len() > 3);
    let mut n_encoded = 0;
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(
            (&rule["id"], &rule["defaultConfiguration"]["level"]),
            (&result["ruleId"], &result["level"])
        );
        assert_ne!(result["level"], "note");
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        n_encoded += usize::from(uri == "games/%C3%BE%20x/a.csv");
        let path = uri.replace("%C3%BE", "þ").replace("%20", " ");
        let source = fs::read_to_string(folder.path().join(path)).unwrap();
        for region in [&place["region"], &place["contextRegion"]] {
            let number = |name: &str| region[name].as_u64().unwrap() as usize - 1;
            let line = source.lines().nth(number("startLine")).unwrap();
            let (start, end) = (number("startColumn"), number("endColumn"));
            let marked: String = line.chars().skip(start).take(end - start).collect();
            assert_eq!(region["snippet"]["text"], marked);
        }
    }
    assert!(n_encoded > 0, "{results:?}");
    assert_eq!(
        (&run["invocations"][0]["exitCode"], results[0]["properties"]["game"].is_u64()),
        (&1.into(), true)
    );
}

#[test]
fn every_rule_links_to_its_section_of_the_page() {
    let page = fs::read_to_string(in_workspace("docs/diagnostics.md")).unwrap();
    let folder = sample_folder();
    let output = tafl(folder.path(), &["validate", "--format", "sarif", "games/tablut.pgn"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let log = log_of(&output);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), page.lines().filter(|line| line.starts_with("### ")).count());
    for rule in rules {
        let heading = format!("### {} {}", rule["id"].as_str().unwrap(), rule["name"].as_str().unwrap());
        assert!(page.contains(&heading), "{heading}");
        let anchor = heading.trim_start_matches("### ").to_lowercase().replace(' ', "-");
        assert!(
            rule["help"]["markdown"].as_str().unwrap().contains(&format!("(docs/diagnostics.md#{anchor})"))
        );
    }
}

#[test]
fn files_that_cannot_be_read_are_notifications() {
    let folder = sample_folder();
    let output = tafl(
        folder.path(),
        &["validate", "--format", "sarif", "-n", "1", "games/brandubh-broken.csv", "no/such"],
    );
    assert_eq!(output.status.code(), Some(2));
    let log = log_of(&output);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &invocation["exitCode"]), (&false.into(), &2.into()));
    let notifications = invocation["toolExecutionNotifications"].as_array().unwrap();
    assert!(notifications[0]["message"]["text"].as_str().unwrap().starts_with("no/such: "));
    assert!(notifications[1]["message"]["text"].as_str().unwrap().ends_with("not shown"));
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
}

#[test]
fn a_file_as_a_whole_and_files_elsewhere_have_places() {
    let (folder, elsewhere) = (sample_folder(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("a.csv");
    fs::write(&file, "b4-b2 c4-c9\n").unwrap();
    fs::write(folder.path().join("b.bin"), [0; 64]).unwrap();
    let path = file.display().to_string();
    let args = ["validate", "--variant", "brandubh7", "--format", "sarif", &path, "b.bin"];
    let log = log_of(&tafl(folder.path(), &args));
    let place = |nth: usize| &log["runs"][0]["results"][nth]["locations"][0]["physicalLocation"];
    assert_eq!(place(0)["artifactLocation"]["uri"], format!("file://{path}"));
    assert_eq!(place(0)["artifactLocation"]["uriBaseId"], Value::Null);
    assert_eq!(place(1)["artifactLocation"]["uri"], "b.bin");
    assert_eq!(place(1)["region"], serde_json::json!({ "startLine": 1 }));
}
