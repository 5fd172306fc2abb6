//! The GitHub action: its script runs on the samples with the inputs that `action.yml` passes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::{in_workspace, sample_folder, tafl, text};

/// Runs a step of the action in a folder, with the built program on the PATH.
fn step(folder: &Path, name: &str, inputs: &[(&str, &str)]) -> Output {
    let bin = Path::new(env!("CARGO_BIN_EXE_tafl")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    Command::new(in_workspace("action/run"))
        .arg(name)
        .current_dir(folder)
        .env("PATH", path)
        .env("RUNNER_TEMP", folder.join("runner"))
        .envs(inputs.iter().copied())
        .output()
        .unwrap()
}

/// Reads a command of the runner: its name, its properties, and its text, decoded.
fn command(line: &str) -> (&str, BTreeMap<&str, String>, String) {
    let (head, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let decode = |text: &str| {
        let text = text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",");
        text.replace("%25", "%")
    };
    let properties = properties.split(',').map(|part| part.split_once('=').unwrap());
    (name, properties.map(|(name, value)| (name, decode(value))).collect(), decode(data))
}

#[test]
fn faulty_lines_are_annotated_and_the_job_fails() {
    let folder = sample_folder();
    let output = step(
        folder.path(),
        "validate",
        &[("TAFL_PATHS", "games\n"), ("TAFL_FAIL_ON", "warning"), ("TAFL_SARIF", "found.sarif")],
    );
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let commands: Vec<_> = text(&output.stdout).lines().map(command).collect();
    let (name, properties, message) = &commands[0];
    assert_eq!((*name, properties["file"].as_str()), ("error", "games/brandubh-broken.csv"));
    assert!(message.contains("\nhelp: "), "{message}");
    let source = fs::read_to_string(folder.path().join("games/brandubh-broken.csv")).unwrap();
    let line = source.lines().nth(properties["line"].parse::<usize>().unwrap() - 1).unwrap();
    let column = |name: &str| properties[name].parse::<usize>().unwrap() - 1;
    let marked = &line[column("col")..column("endColumn")];
    assert!(message.contains(marked), "{marked}: {message}");
    let (name, _, message) = commands.last().unwrap();
    assert!(*name == "notice" && message.contains("with errors"), "{message}");
    let sarif: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("found.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), commands.len() - 1);
}

#[test]
fn the_inputs_select_records_rules_and_severity() {
    let folder = sample_folder();
    fs::write(folder.path().join("no tags.csv"), "b4-b2 c4-c5\n").unwrap();
    let run = |inputs: &[_]| step(folder.path(), "validate", inputs).status.code();
    assert_eq!(run(&[("TAFL_PATHS", "games/tablut.pgn")]), Some(0));
    assert_eq!(run(&[("TAFL_PATHS", "no tags.csv"), ("TAFL_VARIANT", "brandubh7")]), Some(0));
    assert_eq!(run(&[("TAFL_PATHS", "no tags.csv"), ("TAFL_VARIANT", "no such")]), Some(2));
    assert_eq!((run(&[("TAFL_PATHS", "\n")]), run(&[])), (Some(1), Some(1)), "the folder has faulty records");
    assert_eq!(run(&[("TAFL_PATHS", "no/such/file")]), Some(2));
    assert_eq!(run(&[("TAFL_PATHS", "no/such/file"), ("TAFL_SARIF", "found.sarif")]), Some(2));
    let notes = [("TAFL_PATHS", "no tags.csv"), ("TAFL_VARIANT", "brandubh7"), ("TAFL_FAIL_ON", "note")];
    assert_eq!(run(&notes), Some(1));
}

#[test]
fn a_record_cannot_add_commands() {
    let folder = sample_folder();
    let record =
        "[event:%0A::stop-commands::x]\n[variant:::add-mask::a]\n\n1. d2-c2 ::warning::x##[error]y\n";
    fs::write(folder.path().join("a,b:c.otg"), record).unwrap();
    let output = tafl(folder.path(), &["validate", "--notes", "--format", "github", "a,b:c.otg"]);
    assert_eq!(output.status.code(), Some(1));
    for line in text(&output.stdout).lines() {
        let (name, properties, _) = command(line);
        assert!(["error", "warning", "notice"].contains(&name), "{line}");
        assert!(properties.get("file").is_none_or(|file| file == "a,b:c.otg"), "{line}");
    }
}

#[test]
fn the_program_is_built_from_the_sources_or_from_a_tag() {
    let folder = sample_folder();
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    let cargo = tools.join("cargo");
    fs::write(&cargo, "#!/bin/sh\necho \"$@\"\n").unwrap();
    Command::new("chmod").arg("+x").arg(&cargo).status().unwrap();
    let install = |version: &str| {
        let output = Command::new(in_workspace("action/run"))
            .arg("install")
            .env("PATH", format!("{}:{}", tools.display(), std::env::var("PATH").unwrap()))
            .envs([("TAFL_VERSION", version), ("RUNNER_TEMP", "/t")])
            .envs([("GITHUB_SERVER_URL", "https://host"), ("TAFL_ACTION_REPOSITORY", "ann/taflbase")])
            .output()
            .unwrap();
        text(&output.stdout).trim_end().to_owned()
    };
    let common = "install --locked --no-default-features --root /t/taflbase";
    assert!(install("").starts_with(&format!("{common} --path /")), "{}", install(""));
    assert!(install("").ends_with("/cli"), "{}", install(""));
    assert_eq!(install("v1.0.0"), format!("{common} --git https://host/ann/taflbase --tag v1.0.0 tafl-cli"));
    let key = |version| text(&step(folder.path(), "key", &[("TAFL_VERSION", version)]).stdout).to_owned();
    assert_eq!(key("v1.0.0"), "key=v1.0.0\n");
    assert!(key("").len() == "key=\n".len() + 64 && key("") == key(""), "{}", key(""));
}

#[test]
fn the_action_passes_every_input_to_the_script() {
    let action = fs::read_to_string(in_workspace("action.yml")).unwrap();
    let script = fs::read_to_string(in_workspace("action/run")).unwrap();
    let (inputs, steps) = action.split_once("\nruns:\n").unwrap();
    let names: Vec<&str> = inputs
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .collect();
    assert_eq!(names, ["path", "variant", "fail-on", "sarif", "version"]);
    for name in names {
        let variable = steps
            .lines()
            .find_map(|line| line.trim().strip_suffix(&format!(": ${{{{ inputs.{name} }}}}")))
            .unwrap_or_else(|| panic!("no step has the input {name}"));
        assert!(script.contains(variable), "the script does not read {variable}");
    }
}
