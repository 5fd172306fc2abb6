//! Record lines and row lines: whatever way records take, the answers are the same.

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
";

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

/// Returns a folder with files of several notations; some of them hold something else.
pub(super) fn with_files() -> TestFolder {
    let place = TestFolder::new();
    place.file("games/brandubh.csv", BRANDUBH);
    place.file("games/cups.otg", TAGGED);
    let mut latin = TAGGED.as_bytes().to_vec();
    let at = TAGGED.find("Asa").unwrap();
    latin[at] = 0xc1;
    place.file("games/latin.otg", &latin);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(BRANDUBH.replace("e4-e3", "e4-e2").as_bytes()).unwrap();
    place.file("games/more_brandubh.csv.gz", &encoder.finish().unwrap());
    place.file("games/types.json", "{\"1\": {\"name\": \"Brandubh 7x7\", \"balance\": 1.5}}");
    place.file("games/notes.tsv", "name\tgames\nbrandubh\t3\n");
    place
}

impl TestFolder {
    fn lines(&self) -> String {
        self.run(&["lines", "@games"]).text().to_owned()
    }

    pub(super) fn rows(&self) -> String {
        self.run(&["rows", "@games"]).text().to_owned()
    }

    pub(super) fn info(&self, corpus: &str) -> Value {
        let mut info = self.run(&["info", corpus, "--format", "json"]).json();
        for key in ["generation", "bytes", "segments", "removed"] {
            info.as_object_mut().unwrap().remove(key);
        }
        info
    }

    /// Returns the rows of the tables of a corpus, in order of the games' numbers.
    pub(super) fn tables(&self, corpus: &str) -> [Value; 2] {
        let ask = |question: &str| self.run(&["sql", corpus, question, "--format", "json"]).json();
        [
            ask("SELECT * EXCLUDE (copies) FROM games ORDER BY game"),
            ask("SELECT * FROM plies ORDER BY game, ply"),
        ]
    }

    pub(super) fn assert_sound(&self, corpus: &str) {
        let ran = self.run(&["verify", corpus, "--deep"]);
        assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
    }
}

/// Returns the tables and the tape of the only segment of a corpus.
fn segment(corpus: &Path) -> Vec<(String, Vec<u8>)> {
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

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn lines_count_the_files_that_a_report_counts() {
    let place = with_files();
    let report = place.run(&["validate", "@games"]);
    let counts = report.text().lines().find(|line| line.ends_with(" files")).unwrap();
    let lines = place.run(&["validate", "--format", "jsonl", "@games", "@missing.csv"]);
    assert!(lines.stderr.lines().any(|line| line == counts), "{counts}: {}", lines.stderr);
}

#[test]
fn records_in_lines_are_answered_as_those_in_files() {
    let place = with_files();
    let lines = place.lines();
    for command in [&["replay"][..], &["rows"], &["validate", "--format", "jsonl"]] {
        let files = place.run(&[command, &["@games"]].concat());
        let piped = place.run_with(&[command, &["-"]].concat(), &lines);
        // Of a file that holds something else, records are told where it is read as a file.
        let known: Vec<&str> = files.text().lines().filter(|line| !line.contains("types.json")).collect();
        let known: Vec<&str> = known.into_iter().filter(|line| !line.contains("notes.tsv")).collect();
        assert!(known.len() >= 14, "{}", files.text());
        assert_eq!(piped.text().lines().collect::<Vec<_>>(), known, "{command:?}");
    }
    let again = place.run_with(&["lines", "-"], &lines);
    assert_eq!(again.text(), lines, "lines of lines are the same lines");
}

#[test]
fn a_corpus_of_lines_or_rows_is_that_of_the_files() {
    let place = with_files();
    place.run(&["import", "@files", "@games"]);
    let ran = place.run_with(&["import", "@lines", "-"], &place.lines());
    assert_eq!(ran.exit, Exit::Findings, "{}{}", ran.text(), ran.stderr);
    let rows = place.run_with(&["rows", "-"], &place.lines()).text().to_owned();
    let ran = place.run_with(&["import", "@rows", "--rows", "-"], &rows);
    assert_eq!(ran.exit, Exit::Findings, "{}{}", ran.text(), ran.stderr);
    let info = place.info("@files");
    assert!(info["games"].as_u64() >= Some(5) && info["rejected"].as_u64() >= Some(2), "{info}");
    assert!(info["copies"].as_u64() >= Some(3), "{info}");
    for other in ["@lines", "@rows"] {
        assert_eq!(place.info(other), info, "{other}");
        assert_eq!(place.tables(other), place.tables("@files"), "{other}");
        let (left, right) = (segment(&place.path(&other[1..])), segment(&place.path("files")));
        assert!(left == right, "the files of {other} have other bytes");
        place.assert_sound(other);
    }
    let rejected = |corpus: &str| {
        let mut files = fs::read_dir(place.path(corpus).join("rejected")).unwrap();
        fs::read(files.next().unwrap().unwrap().path()).unwrap()
    };
    assert_eq!(rejected("lines"), rejected("files"));
    assert_eq!(rejected("rows"), rejected("files"));
}

#[test]
fn wrong_rows_are_rejected_and_named() {
    let place = with_files();
    let rows = place.rows();
    let refused = |rows: &str, why: &str| {
        let ran = place.run_with(&["import", "@corpus", "--rows", "-"], rows);
        assert_eq!(ran.exit, Exit::Error);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(place.info("@corpus")["games"], 0);
    };
    refused(&rows.replace("\"taflbase_row\":1", "\"taflbase_row\":2"), "-, line 1: a row line of version 2");
    refused(&rows.replacen("\"key_version\":", "\"key_version\":7", 1), "position keys of version 7");
    refused(&rows[..rows.len() - 20], "not a row line");
    refused(&format!("{rows}\n"), "not a row line");
    refused(&place.lines(), "not a row line");
    assert_ne!(place.run_with(&["import", "@corpus", "--rows", "-"], &rows).exit, Exit::Error);
    let schema = place.run(&["rows", "--schema"]).json();
    assert!(schema["tables"]["games"].as_array().unwrap().len() > 30);
    assert_eq!(schema["tables"]["plies"][0]["type"], "int64");
}

/// Lines of which none but the first and the last is a record that can be had.
fn poisoned() -> Vec<Vec<u8>> {
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

/// Runs the program as a process.
fn process(words: &[&str], stdin: &[u8]) -> (Option<i32>, String) {
    let mut child = spawn(words);
    let mut input = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    let feeder = std::thread::spawn(move || drop(input.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

pub(super) fn spawn(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn every_line_is_answered_even_a_bad_one() {
    let lines = poisoned();
    let stdin = lines.join(&b'\n');
    for words in [
        &["validate", "--format", "jsonl", "-"][..],
        &["replay", "-"],
        &["rows", "-"],
        &["rows", "--record-lines", "-j", "1", "-"],
        &["annotate", "--format", "jsonl", "--nodes", "20", "-"],
    ] {
        let (code, text) = process(words, &stdin);
        assert_eq!(code, Some(1), "{words:?}");
        let answers = values(&text);
        assert_eq!(answers.len(), lines.len(), "{words:?}: {text}");
        for (nth, answer) in answers.iter().enumerate() {
            let error = if words[0] == "rows" { &answer["error"] } else { answer };
            let is_record = nth == 0 || nth + 1 == lines.len();
            assert_eq!(
                error["taflbase_error"].as_u64(),
                (!is_record).then_some(1),
                "{words:?}, {nth}: {answer}"
            );
            if !is_record {
                assert_eq!(error["line"], nth + 1);
                assert!(error["message"].as_str().unwrap().len() < 400);
            }
        }
    }
}

#[test]
fn a_partner_gets_each_answer_before_the_next_question() {
    let record = "{\"taflbase_record\":1,\"source\":\"brandubh.csv\",\"format\":\"movelist\",\"text\":\"d2-c2 e4-e1\"}\n";
    for words in
        [&["rows", "-"][..], &["validate", "-", "--format", "jsonl", "--record-lines"], &["replay", "-"]]
    {
        let mut child = spawn(words);
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
        assert_eq!(child.wait().unwrap().code(), Some(0), "{words:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_stream_needs_no_more_memory() {
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
    assert!(kilobytes < 200_000, "240 MB went through {kilobytes} kB");
}

#[test]
fn the_same_job_gives_the_same_lines() {
    let jobs = "\
{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"seed\":7,\"games\":2,\"nodes\":30,\"plies\":12}
{\"taflbase_job\":9}
{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"seed\":7,\"game\":2,\"nodes\":30,\"plies\":12}
";
    let ran = run_with(&["selfplay", "--jobs", "-"], jobs);
    assert_eq!(ran.exit, Exit::Findings);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 4, "{}", ran.text());
    assert_eq!(lines[1], lines[3], "a game depends on seed and number only");
    assert!(lines[2].contains("taflbase_error"), "{}", lines[2]);
    assert_eq!(run_with(&["selfplay", "--jobs", "-", "-j", "3"], jobs).stdout, ran.stdout);
    let whole = run(&[
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
    let texts: Vec<String> = values(&[lines[0], lines[1]].join("\n"))
        .iter()
        .map(|line| line["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(texts.join("\n"), whole.text().trim_end());
    let place = TestFolder::new();
    let ran = place.run_with(&["import", "@corpus", "-"], &[lines[0], lines[1]].join("\n"));
    assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
    assert_eq!(place.info("@corpus")["games"], 2);
}

#[test]
fn self_play_without_limits_is_rejected() {
    let job = |limit: &str| format!("{{\"taflbase_job\":1,\"variant\":\"brandubh7\",\"{limit}\":0}}\n");
    let ran = run_with(&["selfplay", "--jobs", "-"], &(job("nodes") + &job("depth")));
    assert_eq!(ran.exit, Exit::Findings);
    assert_eq!(ran.text().matches("`nodes` and `depth` are numbers from 1").count(), 2, "{}", ran.text());
    let ran = run(&["selfplay", "--variant", "brandubh7", "--games", "1", "--time", "0"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("expected a number of seconds above 0"), "{}", ran.stderr);
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let place = with_files();
    let rows = place.rows();
    place.run_with(&["import", "@one", "--rows", "-"], &rows);
    place.run_with(&["import", "@two", "--rows", "-", "-j", "1"], &rows);
    let manifest = |corpus: &str| fs::read_to_string(place.path(corpus).join("manifest.json")).unwrap();
    assert_eq!(manifest("one"), manifest("two"), "the manifest has the checksums of all files");
}
