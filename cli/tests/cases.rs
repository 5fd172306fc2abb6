//! Runs every case in `tests/fixtures/cli` in process and compares its output.
//!
//! A case is a text file of sections. Each section starts with a line that begins with `== `:
//!
//! ```text
//! The purpose of the case, in a sentence.
//! == file games.csv          an input file
//! == gzip games.csv.gz       the same, compressed; `gzip 20 games.csv.gz` keeps only 20 bytes
//! == bytes junk.bin          a file given as hexadecimal bytes
//! == stdin                   standard input
//! == first import ./corpus ./games.csv  a command to run before; it must succeed
//! == run validate ./games.csv  the command line; paths that begin with `./` are in the case's folder
//! == stdout                  expected output, as are all sections below
//! == stderr
//! == after out/games.otg     a new or changed file; all of them must be listed
//! == exit 1
//! ```
//!
//! `UPDATE=1 cargo test -p tafl-cli --test cases` writes the actual output into the cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use tafl_cli::{Exit, Io, run};

/// A case: its input sections, and the text of its expected sections.
struct CliCase {
    title: String,
    inputs: Vec<(String, String)>,
    expected: String,
}

impl CliCase {
    fn read(text: &str) -> CliCase {
        let (title, rest) = text.split_once("== ").expect("a case has sections");
        let mut case = CliCase { title: title.to_owned(), inputs: Vec::new(), expected: String::new() };
        let mut is_expected = false;
        for section in rest.strip_suffix('\n').unwrap_or(rest).split("\n== ") {
            let (head, body) = match section.split_once('\n') {
                Some((head, body)) => (head, format!("{body}\n")),
                None => (section, String::new()),
            };
            is_expected |= head == "stdout";
            if is_expected {
                let _ = write!(case.expected, "== {head}\n{body}");
            } else {
                case.inputs.push((head.to_owned(), body));
            }
        }
        case
    }

    fn write(&self, found: &str) -> String {
        let mut out = self.title.clone();
        for (head, body) in &self.inputs {
            let _ = write!(out, "== {head}\n{body}");
        }
        out + found
    }
}

/// Returns a text with a final line feed, unless it is empty.
fn with_line_feed(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Creates the files of a case, runs its command, and returns the actual output sections.
fn actual_output(case: &CliCase) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let root = folder.path();
    let mut args = vec!["tafl".to_owned()];
    let mut stdin = Vec::new();
    for (head, text) in &case.inputs {
        match head.split_once(' ').unwrap_or((head, "")) {
            ("file", name) => write_file(&root.join(name), text.as_bytes()),
            ("gzip", name) => {
                let (max_bytes, name) = match name.split_once(' ') {
                    Some((max_bytes, name)) => (max_bytes.parse().expect("a number of bytes"), name),
                    None => (usize::MAX, name),
                };
                let compressed = gzip(text.as_bytes());
                write_file(&root.join(name), &compressed[..compressed.len().min(max_bytes)]);
            }
            ("bytes", name) => write_file(&root.join(name), &hex(text)),
            ("stdin", _) => stdin = text.clone().into_bytes(),
            ("first", line) => run_first(line, root),
            ("run", line) => args.extend(split(line).into_iter().map(|word| resolve(&word, root))),
            (other, _) => panic!("unknown section `{other}`"),
        }
    }
    let before = files(root);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = {
        let mut io = Io::new(Cursor::new(stdin), &mut stdout, &mut stderr);
        run(args, &mut io)
    };
    let show = |bytes: Vec<u8>| {
        let text = without_checksum(String::from_utf8(bytes).expect("the output is UTF-8"));
        with_line_feed(&text.replace(&format!("{}/", root.display()), ""))
    };
    let mut found = format!("== stdout\n{}== stderr\n{}", show(stdout), show(stderr));
    for (name, bytes) in files(root).into_iter().filter(|(name, bytes)| before.get(name) != Some(bytes)) {
        let _ = write!(found, "== after {name}\n{}", show(bytes));
    }
    let _ = writeln!(found, "== exit {}", exit.code());
    found
}

/// Replaces the checksum of a manifest by zeros: it covers the paths of the imported files, which are in a temporary folder.
fn without_checksum(mut text: String) -> String {
    let name = "\"manifest\":\"";
    if let Some(at) = text.find(name).map(|at| at + name.len()) {
        text.replace_range(at..at + 16, &"0".repeat(16));
    }
    text
}

/// Runs a preparatory command, whose output is ignored.
fn run_first(line: &str, root: &Path) {
    let mut args = vec!["tafl".to_owned()];
    args.extend(split(line).into_iter().map(|word| resolve(&word, root)));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = run(args, &mut Io::new(Cursor::new(Vec::new()), &mut stdout, &mut stderr));
    // It may have findings: one of the corpora is empty.
    assert_ne!(exit, Exit::Error, "{line}: {}", String::from_utf8_lossy(&stderr));
}

/// Writes a file, and creates its parent folders.
fn write_file(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file has a parent folder"))
        .expect("the folder can be created");
    fs::write(path, bytes).expect("the file can be written");
}

/// Returns the files in a folder and its subfolders, with their contents.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name =
                    path.strip_prefix(root).expect("the path is in the root folder").display().to_string();
                found.insert(name, fs::read(path).expect("the file is readable"));
            }
        }
    }
    found
}

/// Splits a command line at spaces outside single quotes.
fn split(line: &str) -> Vec<String> {
    let mut args = Vec::new();
    for (nth, part) in line.split('\'').enumerate() {
        if nth % 2 == 1 {
            args.push(part.to_owned());
        } else {
            args.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    args
}

/// Returns an argument with `./` replaced by the folder of the case.
fn resolve(word: &str, root: &Path) -> String {
    match word.strip_prefix("./") {
        Some(name) => format!("{}/{name}", root.display()),
        None => word.to_owned(),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("writing to a `Vec` succeeds");
    encoder.finish().expect("writing to a `Vec` succeeds")
}

/// Parses bytes written in hexadecimal.
fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).expect("a byte has two hexadecimal digits"))
        .collect()
}

/// Returns the paths of all cases, sorted.
fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cli");
    let entries = fs::read_dir(folder).expect("the folder is readable");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the entry is readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "case"));
    paths.sort();
    paths
}

#[test]
fn every_case_produces_the_expected_output() {
    let is_updating = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    let paths = cases();
    assert!(!paths.is_empty(), "there are no cases");
    for path in paths {
        let text = fs::read_to_string(&path).expect("the case is readable");
        let case = CliCase::read(&text);
        let found = actual_output(&case);
        if is_updating {
            fs::write(&path, case.write(&found)).expect("the case can be written");
        } else if found != case.expected {
            let name = path.file_name().unwrap_or_default().display().to_string();
            failures.push(format!("{name}: {}expected:\n{}\nfound:\n{found}", case.title, case.expected));
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n{} cases differ (rewrite them with UPDATE=1)",
        failures.join("\n"),
        failures.len()
    );
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    const LINES: [&str; 5] = ["d2-c2 e4-e1", "d2-c2 e4-e9", "d2-c2xd3 e4-e1", "d2-", "b4-b2 c4-c5 d6-c6"];
    let mut games = String::new();
    for nth in 0..20_000 {
        let _ = writeln!(games, "{},0,0,Ongoing", LINES[nth % LINES.len()]);
    }
    for command in [&["validate"][..], &["replay", "--format", "jsonl"], &["convert", "--to", "opentafl"]] {
        let output_with = |threads: &str| {
            let mut stdout = Vec::new();
            let mut args = vec!["tafl"];
            args.extend(command);
            args.extend(["--variant", "brandubh7", "--as", "movelist", "-j", threads, "-"]);
            run(args, &mut Io::new(Cursor::new(games.clone()), &mut stdout, std::io::sink()));
            stdout
        };
        let single_threaded = output_with("1");
        assert!(single_threaded.len() > games.len(), "{command:?}");
        assert!(output_with("2") == single_threaded && output_with("7") == single_threaded, "{command:?}");
    }
}

#[test]
fn json_is_one_array_of_the_lines_of_jsonl() {
    let games = "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White\nd2-c2 e4-e9\n";
    for command in [&["replay"][..], &["annotate", "--nodes", "40"], &["puzzles", "--nodes", "40"]] {
        let output_of = |games: &str, format: &str| {
            let mut stdout = Vec::new();
            let mut args = vec!["tafl"];
            args.extend(command);
            args.extend(["--variant", "brandubh7", "--as", "movelist", "--format", format, "-"]);
            run(args, &mut Io::new(Cursor::new(games.to_owned()), &mut stdout, std::io::sink()));
            String::from_utf8(stdout).unwrap()
        };
        let lines = output_of(games, "jsonl");
        let lines: Vec<&str> = lines.lines().collect();
        let array = if lines.is_empty() { "[]\n".to_owned() } else { format!("[{}]\n", lines.join(",\n")) };
        assert_eq!(output_of(games, "json"), array, "{command:?}");
        let read: serde_json::Value = serde_json::from_str(&array).unwrap();
        assert_eq!(read.as_array().map(Vec::len), Some(lines.len()), "{command:?}");
        assert!(!lines.is_empty() || command[0] == "puzzles", "{command:?}");
        assert_eq!(output_of("", "json").trim(), "[]", "{command:?}");
    }
}
