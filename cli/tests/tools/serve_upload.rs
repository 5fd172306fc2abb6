//! Records that are sent to the server: checked and converted as the commands do it, and never more than bounded.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::run_with;
use super::served::Served;

const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c9 é
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

fn served() -> Served {
    Served::of(&[("brandubh.csv", "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\n")], &|_| {})
}

fn gz(text: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

/// Returns findings with what both sides know of them.
fn known(findings: &Value) -> Vec<Value> {
    let names = [
        "game", "ply", "code", "name", "severity", "message", "help", "line", "column", "offset", "length",
        "text",
    ];
    let of = |finding: &Value| -> Value {
        names.iter().map(|name| ((*name).to_owned(), finding[*name].clone())).collect()
    };
    findings.as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_body_is_checked_as_validate_checks_a_file() {
    let served = served();
    let report = served.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).json();
    let words = ["validate", "-", "--variant", "brandubh7", "--format", "json"];
    let expected: Value = serde_json::from_str(run_with(&words, GAMES).text()).unwrap();
    assert_eq!(known(&report["findings"]), known(&expected["findings"]));
    assert!(!known(&expected["findings"]).is_empty());
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
    let served = served();
    let text = "d2-c2 e4-e1\n# Þórr é\nþþ d2-c2 e4-e9\n";
    let report = served.post("/api/validate?variant=brandubh7&as=movelist", text.as_bytes()).json();
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
    let served = served();
    let plain = served.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).json();
    assert_eq!(served.post("/api/validate?variant=brandubh7", &gz(GAMES.as_bytes())).json(), plain);
    let broken = gz(GAMES.repeat(2000).as_bytes());
    let report = served.post("/api/validate?variant=brandubh7", &broken[..broken.len() / 2]).json();
    assert!(report["summary"]["codes"].to_string().contains("truncated"), "{}", report["summary"]);
    assert!(report["records"].as_u64().is_some_and(|records| records > 100), "{}", report["summary"]);
}

#[test]
fn a_compressed_body_that_expands_too_much_is_rejected() {
    let served = served();
    // 200 MiB of one line, and of lines: some hundred kilobytes packed.
    let line = gz(&vec![b'a'; 200 << 20]);
    assert!(line.len() < 2 << 20);
    let report = served.post("/api/validate?as=movelist", &line).json();
    assert_eq!(report["truncated"], true);
    assert_eq!(report["records"], 0);
    assert_eq!(served.get("/api/info").status, 200);
}

#[test]
fn a_file_name_helps_to_find_the_variant() {
    let served = served();
    let report = served.post("/api/validate?name=my-brandubh-games.csv", GAMES.as_bytes()).json();
    assert_eq!(report["games"][0]["variant"], "brandubh7");
    // It is a name and no path: nothing is opened.
    assert_eq!(served.post("/api/validate?name=/etc/passwd", GAMES.as_bytes()).status, 200);
}

#[test]
fn a_body_is_converted_as_convert_converts_a_file() {
    let served = served();
    for to in ["opentafl", "pgn", "cyngesheall", "movelist", "jsonl"] {
        let answer = served.post(&format!("/api/convert?variant=brandubh7&to={to}"), GAMES.as_bytes()).json();
        let words = ["convert", "-", "--variant", "brandubh7", "--to", to];
        let expected = run_with(&words, GAMES);
        assert_eq!(answer["text"], expected.text(), "{to}");
        assert_eq!((&answer["games"], &answer["format"]), (&json!(3), &json!("movelist")), "{to}");
    }
    let answer = served.post("/api/convert?variant=brandubh7&to=cyngesheall", GAMES.as_bytes()).json();
    let losses = answer["losses"].as_array().unwrap();
    assert!(losses.iter().all(|loss| loss["game"].is_u64() && loss["what"].is_string()), "{losses:?}");
}

#[test]
fn bodies_without_records_are_distinguished() {
    let served = served();
    served.refuses(served.post("/api/validate", b""), 400, "bad-record");
    served.refuses(served.post("/api/validate", b" \r\n\t\n"), 400, "bad-record");
    served.refuses(served.post("/api/convert?to=pgn", b""), 400, "bad-record");
    served.refuses(served.post("/api/validate?as=chess", GAMES.as_bytes()), 400, "bad-parameter");
    served.refuses(served.post("/api/convert?to=aagenielsen", GAMES.as_bytes()), 400, "bad-parameter");
    served.refuses(served.post("/api/validate?variant=chess", GAMES.as_bytes()), 400, "unknown-variant");
    served.refuses(served.post("/api/validate?variant=dim:7", GAMES.as_bytes()), 400, "bad-rules");
    served.refuses(served.get("/api/validate"), 405, "bad-method");
    let name = |body: &[u8]| {
        let report = served.post("/api/validate", body).json();
        assert_eq!(report["records"], 0);
        report["findings"][0]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(b"\x7fELF\x02\x01\x01\x00\x00\x00"), "binary-data");
    assert_eq!(name(b"Dear Sir or Madam, this is a letter."), "unknown-format");
}

#[test]
fn a_body_that_is_too_long_is_rejected() {
    let served = served();
    let response = served.post("/api/validate", &vec![b'x'; (16 << 20) + 1]);
    served.refuses(response, 413, "too-large");
}

#[test]
fn a_record_of_ten_thousand_plies_is_read() {
    let served = served();
    let line = format!("{}\n", "d2-c2 e4-e3 c2-d2 e3-e4 ".repeat(2500).trim());
    for path in ["/api/validate?variant=brandubh7", "/api/validate"] {
        let report = served.post(path, line.as_bytes()).json();
        assert_eq!(report["records"], 1, "{path}");
    }
    let report = served.post("/api/validate?variant=brandubh7", line.as_bytes()).json();
    assert_eq!(report["games"][0]["written"], 10_000);
    let answer = served.post("/api/convert?variant=brandubh7&to=opentafl", line.as_bytes()).json();
    assert_eq!(answer["games"], 1);
}

#[test]
fn many_records_are_listed_in_part_and_counted_in_full() {
    let served = served();
    let text = "d2-c2 e4-e1 b4-b2 d4-e4\n".repeat(1500);
    let report = served.post("/api/validate?variant=brandubh7", text.as_bytes()).json();
    assert_eq!((&report["records"], &report["truncated"]), (&json!(1500), &json!(true)));
    let games = report["games"].as_array().unwrap();
    let with = games.iter().filter(|game| game["positions"].is_array()).count();
    assert_eq!((games.len(), with), (1000, 50));
}

#[test]
fn a_line_with_very_many_faults_takes_seconds() {
    let served = served();
    let text = "þ ".repeat(300_000);
    let report = served.post("/api/validate?as=movelist", text.as_bytes()).json();
    assert_eq!(report["records"], 1);
    // A thousand of them, what they mean for the game, and that there are more.
    let findings = report["findings"].as_array().unwrap();
    assert_eq!((findings.len(), &findings[0]["code"]), (1002, &json!("T020")));
    let answer = served.post("/api/convert?as=movelist&to=pgn", text.as_bytes()).json();
    assert_eq!(answer["skipped"], 1);
    assert!(answer["left_out"][0].as_str().unwrap().contains("more errors of the same record"));
}

#[test]
fn a_client_that_disconnects_does_not_affect_others() {
    let served = served();
    for _ in 0..8 {
        served.leave_in_the_middle_of_a_body("/api/validate?variant=brandubh7", GAMES.as_bytes());
    }
    assert_eq!(served.post("/api/validate?variant=brandubh7", GAMES.as_bytes()).status, 200);
}

#[test]
fn text_of_a_record_stays_text() {
    let served = served();
    let text = "[attackers:<script>alert(1)</script>]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";
    let response = served.post("/api/validate", text.as_bytes());
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.json()["games"][0]["attackers"], "<script>alert(1)</script>");
}
