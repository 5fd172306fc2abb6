//! The modules of the package, joined to one script.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::script_module::{ScriptModule, add_imports_first};

/// The folders of the modules; a module is the file in the first folder that has it.
const FOLDERS: [&str; 2] = ["bindings/wasm/js", "web/assets"];

/// Returns the script of a module and those that it imports. `generated` is the name and the text of a module without a file.
///
/// The script defines no global names, and is ASCII, so that the character encoding of a page doesn't matter.
pub(crate) fn script(root: &Path, main: &str, generated: (&str, String)) -> Result<String> {
    let mut modules = BTreeMap::new();
    let mut missing = vec![main.to_owned()];
    while let Some(name) = missing.pop() {
        if modules.contains_key(&name) {
            continue;
        }
        let text = if name == generated.0 { generated.1.clone() } else { read(root, &name)? };
        let module = ScriptModule::parse(&text).map_err(|problem| anyhow!("{name}: {problem}"))?;
        missing.extend(module.imports.iter().map(|(from, _)| from.clone()));
        modules.insert(name, module);
    }
    let mut order = Vec::new();
    add_imports_first(&modules, main, &mut Vec::new(), &mut order).map_err(|problem| anyhow!(problem))?;
    let mut script = String::from("(() => {\n\"use strict\";\nconst m = {};\n");
    order.iter().for_each(|name| modules[name].write(name, &mut script));
    Ok(ascii(&(script + "})();\n")))
}

fn read(root: &Path, name: &str) -> Result<String> {
    let file = FOLDERS.iter().map(|folder| root.join(folder).join(name)).find(|file| file.is_file());
    let file = file.with_context(|| format!("{name} is missing"))?;
    std::fs::read_to_string(&file).with_context(|| file.display().to_string())
}

fn ascii(script: &str) -> String {
    let mut ascii = String::with_capacity(script.len());
    for letter in script.chars() {
        if letter.is_ascii() {
            ascii.push(letter);
        } else {
            let units = &mut [0; 2];
            letter.encode_utf16(units).iter().for_each(|unit| ascii += &format!("\\u{unit:04x}"));
        }
    }
    ascii
}

/// Returns a text as a JavaScript literal.
pub(crate) fn text_literal(text: &str) -> String {
    let mut literal = String::from("`");
    for letter in text.chars() {
        if matches!(letter, '`' | '\\' | '$') {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal + "`"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_follow_those_that_they_import() {
        let folder = std::env::temp_dir().join(format!("tafl-packager-{}", std::process::id()));
        for (file, text) in [
            (
                "bindings/wasm/js/a.js",
                "import { b } from \"../../../web/assets/b.js\";\nexport const a = b + \"▶\u{1d306}\";\n",
            ),
            ("web/assets/b.js", "import { c } from \"./c.js\";\nexport const b = c;\n"),
        ] {
            let file = folder.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let found = script(&folder, "a.js", ("c.js", "export const c = 1;\n".to_owned()));
        let missing = script(&folder, "a.js", ("d.js", String::new()));
        std::fs::remove_dir_all(&folder).unwrap();
        let found = found.unwrap();
        let place = |part: &str| found.find(part).unwrap();
        assert!(
            place("const c = 1") < place("const b = c") && place("const b = c") < place("const a"),
            "{found}"
        );
        assert!(found.contains(r#"b + "\u25b6\ud834\udf06";"#) && !found.contains("export"), "{found}");
        assert_eq!(missing.unwrap_err().to_string(), "c.js is missing");
    }

    #[test]
    fn a_literal_has_no_open_end() {
        assert_eq!(text_literal("a`${b}\\"), "`a\\`\\${b}\\\\`");
    }
}
