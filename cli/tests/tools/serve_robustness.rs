//! Robustness of the server: access control, limits, malformed requests, disconnects, and changes of the corpus.

use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tafl_corpus::query::Query;
use tafl_corpus::{CancelCheck, Corpus, CorpusError, CountEffort, HitUnit, PageRequest, Searcher};

use super::run;
use super::test_server::{GAMES, TestServer};

/// A game that is imported while the server runs.
const NEW_GAME: &str = "\
[attackers:Late]
[defenders:Later]
[variant:brandubh7]
1. d2-b2 e4-e1
2. b4-b3
";

/// Waits up to 20 seconds for a condition, and returns whether it became true.
fn eventually(condition: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        if condition() {
            return true;
        }
        thread::sleep(Duration::from_millis(100));
    }
    false
}

#[test]
fn other_hosts_and_origins_are_rejected() {
    let server = TestServer::start(&[]);
    let host = server.address();
    for (headers, code) in [
        (vec![("Host", "evil.example")], "forbidden-host"),
        (vec![], "forbidden-host"),
        (vec![("Host", host), ("Host", "evil.example")], "forbidden-host"),
        (vec![("Host", host), ("Origin", "http://evil.example")], "forbidden-origin"),
        (vec![("Host", host), ("Origin", "null")], "forbidden-origin"),
        (vec![("Host", host), ("Sec-Fetch-Site", "cross-site")], "forbidden-origin"),
    ] {
        for path in ["/api/info", "/", "/assets/icon.svg", "/metrics"] {
            server.assert_rejected(server.get_with_headers(path, &headers), 403, code);
        }
    }
    let origin = format!("http://{host}");
    assert_eq!(server.get_with_headers("/api/info", &[("Host", host), ("Origin", &origin)]).status, 200);
    let named = TestServer::start(&["--host", "tafl.example.org"]);
    assert_eq!(named.get_with_headers("/api/info", &[("Host", "tafl.example.org")]).status, 200);
}

#[test]
fn a_token_is_required_if_one_is_set() {
    let server = TestServer::start(&["--token", "a-long-secret"]);
    let host = ("Host", server.address());
    let denied = server.get("/api/info");
    assert_eq!((denied.status, denied.json()["error"]["code"].as_str()), (401, Some("unauthorized")));
    assert_eq!(server.get("/").status, 401);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(
        server.get_with_headers("/api/info", &[host, ("Authorization", "Bearer a-long-secret")]).status,
        200
    );
    assert_eq!(
        server.get_with_headers("/api/info", &[host, ("Authorization", "Bearer a-long-secreT")]).status,
        401
    );
    let first = server.get("/explore?variant=brandubh7&token=a-long-secret");
    assert_eq!(first.header("refresh"), Some("0; url=/explore?variant=brandubh7"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(server.get_with_headers("/api/info", &[host, ("Cookie", cookie)]).status, 200);
}

#[test]
fn other_machines_need_a_token_that_is_printed_with_a_warning() {
    let server = TestServer::start(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(["serve", "--port", "0", "--bind", "0.0.0.0"])
        .arg(server.path("games.corpus"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut line).unwrap();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("warning: other machines can reach this server"), "{stderr}");
    let token = stderr.split("?token=").nth(1).unwrap().trim();
    assert!(token.len() >= 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{stderr}");
}

#[test]
fn large_requests_are_rejected() {
    let server = TestServer::start(&["--body", "1"]);
    let large = vec![b'x'; (1 << 20) + 1];
    server.assert_rejected(server.post("/api/validate", &large), 413, "too-large");
    let long = format!("/api/position?variant=brandubh7&moves={}", "d2-c2,".repeat(10_900));
    server.assert_rejected(server.get(&long), 413, "too-large");
    // Requests with such headers are rejected before they are parsed.
    let longer = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000));
    let headers: String = (0..100).map(|n| format!("X-{n}: 1\r\n")).collect();
    let headers = format!("GET / HTTP/1.1\r\n{headers}\r\n");
    for (request, status, code) in [
        (longer.as_str(), "414", "uri-too-long"),
        (&headers, "431", "headers-too-large"),
        ("no request\r\n\r\n", "400", "bad-request"),
    ] {
        let response = String::from_utf8(server.exchange(request.as_bytes())).unwrap();
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{response}");
        let body: serde_json::Value =
            serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(body["error"]["code"], code, "{response}");
    }
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn concurrent_bodies_stay_within_the_memory_limit() {
    let server = TestServer::start(&["--body", "64"]);
    let mut large_upload = server.connect();
    let host = server.address();
    let head = format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n", 64 << 20);
    large_upload.write_all(head.as_bytes()).unwrap();
    assert!(eventually(|| server.post("/api/validate", GAMES.as_bytes()).status == 503));
    assert_eq!(server.get("/api/info").status, 200);
    drop(large_upload);
    assert!(eventually(|| server.post("/api/validate", GAMES.as_bytes()).status == 200));
}

#[test]
fn a_body_that_does_not_arrive_times_out() {
    let server = TestServer::start(&["--client-timeout", "1"]);
    let host = server.address();
    let head = format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n");
    let response = String::from_utf8(server.exchange(head.as_bytes())).unwrap();
    assert!(response.starts_with("HTTP/1.1 503 ") && response.contains("too-slow"), "{response}");
}

#[test]
fn a_body_with_broken_chunks_is_not_called_too_large() {
    let server = TestServer::start(&[]);
    let host = server.address();
    let head =
        format!("POST /api/validate HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    let response = String::from_utf8(server.exchange(head.as_bytes())).unwrap();
    assert!(response.starts_with("HTTP/1.1 400 ") && response.contains("bad-record"), "{response}");
}

#[test]
fn garbage_is_rejected_and_the_server_continues() {
    let server = TestServer::start(&[]);
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
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let _ = stream.write_all(garbage);
        let _ = stream.shutdown(Shutdown::Write);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let is_rejected = response.is_empty() || response.starts_with(b"HTTP/1.1 4");
        assert!(is_rejected, "{garbage:?}: {}", String::from_utf8_lossy(&response));
        assert_eq!(server.get("/api/info").status, 200);
    }
}

#[test]
fn a_slow_client_is_disconnected() {
    let server = TestServer::start(&["--client-timeout", "1"]);
    let mut stream = server.connect();
    stream.write_all(b"GET /api/info HTTP/1.1\r\nHost: loc").unwrap();
    let start = Instant::now();
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert!(
        response.is_empty() || response.starts_with(b"HTTP/1.1 408"),
        "{}",
        String::from_utf8_lossy(&response)
    );
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn a_client_that_disconnects_is_ignored() {
    let server = TestServer::start(&[]);
    for path in ["/api/explore?variant=brandubh7", "/api/search?query=capture&format=jsonl", "/api/games"] {
        for _ in 0..20 {
            let mut stream = server.connect();
            let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
            stream.write_all(head.as_bytes()).unwrap();
            stream.shutdown(Shutdown::Both).unwrap();
        }
    }
    server.disconnect_within_body("/api/validate", &[b'x'; 1000]);
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn two_hundred_requests_at_once_are_all_answered() {
    let server = TestServer::start(&[]);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let send = |nth: usize| {
            let path =
                ["/api/explore?variant=brandubh7", "/api/position?variant=brandubh7", "/api/info"][nth % 3];
            server.get(path).status
        };
        let threads: Vec<_> = (0..200).map(|nth| scope.spawn(move || send(nth))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
}

#[test]
fn connections_above_the_limit_are_rejected() {
    let server = TestServer::start(&[]);
    let idle: Vec<_> = (0..256).map(|_| server.connect()).collect();
    let is_rejected = || {
        let response = server.exchange(b"");
        response.starts_with(b"HTTP/1.1 503 ") && response.ends_with(b"}}")
    };
    assert!(eventually(is_rejected));
    drop(idle);
    assert!(eventually(|| server
        .exchange(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .starts_with(b"HTTP/1.1 200 ")));
}

#[test]
fn a_search_can_be_canceled() {
    let server = TestServer::start(&[]);
    let corpus = Corpus::open(&server.path("games.corpus")).unwrap();
    let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
    let query = Query::parse("ply=0").unwrap();
    let page = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Exact };
    let stopped = searcher.page(&query, page, CancelCheck::new(&|| true));
    assert!(matches!(stopped, Err(CorpusError::Canceled)), "{stopped:?}");
    assert!(searcher.page(&query, page, CancelCheck::NEVER).unwrap().total.number() > 0);
}

#[test]
fn a_changed_corpus_is_reopened_and_a_missing_one_is_reported() {
    let server = TestServer::start(&[]);
    let games = || server.get("/api/explore?variant=brandubh7").json()["games"].clone();
    assert_eq!(games(), 3);
    fs::write(server.path("more.otg"), NEW_GAME).unwrap();
    let output = server.run(&["import", "@games.corpus", "@more.otg"]);
    assert_eq!(output.exit, tafl_cli::Exit::Ok, "{}", output.stderr);
    assert!(eventually(|| games() == 4), "{}", games());
    assert_eq!(server.json("/api/info")["corpus"]["games"], 4);
    fs::rename(server.path("games.corpus"), server.path("away")).unwrap();
    assert!(eventually(|| server.get("/api/info").status == 503));
    let response = server.get("/api/explore?variant=brandubh7");
    assert_eq!(response.json()["error"]["code"], "corpus-damaged");
    assert!(!response.text().contains(&server.path("").display().to_string()), "{}", response.text());
    assert_eq!(server.get("/").status, 200);
    fs::write(server.path("games.corpus"), "no corpus").unwrap();
    assert_eq!(server.get("/api/info").status, 503);
    fs::remove_file(server.path("games.corpus")).unwrap();
    fs::rename(server.path("away"), server.path("games.corpus")).unwrap();
    assert!(eventually(|| server.get("/api/info").status == 200));
    assert_eq!(games(), 4);
}

#[test]
fn truncated_files_of_the_corpus_are_errors_for_those_who_read_them_and_the_server_continues() {
    let server = TestServer::start(&[]);
    let corpus = Corpus::open(&server.path("games.corpus")).unwrap();
    for name in ["games.parquet", "plies.parquet", "tape.bin", "openings.bin"] {
        let file = fs::OpenOptions::new().write(true).open(corpus.segments()[0].folder().join(name)).unwrap();
        file.set_len(0).unwrap();
    }
    for url in [
        "/api/report?kind=balance",
        "/api/report?kind=openings&variant=brandubh7",
        "/api/report?kind=health",
        "/api/games",
    ] {
        // Data read before the change is in memory, so some requests still succeed.
        let status = server.get(url).status;
        assert!([200, 503].contains(&status), "{url}: {status}");
    }
    let statuses = ["balance", "health"].map(|kind| server.get(&format!("/api/report?kind={kind}")).status);
    assert!(statuses.contains(&503), "{statuses:?}");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn connections_are_kept_alive() {
    let server = TestServer::start(&[]);
    let mut stream = server.connect();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    for _ in 0..3 {
        stream.write_all(head.as_bytes()).unwrap();
        let mut response = [0; 15];
        stream.read_exact(&mut response).unwrap();
        assert_eq!(&response, b"HTTP/1.1 200 OK");
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
fn the_server_ends_on_sigterm() {
    let mut server = TestServer::start(&[]);
    let number = server.process().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    assert_eq!(server.process().wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_stream_ends_with_a_problem_on_sigterm() {
    let mut server = TestServer::start(&[]);
    let mut stream = server.connect();
    let address = "/api/analysis?variant=copenhagen11&nodes=100000000";
    let request = format!("GET {address} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let (mut received, mut piece) = (String::new(), [0; 4096]);
    let number = server.process().id().to_string();
    let mut is_told = false;
    loop {
        let n = stream.read(&mut piece).unwrap();
        if n == 0 {
            break;
        }
        received += &String::from_utf8_lossy(&piece[..n]);
        if !is_told && received.contains("event: ") {
            is_told = Command::new("kill").args(["-TERM", &number]).status().unwrap().success();
        }
    }
    let last = received.rfind("event: ").map(|at| &received[at..]).unwrap_or_default();
    assert!(last.starts_with("event: problem") && last.contains("\"stopping\""), "{last}");
    assert_eq!(server.process().wait().unwrap().code(), Some(0));
}

#[test]
fn a_corpus_that_cannot_be_served_is_an_error() {
    let output = run(&["serve", "no/such/corpus"]);
    assert_eq!(output.exit, tafl_cli::Exit::Error);
    assert!(output.stderr.contains("no such corpus"), "{}", output.stderr);
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["serve", "--token", "a b", folder.path().to_str().unwrap()]);
    assert_eq!(output.exit, tafl_cli::Exit::Error);
}
