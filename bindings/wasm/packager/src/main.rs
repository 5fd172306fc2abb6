//! Makes the npm package: one JavaScript file with the library, the boards, and their styles.
//!
//! `cargo run --manifest-path bindings/wasm/Cargo.toml -p tafl-packager [FOLDER]` writes it to a folder, by default
//! `target/npm`. It needs the target `wasm32-unknown-unknown` (`rustup target add wasm32-unknown-unknown`).

mod bundle;
mod library;
#[path = "../../../../web/src/script_module.rs"]
mod script_module;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use bundle::text_literal;

/// The maximum size of the file as servers send it, in bytes.
const MAX_COMPRESSED: usize = 850_000;

/// The style sheets, in the order in which they apply.
const STYLES: [&str; 3] = ["web/assets/base.css", "web/assets/board.css", "bindings/wasm/js/elements.css"];

/// The files of the package besides the script, which are copied.
const COPIED: [&str; 3] = ["package.json", "README.md", "taflbase.d.ts"];

fn main() -> Result<()> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the packager is in bindings/wasm");
    let out = std::env::args_os().nth(1).map_or_else(|| root.join("target/npm"), PathBuf::from);
    std::fs::create_dir_all(&out)?;
    let library = library::build(root)?;
    let script = script(root, &library)?;
    let size = compress(script.as_bytes())?.len();
    ensure!(size <= MAX_COMPRESSED, "taflbase.js has {size} bytes compressed; the limit is {MAX_COMPRESSED}");
    let file = out.join("taflbase.js");
    std::fs::write(&file, &script)?;
    for name in COPIED {
        let source = root.join("bindings/wasm/npm").join(name);
        std::fs::copy(&source, out.join(name)).with_context(|| source.display().to_string())?;
    }
    println!("{}: {} bytes, {size} compressed", file.display(), script.len());
    Ok(())
}

/// Returns the script: the modules of `js/` and those of the web pages that they import, without imports.
fn script(root: &Path, library: &library::Library) -> Result<String> {
    let mut css = String::new();
    for style in STYLES {
        css += &std::fs::read_to_string(root.join(style)).with_context(|| style.to_owned())?;
    }
    let wasm = BASE64_STANDARD.encode(compress(&library.wasm)?);
    let generated = format!(
        "{}\nexport const css = {};\nexport const wasm = \"{wasm}\";\nexport const glue = wasm_bindgen;\n",
        library.glue,
        text_literal(&shadowed(&css)),
    );
    bundle::script(root, "main.js", ("library.js", generated))
}

/// Returns the style sheet of a page as one of an element: its colors belong to the element instead of the page.
fn shadowed(css: &str) -> String {
    let css = css.replace(r#":root:not([data-theme="light"])"#, r#":host(:not([data-theme="light"]))"#);
    css.replace(r#":root[data-theme="dark"]"#, r#":host([data-theme="dark"])"#).replace(":root", ":host")
}

fn compress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
