//! Other sites: their origins, pages in frames, and oEmbed.

use serde_json::Value;

use super::test_server::TestServer;

const SITE: &str = "https://club.example.org";
const GAME: &str = "[attackers:Ann]\n[defenders:Bo & Co]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";

/// Starts a server for a game whose page another site may embed.
fn start_for_site() -> TestServer {
    let args = ["--allow-origin", SITE, "--host", "tafl.example.org"];
    TestServer::with_options(&[("games.otg", GAME)], &args, &|_| {})
}

#[test]
fn only_an_allowed_site_may_read_the_api() {
    let server = start_for_site();
    let ask = |origin: &str| {
        server.get_with_headers("/api/info", &[("Host", server.address()), ("Origin", origin)])
    };
    let allowed = ask(SITE);
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (200, Some(SITE)));
    assert_eq!(allowed.header("cross-origin-resource-policy"), Some("cross-origin"));
    assert_eq!(allowed.header("access-control-allow-credentials"), None);
    let other = ask("https://other.example.org");
    assert_eq!(other.header("access-control-allow-origin"), None);
    server.assert_rejected(other, 403, "forbidden-origin");
    let question = format!(
        "OPTIONS /api/validate HTTP/1.1\r\nHost: {}\r\nOrigin: {SITE}\r\nConnection: close\r\n\r\n",
        server.address()
    );
    let answer = String::from_utf8(server.exchange(question.as_bytes())).unwrap().to_lowercase();
    assert!(
        answer.starts_with("http/1.1 204") && answer.contains("access-control-allow-methods: get, post"),
        "{answer}"
    );
}

#[test]
fn a_game_has_a_frame_for_other_sites() {
    let server = start_for_site();
    let games: Value = server.json("/api/games");
    let id = games["games"][0]["game"].as_str().unwrap();
    let policy = |path: &str| server.get(path).header("content-security-policy").unwrap().to_owned();
    assert!(policy(&format!("/embed/game/{id}")).contains(&format!("frame-ancestors 'self' {SITE};")));
    assert!(policy(&format!("/game/{id}")).contains("frame-ancestors 'self';"));
    // The page names its description, which has the frame.
    let page = server.get(&format!("/game/{id}"));
    let link =
        page.text().split("application/json+oembed\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let (origin, path) = link.split_at(link.find("/api/").unwrap());
    let found = server.json(path);
    assert_eq!((&found["type"], &found["title"]), (&"rich".into(), &"Ann – Bo & Co".into()));
    let html = found["html"].as_str().unwrap();
    assert!(
        html.starts_with(&format!("<iframe src=\"{origin}/embed/game/{id}\""))
            && html.contains("Bo &amp; Co"),
        "{html}"
    );
    let position = server.json(
        "/api/oembed?url=https://tafl.example.org/analysis%3Fvariant=brandubh7%26moves=d2-c2&maxwidth=300",
    );
    assert_eq!(position["width"], 300);
    let html = position["html"].as_str().unwrap();
    assert!(
        html.contains("src=\"https://tafl.example.org/embed/position?variant=brandubh7&amp;moves=d2-c2\""),
        "{html}"
    );
    server.assert_rejected(server.get("/api/oembed?url=https://tafl.example.org/about"), 404, "not-found");
    server.assert_rejected(server.get("/api/oembed?url=javascript:alert(1)"), 400, "bad-parameter");
    // The frame of another site would be in the name of this one.
    let other = server.get(&format!("/api/oembed?url=https://evil.example/game/{id}"));
    server.assert_rejected(other, 400, "bad-parameter");
    server.assert_rejected(
        server.get("/api/oembed?url=https://tafl.example.org/game/0123456789abcdef"),
        404,
        "unknown-game",
    );
}
