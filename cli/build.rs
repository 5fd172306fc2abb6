//! Finds out what the machine has, so that a test that can't run is reported as ignored: a browser for the tests of the web
//! pages, and generators of clients (`TAFL_CLIENTS`, a folder that `.ci/run` prepares) for those of the API.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_clients)");
    println!("cargo::rerun-if-env-changed=TAFL_CLIENTS");
    if env::var_os("TAFL_CLIENTS").is_some_and(|folder| Path::new(&folder).is_dir()) {
        println!("cargo::rustc-cfg=has_clients");
    }
    println!("cargo::rustc-check-cfg=cfg(has_browser)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    let driver =
        env::split_paths(&path).map(|folder| folder.join("chromedriver")).find(|file| file.is_file());
    if let Some(driver) = driver {
        println!("cargo::rerun-if-changed={}", driver.display());
        println!("cargo::rustc-cfg=has_browser");
    }
}
