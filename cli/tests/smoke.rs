//! Runs the program as a process: for each exit code, and where a test needs a process.

#[cfg(feature = "database")]
#[path = "smoke/corpus.rs"]
mod corpus;
#[path = "smoke/interrupted.rs"]
mod interrupted;
#[cfg(feature = "database")]
#[path = "smoke/streams.rs"]
mod streams;
#[cfg(all(unix, feature = "database"))]
#[path = "smoke/watch.rs"]
mod watch;

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

/// Starts the program with pipes.
fn tafl(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started")
}

/// Runs the program and returns its exit code.
fn exit(args: &[&str], stdin: &str) -> Option<i32> {
    let mut child = tafl(args);
    // A program that stops early does not read its input.
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
fn closing_standard_output_early_is_not_an_error() {
    let mut child = tafl(&["replay", "--format", "jsonl", "--variant", "brandubh7", "--as", "movelist", "-"]);
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

/// Writes a gigabyte without a line feed, and reads the peak memory while the program waits for more.
#[test]
#[cfg(target_os = "linux")]
fn a_gigabyte_on_one_line_takes_little_memory() {
    for args in [&VALIDATE[..], &["convert", "--to", "jsonl", "--as", "opentafl", "-"]] {
        let mut child = tafl(args);
        let mut stdin = child.stdin.take().expect("a pipe");
        let block = "d2-c2 ".repeat(1 << 17);
        for _ in 0..(1 << 30) / block.len() {
            stdin.write_all(block.as_bytes()).expect("the program keeps reading");
        }
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("/proc is mounted");
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .expect("the status has the peak memory");
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(ExitStatus::code(&output.status), Some(1));
        let output = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.contains("error[T014]"), "{output}");
        assert!(kib < 150 << 10, "{args:?} took {kib} KiB");
    }
}
