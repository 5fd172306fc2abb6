//! The server in a bad world: who may not ask, what is too much, and that it goes on.

use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tafl_corpus::query::Query;
use tafl_corpus::{CancelCheck, Corpus, CorpusError, CountMode, PageRequest, Searcher};

use super::run;
use super::serve::{GAMES, served};
use super::served::Served;

const MORE: &str = "\
[attackers:Late]
[defenders:Later]
[variant:brandubh7]
1. d2-b2 e4-e1
2. b4-b3
";

fn with(words: &[&str]) -> Served {
    Served::with(&[("games.otg", GAMES)], words, &|_| {})
}

/// Waits until something is so, and says whether it became so.
fn becomes(is_so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        if is_so() {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    false
}

#[test]
fn other_hosts_and_origins_are_rejected() {
    let served = served();
    let host = served.address();
    for (headers, code) in [
        (vec![("Host", "evil.example")], "forbidden-host"),
        (vec![], "forbidden-host"),
        (vec![("Host", host), ("Host", "evil.example")], "forbidden-host"),
        (vec![("Host", host), ("Origin", "http://evil.example")], "forbidden-origin"),
        (vec![("Host", host), ("Origin", "null")], "forbidden-origin"),
        (vec![("Host", host), ("Sec-Fetch-Site", "cross-site")], "forbidden-origin"),
    ] {
        for path in ["/api/info", "/", "/assets/icon.svg", "/metrics"] {
            served.refuses(served.ask(path, &headers), 403, code);
        }
    }
    let origin = format!("http://{host}");
    assert_eq!(served.ask("/api/info", &[("Host", host), ("Origin", &origin)]).status, 200);
    let named = with(&["--host", "tafl.example.org"]);
    assert_eq!(named.ask("/api/info", &[("Host", "tafl.example.org")]).status, 200);
}

#[test]
fn a_token_is_required_if_one_is_set() {
    let served = with(&["--token", "a-long-secret"]);
    let host = ("Host", served.address());
    let denied = served.get("/api/info");
    assert_eq!((denied.status, denied.json()["error"]["code"].as_str()), (401, Some("unauthorized")));
    assert_eq!(served.get("/").status, 401);
    assert_eq!(served.get("/healthz").status, 200);
    assert_eq!(served.ask("/api/info", &[host, ("Authorization", "Bearer a-long-secret")]).status, 200);
    assert_eq!(served.ask("/api/info", &[host, ("Authorization", "Bearer a-long-secreT")]).status, 401);
    let first = served.get("/explore?variant=brandubh7&token=a-long-secret");
    assert_eq!(first.header("refresh"), Some("0; url=/explore?variant=brandubh7"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(served.ask("/api/info", &[host, ("Cookie", cookie)]).status, 200);
}

#[test]
fn other_machines_need_a_token_that_is_printed_with_a_warning() {
    let served = served();
    let mut server = Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(["serve", "--port", "0", "--bind", "0.0.0.0"])
        .arg(served.path("games.corpus"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 8];
    server.stdout.take().unwrap().read_exact(&mut line).unwrap();
    server.kill().unwrap();
    let output = server.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("warning: other machines can reach this server"), "{stderr}");
    let token = stderr.split("?token=").nth(1).unwrap().trim();
    assert!(token.len() >= 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{stderr}");
}

#[test]
fn large_requests_are_rejected() {
    let served = with(&["--body", "1"]);
    let large = vec![b'x'; (1 << 20) + 1];
    served.refuses(served.post("/api/validate", &large), 413, "too-large");
    let long = format!("/api/position?variant=brandubh7&moves={}", "d2-c2,".repeat(10_900));
    served.refuses(served.get(&long), 413, "too-large");
    // Longer than any head can be: the connection's own layer answers.
    let longer = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000));
    let headers: String = (0..100).map(|n| format!("X-{n}: 1\r\n")).collect();
    let headers = format!("GET / HTTP/1.1\r\n{headers}\r\n");
    for (request, status, code) in [
        (longer.as_str(), "414", "uri-too-long"),
        (&headers, "431", "headers-too-large"),
        ("no request\r\n\r\n", "400", "bad-request"),
    ] {
        let answer = String::from_utf8(served.exchange(request.as_bytes())).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        let body: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(body["error"]["code"], code, "{answer}");
    }
    assert_eq!(served.get("/api/info").status, 200);
}

#[test]
fn concurrent_bodies_stay_within_the_memory_limit() {
    let served = with(&["--body", "64"]);
    let mut greedy = served.connect();
    let host = served.address();
    let head = format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n", 64 << 20);
    greedy.write_all(head.as_bytes()).unwrap();
    assert!(becomes(|| served.post("/api/validate", GAMES.as_bytes()).status == 503));
    assert_eq!(served.get("/api/info").status, 200);
    drop(greedy);
    assert!(becomes(|| served.post("/api/validate", GAMES.as_bytes()).status == 200));
}

#[test]
fn a_body_that_does_not_arrive_times_out() {
    let served = with(&["--client-timeout", "1"]);
    let host = served.address();
    let head = format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n");
    let answer = String::from_utf8(served.exchange(head.as_bytes())).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("too-slow"), "{answer}");
}

#[test]
fn a_body_with_broken_chunks_is_not_called_too_large() {
    let served = served();
    let host = served.address();
    let head =
        format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    let answer = String::from_utf8(served.exchange(head.as_bytes())).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("bad-record"), "{answer}");
}

#[test]
fn garbage_is_answered_or_dropped_and_the_server_continues() {
    let served = served();
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"\0\0\0\0\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/validate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /%ff%fe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /api/game/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /api/position?variant=%ff%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ] {
        let mut stream = served.connect();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let _ = stream.write_all(garbage);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let is_refused = answer.is_empty() || answer.starts_with(b"HTTP/1.1 4");
        assert!(is_refused, "{garbage:?}: {}", String::from_utf8_lossy(&answer));
        assert_eq!(served.get("/api/info").status, 200);
    }
}

#[test]
fn a_slow_client_is_disconnected() {
    let served = with(&["--client-timeout", "1"]);
    let mut stream = served.connect();
    stream.write_all(b"GET /api/info HTTP/1.1\r\nHost: loc").unwrap();
    let begun = Instant::now();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(served.get("/api/info").status, 200);
}

#[test]
fn a_client_that_disconnects_is_ignored() {
    let served = served();
    for path in ["/api/explore?variant=brandubh7", "/api/search?query=capture&format=ndjson", "/api/games"] {
        for _ in 0..20 {
            let mut stream = served.connect();
            let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.address());
            stream.write_all(head.as_bytes()).unwrap();
            stream.shutdown(Shutdown::Both).unwrap();
        }
    }
    served.leave_in_the_middle_of_a_body("/api/validate", &[b'x'; 1000]);
    assert_eq!(served.get("/api/info").status, 200);
}

#[test]
fn two_hundred_requests_at_once_are_all_answered() {
    let served = served();
    let answers: Vec<u16> = thread::scope(|scope| {
        let ask = |nth: usize| {
            let path =
                ["/api/explore?variant=brandubh7", "/api/position?variant=brandubh7", "/api/info"][nth % 3];
            served.get(path).status
        };
        let threads: Vec<_> = (0..200).map(|nth| scope.spawn(move || ask(nth))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|status| *status == 200), "{answers:?}");
}

#[test]
fn connections_above_the_limit_are_rejected() {
    let served = served();
    let idle: Vec<_> = (0..256).map(|_| served.connect()).collect();
    let is_turned_away = || {
        let answer = served.exchange(b"");
        answer.starts_with(b"HTTP/1.1 503 ") && answer.ends_with(b"}}")
    };
    assert!(becomes(is_turned_away));
    drop(idle);
    assert!(becomes(|| served
        .exchange(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .starts_with(b"HTTP/1.1 200 ")));
}

#[test]
fn unneeded_work_is_canceled() {
    let served = served();
    let corpus = Corpus::open(&served.path("games.corpus")).unwrap();
    let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
    let query = Query::parse("capture").unwrap();
    let page = PageRequest { offset: 0, limit: 10, count: CountMode::All };
    let stopped = searcher.search_cancelable(&query, page, CancelCheck::new(&|| true));
    assert!(matches!(stopped, Err(CorpusError::Canceled)), "{stopped:?}");
    assert_eq!(
        searcher.search_cancelable(&query, page, CancelCheck::NEVER).unwrap(),
        searcher.search(&query, page).unwrap()
    );
}

#[test]
fn a_changed_corpus_is_reopened_and_a_missing_one_is_reported() {
    let served = served();
    let games = || served.get("/api/explore?variant=brandubh7").json()["games"].clone();
    assert_eq!(games(), 3);
    fs::write(served.path("more.otg"), MORE).unwrap();
    let ran = served.run(&["import", "@games.corpus", "@more.otg"]);
    assert_eq!(ran.exit, tafl_cli::Exit::Ok, "{}", ran.stderr);
    assert!(becomes(|| games() == 4), "{}", games());
    assert_eq!(served.json("/api/info")["corpus"]["games"], 4);
    fs::rename(served.path("games.corpus"), served.path("away")).unwrap();
    assert!(becomes(|| served.get("/api/info").status == 503));
    let response = served.get("/api/explore?variant=brandubh7");
    assert_eq!(response.json()["error"]["code"], "corpus-damaged");
    assert!(!response.text().contains(&served.path("").display().to_string()), "{}", response.text());
    assert_eq!(served.get("/").status, 200);
    fs::write(served.path("games.corpus"), "no corpus").unwrap();
    assert_eq!(served.get("/api/info").status, 503);
    fs::remove_file(served.path("games.corpus")).unwrap();
    fs::rename(served.path("away"), served.path("games.corpus")).unwrap();
    assert!(becomes(|| served.get("/api/info").status == 200));
    assert_eq!(games(), 4);
}

#[test]
fn the_first_request_of_a_connection_is_not_its_last() {
    let served = served();
    let mut stream = served.connect();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", served.address());
    for _ in 0..3 {
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
        let mut rest = Vec::new();
        while !rest.ends_with(b"ok\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            rest.push(byte[0]);
        }
    }
}

#[cfg(unix)]
#[test]
fn the_server_ends_when_it_is_told_to() {
    let mut served = served();
    let number = served.process().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    assert_eq!(served.process().wait().unwrap().code(), Some(0));
}

#[test]
fn a_corpus_that_cannot_be_served_is_an_error() {
    let ran = run(&["serve", "no/such/corpus"]);
    assert_eq!(ran.exit, tafl_cli::Exit::Error);
    assert!(ran.stderr.contains("no such corpus"), "{}", ran.stderr);
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["serve", "--token", "a b", folder.path().to_str().unwrap()]);
    assert_eq!(ran.exit, tafl_cli::Exit::Error);
}
