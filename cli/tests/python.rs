//! Runs the tests of the Python package in the virtual environment `TAFL_PYTHON`, with the library that was copied into the package.

use std::path::Path;
use std::process::Command;

#[test]
#[cfg_attr(not(has_python), ignore = "TAFL_PYTHON is not set")]
fn the_tests_of_the_python_package_pass() {
    let environment = std::env::var_os("TAFL_PYTHON").expect("TAFL_PYTHON is a virtual environment");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bindings/python");
    let output = Command::new(Path::new(&environment).join("bin/python"))
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONPATH", folder.join("python"))
        .current_dir(&folder)
        .output()
        .expect("the environment has Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
