//! The server: responses of its routes, and errors for invalid input.

use std::fs;
use std::io::Read;

use serde_json::{Value, json};

use super::test_server::{HttpResponse, TestServer};

/// Sends a GET request, asserts that it is rejected with a status and a code, and returns the error.
fn get_rejected(server: &TestServer, path: &str, status: u16, code: &str) -> Value {
    server.assert_rejected(server.get(path), status, code)
}

#[test]
fn the_explorer_equals_the_command() {
    let server = TestServer::start(&[]);
    for (parameters, args) in [
        ("", &[][..]),
        ("&moves=d2-e2,c4-c1", &["--moves", "d2-e2 c4-c1"][..]),
        ("&moves=d2-e2&as_it_stands=1", &["--moves", "d2-e2", "--as-it-stands"]),
        ("&query=player%3A%22red%22", &["--query", "player:\"red\""]),
        (
            "&position=/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/&side=defenders",
            &["--position", "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/", "--side", "defenders"],
        ),
    ] {
        let mut response = server.json(&format!("/api/explore?variant=brandubh7{parameters}"));
        assert!(response["took_ms"].take().is_number());
        let all = ["explore", "@games.corpus", "--variant", "brandubh7", "--format", "json"];
        let mut expected = server.run(&[&all[..], args].concat()).json();
        expected["took_ms"] = Value::Null;
        assert_eq!(response, expected, "{parameters}");
        assert_ne!(response["games"], 0, "{parameters}");
    }
    let mut tree = server.json("/api/tree?variant=brandubh7&depth=3&min_games=1");
    assert!(tree["took_ms"].take().is_number());
    let args = ["--variant", "brandubh7", "--tree", "3", "--min-games", "1", "--format", "json"];
    let mut expected = server.run(&[&["explore", "@games.corpus"], &args[..]].concat()).json();
    expected["took_ms"] = Value::Null;
    assert_eq!(tree, expected);
}

#[test]
fn search_results_equal_the_output_of_the_command() {
    let server = TestServer::start(&[]);
    let response = server.get("/api/search?query=king_moved&format=jsonl");
    assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
    let output = server.run(&["search", "@games.corpus", "king_moved", "--format", "jsonl"]);
    assert_eq!(response.text(), output.text());
    assert!(output.text().lines().count() > 1, "{}", output.text());
    let page = server.json("/api/search?query=king_moved&offset=1&limit=1");
    let line: Value = serde_json::from_str(output.text().lines().nth(1).unwrap()).unwrap();
    assert_eq!(page["hits"], json!([line]));
    assert_eq!(page["summary"]["offset"], 1);
    let table = server.get("/api/search?query=king_moved&format=csv");
    let output = server.run(&["search", "@games.corpus", "king_moved", "--format", "csv"]);
    assert_eq!(table.text(), output.text());
}

#[test]
fn a_search_without_hits_has_a_reason() {
    let page = TestServer::start(&[]).json("/api/search?query=variant%3Acopenhagen11");
    assert_eq!(page["hits"], json!([]));
    assert!(page["notes"][0].as_str().unwrap().contains("it has: brandubh7"), "{page}");
}

#[test]
fn games_are_listed_page_by_page() {
    let server = TestServer::start(&[]);
    let all = server.json("/api/games?variant=brandubh7");
    assert_eq!((&all["total"], &all["exact"]), (&json!(3), &json!(true)));
    let second = server.json("/api/games?offset=1&limit=1");
    assert_eq!(second["games"], json!([all["games"][1]]));
    assert!(all["games"][0]["final"].as_str().unwrap().starts_with('/'), "{all}");
    assert_eq!(server.json("/api/games?query=player%3Ared")["total"], 2);
    assert_eq!(server.json("/api/games?variant=copenhagen11")["total"], 0);
}

#[test]
fn a_game_with_unnamed_rules_has_its_rules_string() {
    let start = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let game = format!("[attackers:Red]\n[rules:dim:7 name:Own ks:w start:{start}]\n\n1. d2-c2 e4-e1\n");
    let server = TestServer::new(&[("own.otg", &game)], &|_| {});
    let game = server.json("/api/games")["games"][0].clone();
    assert_eq!(game["variant"], Value::Null);
    let rules = game["rules"].as_str().unwrap().replace(' ', "%20");
    assert_eq!(server.json(&format!("/api/board?variant={rules}"))["start"], start);
    let hits = server.json("/api/search?query=plies=2")["hits"].clone();
    assert_eq!((&hits[0]["game"], &hits[0]["rules"]), (&game["game"], &game["rules"]));
}

#[test]
fn a_position_has_its_legal_moves_and_history() {
    let position = TestServer::start(&[]).json("/api/position?variant=brandubh7&moves=d2-c2%20e4-e1");
    assert_eq!((&position["ply"], &position["to_move"]), (&json!(2), &json!("attackers")));
    assert_eq!(position["last"]["move"], "e4-e1");
    assert_eq!(position["last"]["role"], "man");
    assert!(position["moves"]["c2"].as_array().unwrap().contains(&json!("c1")), "{position}");
    assert_eq!(position["moves"]["e1"], Value::Null);
    assert_eq!(position["pieces"].as_array().unwrap().len(), 13);
    assert_eq!(position["captured"], json!({ "attackers": 0, "defenders": 0 }));
}

#[test]
fn a_board_has_cells_with_coordinates_and_marks() {
    let board = TestServer::start(&[]).json("/api/board?variant=brandubh7");
    assert_eq!(board["cells"].as_array().unwrap().len(), 49);
    assert_eq!(
        board["cells"][0],
        json!({ "name": "a1", "x": 0.5, "y": 6.5, "marks": ["corner", "goal", "stop"] })
    );
    assert_eq!((&board["width"], &board["shape"]["name"]), (&json!(7.0), &json!("7x7")));
}

#[test]
fn errors_have_a_code_and_a_span() {
    let server = TestServer::start(&[]);
    let error = get_rejected(&server, "/api/explore?variant=brandubh77", 400, "unknown-variant");
    assert_eq!(error["parameter"], "variant");
    assert!(error["help"].as_str().unwrap().starts_with("did you mean `brandubh7`"), "{error}");
    let error =
        get_rejected(&server, "/api/position?variant=brandubh7&moves=d2-c2%20e4-f5", 400, "illegal-move");
    assert_eq!(error["span"], json!({ "start": 6, "end": 11 }));
    assert!(error["message"].as_str().unwrap().starts_with("ply 2, e4-f5: "), "{error}");
    let error = get_rejected(&server, "/api/search?query=%C3%9E%20or%20%3D", 400, "bad-query");
    assert_eq!(error["parameter"], "query");
    assert!(error["span"]["start"].as_u64() >= error["columns"]["start"].as_u64(), "{error}");
    for (path, code) in [
        ("/api/explore", "bad-parameter"),
        ("/api/explore?variant=brandubh7&rules=dim:7", "bad-parameter"),
        ("/api/explore?variant=brandubh7&variant=brandubh7", "bad-parameter"),
        ("/api/explore?variant=dim:7+start:/x/", "bad-rules"),
        ("/api/position?variant=brandubh7&position=/3/", "bad-position"),
        ("/api/position?variant=brandubh7&moves=hello", "bad-parameter"),
        ("/api/position?variant=brandubh7&moves=a1-z99", "illegal-move"),
        ("/api/tree?variant=brandubh7&depth=9", "bad-parameter"),
        ("/api/explore?variant=brandubh7&query=(", "bad-query"),
        ("/api/search", "bad-query"),
        ("/api/search?query=capture&limit=101", "bad-parameter"),
        ("/api/search?query=capture&format=xml", "bad-parameter"),
    ] {
        get_rejected(&server, path, 400, code);
    }
}

#[test]
fn a_variant_never_names_a_file() {
    let server = TestServer::start(&[]);
    let path = server.path("games.otg").display().to_string().replace('/', "%2F");
    get_rejected(&server, &format!("/api/board?variant={path}"), 400, "unknown-variant");
}

#[test]
fn text_from_records_is_not_interpreted() {
    let response = TestServer::start(&[]).get("/api/games");
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert!(response.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert_eq!(response.json()["games"][0]["defenders"], "<script>alert(1)</script>");
}

#[test]
fn pages_and_assets_are_served_with_entity_tags() {
    let server = TestServer::start(&[]);
    for path in ["/", "/explore", "/game/0123456789abcdef", "/search?query=x", "/about"] {
        let page = server.get(path);
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
    }
    let icon = server.get("/assets/icon.svg");
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
    let (tag, host) = (icon.header("etag").unwrap(), server.address());
    let again = server.get_with_headers("/assets/icon.svg", &[("Host", host), ("If-None-Match", tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.get("/nothing").header("content-type"), Some("text/html; charset=utf-8"));
    get_rejected(&server, "/assets/nothing.js", 404, "not-found");
    get_rejected(&server, "/assets/..%2f..%2fCargo.toml", 404, "not-found");
    get_rejected(&server, "/api/nothing", 404, "not-found");
    let post = server.post("/api/info", b"");
    server.assert_rejected(post, 405, "bad-method");
}

#[test]
fn styles_and_icons_are_served_and_scripts_are_bundled() {
    let server = TestServer::start(&[]);
    let main = server.get("/assets/app.js").text().to_owned();
    let pages = [
        "home", "explorer", "game", "player", "event", "search", "analysis", "play", "puzzles", "reports",
        "upload", "about", "frame", "compare",
    ];
    let pages = pages.map(|page| server.get(&format!("/assets/page-{page}.js")).text().to_owned());
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/assets");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".js") {
            let start = format!("m[\"{name}\"] ??=");
            assert!(main.contains(&start) || pages.iter().any(|page| page.contains(&start)), "{name}");
        } else if name != "index.html" {
            let response = server.get(&format!("/assets/{name}"));
            assert_eq!(response.status, 200, "{name}");
            assert_eq!(response.body, fs::read(&path).unwrap(), "{name}");
        }
    }
}

#[test]
fn responses_are_compressed_on_request_except_streams() {
    let server = TestServer::start(&[]);
    let host = ("Host", server.address());
    for path in ["/api/info", "/", "/assets/app.js"] {
        let plain = server.get(path);
        let compressed = server.get_with_headers(path, &[host, ("Accept-Encoding", "gzip")]);
        assert_eq!(compressed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(compressed.body.len() < plain.body.len(), "{path}");
        let mut decompressed = Vec::new();
        flate2::read::GzDecoder::new(&compressed.body[..]).read_to_end(&mut decompressed).unwrap();
        assert_eq!(decompressed, plain.body, "{path}");
    }
    let lines = server
        .get_with_headers("/api/search?query=capture&format=jsonl", &[host, ("Accept-Encoding", "gzip")]);
    assert_eq!((lines.status, lines.header("content-encoding")), (200, None));
}

#[test]
fn every_request_is_logged_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("access.log");
    let args = ["--token", "a-long-secret", "--log", log.to_str().unwrap()];
    let server = TestServer::start(&args);
    server.get("/api/info");
    server.get("/?token=a-long-secret");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("method=GET path=/api/info status=401"), "{text}");
    assert!(text.contains("path=/ status=200") && text.contains("bytes="), "{text}");
    assert!(!text.contains("a-long-secret"), "{text}");
}

#[test]
fn the_metrics_count_requests() {
    let server = TestServer::start(&[]);
    server.get("/api/explore?variant=brandubh7");
    server.get("/api/explore?variant=nothing");
    server.get_with_headers("/", &[("Host", "evil.example")]);
    let response = server.get("/metrics");
    let text = response.text();
    for line in [
        "tafl_requests_total{route=\"explore\",status=\"200\"} 1",
        "tafl_requests_total{route=\"explore\",status=\"400\"} 1",
        "tafl_rejected_total{reason=\"forbidden-host\"} 1",
        "tafl_engine_jobs 0",
        "tafl_corpus_generation 1",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn a_bad_request_has_an_error_body() {
    let response: HttpResponse = TestServer::start(&[]).get("/api/position?variant=brandubh7&moves=d2-d7");
    assert_eq!(response.status, 400);
    let error = response.json()["error"].clone();
    let mut names: Vec<&String> = error.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["code", "columns", "help", "message", "parameter", "span"]);
}
