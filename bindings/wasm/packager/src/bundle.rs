//! JavaScript modules, joined to one script.
//!
//! It reads the modules of this repository, not every module: an import is one line `import { a, b as c } from "./x.js";`,
//! and an export begins a line, before `function`, `async function`, `class`, `const`, or `let`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Modules in an order in which each follows those that it imports.
#[derive(Default)]
pub(crate) struct Bundle {
    /// The modules without a file, by name.
    generated: BTreeMap<String, String>,
    /// The keys of the modules that were added, each with its number.
    numbers: BTreeMap<PathBuf, usize>,
    script: String,
}

impl Bundle {
    /// Adds a module without a file, which every import of a file of this name means.
    pub(crate) fn generate(&mut self, name: &str, text: String) {
        self.generated.insert(name.to_owned(), text);
    }

    /// Adds a module and those that it imports.
    pub(crate) fn add(&mut self, path: &Path) -> Result<usize> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let (key, text) = match self.generated.get(name) {
            Some(text) => (PathBuf::from(name), text.clone()),
            None => {
                let key = path.canonicalize().with_context(|| path.display().to_string())?;
                let text = std::fs::read_to_string(&key)?;
                (key, text)
            }
        };
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let mut body = String::new();
        let mut exports = Vec::new();
        for line in text.lines() {
            if line.starts_with("import ") {
                let (names, from) = import(line).with_context(|| format!("{}: {line}", key.display()))?;
                let number = self.add(&path.parent().unwrap_or(Path::new("")).join(from))?;
                body += &format!("const {{ {} }} = m{number};\n", names.replace(" as ", ": "));
            } else if let Some(rest) = line.strip_prefix("export ") {
                exports.push(exported(rest).with_context(|| format!("{}: {line}", key.display()))?);
                body += rest;
                body.push('\n');
            } else {
                body += line;
                body.push('\n');
            }
        }
        let number = self.numbers.len();
        self.numbers.insert(key, number);
        self.script +=
            &format!("const m{number} = (() => {{\n{body}return {{ {} }};\n}})();\n", exports.join(", "));
        Ok(number)
    }

    /// Returns the script. It defines no global names, and is ASCII, so that the character encoding of a page doesn't matter.
    pub(crate) fn script(&self) -> String {
        let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", self.script);
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
}

/// Returns the names of an import, and the file.
fn import(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import {")?.split_once('}')?;
    Some((names.trim(), from.trim().strip_prefix("from \"")?.strip_suffix("\";")?))
}

/// Returns the name that a declaration exports.
fn exported(declaration: &str) -> Result<String> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let name = ["function ", "class ", "const ", "let "].iter().find_map(|word| rest.strip_prefix(word));
    let Some(name) = name else { bail!("not a declaration of one name") };
    Ok(name.chars().take_while(|letter| letter.is_alphanumeric() || "_$".contains(*letter)).collect())
}

/// Returns a text as a literal of JavaScript.
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
    fn imports_and_exports_are_read() {
        assert_eq!(import(r#"import { a, b as c } from "./x.js";"#), Some(("a, b as c", "./x.js")));
        assert_eq!(import(r#"import x from "./x.js";"#), None);
        assert_eq!(exported("async function load(a) {").unwrap(), "load");
        assert_eq!(exported("const css = 1;").unwrap(), "css");
        assert!(exported("default 3;").is_err());
    }

    #[test]
    fn modules_follow_those_that_they_import() {
        let mut bundle = Bundle::default();
        bundle.generate("a.js", "import { b } from \"./b.js\";\nexport const a = b + 1;\n".to_owned());
        bundle.generate("b.js", "export const b = 1;\n".to_owned());
        bundle.add(Path::new("a.js")).unwrap();
        let script = bundle.script();
        assert!(script.find("const b = 1").unwrap() < script.find("const a = b + 1").unwrap(), "{script}");
        assert!(script.contains("const { b } = m0;") && !script.contains("export"), "{script}");
    }

    #[test]
    fn a_script_is_ascii() {
        let mut bundle = Bundle::default();
        bundle.generate("a.js", "export const a = \"▶\u{1d306}\";\n".to_owned());
        bundle.add(Path::new("a.js")).unwrap();
        assert!(bundle.script().contains(r#"const a = "\u25b6\ud834\udf06";"#), "{}", bundle.script());
    }

    #[test]
    fn a_literal_has_no_open_end() {
        assert_eq!(text_literal("a`${b}\\"), "`a\\`\\${b}\\\\`");
    }
}
