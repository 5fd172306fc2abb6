//! No page names a command that does not exist, and lists in pages are complete.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// Returns the words of a line as a shell has them, up to a comment, a pipe or a redirection.
pub(super) fn shell_words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut is_inside) = (None, false);
    for symbol in line.chars() {
        match (quote, symbol) {
            (Some(mark), _) if symbol == mark => quote = None,
            (None, '"' | '\'') => {
                quote = Some(symbol);
                if !std::mem::replace(&mut is_inside, true) {
                    words.push(String::new());
                }
            }
            (None, '#') if !is_inside => break,
            (None, '|' | '>' | ';' | '&' | '<') => break,
            (None, ' ') => is_inside = false,
            (_, _) => {
                if !std::mem::replace(&mut is_inside, true) {
                    words.push(String::new());
                }
                words.last_mut().expect("a word was begun").push(symbol);
            }
        }
    }
    words
}

/// Returns every command line of a page that begins with the program's name, continued lines joined.
fn command_lines(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let mut is_inside = false;
    let mut found = Vec::new();
    for line in joined.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            is_inside = !is_inside && ["", "sh", "console", "text"].contains(&kind);
            continue;
        }
        // In a list of commands, what each does stands behind many blanks.
        let command = line.strip_prefix("$ ").unwrap_or(line);
        let command = command.split("    ").next().unwrap_or(command);
        if is_inside && command.starts_with("tafl ") {
            found.push(command.to_owned());
        }
    }
    found
}

#[test]
fn every_command_line_of_the_documents_is_understood() {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md"), root().join("FORMATS.md")];
    pages.extend(fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut n_lines = 0;
    let mut wrong = Vec::new();
    for page in pages.into_iter().filter(|page| page.extension().is_some_and(|ending| ending == "md")) {
        for line in command_lines(&fs::read_to_string(&page).unwrap()) {
            n_lines += 1;
            // Words in capitals and dots stand for something, and what is in brackets may be left out.
            let words = shell_words(&line);
            if words.iter().any(|word| word.contains("...") || word.starts_with('[')) {
                continue;
            }
            if let Err(why) = tafl_cli::check_args(&words) {
                wrong.push(format!("{}: {line}\n{why}", page.display()));
            }
        }
    }
    assert!(n_lines > 60, "{n_lines}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_notation_is_in_the_table_of_formats() {
    let page = fs::read_to_string(root().join("FORMATS.md")).unwrap();
    for format in tafl_parser::Format::ALL {
        let written = if format.is_writable() { "| yes | yes |" } else { "| yes | |" };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{format}` |")));
        assert!(row.is_some_and(|row| row.contains(written)), "{format}: {row:?}");
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains("twelve notations") && tafl_parser::Format::ALL.len() == 12);
}

#[test]
fn every_key_of_the_catalog_is_in_the_glossary() {
    let glossary = fs::read_to_string(root().join("GLOSSARY.md")).unwrap();
    for variant in tafl_rules::catalog::all() {
        for word in variant.text.split(' ') {
            let key = word.split(':').next().unwrap();
            // The cells of a kind share their endings.
            let shared = ["cen", "afor", "dfor"].iter().find_map(|zone| {
                key.strip_prefix(zone).filter(|ending| ["h", "p", "s", "re"].contains(ending))
            });
            let key = shared.map_or_else(|| key.to_owned(), |ending| format!("cor{ending}"));
            assert!(glossary.contains(&format!("`{key}`")), "`{key}` of {}", variant.name);
        }
    }
}
