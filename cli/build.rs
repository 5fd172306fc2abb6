//! Finds out what the machine has, so that a test that can't run is reported as ignored: a browser for the tests of the web
//! pages, Node for the npm package without pages, generators of clients and libraries of an editor (`TAFL_CLIENTS`) for those
//! of the API and of grammars, the npm package (`TAFL_NPM`) for those of pages that embed games, and a virtual environment
//! (`TAFL_PYTHON`) for those of the Python package. `.ci/run` prepares these folders.

use std::env;
use std::path::Path;

fn main() {
    for (variable, condition) in
        [("TAFL_CLIENTS", "has_clients"), ("TAFL_NPM", "has_npm"), ("TAFL_PYTHON", "has_python")]
    {
        println!("cargo::rustc-check-cfg=cfg({condition})");
        println!("cargo::rerun-if-env-changed={variable}");
        if env::var_os(variable).is_some_and(|folder| Path::new(&folder).is_dir()) {
            println!("cargo::rustc-cfg={condition}");
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for (program, condition) in [("chromedriver", "has_browser"), ("node", "has_node")] {
        println!("cargo::rustc-check-cfg=cfg({condition})");
        let file = env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
        if let Some(file) = file {
            println!("cargo::rerun-if-changed={}", file.display());
            println!("cargo::rustc-cfg={condition}");
        }
    }
}
