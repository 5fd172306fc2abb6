//! Starts the real program: once for each exit code, and for what only a process can show.

#[path = "smoke/broken_off.rs"]
mod broken_off;
#[cfg(feature = "database")]
#[path = "smoke/corpus.rs"]
mod corpus;
#[cfg(feature = "database")]
#[path = "smoke/streams.rs"]
mod streams;

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

fn tafl(words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn exit(words: &[&str], stdin: &str) -> Option<i32> {
    let mut child = tafl(words);
    // A program that stops early does not read its input, which is not an error here.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    child.wait_with_output().expect("the program ends").status.code()
}

const VALIDATE: [&str; 6] = ["validate", "--variant", "brandubh7", "--as", "movelist", "-"];

#[test]
fn exit_code_0_means_success() {
    assert_eq!(exit(&VALIDATE, "b4-b2 c4-c5\n"), Some(0));
}

#[test]
fn exit_code_1_means_findings() {
    assert_eq!(exit(&VALIDATE, "b4-b2 c4-c9\n"), Some(1));
}

#[test]
fn exit_code_2_means_an_error() {
    assert_eq!(exit(&["validate", "--no-such-flag"], ""), Some(2));
    assert_eq!(exit(&["validate", "no/such/file"], ""), Some(2));
}

#[test]
fn closing_standard_output_early_is_a_success() {
    let mut child = tafl(&["replay", "--variant", "brandubh7", "--as", "movelist", "-"]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        for _ in 0..100_000 {
            if stdin.write_all(b"b4-b2 c4-c5 b2-b1 c5-c4 b1-c1 c4-c2\n").is_err() {
                return;
            }
        }
    });
    let mut first = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("the program writes");
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Feeds a gigabyte without a line feed and asks for the memory while the program still waits for more.
#[test]
#[cfg(target_os = "linux")]
fn a_gigabyte_on_one_line_takes_little_memory() {
    for words in [&VALIDATE[..], &["convert", "--to", "jsonl", "--as", "opentafl", "-"]] {
        let mut child = tafl(words);
        let mut stdin = child.stdin.take().expect("a pipe");
        let part = "d2-c2 ".repeat(1 << 17);
        for _ in 0..(1 << 30) / part.len() {
            stdin.write_all(part.as_bytes()).expect("the program reads on");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("proc is there");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(ExitStatus::code(&output.status), Some(1));
        let output = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.contains("error[T014]"), "{output}");
        assert!(kib < 150 << 10, "{words:?} took {kib} KiB");
    }
}
