//! Modules of scripts, as functions that return what they export.
//!
//! Imports are read from an object of all modules. Comments and indentation are left out. The scripts keep to a subset of the
//! module syntax, which tests check: imports of named exports on one line, and `export` before a function, a class, or a
//! constant. The name of a module is that of its file.
//!
//! The packager of `bindings/wasm` compiles this file, too.

use std::collections::BTreeMap;

/// A module: its imports, its exports, and its code without them.
#[derive(Debug, Default)]
pub(crate) struct ScriptModule {
    /// The modules that it imports, each with the names, in the syntax of destructuring.
    pub(crate) imports: Vec<(String, String)>,
    /// The names that it exports.
    pub(crate) exports: Vec<String>,
    /// The code without imports, exports, and comments.
    pub(crate) code: String,
}

impl ScriptModule {
    /// Reads the text of a module.
    ///
    /// # Errors
    ///
    /// Returns the problem if the text has other syntax than expected.
    pub(crate) fn parse(text: &str) -> Result<ScriptModule, String> {
        let mut module = ScriptModule::default();
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
                module.code.push_str(line);
                module.code.push('\n');
            }
        }
        Ok(module)
    }

    /// Writes the module as a member of the object `m` of all modules.
    pub(crate) fn write(&self, name: &str, out: &mut String) {
        out.push_str(&format!("m[\"{name}\"] ??= (() => {{\n"));
        for (from, names) in &self.imports {
            out.push_str(&format!("const {{{names}}} = m[\"{from}\"];\n"));
        }
        out.push_str(&self.code);
        out.push_str(&format!("return {{{}}};\n}})();\n", self.exports.join(", ")));
    }
}

/// Adds a module to modules in topological order: every module comes after its imports.
///
/// # Errors
///
/// Returns the problem if a module is missing or imports itself.
pub(crate) fn add_imports_first(
    modules: &BTreeMap<String, ScriptModule>,
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
        add_imports_first(modules, from, above, order)?;
    }
    above.pop();
    order.push(name.to_owned());
    Ok(())
}

/// Returns the module and the names of `import { a, b as c } from "./x.js";`.
fn parse_import(line: &str) -> Option<(String, String)> {
    let (names, from) = line.strip_prefix("import {")?.split_once("} from \"")?;
    let (_, file) = from.strip_suffix("\";")?.rsplit_once('/')?;
    Some((file.to_owned(), names.trim().replace(" as ", ": ")))
}

fn exported_name(declaration: &str) -> Option<&str> {
    let declared = ["async function ", "function ", "class ", "const "]
        .into_iter()
        .find_map(|kind| declaration.strip_prefix(kind))?;
    let end = declared.find(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')?;
    Some(&declared[..end]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_exports_are_read() {
        let module = ScriptModule::parse(
            "import { a, b as c } from \"../../web/assets/x.js\";\n// Two.\nexport const two = 2;\n  run();\n",
        )
        .unwrap();
        assert_eq!(module.imports, [("x.js".to_owned(), "a, b: c".to_owned())]);
        assert_eq!(module.exports, ["two"]);
        assert_eq!(module.code, "const two = 2;\nrun();\n");
        for line in ["import x from \"./dom.js\";", "export default 3;", "export let x = 3;"] {
            let problem = ScriptModule::parse(line).unwrap_err();
            assert!(problem.starts_with("unexpected") && problem.contains(line), "{problem}");
        }
    }
}
