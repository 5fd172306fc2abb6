//! Runs the tests of the Python package in the virtual environment `TAFL_PYTHON`, with the library that was copied into the package.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the folder of the package.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/python")
}

/// Returns the Python of the environment.
fn python() -> PathBuf {
    let environment = std::env::var_os("TAFL_PYTHON").expect("TAFL_PYTHON is a virtual environment");
    Path::new(&environment).join("bin/python")
}

/// Runs a program that uses the package.
fn output(program: &mut Command) -> Output {
    let program = program.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", package().join("python"));
    program.output().expect("the program can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a program that uses the package, and returns its standard output.
fn run(program: &mut Command) -> String {
    let output = output(program);
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
fn an_onnx_network_plays_a_match() {
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

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn a_network_that_cannot_play_is_an_error_of_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(Command::new(python()).arg(package().join("tests/network.py")).arg(path("brandubh.onnx")));
    std::fs::write(path("foreign.onnx"), "not a network").unwrap();
    for (file, variant, message) in [
        ("missing.onnx", "brandubh7", "missing.onnx: no such file"),
        ("foreign.onnx", "brandubh7", "foreign.onnx: not an ONNX model"),
        ("brandubh.onnx", "copenhagen11", "the network doesn't fit the board of Copenhagen"),
    ] {
        let player = format!("uci:{} -m taflbase.onnx {}", python().display(), path(file).display());
        let mut tafl = Command::new(env!("CARGO_BIN_EXE_tafl"));
        let output =
            output(tafl.args(["match", "random", &player]).args(["--variant", variant, "--pairs", "1"]));
        let stderr = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.contains("does not start") && stderr.contains(message), "{stderr}");
        assert!(!stderr.contains("Traceback") && stderr.lines().count() == 1, "{stderr}");
    }
}
