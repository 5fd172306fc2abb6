//! The library as WebAssembly, and the JavaScript that calls it.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// The compiled library.
pub(crate) struct Library {
    /// The WebAssembly module.
    pub(crate) wasm: Vec<u8>,
    /// The script that defines `wasm_bindgen`, the functions of the module.
    pub(crate) glue: String,
}

/// The stack of the library. The search takes up to 1.2 MiB, and linkers reserve 1 MiB.
const STACK: &str = "-Clink-arg=-zstack-size=4194304";

/// The requests that a library answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestSet {
    /// Those of a game viewer, for common notations; compiled for one board width, which fits all variants.
    Viewer,
    /// All, with the engine and every notation.
    All,
}

/// Compiles the library for a set of requests, in the folder `target/browser`.
pub(crate) fn build(root: &Path, requests: RequestSet) -> Result<Library> {
    let target = root.join("target/browser");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    if requests == RequestSet::Viewer {
        command.env("RUSTFLAGS", "--cfg tafl_viewer");
    }
    let status = command
        .args(["rustc", "--release", "--locked", "-p", "tafl-wasm", "--target", "wasm32-unknown-unknown"])
        .arg("--manifest-path")
        .arg(root.join("bindings/wasm/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .args(["--", STACK])
        .status()
        .context("cannot run cargo")?;
    ensure!(
        status.success(),
        "the library was not compiled; add the target with `rustup target add wasm32-unknown-unknown`"
    );
    let out = target.join("glue");
    Bindgen::new()
        .input_path(target.join("wasm32-unknown-unknown/release/tafl_wasm.wasm"))
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&out)?;
    Ok(Library {
        wasm: std::fs::read(out.join("tafl_wasm_bg.wasm"))?,
        glue: std::fs::read_to_string(out.join("tafl_wasm.js"))?,
    })
}
