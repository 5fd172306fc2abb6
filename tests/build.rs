//! Detects the available archives, so that a test that can't run is reported as ignored, with a reason, and never as passed.
//!
//! Such a test has the attribute `#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]`.

use std::env;
use std::path::Path;

/// Declares a condition for `cfg`, and sets it if it holds.
fn condition(name: &str, holds: bool) {
    println!("cargo::rustc-check-cfg=cfg({name})");
    if holds {
        println!("cargo::rustc-cfg={name}");
    }
}

fn main() {
    for (name, variable) in [("has_records", "TAFL_RECORDS"), ("has_oracle", "TAFL_ORACLE")] {
        println!("cargo::rerun-if-env-changed={variable}");
        condition(name, env::var_os(variable).is_some_and(|folder| Path::new(&folder).is_dir()));
    }
    println!("cargo::rerun-if-changed=build.rs");
}
