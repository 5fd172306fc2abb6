//! Makes the npm package: one JavaScript file with the library, the boards, and their styles, and one with the engine.
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
use lzma_rust2::{LzmaOptions, LzmaWriter};

use bundle::text_literal;
use library::{Library, RequestSet};

/// The style sheets, in the order in which they apply.
const STYLES: [&str; 3] = ["web/assets/base.css", "web/assets/board.css", "bindings/wasm/js/elements.css"];

/// The files of the package besides the scripts, which are copied.
const COPIED: [&str; 3] = ["package.json", "README.md", "taflbase.d.ts"];

/// A script of the package.
struct ScriptFile {
    name: &'static str,
    /// The maximum size of the file as servers send it, compressed with gzip, in bytes.
    max_sent: usize,
}

/// The file that pages load: the elements, and the library without the engine.
const VIEWER: ScriptFile = ScriptFile { name: "taflbase.js", max_sent: 400_000 };
/// The file that the viewer loads when it is needed first: the whole library.
const ENGINE: ScriptFile = ScriptFile { name: "taflbase-engine.js", max_sent: 1_100_000 };

fn main() -> Result<()> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the packager is in bindings/wasm");
    let out = std::env::args_os().nth(1).map_or_else(|| root.join("target/npm"), PathBuf::from);
    std::fs::create_dir_all(&out)?;
    VIEWER.write(&out, &viewer(root, &library::build(root, RequestSet::Viewer)?)?)?;
    ENGINE.write(&out, &module(&library::build(root, RequestSet::All)?)?)?;
    for name in COPIED {
        let source = root.join("bindings/wasm/npm").join(name);
        std::fs::copy(&source, out.join(name)).with_context(|| source.display().to_string())?;
    }
    Ok(())
}

impl ScriptFile {
    fn write(&self, out: &Path, script: &str) -> Result<()> {
        let (file, sent) = (out.join(self.name), gzip(script.as_bytes())?.len());
        println!("{}: {} bytes, {sent} as servers send it", file.display(), script.len());
        ensure!(sent <= self.max_sent, "{} has {sent} bytes; the limit is {}", self.name, self.max_sent);
        std::fs::write(&file, script).with_context(|| file.display().to_string())
    }
}

/// Returns the script of the viewer: the modules of `js/` and those of the web pages that they import, without imports.
fn viewer(root: &Path, library: &Library) -> Result<String> {
    let mut css = String::new();
    for style in STYLES {
        css += &std::fs::read_to_string(root.join(style)).with_context(|| style.to_owned())?;
    }
    let generated = format!("{}export const css = {};\n", module(library)?, text_literal(&shadowed(&css)));
    bundle::script(root, "main.js", ("library.js", generated))
}

/// Returns the library as a module, which exports its functions and the packed code.
fn module(library: &Library) -> Result<String> {
    let wasm = BASE64_STANDARD.encode(lzma(&library.wasm)?);
    Ok(format!("{}\nexport const wasm = \"{wasm}\";\nexport const glue = wasm_bindgen;\n", library.glue))
}

/// Returns the style sheet of a page as one of an element: its colors belong to the element instead of the page.
fn shadowed(css: &str) -> String {
    let css = css.replace(r#":root:not([data-theme="light"])"#, r#":host(:not([data-theme="light"]))"#);
    css.replace(r#":root[data-theme="dark"]"#, r#":host([data-theme="dark"])"#).replace(":root", ":host")
}

/// Compresses what `js/lzma.js` decompresses. The code is not aligned, so positions are of no use (`pb`).
fn lzma(bytes: &[u8]) -> Result<Vec<u8>> {
    let options =
        LzmaOptions { lc: 4, pb: 0, nice_len: 273, depth_limit: 1000, ..LzmaOptions::with_preset(9) };
    let mut encoder = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Compresses a file as servers do.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
