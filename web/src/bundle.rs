//! Bundles of the scripts: few requests instead of one for each module.
//!
//! A bundle has the modules of a page in the order of their imports. Those of several pages are in the bundle of all pages.

use std::collections::{BTreeMap, BTreeSet};

use super::script_module::{ScriptModule, add_imports_first};

/// The bundle that every page loads: the modules of the frame, and those of several pages.
pub(crate) const MAIN_BUNDLE: &str = "app.js";
/// The module that starts the pages.
const MAIN_MODULE: &str = "main.js";
/// The least number of pages whose modules are in the bundle of all pages.
const MIN_SHARED: usize = 3;

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
    // The modules that are loaded when they are needed.
    let mut pages = Vec::new();
    for (name, text) in modules {
        let mut module = ScriptModule::parse(text).map_err(|problem| format!("{name}: {problem}"))?;
        module.code = with_bundles(&module.code, &mut pages);
        parsed.insert((*name).to_owned(), module);
    }
    let reached = |from: &str| {
        let mut order = Vec::new();
        add_imports_first(&parsed, from, &mut Vec::new(), &mut order).map(|()| order)
    };
    let mut common: BTreeSet<String> = reached(MAIN_MODULE)?.into_iter().collect();
    let mut n_pages: BTreeMap<String, usize> = BTreeMap::new();
    for page in &pages {
        reached(page)?.into_iter().for_each(|name| *n_pages.entry(name).or_default() += 1);
    }
    common.extend(n_pages.into_iter().filter(|(_, n)| *n >= MIN_SHARED).map(|(name, _)| name));
    let mut order = Vec::new();
    // The main module comes last, because it runs when the bundle is loaded.
    for name in common.iter().filter(|name| *name != MAIN_MODULE).map(String::as_str).chain([MAIN_MODULE]) {
        add_imports_first(&parsed, name, &mut Vec::new(), &mut order)?;
    }
    let mut main = String::from("const m = {};\nexport default m;\n");
    order.iter().for_each(|name| parsed[name.as_str()].write(name, &mut main));
    let mut found = vec![(MAIN_BUNDLE.to_owned(), main)];
    for page in &pages {
        let mut text = format!("import m from \"./{MAIN_BUNDLE}\";\nexport default m;\n");
        for name in reached(page)?.iter().filter(|name| !common.contains(*name)) {
            parsed[name.as_str()].write(name, &mut text);
        }
        found.push((page_bundle(page), text));
    }
    Ok(found)
}

/// Returns code in which dynamic imports of modules are those of their bundles.
fn with_bundles(code: &str, pages: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("import(\"./") {
        let Some((module, end)) = after.split_once("\")") else { break };
        // Several addresses may have the same page.
        if !pages.iter().any(|page| page == module) {
            pages.push(module.to_owned());
        }
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
