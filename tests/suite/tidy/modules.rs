//! The modules of a crate and their imports, read from the sources.

use std::collections::{BTreeMap, BTreeSet};

/// A module: the crate's folder and the path in it, such as `rules::game::track`.
pub(super) type Module = String;

/// The imports between the modules of the workspace, without those of tests.
pub(super) struct ImportGraph {
    /// The modules that a module names, by module. A crate's root is left out: it names everything.
    pub(super) imports: BTreeMap<Module, BTreeSet<Module>>,
}

/// Returns the module of a source file, such as `rules/src/game/track.rs`, or `None` for roots, tests, and examples.
fn module_of(path: &str) -> Option<Module> {
    let (folder, file) = path.strip_suffix(".rs")?.split_once("/src/")?;
    let mut parts: Vec<&str> = file.split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    let is_root = matches!(parts[..], ["lib" | "main"]) || parts.first() == Some(&"bin");
    let is_test = parts.contains(&"tests") || folder.contains('/');
    (!is_root && !is_test).then(|| format!("{folder}::{}", parts.join("::")))
}

/// Returns the code of a file without comments, and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Adds the paths that a tree of imports, such as `a::{b, c::D}`, names below `prefix`, and returns what follows it.
fn add_paths<'t>(mut text: &'t str, prefix: &[&'t str], paths: &mut Vec<Vec<&'t str>>) -> &'t str {
    let mut path = prefix.to_vec();
    loop {
        text = text.trim_start();
        if let Some(inner) = text.strip_prefix('{') {
            text = inner;
            loop {
                text = text.trim_start();
                if let Some(rest) = text.strip_prefix('}') {
                    return rest;
                }
                let before = text.len();
                text = add_paths(text, &path, paths).trim_start();
                text = text.strip_prefix(',').unwrap_or(text);
                if text.len() == before {
                    return text;
                }
            }
        }
        let end = text.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_').unwrap_or(text.len());
        if end > 0 {
            path.push(&text[..end]);
        }
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) if end > 0 => text = rest,
            _ => break,
        }
    }
    paths.push(path);
    text
}

impl ImportGraph {
    /// Reads the imports of source files, given as paths with their texts.
    pub(super) fn of(sources: &[(String, String)]) -> ImportGraph {
        let texts: BTreeMap<Module, &str> =
            sources.iter().filter_map(|(path, text)| Some((module_of(path)?, text.as_str()))).collect();
        let imports = texts.iter().map(|(module, text)| {
            let code = code(text);
            let named = imported(module, &code).into_iter().filter_map(|path| {
                // The longest part of the path that is a module.
                let known = (2..=path.len()).rev().map(|end| path[..end].join("::"));
                known.into_iter().find(|path| texts.contains_key(path))
            });
            (module.clone(), named.filter(|other| other != module).collect())
        });
        ImportGraph { imports: imports.collect() }
    }

    /// Returns the groups of modules that import each other in circles, following the imports for which `counts` is true.
    pub(super) fn cycles(&self, counts: impl Fn(&str, &str) -> bool) -> Vec<Vec<Module>> {
        let reach = |start: &Module| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![start]);
            while let Some(module) = left.pop() {
                for next in self.imports.get(module).into_iter().flatten() {
                    if counts(module, next) && seen.insert(next.clone()) {
                        left.push(next);
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            self.imports.keys().map(|module| (module, reach(module))).collect();
        let mut groups: BTreeSet<Vec<Module>> = BTreeSet::new();
        for (module, others) in &reached {
            let group: Vec<Module> = others
                .iter()
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(*module)))
                .cloned()
                .collect();
            if group.len() > 1 {
                groups.insert(group);
            }
        }
        groups.into_iter().collect()
    }
}

/// Returns the paths of the same crate that the code of a module names, each with the crate first.
fn imported<'c>(module: &'c str, code: &'c str) -> Vec<Vec<&'c str>> {
    let own: Vec<&str> = module.split("::").collect();
    let mut paths = Vec::new();
    for (anchor, base) in [("crate::", &own[..1]), ("self::", &own[..]), ("super::", &own[..own.len() - 1])] {
        for (at, _) in code.match_indices(anchor) {
            let before = code[..at].chars().next_back();
            let continues =
                before.is_some_and(|symbol| symbol.is_alphanumeric() || symbol == '_' || symbol == ':');
            if continues {
                continue;
            }
            let (mut rest, mut base) = (&code[at + anchor.len()..], base.to_vec());
            while let (true, Some(further)) = (anchor == "super::", rest.strip_prefix("super::")) {
                rest = further;
                base.pop();
            }
            if !base.is_empty() {
                add_paths(rest, &base, &mut paths);
            }
        }
    }
    paths
}

/// Returns whether one of two modules contains the other.
pub(super) fn is_nested(one: &str, other: &str) -> bool {
    let below =
        |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"));
    one == other || below(one, other) || below(other, one)
}

#[test]
fn imports_are_read_from_trees() {
    let files = [
        ("a/src/lib.rs", "mod b; mod c; mod d;"),
        ("a/src/b.rs", "use crate::{c::{Deep, inner::X}, d};\nfn f() { super::d::go() }"),
        ("a/src/c.rs", "// use crate::d::No\nuse super::b::B;\n#[cfg(test)]\nmod tests {\nuse crate::d;\n}"),
        ("a/src/c/inner.rs", "use super::super::d::D;"),
        ("a/src/d.rs", ""),
    ];
    let graph = ImportGraph::of(&files.map(|(path, text)| (path.to_owned(), text.to_owned())));
    let of = |module: &str| graph.imports[module].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("a::b"), ["a::c", "a::c::inner", "a::d"]);
    assert_eq!(of("a::c"), ["a::b"]);
    assert_eq!(of("a::c::inner"), ["a::d"]);
    assert_eq!(graph.cycles(|_, _| true), [["a::b", "a::c"]]);
    assert!(is_nested("a::c", "a::c::inner") && !is_nested("a::c", "a::cc"));
}
