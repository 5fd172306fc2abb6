//! Tests of the documents: console blocks and examples run, links have targets, and tables have every field.
//!
//! The tests run the program as a process in temporary folders; its crates are not linked.

mod console;
mod examples;
mod links;
mod pictures;
mod sandbox;
mod schemas;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_owned()
}

/// Returns the pages for users, with their paths relative to the root.
fn pages() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "FORMATS.md"].iter().map(PathBuf::from).collect();
    let listed = fs::read_dir(root().join("docs")).unwrap();
    paths.extend(listed.map(|entry| Path::new("docs").join(entry.unwrap().file_name())));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let read = |path: PathBuf| {
        let page = fs::read_to_string(root().join(&path)).unwrap();
        (path.display().to_string().replace('\\', "/"), page)
    };
    paths.into_iter().map(read).collect()
}
