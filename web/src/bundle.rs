//! Bundles of the scripts: few requests instead of one for each module.
//!
//! Each module becomes a function that returns what it exports; imports are read from an object of all modules. Comments and
//! indentation are left out. The scripts keep to a subset of the module syntax, which tests check: imports of named exports
//! on one line, and `export` before a function, a class, or a constant.

use std::collections::{BTreeMap, BTreeSet};

/// The bundle that every page loads: the modules of the frame, and those of several pages.
pub(crate) const MAIN_BUNDLE: &str = "app.js";
/// The module that starts the pages.
const MAIN_MODULE: &str = "main.js";
/// The least number of pages whose modules are in the bundle of all pages.
const MIN_SHARED: usize = 3;

/// A module: its imports, its exports, and its code without them.
#[derive(Debug, Default)]
struct Module {
    imports: Vec<(String, String)>,
    exports: Vec<String>,
    /// The modules that it loads when they are needed: pages.
    pages: Vec<String>,
    code: String,
}

/// Returns the name of the bundle of a page's module.
pub(crate) fn page_bundle(module: &str) -> String {
    format!("page-{module}")
}

/// Returns the names and the texts of the bundles of modules, which are given by their names and texts.
///
/// # Errors
///
/// Returns the problem if a module has other syntax than expected, or imports a module that is missing or imports itself.
pub(crate) fn bundles(modules: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
    let mut parsed = BTreeMap::new();
    for (name, text) in modules {
        parsed.insert(*name, parse(text).map_err(|problem| format!("{name}: {problem}"))?);
    }
    let reached = |from: &str| {
        let mut order = Vec::new();
        reach(&parsed, from, &mut Vec::new(), &mut order).map(|()| order)
    };
    let mut common: BTreeSet<String> = reached(MAIN_MODULE)?.into_iter().collect();
    let pages: Vec<&String> = parsed.values().flat_map(|module| &module.pages).collect();
    let mut n_pages: BTreeMap<String, usize> = BTreeMap::new();
    for page in &pages {
        reached(page)?.into_iter().for_each(|name| *n_pages.entry(name).or_default() += 1);
    }
    common.extend(n_pages.into_iter().filter(|(_, n)| *n >= MIN_SHARED).map(|(name, _)| name));
    let mut order = Vec::new();
    // The main module comes last, because it runs when the bundle is loaded.
    for name in common.iter().filter(|name| *name != MAIN_MODULE).map(String::as_str).chain([MAIN_MODULE]) {
        reach(&parsed, name, &mut Vec::new(), &mut order)?;
    }
    let mut main = String::from("const m = {};\nexport default m;\n");
    order.iter().for_each(|name| write_module(name, &parsed[name.as_str()], &mut main));
    let mut found = vec![(MAIN_BUNDLE.to_owned(), main)];
    for page in pages {
        let mut text = format!("import m from \"./{MAIN_BUNDLE}\";\nexport default m;\n");
        for name in reached(page)?.iter().filter(|name| !common.contains(*name)) {
            write_module(name, &parsed[name.as_str()], &mut text);
        }
        found.push((page_bundle(page), text));
    }
    Ok(found)
}

/// Adds a module to an order in which every module comes after its imports.
fn reach(
    modules: &BTreeMap<&str, Module>,
    name: &str,
    above: &mut Vec<String>,
    order: &mut Vec<String>,
) -> Result<(), String> {
    if order.iter().any(|done| done == name) {
        return Ok(());
    }
    if above.iter().any(|one| one == name) {
        return Err(format!("{name} imports itself through {}", above.join(", ")));
    }
    let module = modules.get(name).ok_or_else(|| format!("{name} is missing"))?;
    above.push(name.to_owned());
    for (from, _) in &module.imports {
        reach(modules, from, above, order)?;
    }
    above.pop();
    order.push(name.to_owned());
    Ok(())
}

fn write_module(name: &str, module: &Module, out: &mut String) {
    out.push_str(&format!("m[\"{name}\"] ??= (() => {{\n"));
    for (from, names) in &module.imports {
        out.push_str(&format!("const {{{names}}} = m[\"{from}\"];\n"));
    }
    out.push_str(&module.code);
    out.push_str(&format!("return {{{}}};\n}})();\n", module.exports.join(", ")));
}

fn parse(text: &str) -> Result<Module, String> {
    let mut module = Module::default();
    let mut is_comment = false;
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if is_comment {
            is_comment = !line.ends_with("*/");
        } else if line.is_empty() || line.starts_with("//") {
        } else if line.starts_with("import ") {
            module.imports.push(parse_import(line).ok_or_else(|| format!("unexpected import `{line}`"))?);
        } else if let Some(exported) = line.strip_prefix("export ") {
            let name = exported_name(exported).ok_or_else(|| format!("unexpected export `{line}`"))?;
            module.exports.push(name.to_owned());
            module.code.push_str(exported);
            module.code.push('\n');
        } else {
            module.code.push_str(&with_bundles(line, &mut module.pages));
            module.code.push('\n');
        }
    }
    Ok(module)
}

/// Returns the module and the names of `import { a, b as c } from "./x.js";`, in the syntax of destructuring.
fn parse_import(line: &str) -> Option<(String, String)> {
    let (names, from) = line.strip_prefix("import {")?.split_once("} from \"./")?;
    Some((from.strip_suffix("\";")?.to_owned(), names.trim().replace(" as ", ": ")))
}

fn exported_name(declaration: &str) -> Option<&str> {
    let declared = ["async function ", "function ", "class ", "const "]
        .into_iter()
        .find_map(|kind| declaration.strip_prefix(kind))?;
    let end = declared.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')?;
    Some(&declared[..end]).filter(|name| !name.is_empty())
}

/// Returns a line in which dynamic imports of modules are those of their bundles.
fn with_bundles(line: &str, pages: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("import(\"./") {
        let Some((module, end)) = after.split_once("\")") else { break };
        pages.push(module.to_owned());
        out.push_str(&format!(
            "{before}import(\"./{}\").then(({{ default: m }}) => m[\"{module}\"])",
            page_bundle(module)
        ));
        rest = end;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "// Starts.\nimport { show as run } from \"./router.js\";\n\nrun();\n";
    const ROUTER: &str = "import { two } from \"./dom.js\";\n/**\n * Shows.\n */\nexport function show() {\n  \
                          return [two, () => import(\"./one.js\"), () => import(\"./other.js\")];\n}\n";
    const DOM: &str = "export const two = 2;\n";
    const ONE: &str = "import { two } from \"./dom.js\";\nimport { help } from \"./help.js\";\nexport async function open() {\n  help(two);\n}\n";

    #[test]
    fn modules_are_in_the_order_of_their_imports() {
        let other = "import { help } from \"./help.js\";\nexport class Other {}\n";
        let help = "export function help() {}\n";
        let found = bundles(&[
            ("main.js", MAIN),
            ("router.js", ROUTER),
            ("dom.js", DOM),
            ("one.js", ONE),
            ("other.js", other),
            ("help.js", help),
        ])
        .unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["app.js", "page-one.js", "page-other.js"]);
        let expected = "const m = {};\nexport default m;\n\
            m[\"dom.js\"] ??= (() => {\nconst two = 2;\nreturn {two};\n})();\n\
            m[\"router.js\"] ??= (() => {\nconst {two} = m[\"dom.js\"];\nfunction show() {\n\
            return [two, () => import(\"./page-one.js\").then(({ default: m }) => m[\"one.js\"]), \
            () => import(\"./page-other.js\").then(({ default: m }) => m[\"other.js\"])];\n}\nreturn {show};\n})();\n\
            m[\"main.js\"] ??= (() => {\nconst {show: run} = m[\"router.js\"];\nrun();\nreturn {};\n})();\n";
        assert_eq!(found[0].1, expected);
        // A module of two pages is in the bundles of both.
        for (_, text) in &found[1..] {
            assert!(
                text.starts_with("import m from \"./app.js\";\n") && text.contains("m[\"help.js\"] ??="),
                "{text}"
            );
            assert!(!text.contains("m[\"dom.js\"] ??="));
        }
    }

    #[test]
    fn other_syntax_is_rejected() {
        for (line, problem) in [
            ("import x from \"./dom.js\";", "unexpected import"),
            ("export default 3;", "unexpected export"),
            ("export let x = 3;", "unexpected export"),
        ] {
            let error = bundles(&[("main.js", line), ("dom.js", DOM)]).unwrap_err();
            assert!(error.starts_with("main.js: ") && error.contains(problem), "{error}");
        }
        let missing = bundles(&[("main.js", "import { a } from \"./b.js\";")]).unwrap_err();
        assert_eq!(missing, "b.js is missing");
        let circular = bundles(&[
            ("main.js", "import { a } from \"./b.js\";"),
            ("b.js", "import { c } from \"./main.js\";\nexport const a = 1;"),
        ]);
        assert!(circular.unwrap_err().contains("imports itself"));
    }
}
