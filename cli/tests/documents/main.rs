//! The documents say what is so: their commands run, their links lead somewhere, their tables have every field.
//!
//! The program is started as a process, in folders of its own; nothing of it is linked here.

mod console;
mod examples;
mod links;
mod pictures;
mod sandbox;
mod schemas;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// Returns the pages for users, with their names below the root.
fn pages() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "FORMATS.md"].iter().map(PathBuf::from).collect();
    let listed = fs::read_dir(root().join("docs")).unwrap();
    paths.extend(listed.map(|entry| Path::new("docs").join(entry.unwrap().file_name())));
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let read = |path: PathBuf| {
        let page = fs::read_to_string(root().join(&path)).unwrap();
        (path.display().to_string(), page)
    };
    paths.into_iter().map(read).collect()
}
