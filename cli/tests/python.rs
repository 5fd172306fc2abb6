//! Runs the tests of the Python package in the virtual environment `TAFL_PYTHON`, with the library that was copied into the package.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder of the package.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/python")
}

/// Returns the Python of the environment.
fn python() -> PathBuf {
    let environment = std::env::var_os("TAFL_PYTHON").expect("TAFL_PYTHON is a virtual environment");
    Path::new(&environment).join("bin/python")
}

/// Runs a program that uses the package, and returns its output.
fn run(program: &mut Command) -> String {
    let output = program
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", package().join("python"))
        .output()
        .expect("the program can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn the_tests_of_the_python_package_pass() {
    let mut pytest = Command::new(python());
    run(pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).current_dir(package()));
}

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn a_network_of_onnx_plays_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("network.onnx");
    run(Command::new(python()).arg(package().join("tests/network.py")).arg(&network));
    let player = format!("uci:name=Net;{} -m taflbase.onnx {}", python().display(), network.display());
    let mut tafl = Command::new(env!("CARGO_BIN_EXE_tafl"));
    let options =
        ["--variant", "brandubh7", "--nodes", "4", "--pairs", "1", "--plies", "12", "--format", "json"];
    let answer = run(tafl.args(["match", "random", &player]).args(options));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["second"]["identity"], serde_json::json!(["Net"]));
    let result = &answer["variants"][0]["result"];
    assert_eq!(result["games"]["games"], 2, "{answer}");
    assert_eq!(result["faults"], serde_json::json!([]), "{answer}");
}
