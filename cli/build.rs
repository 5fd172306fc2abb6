//! Finds out whether the tests of the web pages can open a browser; without one they are reported as ignored.

use std::env;

fn main() {
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
