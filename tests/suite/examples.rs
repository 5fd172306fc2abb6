//! The examples of every crate run on the samples, with the commands in their documentation.
//!
//! The first line with `--example NAME -- ARGUMENTS` in the documentation of an example is its command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::in_process::tafl;

/// An example, with the arguments from its documentation.
struct Example {
    name: String,
    arguments: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns every example of the workspace.
fn examples() -> Vec<Example> {
    let crates = fs::read_dir(root()).unwrap().map(|folder| folder.unwrap().path().join("examples"));
    let files =
        crates.filter_map(|folder| fs::read_dir(folder).ok()).flatten().map(|file| file.unwrap().path());
    let mut examples: Vec<Example> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let arguments = arguments(&name, &fs::read_to_string(&path).unwrap());
            Example { name, arguments }
        })
        .collect();
    examples.sort_by(|one, other| one.name.cmp(&other.name));
    examples
}

/// Returns the arguments of the command in the documentation of an example.
fn arguments(name: &str, text: &str) -> Vec<String> {
    let command = format!("--example {name}");
    let line = text
        .lines()
        .take_while(|line| line.starts_with("//!"))
        .find(|line| line.contains(&command))
        .unwrap_or_else(|| panic!("the documentation of {name} has no line with `{command}`"));
    let Some((_, words)) = line.split_once(&format!("{command} -- ")) else { return Vec::new() };
    let words = words.split(['`', '>', '|']).next().unwrap_or_default();
    // Quotation marks join words.
    let parts = words.split('"').enumerate();
    let is_quoted = |nth: usize| nth % 2 == 1;
    parts
        .flat_map(|(nth, part)| {
            if is_quoted(nth) {
                vec![part.to_owned()]
            } else {
                part.split_whitespace().map(str::to_owned).collect()
            }
        })
        .collect()
}

/// Creates a folder with the samples in `games/` and their corpus in `games.corpus`.
fn samples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(folder.path().join("games")).unwrap();
    for file in fs::read_dir(root().join("cli/samples")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), folder.path().join("games").join(file.file_name())).unwrap();
    }
    tafl(&["import", &path("games.corpus"), &path("games")]);
    folder
}

/// Builds the examples as `cargo test --workspace` does, and returns their folder.
fn built() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().join("../examples");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "-q", "--locked", "--offline", "--workspace", "--examples"]);
    cargo.arg("--target-dir").arg(folder.join("../.."));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    // Build scripts such as ring's depend on variables that cargo sets for this test: with these variables, ring and polars
    // would be rebuilt here, and again in the next build outside.
    let is_set_by_cargo = |name: &str| {
        name == "OUT_DIR"
            || ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
                .iter()
                .any(|start| name.starts_with(start))
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_set_by_cargo(&name.to_string_lossy())) {
        cargo.env_remove(name);
    }
    assert!(cargo.status().unwrap().success(), "the examples don't build");
    folder
}

#[test]
fn every_example_runs_on_the_samples() {
    let (samples, folder, examples) = (samples(), built(), examples());
    assert!(examples.len() >= 5, "only {} examples", examples.len());
    for Example { name, arguments } in examples {
        let ran =
            Command::new(folder.join(&name)).args(&arguments).current_dir(samples.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{name} {arguments:?}: {stderr}");
        assert!(!ran.stdout.is_empty(), "{name} {arguments:?} prints nothing");
    }
}

#[test]
fn the_arguments_are_those_of_the_documentation() {
    let text = "//! `cargo run --example one -- games.corpus \"a and b\" > x`\nfn main() {}\n";
    assert_eq!(arguments("one", text), ["games.corpus", "a and b"]);
}
