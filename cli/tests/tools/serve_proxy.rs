//! A server behind a proxy, or for many: the base path, rates, and the folders of files.

use std::fs;

use super::test_server::TestServer;

/// A puzzle as `tafl puzzles --store` writes it.
const PUZZLE: &str = "{\"taflbase_puzzle\":1,\"variant\":\"brandubh7\",\"rules\":\"dim:7\",\"position\":\"/7/\",\"side\":\"defenders\",\
    \"key\":\"0000000000000001\",\"solution\":[\"d4-d1\"],\"plies\":3,\"second\":0.4,\"themes\":[\"escape\"],\"difficulty\":{\"nodes\":50,\"depth\":3},\
    \"verified\":{\"by\":\"solver\",\"nodes\":null,\"within\":3},\"game\":\"GAME\",\"number\":null,\"after_ply\":4,\"engine\":\"e\",\"limits\":\"l\"}\n";

#[test]
fn everything_is_below_the_base_path() {
    let server = TestServer::start(&["--base-path", "/tafl/", "--token", "a-long-secret"]);
    let host = ("Host", server.address());
    let first = server.get_with_headers("/tafl/explore?variant=brandubh7&token=a-long-secret", &[host]);
    assert_eq!(first.header("refresh"), Some("0; url=/tafl/explore?variant=brandubh7"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("; Path=/tafl;"), "{cookie}");
    let server = server.with_token("a-long-secret");
    let bearer = ("Authorization", "Bearer a-long-secret");
    let outside = |path: &str| server.get_with_headers(path, &[("Host", server.address()), bearer]).status;
    for path in ["/", "/api/info", "/explore", "/assets/app.js", "/taflx/api/info", "/tafl/tafl/api/info"] {
        assert_eq!(outside(path), 404, "{path}");
    }
    assert_eq!((outside("/tafl"), outside("/healthz"), outside("/tafl/healthz")), (200, 200, 200));
    let page = server.get("/game/0123456789abcdef");
    let text = page.text();
    assert!(text.contains("data-taflbase=\"/tafl\""), "{text}");
    // Everything that the page names is there.
    let mut named = 0;
    for part in text.split("href=\"").skip(1).chain(text.split("src=\"").skip(1)) {
        let address = part.split('"').next().unwrap();
        let address = address.strip_prefix(&format!("http://{}", server.address())).unwrap_or(address);
        if address.starts_with('#') || address.contains("/oembed") {
            continue;
        }
        assert!(address.starts_with("/tafl/"), "{address}");
        assert_eq!(outside(address), 200, "{address}");
        named += 1;
    }
    assert!(named > 12, "{named}");
    assert_eq!(server.json("/api/openapi.json")["servers"][0]["url"], "/tafl");
    let games = server.json("/api/games");
    let id = games["games"][0]["game"].as_str().unwrap();
    let own = server.address().to_owned();
    server.assert_rejected(
        server.get(&format!("/api/oembed?url=https://{own}/game/{id}")),
        400,
        "bad-parameter",
    );
    let url = format!("https://{own}/tafl/game/{id}");
    let frame = server.json(&format!("/api/oembed?url={url}"));
    let html = frame["html"].as_str().unwrap();
    assert!(html.contains(&format!("src=\"https://{own}/tafl/embed/game/{id}\"")), "{html}");
    let embedded = server.get(&format!("/embed/game/{id}"));
    assert!(embedded.text().contains("<body class=\"frame\">"), "{}", embedded.text());
    assert_eq!(server.get("/nothing").status, 404);
    assert!(server.get("/nothing").text().contains("href=\"/tafl/assets/base.css\""));
}

#[test]
fn an_address_that_sends_too_many_requests_waits() {
    let server = TestServer::start(&["--rate", "1", "--burst", "3"]);
    let statuses: Vec<u16> = (0..5).map(|_| server.get("/api/query?query=capture").status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 3, "{statuses:?}");
    let rejected = server.get("/api/query?query=capture");
    assert_eq!(rejected.status, 429);
    let seconds: u64 = rejected.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3).contains(&seconds), "{seconds}");
    assert_eq!(rejected.json()["error"]["code"], "rate-limited");
    assert!(rejected.header("content-security-policy").is_some());
    // A visitor gets a page, which loads the address again.
    let headers = [("Host", server.address()), ("Accept", "text/html,*/*;q=0.8")];
    let page = server.get_with_headers("/explore", &headers);
    assert_eq!((page.status, page.header("content-type")), (429, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("refresh"), page.header("retry-after"));
    assert!(page.text().contains("<h1>Too many requests</h1>"), "{}", page.text());
    // The files of pages and the health check don't count.
    assert_eq!((server.get("/assets/app.js").status, server.get("/healthz").status), (200, 200));
    // The header of a proxy counts only if it is trusted.
    let from = |server: &TestServer, address: &str| {
        let headers = [("Host", server.address()), ("X-Forwarded-For", address)];
        server.get_with_headers("/api/query?query=capture", &headers).status
    };
    assert_eq!(from(&server, "192.0.2.1"), 429);
    let trusting = TestServer::start(&["--rate", "1", "--burst", "1", "--trust-proxy"]);
    let asked = ["192.0.2.1", "192.0.2.1", "192.0.2.2"].map(|address| from(&trusting, address));
    assert_eq!(asked, [200, 429, 200]);
}

#[test]
fn folders_are_hidden_from_others() {
    for (args, is_hidden) in [(&[][..], false), (&["--host", "tafl.example.org"][..], true)] {
        let server = TestServer::start(args);
        let folder = server.path("").display().to_string();
        let folder = folder.trim_end_matches('/');
        let check = |path: &str, file: &str| {
            let response = server.get(path);
            assert_eq!(response.status, 200, "{path}");
            assert!(response.text().contains(file), "{path}: {}", response.text());
            assert_eq!(response.text().contains(folder), !is_hidden, "{path}: {}", response.text());
        };
        let id = server.json("/api/games")["games"][0]["game"].as_str().unwrap().to_owned();
        for path in [
            &*format!("/api/game/{id}"),
            "/api/games",
            "/api/search?query=plies%3E1",
            "/api/search?query=plies%3E1&format=jsonl",
            "/api/search?query=plies%3E1&format=csv",
        ] {
            check(path, "games.otg");
        }
        let puzzle = PUZZLE.replace("GAME", &format!("{folder}/games.otg:1"));
        fs::write(server.path("games.corpus/puzzles.jsonl"), puzzle).unwrap();
        check("/api/puzzle", "games.otg:1");
        // Rejected records are named in a report.
        fs::write(server.path("broken.otg"), "[variant:brandubh7]\n1. d2-c2 e4-e9\n").unwrap();
        server.run(&["import", "@games.corpus", "@broken.otg"]);
        let is_new = || server.json("/api/info")["corpus"]["generation"] == 2;
        let waited = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            is_new()
        });
        assert!(waited, "the server sees the import");
        for format in ["html", "json", "md", "csv"] {
            check(&format!("/api/report?kind=health&format={format}"), "broken.otg");
        }
    }
}

#[test]
fn the_printed_address_works_for_a_server_on_all_networks() {
    let server =
        TestServer::start(&["--bind", "0.0.0.0", "--token", "a-long-secret"]).with_token("a-long-secret");
    assert!(!server.address().starts_with("0.0.0.0"), "{}", server.address());
    assert_eq!(server.json("/api/info")["program"], "taflbase");
    // Other machines can reach it, so files have no folders.
    let game = server.json("/api/games")["games"][0].clone();
    assert_eq!(game["source"], "games.otg");
}

#[test]
fn damage_is_reported_without_the_folder() {
    let server = TestServer::start(&["--host", "tafl.example.org"]);
    fs::write(server.path("games.corpus/manifest.json"), "{}").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    let folder = server.path("").display().to_string();
    for _ in 0..3 {
        let response = server.get("/api/info");
        assert!(!response.text().contains(folder.trim_end_matches('/')), "{}", response.text());
    }
}

#[test]
fn a_browser_without_the_token_gets_a_form() {
    let server =
        TestServer::start(&["--base-path", "/tafl", "--token", "a-long-secret"]).with_token("a-long-secret");
    let host = ("Host", server.address());
    let page = |path: &str| server.get_with_headers(path, &[host, ("Accept", "text/html,*/*;q=0.8")]);
    let form = page("/tafl/explore?variant=brandubh7");
    assert_eq!((form.status, form.header("content-type")), (401, Some("text/html; charset=utf-8")));
    assert!(form.text().contains("<form action=\"/tafl/explore\">"), "{}", form.text());
    assert!(!form.text().contains("The token is wrong."), "{}", form.text());
    let wrong = page("/tafl/explore?token=a-long-secre");
    assert_eq!(wrong.status, 401);
    assert!(wrong.text().contains("The token is wrong."), "{}", wrong.text());
    assert!(page("/tafl//evil.example/x").text().contains("<form action=\"/tafl/evil.example/x\">"));
    assert_eq!(page("/tafl/explore?token=a-long-secret").status, 200, "the form sends the token");
    // Programs get JSON.
    for (path, accept) in [("/tafl/api/info", "text/html"), ("/tafl/explore", "*/*")] {
        let problem = server.get_with_headers(path, &[host, ("Accept", accept)]);
        server.assert_rejected(problem, 401, "unauthorized");
    }
}
