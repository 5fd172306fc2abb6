//! Any address and any body for the server, each with a few places changed: every request is answered, refused with a code that
//! `docs/api.md` has, and none is a mistake of the server.
//!
//! Goes on for `TAFL_WORDS_SECONDS`, as `any_words` does.

use serde_json::Value;
use tafl_rules::Rng;

use super::any_words::{INPUTS, POSITION, RULES, below, changed, pick, repeat};
use super::serve::{GAMES, served};
use super::served::Served;

/// Addresses; what stands behind `=` and at the end of a path is changed and escaped.
const ADDRESSES: &[&str] = &[
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
    "/api/search?query=ply=0&format=ndjson&limit=3",
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

/// Addresses that take a body.
const TAKERS: &[&str] = &[
    "/api/validate?variant=brandubh7&as=movelist&name=games.csv",
    "/api/validate",
    "/api/validate?variant=RULES",
    "/api/convert?variant=brandubh7&to=opentafl",
    "/api/convert?as=opentafl&to=pgn",
    "/api/convert?to=jsonl",
];

/// What may be wrong with a request. That the server made a mistake is not among them.
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

/// Returns a text as it stands in an address.
fn escaped(text: &str) -> String {
    let sign = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(sign).collect()
}

/// Returns an address with some of its values changed, and now and then one left out or given twice.
fn address(dice: &mut Rng, from: &str) -> String {
    let (path, values) = from.split_once('?').unwrap_or((from, ""));
    let mut address = match path.rsplit_once('/') {
        Some((above, last)) if below(dice, 6) == 0 => format!("{above}/{}", escaped(&changed(dice, last))),
        _ => path.to_owned(),
    };
    let mut sign = '?';
    for part in values.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        // Nodes keep a search short.
        let times = if name == "nodes" { 1 } else { [1, 1, 1, 1, 1, 0, 2][below(dice, 7)] };
        for _ in 0..times {
            let value = if name == "nodes" { value.to_owned() } else { changed(dice, value) };
            address.push_str(&format!("{sign}{name}={}", escaped(&value)));
            sign = '&';
        }
    }
    address
}

/// Returns an address as it stands in the table, with its values escaped.
fn unchanged(from: &str, game: &str) -> String {
    let from = from.replace("RULES", RULES).replace("POSITION", POSITION).replace("GAME", game);
    let Some((path, values)) = from.split_once('?') else { return from };
    let value = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        format!("{name}={}", escaped(value))
    };
    format!("{path}?{}", values.split('&').map(value).collect::<Vec<_>>().join("&"))
}

/// Asks for something, now and then about a game, and returns whether that was refused.
fn check(served: &Served, game: &str, dice: &mut Rng) -> bool {
    let (asked, response) = if below(dice, 3) == 0 {
        let (taker, body) = (pick(dice, TAKERS), pick(dice, INPUTS));
        let (taker, body) = (address(dice, taker), changed(dice, body));
        (format!("POST {taker} {body:?}"), served.post(&taker, body.as_bytes()))
    } else {
        let from = pick(dice, ADDRESSES).replace("GAME", game);
        let address = address(dice, &from);
        (format!("GET {address}"), served.get(&address))
    };
    if response.status < 400 {
        return false;
    }
    let is_api = response.header("content-type") == Some("application/json");
    assert!(is_api || asked.starts_with("GET /"), "{asked}: {}", response.text());
    if is_api {
        let error: Value = response.json()["error"].clone();
        let code = error["code"].as_str().unwrap_or_default();
        assert!(CODES.contains(&code), "{asked}: {error}");
        assert!(error["message"].as_str().is_some_and(|words| !words.is_empty()), "{asked}: {error}");
    } else {
        assert!([400, 404, 405, 413, 503].contains(&response.status), "{asked}: {}", response.text());
    }
    true
}

/// A change of a request that is refused anyway tests nothing but the refusal.
#[test]
fn every_request_is_answered_before_it_is_changed() {
    let served = served();
    let games = served.json("/api/games");
    let game = games["games"][0]["game"].as_str().expect("games have names");
    for from in ADDRESSES {
        let address = unchanged(from, game);
        let response = served.get(&address);
        assert_eq!(response.status, 200, "{address}: {}", response.text());
    }
    for from in TAKERS {
        let address = unchanged(from, game);
        let body = if address.contains("as=movelist") { "d2-c2 d3-c3" } else { GAMES };
        let response = served.post(&address, body.as_bytes());
        assert_eq!(response.status, 200, "{address}: {}", response.text());
    }
}

#[test]
fn any_request_is_answered_or_rejected() {
    let served = served();
    let games = served.json("/api/games");
    let game = games["games"][0]["game"].as_str().expect("games have names");
    let (n, refused) = repeat(300, |dice| check(&served, game, dice));
    println!("{n} requests, {refused} refused");
    assert!(refused > 20 && refused < n, "{n} requests, {refused} refused");
    assert_eq!(served.get("/api/info").status, 200);
}
