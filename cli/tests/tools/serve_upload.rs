//! Uploads to the server: validated and converted like files, within limits.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::run_with;
use super::test_server::TestServer;

const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c9 é
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// Compresses a text with gzip.
fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Returns findings, reduced to the fields that the server and the command share.
fn shared_fields(findings: &Value) -> Vec<Value> {
    let names = [
        "game", "ply", "code", "name", "severity", "message", "help", "line", "column", "offset", "length",
        "text",
    ];
    let select = |finding: &Value| -> Value {
        names.iter().map(|name| ((*name).to_owned(), finding[*name].clone())).collect()
    };
    findings.as_array().unwrap().iter().map(select).collect()
}

#[test]
fn a_body_is_validated_like_a_file() {
    let server = TestServer::start(&[]);
    let report = server.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).json();
    let args = ["validate", "-", "--variant", "brandubh7", "--format", "json"];
    let expected: Value = serde_json::from_str(run_with(&args, GAMES).text()).unwrap();
    assert_eq!(shared_fields(&report["findings"]), shared_fields(&expected["findings"]));
    assert!(!shared_fields(&expected["findings"]).is_empty());
    for name in
        ["games", "sound", "with_warnings", "with_errors", "plies", "moves", "codes", "variants", "formats"]
    {
        assert_eq!(report["summary"][name], expected["summary"][name], "{name}");
    }
    assert_eq!((&report["records"], &report["truncated"]), (&json!(3), &json!(false)));
    let games = report["games"].as_array().unwrap();
    assert_eq!(games[2]["positions"].as_array().unwrap().len(), 15);
    assert_eq!((&games[2]["outcome"]["winner"], &games[2]["plies"]), (&json!("defenders"), &json!(14)));
    assert_eq!(games[2]["captured"][5], json!(["g4"]));
}

#[test]
fn the_caret_of_a_finding_counts_characters() {
    let server = TestServer::start(&[]);
    let text = "d2-c2 e4-e1\n# Þórr é\nþþ d2-c2 e4-e9\n";
    let report = server.post("/api/validate?variant=brandubh7&as=movelist", text.as_bytes()).json();
    let findings = report["findings"].as_array().unwrap();
    let marked = |finding: &Value| {
        let at = |name: &str| finding["caret"][name].as_u64().unwrap() as usize;
        let line: Vec<char> = finding["source_line"].as_str().unwrap().chars().collect();
        line[at("start")..at("end")].iter().collect::<String>()
    };
    assert!(findings.iter().all(|finding| finding["source_line"] == "þþ d2-c2 e4-e9"), "{findings:?}");
    assert_eq!(findings.iter().map(marked).collect::<Vec<_>>(), ["þþ", "d2-c2"]);
}

#[test]
fn compressed_bodies_are_decompressed() {
    let server = TestServer::start(&[]);
    let plain = server.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).json();
    assert_eq!(server.post("/api/validate?variant=brandubh7", &gzip(GAMES.as_bytes())).json(), plain);
    let compressed = gzip(GAMES.repeat(2000).as_bytes());
    let report = server.post("/api/validate?variant=brandubh7", &compressed[..compressed.len() / 2]).json();
    assert!(report["summary"]["codes"].to_string().contains("truncated"), "{}", report["summary"]);
    assert!(report["records"].as_u64().is_some_and(|records| records > 100), "{}", report["summary"]);
}

#[test]
fn a_compressed_body_that_expands_too_much_is_rejected() {
    let server = TestServer::start(&[]);
    // A line of 200 MiB, which is some hundred kilobytes compressed.
    let line = gzip(&vec![b'a'; 200 << 20]);
    assert!(line.len() < 2 << 20);
    let report = server.post("/api/validate?as=movelist", &line).json();
    assert_eq!(report["truncated"], true);
    assert_eq!(report["records"], 0);
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn the_file_name_selects_the_variant() {
    let server = TestServer::start(&[]);
    let report = server.post("/api/validate?name=my-brandubh-games.csv", GAMES.as_bytes()).json();
    assert_eq!(report["games"][0]["variant"], "brandubh7");
    // The name is not opened as a path.
    assert_eq!(server.post("/api/validate?name=/etc/passwd", GAMES.as_bytes()).status, 200);
}

#[test]
fn a_body_is_converted_like_a_file() {
    let server = TestServer::start(&[]);
    for to in ["opentafl", "pgn", "cyngesheall", "movelist", "jsonl", "csv"] {
        let response =
            server.post(&format!("/api/convert?variant=brandubh7&to={to}"), GAMES.as_bytes()).json();
        let args = ["convert", "-", "--variant", "brandubh7", "--to", to];
        let expected = run_with(&args, GAMES);
        assert_eq!(response["text"], expected.text(), "{to}");
        assert_eq!((&response["games"], &response["format"]), (&json!(3), &json!("movelist")), "{to}");
    }
    let response = server.post("/api/convert?variant=brandubh7&to=cyngesheall", GAMES.as_bytes()).json();
    let losses = response["losses"].as_array().unwrap();
    assert!(losses.iter().all(|loss| loss["game"].is_u64() && loss["what"].is_string()), "{losses:?}");
}

#[test]
fn a_body_is_repaired_like_a_file() {
    let server = TestServer::start(&[]);
    const BROKEN: &str = "d2-c2 e4-e1 b4-b9 d4-e4\nd2-c2 e4-e1 b4-b5\nd2-c2 e4-e1 b4-b9 d4-e4\n";
    let suggested = server.post("/api/repair?variant=brandubh7", BROKEN.as_bytes()).json();
    let args = ["repair", "-", "--variant", "brandubh7", "--format", "jsonl"];
    let output = run_with(&args, BROKEN);
    let expected = output.text();
    let records: Vec<Value> = expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(suggested["text"], Value::Null);
    for (record, expected) in suggested["records"].as_array().unwrap().iter().zip(&records) {
        assert_eq!(record["repairs"], expected["repairs"]);
    }
    assert_eq!(suggested["records"].as_array().map(Vec::len), Some(2));
    let text = |parameters: &str| {
        let answer =
            server.post(&format!("/api/repair?variant=brandubh7&{parameters}"), BROKEN.as_bytes()).json();
        answer["text"].as_str().unwrap().to_owned()
    };
    // Repairs are noted in comments.
    let moves = |text: &str| {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    let (one, all) = (text("record=3"), text("apply=first"));
    let lines: Vec<&str> = BROKEN.lines().collect();
    assert_eq!(moves(&one)[..2], lines[..2]);
    assert_eq!((&moves(&all)[1], moves(&all)[2] == moves(&one)[2]), (&lines[1].to_owned(), true));
    assert!(!moves(&one)[2].contains("b4-b9") && moves(&all)[0] == moves(&all)[2], "{one}\n{all}");
    for (wrong, name) in [
        ("repair=9", "repair"),
        ("record=0", "record"),
        ("record=4", "record"),
        // It needs no repair.
        ("record=2", "record"),
        ("record=1&apply=sure", "apply"),
    ] {
        let answer = server.post(&format!("/api/repair?variant=brandubh7&{wrong}"), BROKEN.as_bytes());
        assert_eq!(server.assert_rejected(answer, 400, "bad-parameter")["parameter"], name, "{wrong}");
    }
}

#[test]
fn bodies_without_records_have_distinct_errors() {
    let server = TestServer::start(&[]);
    server.assert_rejected(server.post("/api/validate", b""), 400, "bad-record");
    server.assert_rejected(server.post("/api/validate", b" \r\n\t\n"), 400, "bad-record");
    server.assert_rejected(server.post("/api/convert?to=pgn", b""), 400, "bad-record");
    server.assert_rejected(server.post("/api/validate?as=chess", GAMES.as_bytes()), 400, "bad-parameter");
    server.assert_rejected(
        server.post("/api/convert?to=aagenielsen", GAMES.as_bytes()),
        400,
        "bad-parameter",
    );
    server.assert_rejected(
        server.post("/api/validate?variant=chess", GAMES.as_bytes()),
        400,
        "unknown-variant",
    );
    server.assert_rejected(server.post("/api/validate?variant=dim:7", GAMES.as_bytes()), 400, "bad-rules");
    server.assert_rejected(server.get("/api/validate"), 405, "bad-method");
    let name = |body: &[u8]| {
        let report = server.post("/api/validate", body).json();
        assert_eq!(report["records"], 0);
        report["findings"][0]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(b"\x7fELF\x02\x01\x01\x00\x00\x00"), "binary-data");
    assert_eq!(name(b"Dear Sir or Madam, this is a letter."), "unknown-format");
}

#[test]
fn a_body_that_is_too_long_is_rejected() {
    let server = TestServer::start(&[]);
    let response = server.post("/api/validate", &vec![b'x'; (16 << 20) + 1]);
    server.assert_rejected(response, 413, "too-large");
}

#[test]
fn a_record_of_ten_thousand_plies_is_read() {
    let server = TestServer::start(&[]);
    let line = format!("{}\n", "d2-c2 e4-e3 c2-d2 e3-e4 ".repeat(2500).trim());
    for path in ["/api/validate?variant=brandubh7", "/api/validate"] {
        let report = server.post(path, line.as_bytes()).json();
        assert_eq!(report["records"], 1, "{path}");
    }
    let report = server.post("/api/validate?variant=brandubh7", line.as_bytes()).json();
    assert_eq!(report["games"][0]["written"], 10_000);
    let response = server.post("/api/convert?variant=brandubh7&to=opentafl", line.as_bytes()).json();
    assert_eq!(response["games"], 1);
}

#[test]
fn many_records_are_listed_in_part_and_counted_in_full() {
    let server = TestServer::start(&[]);
    let text = "d2-c2 e4-e1 b4-b2 d4-e4\n".repeat(1500);
    let report = server.post("/api/validate?variant=brandubh7", text.as_bytes()).json();
    assert_eq!((&report["records"], &report["truncated"]), (&json!(1500), &json!(true)));
    let games = report["games"].as_array().unwrap();
    let n_with_positions = games.iter().filter(|game| game["positions"].is_array()).count();
    assert_eq!((games.len(), n_with_positions), (1000, 50));
}

#[test]
fn findings_of_one_line_are_limited() {
    let server = TestServer::start(&[]);
    let text = "a1-a2 þ ".repeat(30_000);
    let report = server.post("/api/validate?as=movelist", text.as_bytes()).json();
    assert_eq!(report["records"], 1);
    // A thousand findings, one for the game, and one for the omitted findings.
    let findings = report["findings"].as_array().unwrap();
    assert_eq!((findings.len(), &findings[0]["code"]), (1002, &json!("T020")));
    let text = format!("[Event \"A cup\"]\n\n{}", "þ ".repeat(300_000));
    let response = server.post("/api/convert?as=pgn&to=opentafl", text.as_bytes()).json();
    assert_eq!(response["skipped"], 1);
    assert!(response["left_out"][0].as_str().unwrap().contains("more errors of the same record"));
}

#[test]
fn a_client_that_disconnects_does_not_affect_others() {
    let server = TestServer::start(&[]);
    for _ in 0..8 {
        server.disconnect_within_body("/api/validate?variant=brandubh7", GAMES.as_bytes());
    }
    assert_eq!(server.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).status, 200);
}

#[test]
fn text_from_records_is_not_interpreted() {
    let server = TestServer::start(&[]);
    let text = "[attackers:<script>alert(1)</script>]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";
    let response = server.post("/api/validate", text.as_bytes());
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.json()["games"][0]["attackers"], "<script>alert(1)</script>");
}

#[test]
fn a_game_in_a_body_is_annotated_like_a_file() {
    let server = TestServer::start(&[]);
    let game = GAMES.lines().last().unwrap();
    let events = server.post("/api/annotate?variant=brandubh7&nodes=1000", game.as_bytes());
    assert_eq!(events.status, 200);
    let done =
        events.text().split("event: done\ndata: ").nth(1).unwrap_or_else(|| panic!("{}", events.text()));
    let done: Value = serde_json::from_str(done.lines().next().unwrap()).unwrap();
    let args = ["annotate", "-", "--variant", "brandubh7", "--nodes", "1000", "--format", "jsonl"];
    let expected: Value = serde_json::from_str(run_with(&args, game).text().lines().next().unwrap()).unwrap();
    let judgments = |annotation: &Value| -> Vec<[Value; 3]> {
        let plies = annotation["plies"].as_array().unwrap().iter();
        plies.map(|ply| ["move", "loss", "judgement"].map(|name| ply[name].clone())).collect()
    };
    assert_eq!(judgments(&done), judgments(&expected));
    assert_eq!(done["positions"], expected["positions"]);
    server.assert_rejected(server.post("/api/annotate", b" "), 400, "bad-record");
    // Nothing is stored.
    assert!(!server.path("games.corpus/evals").exists());
    assert_eq!(server.json("/api/info")["corpus"]["games"], 3);
}
