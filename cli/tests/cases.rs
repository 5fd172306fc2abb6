//! Runs every case of `tests/fixtures/cli` in process, and compares what it writes.
//!
//! A case is a text of sections, each under a line that begins with `== `:
//!
//! ```text
//! What the case shows, in a sentence.
//! == file games.csv          a file that is there before
//! == gzip games.csv.gz       the same, packed; `gzip 20 games.csv.gz` keeps only 20 bytes
//! == bytes junk.bin          bytes in hexadecimal
//! == stdin                   standard input
//! == first import ./corpus ./games.csv  a command that is run before; it must succeed
//! == run validate ./games.csv  the command line; paths that begin with `./` are below the case's folder
//! == stdout                  what is expected from here on
//! == stderr
//! == after out/games.otg     a file that is there or changed afterwards; all of them are listed
//! == exit 1
//! ```
//!
//! `UPDATE=1 cargo test -p tafl-cli --test cases` writes what was found into the cases.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use tafl_cli::{Io, run};

/// A case: what is given, and what is expected as text.
struct Case {
    title: String,
    given: Vec<(String, String)>,
    expected: String,
}

impl Case {
    fn read(text: &str) -> Case {
        let (title, rest) = text.split_once("== ").expect("a case has sections");
        let mut case = Case { title: title.to_owned(), given: Vec::new(), expected: String::new() };
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
                case.given.push((head.to_owned(), body));
            }
        }
        case
    }

    fn write(&self, found: &str) -> String {
        let mut out = self.title.clone();
        for (head, body) in &self.given {
            let _ = write!(out, "== {head}\n{body}");
        }
        out + found
    }
}

fn with_line_feed(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

/// Makes the files of a case, runs its command and returns the sections that are expected.
fn find(case: &Case) -> String {
    let folder = tempfile::tempdir().expect("a folder for the case");
    let root = folder.path();
    let mut words = vec!["tafl".to_owned()];
    let mut stdin = Vec::new();
    for (head, text) in &case.given {
        match head.split_once(' ').unwrap_or((head, "")) {
            ("file", name) => put(&root.join(name), text.as_bytes()),
            ("gzip", name) => {
                let (most, name) = match name.split_once(' ') {
                    Some((most, name)) => (most.parse().expect("a count of bytes"), name),
                    None => (usize::MAX, name),
                };
                let packed = gzip(text.as_bytes());
                put(&root.join(name), &packed[..packed.len().min(most)]);
            }
            ("bytes", name) => put(&root.join(name), &hex(text)),
            ("stdin", _) => stdin = text.clone().into_bytes(),
            ("first", line) => run_first(line, root),
            ("run", line) => words.extend(split(line).into_iter().map(|word| place(&word, root))),
            (other, _) => panic!("unknown section `{other}`"),
        }
    }
    let before = files(root);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = {
        let mut io = Io::new(Cursor::new(stdin), &mut stdout, &mut stderr);
        run(words, &mut io)
    };
    let show = |bytes: Vec<u8>| {
        let text = without_checksum(String::from_utf8(bytes).expect("only text is written"));
        with_line_feed(&text.replace(&format!("{}/", root.display()), ""))
    };
    let mut found = format!("== stdout\n{}== stderr\n{}", show(stdout), show(stderr));
    for (name, bytes) in files(root).into_iter().filter(|(name, bytes)| before.get(name) != Some(bytes)) {
        let _ = write!(found, "== after {name}\n{}", show(bytes));
    }
    let _ = writeln!(found, "== exit {}", exit.code());
    found
}

/// Returns a text with zeros for the checksum of a manifest: it covers the paths of the imported files, which are in a temporary folder.
fn without_checksum(mut text: String) -> String {
    let name = "\"manifest\":\"";
    if let Some(at) = text.find(name).map(|at| at + name.len()) {
        text.replace_range(at..at + 16, &"0".repeat(16));
    }
    text
}

/// Runs a command of which nothing is shown.
fn run_first(line: &str, root: &Path) {
    let mut words = vec!["tafl".to_owned()];
    words.extend(split(line).into_iter().map(|word| place(&word, root)));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let exit = run(words, &mut Io::new(Cursor::new(Vec::new()), &mut stdout, &mut stderr));
    assert_eq!(exit.code(), 0, "{line}: {}", String::from_utf8_lossy(&stderr));
}

fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder for the file");
    fs::write(path, bytes).expect("a file of the case");
}

/// Returns every file below a folder with its bytes.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the case") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below the root").display().to_string();
                found.insert(name, fs::read(path).expect("a file of the case"));
            }
        }
    }
    found
}

/// Splits a command line at blanks; single quotes keep words together.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (nth, part) in line.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn place(word: &str, root: &Path) -> String {
    match word.strip_prefix("./") {
        Some(name) => format!("{}/{name}", root.display()),
        None => word.to_owned(),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).expect("memory takes everything");
    packer.finish().expect("memory takes everything")
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("two digits a byte")).collect()
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/cli");
    let entries = fs::read_dir(folder).expect("the folder of the cases");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "case"));
    paths.sort();
    paths
}

#[test]
fn every_case_has_its_expected_output() {
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    let paths = cases();
    assert!(!paths.is_empty(), "there are no cases");
    for path in paths {
        let text = fs::read_to_string(&path).expect("a case");
        let case = Case::read(&text);
        let found = find(&case);
        if is_update {
            fs::write(&path, case.write(&found)).expect("the case");
        } else if found != case.expected {
            let name = path.file_name().unwrap_or_default().display().to_string();
            wrong.push(format!("{name}: {}expected:\n{}\nfound:\n{found}", case.title, case.expected));
        }
    }
    assert!(wrong.is_empty(), "{}\n{} cases differ; UPDATE=1 rewrites them", wrong.join("\n"), wrong.len());
}

#[test]
fn the_number_of_threads_changes_nothing() {
    const LINES: [&str; 5] = ["d2-c2 e4-e1", "d2-c2 e4-e9", "d2-c2xd3 e4-e1", "d2-", "b4-b2 c4-c5 d6-c6"];
    let mut games = String::new();
    for nth in 0..20_000 {
        let _ = writeln!(games, "{},0,0,Ongoing", LINES[nth % LINES.len()]);
    }
    for command in [&["validate"][..], &["replay"], &["convert", "--to", "opentafl"]] {
        let answer = |threads: &str| {
            let mut stdout = Vec::new();
            let mut words = vec!["tafl"];
            words.extend(command);
            words.extend(["--variant", "brandubh7", "--as", "movelist", "-j", threads, "-"]);
            run(words, &mut Io::new(Cursor::new(games.as_bytes()), &mut stdout, std::io::sink()));
            stdout
        };
        let one = answer("1");
        assert!(one.len() > games.len(), "{command:?}");
        assert!(answer("2") == one && answer("7") == one, "{command:?}");
    }
}
