//! A server that may write: imports, tags, names of players, and studies.

use std::fs;

use serde_json::{Value, json};
use tafl_corpus::{Ingest, IngestOptions};

use super::test_server::TestServer;

const TOKEN: &str = "a-long-secret";

/// A game that isn't in the corpus.
const NEW_GAME: &str = "[attackers:Late]\n[defenders:Later]\n[variant:brandubh7]\n1. d2-b2 e4-e1\n2. b4-b3\n";

/// A record of a study.
const STUDY: &str = r#"{"taflbase":1,"variant":"brandubh7","lines":[{"moves":"d2-c2 d3-c3"},{"parent":0,"at":0,"moves":"d1-c1"}]}"#;

fn start_with(args: &[&str]) -> TestServer {
    let args = [&["--write", "--token", TOKEN], args].concat();
    TestServer::start(&args).with_token(TOKEN)
}

/// Sends a POST request, and returns the JSON of a successful response.
fn posted(server: &TestServer, path: &str, body: &str) -> Value {
    let response = server.post(path, body.as_bytes());
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    response.json()
}

/// Returns the number of the first game that matches a query.
fn game_of(server: &TestServer, query: &str) -> String {
    let found = server.json(&format!("/api/games?query={query}"));
    found["games"][0]["game"].as_str().unwrap_or_else(|| panic!("{query}: {found}")).to_owned()
}

#[test]
fn a_server_only_reads_unless_told_otherwise() {
    let server = TestServer::start(&[]);
    assert_eq!(server.json("/api/info")["may_write"], false);
    let id = game_of(&server, "player:sven");
    for path in [
        "/api/import".to_owned(),
        format!("/api/game/{id}/tags?add=x"),
        "/api/player/merge?name=Red&alias=Sven".to_owned(),
        "/api/player/split?alias=Sven".to_owned(),
        "/api/study/save?title=A".to_owned(),
        "/api/study/rename?title=A&new_title=B".to_owned(),
        "/api/study/delete?title=A&version=0".to_owned(),
    ] {
        server.assert_rejected(server.post(&path, NEW_GAME.as_bytes()), 403, "read-only");
        assert_eq!(server.get(&path).status, 405, "reading never changes anything: {path}");
    }
    server.assert_rejected(server.get("/api/studies"), 403, "read-only");
    assert_eq!(server.json("/api/info")["corpus"]["games"], 3);
    assert!(!server.path("games.studies").exists());
}

#[test]
fn an_imported_game_is_found_at_once() {
    let server = start_with(&[]);
    assert_eq!(server.json("/api/info")["may_write"], true);
    let before = server.json("/api/explore?variant=brandubh7")["games"].as_u64().unwrap();
    let added = posted(&server, "/api/import?name=..%2Flate.otg", NEW_GAME);
    assert_eq!((&added["added"], &added["corpus_games"]), (&json!(1), &json!(4)));
    let id = added["games"][0].as_str().unwrap();
    assert_eq!(server.json(&format!("/api/game/{id}"))["game"]["source"], "late.otg");
    assert_eq!(game_of(&server, "player:late"), id);
    assert_eq!(server.json("/api/explore?variant=brandubh7")["games"], before + 1);
    assert_eq!(server.json("/api/search?query=player:late")["summary"]["games"], 1);
    // The command does the same.
    server.run(&["import", "@other.corpus", "@games.otg"]);
    let late = server.path("late.otg");
    fs::write(&late, NEW_GAME).unwrap();
    let command = server.run(&["import", "@other.corpus", "@late.otg", "--format", "json"]).json();
    for name in ["added", "plies", "doubled", "rejected", "corpus_games"] {
        assert_eq!(command[name], added[name], "{name}");
    }
    let query = "SELECT game, variant, attackers, plies, result FROM games ORDER BY game";
    let games = |corpus: &str| server.run(&["sql", corpus, query, "--format", "json"]).json();
    assert_eq!(games("@other.corpus"), games("@games.corpus"));
    // A copy, a broken record, and a text without records.
    assert_eq!(posted(&server, "/api/import?name=late.otg", NEW_GAME)["doubled"], 1);
    let broken = posted(&server, "/api/import", "[variant:brandubh7]\n1. d2-c2 e4-e9\n");
    assert_eq!((&broken["added"], &broken["rejected"]), (&json!(0), &json!(1)));
    server.assert_rejected(server.post("/api/import", b""), 400, "bad-record");
    server.assert_rejected(
        server.post("/api/import?variant=nothing", NEW_GAME.as_bytes()),
        400,
        "unknown-variant",
    );
    assert_eq!(server.run(&["verify", "@games.corpus", "--deep"]).exit, tafl_cli::Exit::Ok);
}

#[test]
fn games_are_tagged() {
    let server = start_with(&[]);
    let id = game_of(&server, "player:sven");
    let tags = |id: &str| server.json(&format!("/api/game/{id}"))["game"]["tags"]["tag"].clone();
    let path = format!("/api/game/{id}/tags");
    assert_eq!(posted(&server, &format!("{path}?add=to%20study&add=short"), "")["changed"], 1);
    assert_eq!(tags(&id), json!(["to study", "short"]));
    assert_eq!(game_of(&server, "text:study"), id, "the game keeps its number");
    assert_eq!(posted(&server, &format!("{path}?remove=short"), "")["changed"], 1);
    assert_eq!(tags(&id), "to study");
    server.assert_rejected(server.post(&format!("{path}?add=a%0Ab"), b""), 400, "bad-parameter");
    server.assert_rejected(server.post(&path, b""), 400, "bad-parameter");
    for unknown in ["0123456789abcdef", "x"] {
        let path = format!("/api/game/{unknown}/tags?add=x");
        server.assert_rejected(server.post(&path, b""), 404, "unknown-game");
    }
}

#[test]
fn players_are_merged_and_split() {
    let server = start_with(&[]);
    let merged = posted(&server, "/api/player/merge?name=Red&alias=Sven", "");
    assert_eq!(merged["aliases"], json!([{ "alias": "Sven", "name": "Red" }]));
    let red = server.json("/api/player?name=Red");
    assert_eq!((&red["total"]["games"], &red["aliases"]), (&json!(3), &json!(["Sven"])));
    assert_eq!(server.json("/api/player/aliases")["aliases"], merged["aliases"]);
    assert_eq!(posted(&server, "/api/player/split?alias=Sven", "")["changed"], 1);
    assert_eq!(server.json("/api/player?name=Sven")["total"]["games"], 1);
    let error = server.assert_rejected(
        server.post("/api/player/merge?name=Red&alias=Svenn", b""),
        404,
        "unknown-player",
    );
    assert_eq!((&error["parameter"], &error["help"]), (&json!("alias"), &json!("did you mean `Sven`?")));
    server.assert_rejected(server.post("/api/player/merge?name=Red", b""), 400, "bad-parameter");
}

#[test]
fn a_corpus_that_another_program_writes_is_busy() {
    let server = start_with(&[]);
    let writing = Ingest::begin(&server.path("games.corpus"), &IngestOptions::default()).unwrap();
    let busy = server.post("/api/import", NEW_GAME.as_bytes());
    assert_eq!(busy.header("retry-after"), Some("2"));
    let error = server.assert_rejected(busy, 503, "busy");
    assert_eq!(error["message"], "another program is writing to this corpus");
    drop(writing);
    assert_eq!(posted(&server, "/api/import", NEW_GAME)["added"], 1);
}

#[test]
fn only_own_pages_with_the_token_write() {
    let site = "https://club.example.org";
    let server = start_with(&["--allow-origin", site]);
    let (host, own) = (server.address().to_owned(), format!("http://{}", server.address()));
    let cookie = server.get_with_headers(&format!("/?token={TOKEN}"), &[("Host", &host)]);
    let cookie = cookie.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let import = |headers: &[(&str, &str)]| {
        let headers = [&[("Host", &*host)], headers].concat();
        server.post_with_headers("/api/import", &headers, NEW_GAME.as_bytes())
    };
    server.assert_rejected(import(&[]), 401, "unauthorized");
    server.assert_rejected(import(&[("Cookie", "taflbase-80=x")]), 401, "unauthorized");
    // A site that may read the API doesn't write in the name of its visitors.
    for origin in [site, "https://evil.example", "null"] {
        server.assert_rejected(import(&[("Cookie", &cookie), ("Origin", origin)]), 403, "forbidden-origin");
    }
    let from_site = [("Cookie", &*cookie), ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "no-cors")];
    server.assert_rejected(import(&from_site), 403, "forbidden-origin");
    assert_eq!(server.json("/api/info")["corpus"]["games"], 3);
    assert_eq!(import(&[("Cookie", &cookie), ("Origin", &own)]).status, 200);
    assert_eq!(server.json("/api/info")["corpus"]["games"], 4);
}

#[test]
fn studies_are_files_of_the_user() {
    let server = start_with(&[]);
    assert_eq!(server.json("/api/studies")["studies"], json!([]));
    let title = "../Ways%20out%3F";
    let saved = posted(&server, &format!("/api/study/save?title={title}"), &format!("{STUDY}\n{STUDY}\n"));
    assert_eq!((&saved["title"], &saved["games"]), (&json!("../Ways out?"), &json!(2)));
    let files: Vec<String> = fs::read_dir(server.path("games.studies"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, ["%2E.%2FWays out%3F.jsonl"]);
    let opened = server.json(&format!("/api/study?title={title}"));
    assert_eq!(
        opened,
        json!({ "title": "../Ways out?", "version": saved["version"], "games": [STUDY, STUDY] })
    );
    // Another page changed it.
    let version = saved["version"].as_str().unwrap();
    let save = format!("/api/study/save?title={title}&version={version}");
    let newer = posted(&server, &save, STUDY);
    server.assert_rejected(server.post(&save, STUDY.as_bytes()), 409, "conflict");
    server.assert_rejected(
        server.post(&format!("/api/study/save?title={title}"), STUDY.as_bytes()),
        409,
        "conflict",
    );
    let renamed = posted(&server, &format!("/api/study/rename?title={title}&new_title=con"), "");
    assert_eq!(server.json("/api/studies")["studies"], json!([renamed]));
    assert_eq!(newer["version"], renamed["version"]);
    server.assert_rejected(server.get(&format!("/api/study?title={title}")), 404, "unknown-study");
    for (path, body, code) in [
        ("/api/study/save?title=A", "1. d2-c2", "bad-record"),
        ("/api/study/save?title=A", "", "bad-record"),
        ("/api/study/save?title=a%00b", STUDY, "bad-parameter"),
        ("/api/study/save", STUDY, "bad-parameter"),
    ] {
        server.assert_rejected(server.post(path, body.as_bytes()), 400, code);
    }
    let version = renamed["version"].as_str().unwrap();
    posted(&server, &format!("/api/study/delete?title=con&version={version}"), "");
    assert_eq!(fs::read_dir(server.path("games.studies")).unwrap().count(), 0);
    // The records are read by every command.
    posted(&server, "/api/study/save?title=A", STUDY);
    let file = server.run(&["validate", "@games.studies/A.jsonl"]);
    assert_eq!(file.exit, tafl_cli::Exit::Ok, "{}", file.text());
}
