//! The README shows what the program really writes.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Ran, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned()
}

/// A command of the README and the lines below it; `...` stands for any number of lines.
struct Shown<'t> {
    command: &'t str,
    lines: Vec<&'t str>,
}

fn commands(text: &str) -> Vec<Shown<'_>> {
    let mut shown: Vec<Shown<'_>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        match (is_inside, line.strip_prefix("$ tafl ")) {
            (false, _) => is_inside = line == "```console",
            (true, _) if line == "```" => is_inside = false,
            (true, Some(command)) => shown.push(Shown { command, lines: Vec::new() }),
            (true, None) => shown.last_mut().expect("a command comes first").lines.push(line),
        }
    }
    shown
}

/// Runs a command of the README; paths below `games` lie in the folder of the samples.
fn run_in(folder: &Path, command: &str) -> Ran {
    let path = |word: &str| match word.starts_with("games") {
        true => folder.join(word).display().to_string(),
        false => word.to_owned(),
    };
    // What stands in quotes is one word.
    let parts = command.split('"').enumerate();
    let words: Vec<String> = parts
        .flat_map(|(nth, part)| match nth % 2 {
            0 => part.split(' ').filter(|word| !word.is_empty()).map(path).collect(),
            _ => vec![part.to_owned()],
        })
        .collect();
    run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns whether lines are as shown.
fn fits(shown: &[&str], real: &[&str]) -> bool {
    match (shown, real) {
        ([], []) => true,
        (["...", rest @ ..], real) => (0..=real.len()).any(|skipped| fits(rest, &real[skipped..])),
        ([line, shown @ ..], [real_line, real @ ..]) => line == real_line && fits(shown, real),
        ([], _) | (_, []) => false,
    }
}

#[test]
fn every_command_writes_what_the_readme_shows() {
    let folder = tempfile::tempdir().unwrap();
    run(&["demo", folder.path().to_str().unwrap()]);
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let commands = commands(&readme);
    assert!(commands.len() > 6);
    for Shown { command, lines } in commands {
        let ran = run_in(folder.path(), command);
        let real = ran.text().replace(&format!("{}/", folder.path().display()), "");
        let real: Vec<&str> = real.lines().collect();
        assert!(fits(&lines, &real), "tafl {command}\nreally writes\n{}\n{}", real.join("\n"), ran.stderr);
    }
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    let folder = tempfile::tempdir().unwrap();
    run(&["demo", folder.path().to_str().unwrap()]);
    for (name, game) in
        [("copenhagen.svg", "games/copenhagen.otg:1"), ("hexentafl.svg", "games/hexentafl.skud:2")]
    {
        let ran = run_in(folder.path(), &format!("show {game} --format svg"));
        let path = root().join("docs/img").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &ran.stdout).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == ran.text(), "docs/img/{name} is stale: run this test with UPDATE=1");
    }
}

#[test]
fn every_notation_stands_in_the_readme() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for format in tafl_parser::Format::ALL {
        let written = if format.is_writable() { "| yes | yes |" } else { "| yes | |" };
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{format}` |")));
        assert!(row.is_some_and(|row| row.ends_with(written)), "{format}: {row:?}");
    }
}

#[test]
fn every_key_of_the_catalog_stands_in_the_glossary() {
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
