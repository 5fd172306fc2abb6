//! Record lines and row lines: they give the same output as files, one output line for each input line.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::{run, run_with};

const BRANDUBH: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
# a comment
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
d2-c2 e4-e1 b4-c5 d4-e4
,0,0,Ongoing
b4-b3 d5-a5 d2-b2 d4-d5 b3-a3 d5-c5
b4-b5 c4-c5 d6-c6 e4-e1 a4-c4xc5 d5-g5 c6-g6xg5 d4-e4 g6-e6 d3-a3 b5-e5 e4-e3 c4-c3 e1-e2 g4-g3 e2-e1 d7-e7 a3-a4 e6-f6 a4-a3 f6-d6 a3-a5 d6-f6 a5-a6 c3-d3 e3-e2
d2-e2 d3-e3 f4-f3 d5-a5 d1-d3xe3 e4-e7 f3-f7xe7 d4-d5 f7-f5 c4-c1 e2-e5 d5-c5 d3-c3 a5-b5 d7-c7 b5-a5 g4-g5 c1-d1 f5-f6 d1-c1 f6-f4 c1-e1 f4-f6 e1-f1 c3-c4 c5-b5
";

/// The last game but one of [`BRANDUBH`], mirrored.
pub(super) const MIRRORED: &str = "d2-e2 d3-e3 f4-f3 d5-a5 d1-d3xe3 e4-e7 f3-f7xe7 d4-d5 f7-f5 c4-c1 e2-e5 d5-c5 d3-c3 a5-b5 d7-c7 b5-a5 g4-g5 c1-d1 f5-f6 d1-c1 f6-f4 c1-e1 f4-f6 e1-f1 c3-c4 c5-b5";

pub(super) const TAGGED: &str = "\
[event: Spring cup]
[attackers: Asa]
[defenders: Bo]
[date: 2019-03-01]
[variant: Brandubh]

1. d2-c2 e4-e1
2. b4-b2 d4-e4

[event: Summer cup]
[attackers: Asa]
[defenders: Bo]
[date: 2019-03-01]
[variant: Brandubh]

1. d2-c2 e4-e1
2. b4-b2 d4-e4
3. c2-c1 e4-e3
";

/// Returns a folder with files in several notations, and some files without records.
pub(super) fn with_files() -> TestFolder {
    let folder = TestFolder::new();
    folder.file("games/brandubh.csv", BRANDUBH);
    folder.file("games/cups.otg", TAGGED);
    let mut latin = TAGGED.as_bytes().to_vec();
    let at = TAGGED.find("Asa").unwrap();
    latin[at] = 0xc1;
    folder.file("games/latin.otg", &latin);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(BRANDUBH.replace("e4-e3", "e4-e2").as_bytes()).unwrap();
    folder.file("games/more_brandubh.csv.gz", &encoder.finish().unwrap());
    folder.file("games/types.json", "{\"1\": {\"name\": \"Brandubh 7x7\", \"balance\": 1.5}}");
    folder.file("games/notes.tsv", "name\tgames\nbrandubh\t3\n");
    folder
}

impl TestFolder {
    /// Returns the records of the files as record lines.
    fn lines(&self) -> String {
        self.run(&["lines", "@games"]).text().to_owned()
    }

    /// Returns the records of the files as row lines.
    pub(super) fn rows(&self) -> String {
        self.run(&["rows", "@games"]).text().to_owned()
    }

    /// Returns the output of `tafl info`, without the fields that depend on the import.
    pub(super) fn info(&self, corpus: &str) -> Value {
        let mut info = self.run(&["info", corpus, "--format", "json"]).json();
        for key in ["generation", "bytes", "segments", "removed"] {
            info.as_object_mut().unwrap().remove(key);
        }
        info
    }

    /// Returns the tables of games and plies of a corpus, sorted by game.
    pub(super) fn tables(&self, corpus: &str) -> [Value; 2] {
        let query = |sql: &str| self.run(&["sql", corpus, sql, "--format", "json"]).json();
        [
            query("SELECT * EXCLUDE (copies) FROM games ORDER BY game"),
            query("SELECT * FROM plies ORDER BY game, ply"),
        ]
    }

    /// Asserts that `tafl verify --deep` finds no damage.
    pub(super) fn assert_sound(&self, corpus: &str) {
        let output = self.run(&["verify", corpus, "--deep"]);
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    }
}

/// Returns the files of the only segment of a corpus.
fn segment_files(corpus: &Path) -> Vec<(String, Vec<u8>)> {
    let segments: Vec<_> = fs::read_dir(corpus.join("segments")).unwrap().map(Result::unwrap).collect();
    assert_eq!(segments.len(), 1);
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(segments[0].path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    files
}

/// Parses lines of JSON.
fn parse_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn json_lines_and_text_count_the_same_files() {
    let folder = with_files();
    let report = folder.run(&["validate", "@games"]);
    let counts = report.text().lines().find(|line| line.ends_with(" files")).unwrap();
    let lines = folder.run(&["validate", "--format", "jsonl", "@games", "@missing.csv"]);
    assert!(lines.stderr.lines().any(|line| line == counts), "{counts}: {}", lines.stderr);
}

#[test]
fn record_lines_give_the_same_output_as_files() {
    let folder = with_files();
    let lines = folder.lines();
    for command in [&["replay", "--format", "jsonl"][..], &["rows"], &["validate", "--format", "jsonl"]] {
        let files = folder.run(&[command, &["@games"]].concat());
        let piped = folder.run_with(&[command, &["-"]].concat(), &lines);
        // Record lines omit files without records.
        let expected: Vec<&str> = files.text().lines().filter(|line| !line.contains("types.json")).collect();
        let expected: Vec<&str> = expected.into_iter().filter(|line| !line.contains("notes.tsv")).collect();
        assert!(expected.len() >= 14, "{}", files.text());
        assert_eq!(piped.text().lines().collect::<Vec<_>>(), expected, "{command:?}");
    }
    let again = folder.run_with(&["lines", "-"], &lines);
    assert_eq!(again.text(), lines, "record lines are unchanged");
}

#[test]
fn a_corpus_of_record_or_row_lines_equals_that_of_the_files() {
    let folder = with_files();
    folder.run(&["import", "@files", "@games"]);
    let output = folder.run_with(&["import", "@lines", "-"], &folder.lines());
    assert_eq!(output.exit, Exit::Findings, "{}{}", output.text(), output.stderr);
    let rows = folder.run_with(&["rows", "-"], &folder.lines()).text().to_owned();
    let output = folder.run_with(&["import", "@rows", "--rows", "-"], &rows);
    assert_eq!(output.exit, Exit::Findings, "{}{}", output.text(), output.stderr);
    let info = folder.info("@files");
    assert!(info["games"].as_u64() >= Some(5) && info["rejected"].as_u64() >= Some(2), "{info}");
    assert!(info["copies"].as_u64() >= Some(3), "{info}");
    for other in ["@lines", "@rows"] {
        assert_eq!(folder.info(other), info, "{other}");
        assert_eq!(folder.tables(other), folder.tables("@files"), "{other}");
        let (left, right) = (segment_files(&folder.path(&other[1..])), segment_files(&folder.path("files")));
        assert!(left == right, "the files of {other} differ");
        folder.assert_sound(other);
    }
    let rejected = |corpus: &str| {
        let mut files = fs::read_dir(folder.path(corpus).join("rejected")).unwrap();
        fs::read(files.next().unwrap().unwrap().path()).unwrap()
    };
    assert_eq!(rejected("lines"), rejected("files"));
    assert_eq!(rejected("rows"), rejected("files"));
}

#[test]
fn invalid_rows_are_rejected_with_a_reason() {
    let folder = with_files();
    let rows = folder.rows();
    let assert_rejected = |rows: &str, message: &str| {
        let output = folder.run_with(&["import", "@corpus", "--rows", "-"], rows);
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains(message), "{}", output.stderr);
        assert_eq!(folder.info("@corpus")["games"], 0);
    };
    assert_rejected(
        &rows.replace("\"taflbase_row\":2", "\"taflbase_row\":1"),
        "-, line 1: unsupported version 1 of a row line",
    );
    assert_rejected(
        &rows.replacen("\"key_version\":", "\"key_version\":7", 1),
        "unsupported version 71 of position keys",
    );
    assert_rejected(&rows[..rows.len() - 20], "not a row line");
    assert_rejected(&format!("{rows}\n"), "not a row line");
    assert_rejected(&folder.lines(), "not a row line");
    assert_ne!(folder.run_with(&["import", "@corpus", "--rows", "-"], &rows).exit, Exit::Error);
    let schema = folder.run(&["rows", "--schema"]).json();
    assert!(schema["tables"]["games"].as_array().unwrap().len() > 30);
    assert_eq!(schema["tables"]["plies"][0]["type"], "int64");
}

/// Returns record lines of which only the first and the last are valid.
fn mostly_invalid_lines() -> Vec<Vec<u8>> {
    let record = "{\"taflbase_record\":1,\"source\":\"brandubh.csv\",\"place\":3,\"format\":\"movelist\",\"text\":\"d2-c2 e4-e1\"}";
    let with = |from: &str, to: &str| record.replace(from, to).into_bytes();
    vec![
        record.as_bytes().to_vec(),
        Vec::new(),
        b"garbage".to_vec(),
        b"\xff\xfe\x00 no text".to_vec(),
        with("\"taflbase_record\":1", "\"taflbase_record\":2"),
        with("movelist", "runes"),
        with("\"format\"", "\"variant\":\"chess\",\"format\""),
        with("\"text\"", "\"words\""),
        with("e4-e1", "e4-\\ud800"),
        with("\"movelist\"", "null").iter().map(|byte| if *byte == b'-' { b'~' } else { *byte }).collect(),
        [&b"{\"taflbase_record\":1,\"text\":\""[..], &vec![b'x'; 34 << 20], b"\"}"].concat(),
        b"{\"taflbase_error\":1,\"source\":\"a.csv\",\"place\":9,\"line\":1,\"code\":\"T014\",\"message\":\"large\"}".to_vec(),
        [b"[".repeat(100_000), b"]".repeat(100_000)].concat(),
        record.as_bytes().to_vec(),
    ]
}

/// Runs the program as a process, and returns its exit code and standard output.
fn run_process(args: &[&str], stdin: &[u8]) -> (Option<i32>, String) {
    let mut child = spawn(args);
    let mut input = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    let writer = std::thread::spawn(move || drop(input.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// Starts the program with pipes.
pub(super) fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn every_input_line_has_an_output_line() {
    let lines = mostly_invalid_lines();
    let stdin = lines.join(&b'\n');
    for args in [
        &["validate", "--format", "jsonl", "-"][..],
        &["replay", "--format", "jsonl", "-"],
        &["rows", "-"],
        &["rows", "--record-lines", "-j", "1", "-"],
        &["annotate", "--format", "jsonl", "--nodes", "20", "-"],
    ] {
        let (code, text) = run_process(args, &stdin);
        assert_eq!(code, Some(1), "{args:?}");
        let output_lines = parse_lines(&text);
        assert_eq!(output_lines.len(), lines.len(), "{args:?}: {text}");
        for (nth, output_line) in output_lines.iter().enumerate() {
            let error = if args[0] == "rows" { &output_line["error"] } else { output_line };
            let is_record = nth == 0 || nth + 1 == lines.len();
            assert_eq!(
                error["taflbase_error"].as_u64(),
                (!is_record).then_some(1),
                "{args:?}, {nth}: {output_line}"
            );
            if !is_record {
                assert_eq!(error["line"], nth + 1);
                assert!(error["message"].as_str().unwrap().len() < 400);
            }
        }
    }
}

#[test]
fn output_is_flushed_after_each_line() {
    let record = "{\"taflbase_record\":1,\"source\":\"brandubh.csv\",\"format\":\"movelist\",\"text\":\"d2-c2 e4-e1\"}\n";
    for args in [
        &["rows", "-"][..],
        &["validate", "-", "--format", "jsonl", "--record-lines"],
        &["replay", "-", "--format", "jsonl"],
    ] {
        let mut child = spawn(args);
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..5 {
            input.write_all(record.as_bytes()).unwrap();
            input.flush().unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert!(line.contains("brandubh"), "{line}");
        }
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_stream() {
    let mut child = spawn(&["rows", "-j", "1", "--record-lines", "-"]);
    let mut input = child.stdin.take().unwrap();
    let output = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || BufReader::new(output).lines().count());
    let line = format!("{{\"taflbase_record\":1,\"text\":\"{}\"}}\n", "~ ".repeat(300_000));
    for _ in 0..400 {
        input.write_all(line.as_bytes()).unwrap();
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(input);
    assert_eq!(reader.join().unwrap(), 400);
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 200_000, "240 MB of input took {kilobytes} kB of memory");
}

#[test]
fn the_same_job_gives_the_same_lines() {
    let jobs = "\
{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"seed\":7,\"games\":2,\"nodes\":30,\"plies\":12}
{\"taflbase_job\":9}
{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"seed\":7,\"game\":2,\"nodes\":30,\"plies\":12}
";
    let output = run_with(&["selfplay", "--jobs", "-"], jobs);
    assert_eq!(output.exit, Exit::Findings);
    let lines: Vec<&str> = output.text().lines().collect();
    assert_eq!(lines.len(), 4, "{}", output.text());
    assert_eq!(lines[1], lines[3], "a game depends on its seed and number only");
    assert!(lines[2].contains("taflbase_error"), "{}", lines[2]);
    assert_eq!(run_with(&["selfplay", "--jobs", "-", "-j", "3"], jobs).stdout, output.stdout);
    let without_jobs = run(&[
        "selfplay",
        "--variant",
        "brandubh7",
        "--seed",
        "7",
        "--games",
        "2",
        "--nodes",
        "30",
        "--plies",
        "12",
    ]);
    let texts: Vec<String> = parse_lines(&[lines[0], lines[1]].join("\n"))
        .iter()
        .map(|line| line["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(texts.join("\n"), without_jobs.text().trim_end());
    let folder = TestFolder::new();
    let output = folder.run_with(&["import", "@corpus", "-"], &[lines[0], lines[1]].join("\n"));
    assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    assert_eq!(folder.info("@corpus")["games"], 2);
}

#[test]
fn self_play_without_limits_is_rejected() {
    let job = |limit: &str| format!("{{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"{limit}\":0}}\n");
    let output = run_with(&["selfplay", "--jobs", "-"], &(job("nodes") + &job("depth")));
    assert_eq!(output.exit, Exit::Findings);
    for limit in ["nodes", "depth"] {
        assert_eq!(output.text().matches(&format!("`{limit}`: 0 is")).count(), 1, "{}", output.text());
    }
    let output = run(&["selfplay", "--variant", "brandubh7", "--games", "1", "--time", "0"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("expected a number of seconds above 0"), "{}", output.stderr);
}

#[test]
fn the_same_rows_give_the_same_files() {
    let folder = with_files();
    let rows = folder.rows();
    folder.run_with(&["import", "@one", "--rows", "-"], &rows);
    folder.run_with(&["import", "@two", "--rows", "-", "-j", "1"], &rows);
    let manifest = |corpus: &str| fs::read_to_string(folder.path(corpus).join("manifest.json")).unwrap();
    assert_eq!(manifest("one"), manifest("two"), "the manifest has the checksums of all files");
}
