//! Checks of the sources against ARCHITECTURE.md and the style guide.

mod architecture;
mod glossary;
mod modules;
mod names;
mod structure;

use std::fs;
use std::path::{Path, PathBuf};

/// The packages of the workspace from the bottom up; a package depends only on those before it.
const LAYERS: [&str; 11] = [
    "rules",
    "parser",
    "analyzer",
    "corpus",
    "reports",
    "taflbase",
    "bindings/python",
    "web",
    "cli",
    "tests",
    "tests/benchmarks",
];

/// The packages that never print or exit; only `cli` does.
const LIBRARIES: [&str; 8] =
    ["rules", "parser", "analyzer", "corpus", "reports", "taflbase", "web", "bindings/python"];

/// Folders outside of the sources.
const SKIPPED: [&str; 4] = ["target", ".git", "artifacts", "shared"];

/// The maximum number of lines of a file of Rust.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns every text file of the sources, with its path from the root.
fn texts() -> Vec<(String, String)> {
    let (mut folders, mut texts) = (vec![root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let is_package = path.join("Cargo.toml").is_file();
            if entry.file_type().unwrap().is_dir() {
                // Cargo marks its build folders with this file.
                let is_built = path.join("CACHEDIR.TAG").is_file();
                if is_package || !(is_built || SKIPPED.contains(&&*name)) {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path)
                && name != ".git"
            {
                let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                texts.push((path, text));
            }
        }
    }
    texts.sort();
    assert!(texts.len() > 200, "only {} files: the root has moved", texts.len());
    texts
}

/// Returns every file of Rust, with its path from the root.
pub(super) fn sources() -> Vec<(String, String)> {
    texts().into_iter().filter(|(path, _)| path.ends_with(".rs")).collect()
}

/// Panics with the list of violations, if there are any.
fn assert_none(found: Vec<String>) {
    assert!(found.is_empty(), "{} places:\n{}", found.len(), found.join("\n"));
}

/// Returns the lines that contain one of the words, as `path:line: text`.
fn lines_with(files: Vec<(String, String)>, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (n, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{path}:{}: {}", n + 1, line.trim()));
            }
        }
    }
    found
}

/// Joins the halves of a word that this file must not contain itself.
fn word(start: &str, end: &str) -> String {
    format!("{start}{end}")
}

#[test]
fn a_file_of_code_has_one_subject_and_at_most_600_lines() {
    let long = sources().into_iter().filter(|(_, text)| text.lines().count() > MAX_LINES);
    assert_none(long.map(|(path, text)| format!("{path} has {} lines", text.lines().count())).collect());
}

#[test]
fn a_file_of_code_begins_with_a_module_comment() {
    let lacks_comment = |(path, text): &(String, String)| {
        let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
        !is_test && !text.starts_with("//!")
    };
    assert_none(sources().into_iter().filter(lacks_comment).map(|(path, _)| path).collect());
}

#[test]
fn libraries_do_not_print_or_exit() {
    let calls = [("print", "ln!("), ("print", "!("), ("dbg", "!("), ("process::ex", "it(")];
    let calls = calls.map(|(start, end)| word(start, end));
    let code = |(path, _): &(String, String)| {
        let is_test = path.ends_with("/tests.rs");
        !is_test && LIBRARIES.iter().any(|name| path.starts_with(&format!("{name}/src/")))
    };
    let found = lines_with(sources().into_iter().filter(code).collect(), &calls);
    assert_none(found.into_iter().filter(|line| !line.contains(": //")).collect());
}

#[test]
fn no_placeholder_is_left() {
    let macros = [("to", "do!("), ("unimpl", "emented!(")].map(|(start, end)| word(start, end));
    assert_none(lines_with(sources(), &macros));
}

#[test]
fn no_file_names_a_path_of_a_machine() {
    let places = [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/")].map(|(start, end)| word(start, end));
    assert_none(lines_with(texts(), &places));
    let archives = [word("../sh", "ared")];
    let may_name = [".ci/run", "CONTRIBUTING.md"];
    let others = texts().into_iter().filter(|(path, _)| !may_name.contains(&&**path)).collect();
    assert_none(lines_with(others, &archives));
}

/// Returns the lines of a section of a manifest, without comments and blank lines.
fn section<'m>(manifest: &'m str, name: &str) -> Vec<&'m str> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != format!("[{name}]")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn manifest(folder: &str) -> Option<String> {
    fs::read_to_string(root().join(folder).join("Cargo.toml")).ok()
}

/// Returns the name of the package that a line of a manifest depends on.
fn dependency(line: &str) -> &str {
    line.split(['.', ' ', '=']).next().unwrap_or(line)
}

/// Returns the folders of the workspace's packages.
fn root_members() -> Vec<String> {
    let workspace = manifest(".").unwrap();
    let members = section(&workspace, "workspace").join(" ");
    let (_, list) = members.split_once("members = [").unwrap();
    let list = list.split_once(']').unwrap().0;
    let names = list.split(',').map(|name| name.trim().trim_matches('"'));
    let members: Vec<String> = names.filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect();
    assert!(members.len() >= 5, "{members:?}");
    members
}

#[test]
fn every_package_forbids_unsafe_code() {
    let workspace = manifest(".").unwrap();
    assert!(section(&workspace, "workspace.lints.rust").contains(&"unsafe_code = \"forbid\""));
    for member in root_members() {
        let manifest = manifest(&member).unwrap();
        if member == "bindings/python" {
            // The macros of PyO3 generate unsafe functions, which can be allowed in a package that denies them only.
            assert!(section(&manifest, "lints.rust").contains(&"unsafe_code = \"deny\""));
        } else {
            assert_eq!(section(&manifest, "lints"), ["workspace = true"], "{member}");
        }
    }
}

#[test]
fn rules_have_only_small_dependencies() {
    let manifest = manifest("rules").unwrap();
    let needed: Vec<&str> = section(&manifest, "dependencies").into_iter().map(dependency).collect();
    assert_eq!(needed, ["strsim", "thiserror"]);
}
