//! The rules that a text names, before they are read: a variant, a rules string, or a file with one.

use std::fs;
use std::path::Path;

use tafl_rules::catalog;

use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

/// The rules that a text names. Equal values name equal rules, because the content of a file is part of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct RulesSource {
    text: String,
    /// The content of the file that the text names; `None` for a variant or a rules string.
    content: Option<String>,
}

impl RulesSource {
    /// Returns the rules that a text names, or if `may_be_file`, those of the file that it names.
    ///
    /// # Errors
    ///
    /// Fails if the text can only name a file, and there is no such file, or it can't be read.
    pub(super) fn of(text: &str, may_be_file: bool) -> Result<RulesSource> {
        let is_file = may_be_file && !is_rules_string(text) && catalog::find(text).is_none();
        let content = if is_file { Some(read_file(text)?) } else { None };
        Ok(RulesSource { text: text.to_owned(), content })
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the content of the file that the text names; `None` for a variant or a rules string.
    pub(super) fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }
}

/// Returns whether a text is a rules string, and not the name of a variant or a file.
pub(crate) fn is_rules_string(text: &str) -> bool {
    text.contains("dim:")
}

/// Returns the question `did you mean ...?` with the similar names; `None` if there are none.
pub(crate) fn did_you_mean(similar: &[&str]) -> Option<String> {
    let names: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Returns the advice on an unknown name: similar names, if there are any, and the command that lists all variants.
pub(crate) fn advice_on_names(similar: Option<String>) -> String {
    let list = "`tafl rules list` lists all variants";
    similar.map_or_else(|| list.to_owned(), |similar| format!("{similar} {list}"))
}

/// Returns the content of a file with rules.
fn read_file(path: &str) -> Result<String> {
    if !Path::new(path).is_file() {
        let (name, advice) = (escape(path), advice_on_names(did_you_mean(&catalog::similar(path))));
        let message = format!("`{name}` is not a variant, a rules string, or a file; {advice}");
        return Err(Error::new(ErrorKind::UnknownVariant, message));
    }
    match fs::read_to_string(path) {
        // Some editors begin a file with a byte order mark.
        Ok(content) => Ok(content.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => Err(Error::new(ErrorKind::Io, format!("{}: {error}", escape(path)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

    #[test]
    fn only_a_text_that_names_nothing_else_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rules.txt");
        fs::write(&file, format!("\u{feff}{RULES}")).unwrap();
        let path = file.to_str().unwrap();
        let content = |text: &str, may_be_file: bool| RulesSource::of(text, may_be_file).unwrap().content;
        assert_eq!(content(path, true).as_deref(), Some(RULES));
        for (text, may_be_file) in [(path, false), (RULES, true), ("brandubh7", true), ("unknown", false)] {
            assert_eq!(content(text, may_be_file), None, "{text}");
        }
        let error = RulesSource::of("brandubx7", true).unwrap_err();
        assert!(error.kind == ErrorKind::UnknownVariant && error.message.contains("or a file"), "{error}");
    }

    #[test]
    fn a_file_names_other_rules_after_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rules.txt");
        let source = |text: &str| {
            fs::write(&file, text).unwrap();
            RulesSource::of(file.to_str().unwrap(), true).unwrap()
        };
        let (one, other) = (source(RULES), source("dim:7"));
        assert_ne!(one, other);
        assert_eq!(one, source(RULES));
    }
}
