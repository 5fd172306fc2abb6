//! The server: every address, what it answers, and what it says about bad input.

use std::fs;
use std::io::Read;

use serde_json::{Value, json};

use super::served::{Response, Served};

/// Games of Brandubh that begin alike; in one a player has a name that pages must not believe.
pub(super) const GAMES: &str = "\
[attackers:Red]
[defenders:<script>alert(1)</script>]
[variant:brandubh7]
1. d2-c2 e4-e1
2. b4-b2 d4-e4
3. c2-c1 e4-e3

[attackers:Þóra]
[defenders:Red]
[variant:brandubh7]
1. d2-e2 c4-c1
2. f4-f2 d4-c4

[attackers:Sven]
[defenders:Þóra]
[variant:brandubh7]
1. d6-c6 e4-e7
2. b4-b6
";

/// Serves the games.
pub(super) fn served() -> Served {
    Served::of(&[("games.otg", GAMES)], &|_| {})
}

/// Asks for an address and checks that it is refused with a status and a code.
fn refused(served: &Served, path: &str, status: u16, code: &str) -> Value {
    served.refuses(served.get(path), status, code)
}

/// Returns an address that each route answers; nothing for those that need a body.
fn example(served: &Served, path: &str) -> Option<String> {
    let game = || served.json("/api/games")["games"][0]["game"].as_str().unwrap().to_owned();
    Some(match path {
        "/api/board" | "/api/position" | "/api/explore" | "/api/tree" => format!("{path}?variant=brandubh7"),
        "/api/search" => "/api/search?query=capture&limit=3".to_owned(),
        "/api/query" => "/api/query?query=capture".to_owned(),
        "/api/analysis" => "/api/analysis?variant=brandubh7&nodes=2000&format=json".to_owned(),
        "/api/report" => "/api/report?kind=health&format=json".to_owned(),
        "/api/game/{id}/annotate" => format!("/api/game/{}/annotate?nodes=1000", game()),
        "/api/game/{id}/record" => format!("/api/game/{}/record?to=opentafl", game()),
        _ if path.contains("{id}") => path.replace("{id}", &game()),
        _ => path.to_owned(),
    })
}

/// Checks that a value fits a schema of the description, with everything in it.
fn fits(value: &Value, schema: &Value, described: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.strip_prefix('#').unwrap();
        let named = described.pointer(pointer).unwrap_or_else(|| panic!("{at}: nothing is called {name}"));
        return fits(value, named, described, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let is_null = |choice: &&Value| choice["type"] == "null";
        if value.is_null() {
            assert!(choices.iter().any(|choice| is_null(&choice)), "{at} is null");
        } else if let [only] = choices.iter().filter(|choice| !is_null(choice)).collect::<Vec<_>>()[..] {
            fits(value, only, described, at);
        }
        return;
    }
    let is_kind = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let is_described = match &schema["type"] {
        Value::String(kind) => is_kind(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is_kind(kind.as_str().unwrap())),
        _ => true,
    };
    assert!(is_described, "{at} is {value}, not {}", schema["type"]);
    if let (Some(values), Some(_)) = (value.as_array(), schema.get("items")) {
        values.iter().for_each(|value| fits(value, &schema["items"], described, &format!("{at}[]")));
    }
    let Some(object) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(object.contains_key(name.as_str().unwrap()), "{at} has no {name}");
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = object.get(name) {
            fits(value, schema, described, &format!("{at}.{name}"));
        }
    }
}

#[test]
fn every_described_address_answers_as_it_is_described() {
    let served = served();
    let described = served.json("/api/openapi.json");
    assert_eq!(described["openapi"], "3.1.0");
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 15, "{:?}", paths.keys());
    for (path, methods) in paths {
        let Some(operation) = methods.get("get") else {
            assert!(methods.get("post").is_some(), "{path}");
            assert_eq!(served.get(path).status, 405, "{path}");
            continue;
        };
        let address = example(&served, path).unwrap();
        let response = served.get(&address);
        assert_eq!(response.status, 200, "{address}: {}", String::from_utf8_lossy(&response.body));
        let content = operation["responses"]["200"]["content"].as_object().unwrap();
        let kind = response.header("content-type").unwrap();
        let kind = kind.split(';').next().unwrap();
        assert!(content.keys().any(|known| known.starts_with(kind)), "{address}: {kind}");
        if kind == "application/json" {
            fits(&response.json(), &content[kind]["schema"], &described, &address);
        }
    }
}

#[test]
fn described_parameters_are_those_that_are_known() {
    let served = served();
    for (path, methods) in served.json("/api/openapi.json")["paths"].as_object().unwrap() {
        let Some(operation) = methods.get("get").filter(|_| path.starts_with("/api/")) else { continue };
        let parameters = operation["parameters"].as_array().unwrap();
        let names: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let path = path.replace("{id}", "0123456789abcdef");
        let error = served.refuses(served.get(&format!("{path}?nothing=1")), 400, "bad-parameter");
        let known = match names.is_empty() {
            true => "this address takes no parameters".to_owned(),
            false => format!("expected {}", names.join(", ")),
        };
        assert_eq!(error["help"], known.as_str(), "{path}");
    }
}

#[test]
fn the_explorer_answers_what_the_command_does() {
    let served = served();
    for (asked, words) in [
        ("", &[][..]),
        ("&moves=d2-e2,c4-c1", &["--moves", "d2-e2 c4-c1"][..]),
        ("&moves=d2-e2&as_it_stands=1", &["--moves", "d2-e2", "--as-it-stands"]),
        ("&query=player%3A%22red%22", &["--query", "player:\"red\""]),
        (
            "&position=/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/&side=defenders",
            &["--position", "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/", "--side", "defenders"],
        ),
    ] {
        let mut answer = served.json(&format!("/api/explore?variant=brandubh7{asked}"));
        assert!(answer["took_ms"].take().is_number());
        let all = ["explore", "@games.corpus", "--variant", "brandubh7", "--format", "json"];
        let mut expected = served.run(&[&all[..], words].concat()).json();
        expected["took_ms"] = Value::Null;
        assert_eq!(answer, expected, "{asked}");
        assert_ne!(answer["games"], 0, "{asked}");
    }
    let mut tree = served.json("/api/tree?variant=brandubh7&depth=3&min_games=1");
    assert!(tree["took_ms"].take().is_number());
    let words = ["--variant", "brandubh7", "--tree", "3", "--min-games", "1", "--format", "json"];
    let mut expected = served.run(&[&["explore", "@games.corpus"], &words[..]].concat()).json();
    expected["took_ms"] = Value::Null;
    assert_eq!(tree, expected);
}

#[test]
fn a_stream_of_hits_is_what_the_command_writes() {
    let served = served();
    let response = served.get("/api/search?query=king_moved&format=ndjson");
    assert_eq!(response.header("content-type"), Some("application/x-ndjson"));
    let ran = served.run(&["search", "@games.corpus", "king_moved", "--format", "json"]);
    assert_eq!(response.text(), ran.text());
    assert!(ran.text().lines().count() > 1, "{}", ran.text());
    let page = served.json("/api/search?query=king_moved&offset=1&limit=1");
    let line: Value = serde_json::from_str(ran.text().lines().nth(1).unwrap()).unwrap();
    assert_eq!(page["hits"], json!([line]));
    assert_eq!(page["summary"]["offset"], 1);
    let table = served.get("/api/search?query=king_moved&format=csv");
    let ran = served.run(&["search", "@games.corpus", "king_moved", "--format", "csv"]);
    assert_eq!(table.text(), ran.text());
}

#[test]
fn a_search_without_hits_has_a_reason() {
    let page = served().json("/api/search?query=variant%3Acopenhagen11");
    assert_eq!(page["hits"], json!([]));
    assert!(page["notes"][0].as_str().unwrap().contains("it has: brandubh7"), "{page}");
}

#[test]
fn games_are_listed_page_by_page() {
    let served = served();
    let all = served.json("/api/games?variant=brandubh7");
    assert_eq!((&all["total"], &all["exact"]), (&json!(3), &json!(true)));
    let second = served.json("/api/games?offset=1&limit=1");
    assert_eq!(second["games"], json!([all["games"][1]]));
    assert!(all["games"][0]["final"].as_str().unwrap().starts_with('/'), "{all}");
    assert_eq!(served.json("/api/games?query=player%3Ared")["total"], 2);
    assert_eq!(served.json("/api/games?variant=copenhagen11")["total"], 0);
}

#[test]
fn a_game_with_unnamed_rules_has_its_rules_string() {
    let start = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let game = format!("[attackers:Red]\n[rules:dim:7 name:Own ks:w start:{start}]\n\n1. d2-c2 e4-e1\n");
    let served = Served::of(&[("own.otg", &game)], &|_| {});
    let game = served.json("/api/games")["games"][0].clone();
    assert_eq!(game["variant"], Value::Null);
    let rules = game["rules"].as_str().unwrap().replace(' ', "%20");
    assert_eq!(served.json(&format!("/api/board?variant={rules}"))["start"], start);
    let hits = served.json("/api/search?query=plies=2")["hits"].clone();
    assert_eq!((&hits[0]["game"], &hits[0]["rules"]), (&game["game"], &game["rules"]));
}

#[test]
fn a_position_has_its_legal_moves_and_history() {
    let position = served().json("/api/position?variant=brandubh7&moves=d2-c2%20e4-e1");
    assert_eq!((&position["ply"], &position["to_move"]), (&json!(2), &json!("attackers")));
    assert_eq!(position["last"]["move"], "e4-e1");
    assert_eq!(position["last"]["role"], "man");
    assert!(position["moves"]["c2"].as_array().unwrap().contains(&json!("c1")), "{position}");
    assert_eq!(position["moves"]["e1"], Value::Null);
    assert_eq!(position["pieces"].as_array().unwrap().len(), 13);
    assert_eq!(position["captured"], json!({ "attackers": 0, "defenders": 0 }));
}

#[test]
fn a_board_can_be_drawn_from_its_answer() {
    let board = served().json("/api/board?variant=brandubh7");
    assert_eq!(board["cells"].as_array().unwrap().len(), 49);
    assert_eq!(
        board["cells"][0],
        json!({ "name": "a1", "x": 0.5, "y": 6.5, "marks": ["corner", "goal", "stop"] })
    );
    assert_eq!((&board["width"], &board["shape"]["name"]), (&json!(7.0), &json!("7x7")));
}

#[test]
fn bad_input_is_named_with_its_place() {
    let served = served();
    let error = refused(&served, "/api/explore?variant=brandubh77", 400, "unknown-variant");
    assert_eq!(error["parameter"], "variant");
    assert!(error["help"].as_str().unwrap().starts_with("did you mean `brandubh7`"), "{error}");
    let error = refused(&served, "/api/position?variant=brandubh7&moves=d2-c2%20e4-f5", 400, "illegal-move");
    assert_eq!(error["span"], json!({ "start": 6, "end": 11 }));
    assert!(error["message"].as_str().unwrap().starts_with("ply 2, e4-f5: "), "{error}");
    let error = refused(&served, "/api/search?query=%C3%9E%20or%20%3D", 400, "bad-query");
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
        refused(&served, path, 400, code);
    }
}

#[test]
fn a_variant_never_names_a_file() {
    let served = served();
    let path = served.path("games.otg").display().to_string().replace('/', "%2F");
    refused(&served, &format!("/api/board?variant={path}"), 400, "unknown-variant");
}

#[test]
fn text_from_records_stays_text() {
    let response = served().get("/api/games");
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert!(response.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert_eq!(response.json()["games"][0]["defenders"], "<script>alert(1)</script>");
}

#[test]
fn pages_and_files_are_served_with_tags() {
    let served = served();
    for path in ["/", "/explore", "/game/0123456789abcdef", "/search?query=x", "/about"] {
        let page = served.get(path);
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
    }
    let icon = served.get("/assets/icon.svg");
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
    let (tag, host) = (icon.header("etag").unwrap(), served.address());
    let again = served.ask("/assets/icon.svg", &[("Host", host), ("If-None-Match", tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(served.get("/nothing").status, 404);
    assert_eq!(served.get("/nothing").header("content-type"), Some("text/html; charset=utf-8"));
    refused(&served, "/assets/nothing.js", 404, "not-found");
    refused(&served, "/assets/..%2f..%2fCargo.toml", 404, "not-found");
    refused(&served, "/api/nothing", 404, "not-found");
    let post = served.post("/api/info", b"");
    served.refuses(post, 405, "bad-method");
}

#[test]
fn every_file_of_the_pages_is_served() {
    let served = served();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/assets");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let response = served.get(&format!("/assets/{name}"));
        assert_eq!(response.status, 200, "{name}");
        assert_eq!(response.body, fs::read(&path).unwrap(), "{name}");
    }
}

#[test]
fn answers_are_compressed_on_request_except_streams() {
    let served = served();
    let host = ("Host", served.address());
    for path in ["/api/info", "/", "/assets/main.js"] {
        let plain = served.get(path);
        let packed = served.ask(path, &[host, ("Accept-Encoding", "gzip")]);
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(packed.body.len() < plain.body.len(), "{path}");
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.body, "{path}");
    }
    let lines = served.ask("/api/search?query=capture&format=ndjson", &[host, ("Accept-Encoding", "gzip")]);
    assert_eq!((lines.status, lines.header("content-encoding")), (200, None));
}

#[test]
fn every_request_is_logged_without_its_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("access.log");
    let words = ["--token", "a-long-secret", "--log", log.to_str().unwrap()];
    let served = Served::with(&[("games.otg", GAMES)], &words, &|_| {});
    served.get("/api/info");
    served.get("/?token=a-long-secret");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("method=GET path=/api/info status=401"), "{text}");
    assert!(text.contains("path=/ status=200") && text.contains("bytes="), "{text}");
    assert!(!text.contains("a-long-secret"), "{text}");
}

#[test]
fn the_metrics_count_requests() {
    let served = served();
    served.get("/api/explore?variant=brandubh7");
    served.get("/api/explore?variant=nothing");
    served.ask("/", &[("Host", "evil.example")]);
    let response = served.get("/metrics");
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
    let response: Response = served().get("/api/position?variant=brandubh7&moves=d2-d7");
    assert_eq!(response.status, 400);
    let error = response.json()["error"].clone();
    let mut names: Vec<&String> = error.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["code", "columns", "help", "message", "parameter", "span"]);
}
