//! Random modifications of requests to the server: each one succeeds or is rejected with a code listed in `docs/api.md`, and
//! none causes an internal error.
//!
//! `TAFL_WORDS_SECONDS` and `TAFL_WORDS_SEED` apply, as in `random_input`.

use serde_json::Value;
use tafl_rules::Rng;

use super::random_input::{INPUTS, POSITION, RULES, mutated, pick, repeat};
use super::test_server::{GAMES, TestServer};

/// URLs for GET requests. Parameter values and the last part of a path are modified.
const GET_URLS: &[&str] = &[
    "/api/info",
    "/api/variants",
    "/api/board?variant=brandubh7",
    "/api/board?variant=RULES",
    "/api/position?variant=brandubh7&position=POSITION&side=attackers&moves=d2-c2 d3-c3",
    "/api/position?variant=RULES&moves=d2-c2,d3-c3",
    "/api/explore?variant=brandubh7&moves=d2-c2&query=result:attackers&limit=3",
    "/api/tree?variant=brandubh7&depth=2&min_games=1&as_it_stands=1",
    "/api/games?variant=brandubh7&query=plies > 3&limit=2&offset=1",
    "/api/search?query=plies > 3&limit=2&offset=0",
    "/api/search?query=king_on_throne and result:attackers&format=csv",
    "/api/search?query=ply=0&format=jsonl&limit=3",
    "/api/query?query=plies > 3 and (king_on_throne or captured >= 2)",
    "/api/game/GAME",
    "/api/game/GAME/record?to=opentafl",
    "/api/analysis?variant=brandubh7&moves=d2-c2&nodes=20&lines=2",
    "/api/game/GAME/annotate?nodes=1000",
    "/api/report?kind=openings&variant=brandubh7&format=json",
    "/api/report?kind=balance&format=csv&query=plies > 3",
    "/",
    "/explore?variant=brandubh7&moves=d2-c2",
    "/search?query=plies > 3",
    "/game/GAME?ply=2",
    "/assets/base.css",
    "/metrics",
];

/// URLs for POST requests.
const POST_URLS: &[&str] = &[
    "/api/validate?variant=brandubh7&as=movelist&name=games.csv",
    "/api/validate",
    "/api/validate?variant=RULES",
    "/api/repair?variant=brandubh7&apply=first",
    "/api/repair?as=movelist",
    "/api/convert?variant=brandubh7&to=opentafl",
    "/api/convert?as=opentafl&to=pgn",
    "/api/convert?to=jsonl",
];

/// The expected error codes. An internal error is not among them.
const CODES: &[&str] = &[
    "bad-parameter",
    "unknown-variant",
    "bad-rules",
    "bad-position",
    "illegal-move",
    "bad-query",
    "bad-record",
    "unknown-game",
    "not-found",
    "bad-method",
    "too-large",
    "too-slow",
    "busy",
];

/// Returns a text with reserved characters escaped for a URL.
fn percent_encode(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// Returns a URL with some values modified, and sometimes a parameter omitted or repeated.
fn modified_url(rng: &mut Rng, url: &str) -> String {
    let (path, values) = url.split_once('?').unwrap_or((url, ""));
    let mut modified = match path.rsplit_once('/') {
        Some((parent, last)) if rng.below(6) == 0 => {
            format!("{parent}/{}", percent_encode(&mutated(rng, last)))
        }
        _ => path.to_owned(),
    };
    let mut separator = '?';
    for part in values.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        // The node limit stays, to keep a search short.
        let times = if name == "nodes" { 1 } else { [1, 1, 1, 1, 1, 0, 2][rng.below(7)] };
        for _ in 0..times {
            let value = if name == "nodes" { value.to_owned() } else { mutated(rng, value) };
            modified.push_str(&format!("{separator}{name}={}", percent_encode(&value)));
            separator = '&';
        }
    }
    modified
}

/// Returns a URL with its placeholders replaced and its values escaped.
fn unmodified_url(url: &str, game: &str) -> String {
    let url = url.replace("RULES", RULES).replace("POSITION", POSITION).replace("GAME", game);
    let Some((path, values)) = url.split_once('?') else { return url };
    let value = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        format!("{name}={}", percent_encode(value))
    };
    format!("{path}?{}", values.split('&').map(value).collect::<Vec<_>>().join("&"))
}

/// Sends a modified request, and returns whether it was rejected.
fn check_random_request(server: &TestServer, game: &str, rng: &mut Rng) -> bool {
    let (request, response) = if rng.below(3) == 0 {
        let (url, body) = (pick(rng, POST_URLS), pick(rng, INPUTS));
        let (url, body) = (modified_url(rng, url), mutated(rng, body));
        (format!("POST {url} {body:?}"), server.post(&url, body.as_bytes()))
    } else {
        let url = pick(rng, GET_URLS).replace("GAME", game);
        let url = modified_url(rng, &url);
        (format!("GET {url}"), server.get(&url))
    };
    if response.status < 400 {
        return false;
    }
    let is_api = response.header("content-type") == Some("application/json");
    assert!(is_api || request.starts_with("GET /"), "{request}: {}", response.text());
    if is_api {
        let error: Value = response.json()["error"].clone();
        let code = error["code"].as_str().unwrap_or_default();
        assert!(CODES.contains(&code), "{request}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{request}: {error}");
    } else {
        assert!([400, 404, 405, 413, 503].contains(&response.status), "{request}: {}", response.text());
    }
    true
}

/// Modifying a request that is rejected anyway would test nothing else.
#[test]
fn every_unmodified_request_succeeds() {
    let server = TestServer::start(&[]);
    let games = server.json("/api/games");
    let game = games["games"][0]["game"].as_str().expect("a game has a number");
    for url in GET_URLS {
        let url = unmodified_url(url, game);
        let response = server.get(&url);
        assert_eq!(response.status, 200, "{url}: {}", response.text());
    }
    for url in POST_URLS {
        let url = unmodified_url(url, game);
        let body = if url.contains("as=movelist") { "d2-c2 d3-c3" } else { GAMES };
        let response = server.post(&url, body.as_bytes());
        assert_eq!(response.status, 200, "{url}: {}", response.text());
    }
}

#[test]
fn modified_requests_succeed_or_are_rejected() {
    let server = TestServer::start(&[]);
    let games = server.json("/api/games");
    let game = games["games"][0]["game"].as_str().expect("a game has a number");
    let (n, rejected) = repeat(300, |rng| check_random_request(&server, game, rng));
    println!("{n} requests, {rejected} rejected");
    assert!(rejected > 20 && rejected < n, "{n} requests, {rejected} rejected");
    assert_eq!(server.get("/api/info").status, 200);
}
