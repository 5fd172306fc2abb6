//! The fuzz targets: code that reads untrusted bytes, and its properties.
//!
//! `tests/fuzz` runs them with a fuzzer, `tests/suite/seeds.rs` with stored inputs. Each panics if a property is violated.

mod files;
mod questions;
mod records;
mod remote;

/// A fuzz target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of the target in `tests/fuzz/targets`, and of the folder of its seeds.
    pub name: &'static str,
    /// Runs it with bytes.
    pub run: fn(&[u8]),
}

/// Every target.
pub const TARGETS: [Target; 10] = [
    Target { name: "files", run: files::files },
    Target { name: "game", run: records::game },
    Target { name: "position", run: records::position },
    Target { name: "questions", run: questions::questions },
    Target { name: "records", run: records::records },
    Target { name: "remote", run: remote::remote },
    Target { name: "replay", run: records::replay },
    Target { name: "row_lines", run: files::row_lines },
    Target { name: "rules_string", run: records::rules_string },
    Target { name: "writers", run: records::writers },
];

/// Runs the target with a name.
///
/// # Panics
///
/// Panics if the target is unknown, or if a property is violated.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of this name").run)(data);
}
