//! The limit of open files.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::test_server::TestServer;

/// A game that is imported while the server runs.
const NEW_GAME: &str = "[attackers:Late]\n[defenders:Later]\n[variant:brandubh7]\n1. d2-b2 e4-e1\n2. b4-b3\n";

/// Returns the soft limit of open files of a process.
fn limit(process: u32) -> u64 {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    line.split_whitespace().nth(3).unwrap().parse().unwrap()
}

/// Sets the soft limit of open files of a process.
fn set_limit(process: u32, n_files: u64) {
    let limit = format!("--nofile={n_files}:");
    let status = Command::new("prlimit").args(["--pid", &process.to_string(), &limit]).status().unwrap();
    assert!(status.success());
}

/// Returns the file descriptors that a process has open.
fn file_descriptors(process: u32) -> Vec<u64> {
    let files = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    files.map(|file| file.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn the_limit_of_open_files_is_raised() {
    let mut engine: Child = Command::new("sh")
        .args(["-c", "ulimit -Sn 100 && exec \"$0\" engine", env!("CARGO_BIN_EXE_tafl")])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The shell has the limit of the test before it sets its own.
    let program = fs::canonicalize(env!("CARGO_BIN_EXE_tafl")).unwrap();
    let is_running = |id: u32| fs::read_link(format!("/proc/{id}/exe")).is_ok_and(|exe| exe == program);
    let started = Instant::now();
    while !(is_running(engine.id()) && limit(engine.id()) > 100) && started.elapsed().as_secs() < 20 {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(is_running(engine.id()));
    let found = limit(engine.id());
    drop(engine.stdin.take());
    engine.wait().unwrap();
    assert!(found > 100, "{found}");
}

#[test]
fn a_server_with_too_many_open_files_keeps_the_old_state() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("server.log");
    let mut server = TestServer::start(&["--log", log.to_str().unwrap()]);
    let process = server.process().id();
    let n_games = || server.get("/api/info").json()["corpus"]["games"].as_u64();
    let before = n_games();
    assert!(before.is_some());
    let old = limit(process);
    // The server opens files of the index in the background after its start. If it opened them while the limit is low, no file
    // descriptor would be left for a connection.
    server.json("/api/explore?variant=brandubh7");
    let mut open = Vec::new();
    while open != file_descriptors(process) {
        open = file_descriptors(process);
        thread::sleep(Duration::from_millis(300));
    }
    // All file descriptors must be less than the limit; it is not a limit of their count. Four free ones are enough for a few
    // connections, but not for another segment.
    let mut free = (0..).filter(|descriptor| !open.contains(descriptor));
    set_limit(process, free.nth(4).unwrap());
    let file = server.path("late.otg");
    fs::write(&file, NEW_GAME).unwrap();
    let output = server.run(&["import", "@games.corpus", "@late.otg"]);
    assert_eq!(output.exit, tafl_cli::Exit::Ok, "{}", output.stderr);
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(4) {
        let response = server.get("/api/info");
        assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
        assert_eq!(
            response.json()["corpus"]["games"].as_u64(),
            before,
            "the limit is too high for this test"
        );
        thread::sleep(Duration::from_millis(200));
    }
    set_limit(process, old);
    let started = Instant::now();
    while n_games() == before && started.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(n_games(), before.map(|before| before + 1));
    // Without a free file descriptor, a connection waits until there is one.
    set_limit(process, 3);
    thread::scope(|scope| {
        let waiting = scope.spawn(n_games);
        let warning = "WARN no connection can be accepted: Too many open files";
        let started = Instant::now();
        while !fs::read_to_string(&log).unwrap().contains(warning) {
            assert!(started.elapsed() < Duration::from_secs(20), "{}", fs::read_to_string(&log).unwrap());
            thread::sleep(Duration::from_millis(20));
        }
        set_limit(process, old);
        assert_eq!(waiting.join().unwrap(), before.map(|before| before + 1));
    });
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("WARN the old state of the corpus is served, because"), "{text}");
}
