//! The structure of the workspace: layers of crates, imports between modules, and cycles.

use super::modules::{ImportGraph, is_nested};
use super::{LAYERS, assert_none, dependency, manifest, root_members, section, sources};

/// Imports that a design decision forbids: modules on the left don't import those on the right, and why.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    (
        "rules::rulebook",
        &["rules::game", "rules::catalog", "rules::sheet"],
        "compiled rules know one position at a time",
    ),
    ("rules::ruleset", &["rules::rulebook", "rules::game"], "rule sets are data"),
    (
        "parser::record",
        &["parser::format", "parser::replay"],
        "a record is what was written, independent of its notation",
    ),
    ("parser::replay", &["parser::repair"], "repair and inference are built on replay"),
    ("parser::format", &["parser::replay", "parser::write"], "parsing knows no rules of play"),
    ("analyzer::eval", &["analyzer::engine", "analyzer::solver"], "an evaluation knows no search"),
    (
        "analyzer::solver",
        &["analyzer::engine", "analyzer::eval"],
        "proofs share only the rules with the engine",
    ),
    (
        "corpus::query",
        &["corpus::index", "corpus::search", "corpus::segment"],
        "a query doesn't know how it is answered",
    ),
    ("corpus::parquet", &["corpus::ingest", "corpus::search"], "tables are the source of truth"),
    ("reports::stats", &["reports::measure", "reports::document"], "statistics know no corpus"),
    ("reports::measure", &["reports::document"], "figures don't know how they are printed"),
    (
        "reports::board",
        &["reports::document", "reports::measure", "reports::plot"],
        "boards do not depend on documents",
    ),
];

/// Cycles that stay, by one module of each, with the reason.
const CYCLES: &[(&str, &str)] = &[
    ("rules::any", "the one list of board widths: the price of naming it once"),
    ("tests::naive::captures", "the naive model's captures are one subject in three files"),
];

#[test]
fn crates_depend_only_on_those_below() {
    let members = root_members();
    for member in &members {
        assert!(LAYERS.contains(&member.as_str()), "{member} has no place among the layers");
    }
    for (level, name) in LAYERS.iter().enumerate() {
        let manifest = manifest(name).unwrap();
        for needed in section(&manifest, "dependencies").iter().map(|line| dependency(line)) {
            let Some(needed) = needed.strip_prefix("tafl-").or((needed == "taflbase").then_some(needed))
            else {
                continue;
            };
            let below = LAYERS.iter().position(|layer| *layer == needed);
            assert!(below.is_some_and(|below| below < level), "{name} depends on {needed}");
            let are_apart = ["analyzer", "corpus"];
            assert!(!(are_apart.contains(name) && are_apart.contains(&needed)), "{name} knows {needed}");
        }
    }
}

#[test]
fn no_module_has_a_forbidden_import() {
    let graph = ImportGraph::of(&sources());
    let is_within = |module: &str, outer: &str| module == outer || module.starts_with(&format!("{outer}::"));
    let mut found = Vec::new();
    for (from, to, reason) in FORBIDDEN {
        let known = |name: &str| graph.imports.keys().any(|module| is_within(module, name));
        for name in to.iter().chain([from]).filter(|name| !known(name)) {
            found.push(format!("the rule about {from} names {name}, which is not a module"));
        }
        for (module, imports) in graph.imports.iter().filter(|(module, _)| is_within(module, from)) {
            let bad = imports.iter().filter(|other| to.iter().any(|to| is_within(other, to)));
            found.extend(bad.map(|other| format!("{module} imports {other}: {reason}")));
        }
    }
    assert_none(found);
}

/// Modules that import each other in a circle can't be understood one at a time. A module and its own parts may.
#[test]
fn imports_have_no_cycles() {
    let graph = ImportGraph::of(&sources());
    // Cycles between siblings or strangers, and cycles that leave the module that contains them.
    let mut cycles = graph.cycles(|from, to| !is_nested(from, to));
    let leaves =
        |cycle: &Vec<String>| !cycle.iter().any(|outer| cycle.iter().all(|module| is_nested(module, outer)));
    for cycle in graph.cycles(|_, _| true).into_iter().filter(leaves) {
        if !cycles.contains(&cycle) {
            cycles.push(cycle);
        }
    }
    let is_known =
        |cycle: &Vec<String>| CYCLES.iter().any(|(module, _)| cycle.iter().any(|member| member == module));
    let stale = CYCLES
        .iter()
        .filter(|(module, _)| !cycles.iter().any(|cycle| cycle.iter().any(|member| member == module)));
    let mut found: Vec<String> =
        stale.map(|(module, _)| format!("{module} is in no cycle: remove it from CYCLES")).collect();
    found.extend(cycles.iter().filter(|cycle| !is_known(cycle)).map(|cycle| cycle.join(" <-> ")));
    assert_none(found);
}
