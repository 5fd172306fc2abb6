//! The list of what is linked into the program, `docs/licences.md`, and that everybody may pass it on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Licences that ask for no more than that their text and the names of their authors are passed on.
const ALLOWED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

const HEAD: &str = "\
# Licences of what is linked into `tafl`

This page is made from the packages that Cargo links into the program for Linux on x86-64
(`UPDATE=1 cargo test -p tafl-cli --test tools licences`); a test keeps it true, and fails when a package has a licence that is
not among those that ask for no more than attribution. Taflbase itself is under MIT or Apache-2.0, as you like. Procedural
macros and build scripts run while the program is built and are not in it.

Who passes on a binary passes on, beside it, the licence texts and copyright notices of these packages. They lie in the
packages' sources: `cargo vendor` puts all of them into a folder, where they are the files `LICENSE*`, `COPYING*`, `NOTICE*` and
`UNLICENSE`. A binary without the database (`--no-default-features`) has only the packages with a star. What is not a package:
zstd (BSD-3-Clause) and lz4 (BSD-2-Clause) in C inside `zstd-sys` and `lz4-sys`, parts of BoringSSL (Apache-2.0, ISC, MIT)
inside `ring`, Rust's standard library (MIT or Apache-2.0), and the font `TaflbaseSans`, a subset of DejaVu Sans, whose licence
is `reports/assets/TaflbaseSans-LICENSE.txt`.
";

/// A package: its name and version.
type Package = String;

/// Returns the packages that are linked with these features, with their licences as the packages say them.
fn linked(features: &[&str]) -> BTreeMap<Package, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["tree", "--locked", "--package", "tafl-cli", "--edges", "normal,no-proc-macro"]);
    cargo.args(["--target", "x86_64-unknown-linux-gnu", "--prefix", "none", "--format", "{p}\t{l}"]);
    let output = cargo.args(features).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes text");
    let packages = text.lines().filter_map(|line| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('\t')?;
        let package = package.split(" (").next().unwrap_or(package);
        (!package.starts_with("tafl-"))
            .then(|| (package.to_owned(), licence.replace('/', " OR ").replace("  ", " ")))
    });
    packages.collect()
}

/// Returns whether a licence, as a package says it, leaves a choice of allowed ones for each of its parts.
fn is_allowed(licence: &str) -> bool {
    licence.split(" AND ").all(|part| {
        let part = part.trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").any(|choice| ALLOWED.contains(&choice.trim()))
    })
}

fn page(all: &BTreeMap<Package, String>, slim: &BTreeMap<Package, String>) -> String {
    let mut by_licence: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (package, licence) in all {
        let star = if slim.contains_key(package) { "*" } else { "" };
        by_licence.entry(licence).or_default().push(format!("{}{star}", package.replacen(" v", " ", 1)));
    }
    let mut out = HEAD.to_owned();
    let _ = writeln!(out, "\n{} packages, {} of them without the database.", all.len(), slim.len());
    for (licence, packages) in by_licence {
        let _ = write!(out, "\n## {licence}\n\n{}\n", packages.join(", ").replace('*', "\\*"));
    }
    out
}

#[test]
fn every_linked_package_is_listed_with_an_allowed_licence() {
    let (all, slim) = (linked(&[]), linked(&["--no-default-features"]));
    let strange: Vec<_> = all.iter().filter(|(_, licence)| !is_allowed(licence)).collect();
    assert!(strange.is_empty(), "unchecked licences: {strange:?}");
    let page = page(&all, &slim);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/licences.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "docs/licences.md is stale: run this test with UPDATE=1");
}

#[test]
fn each_part_of_a_licence_must_be_allowed() {
    assert!(
        is_allowed("MIT")
            && is_allowed("GPL-3.0 OR MIT")
            && is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0")
    );
    assert!(!is_allowed("GPL-3.0") && !is_allowed("MIT AND GPL-3.0") && !is_allowed(""));
}
