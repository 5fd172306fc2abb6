//! Games, annotations, analyses, and reports of the server; they equal the output of the commands.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::run;
use super::test_server::TestServer;

const BRANDUBH: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
d2-e2 c4-c3 b4-b3 c3-c2
d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White
";

/// A record with comments and a variation.
const TREE: &str = "\
[attackers:<script>alert(1)</script>]
[defenders:Þóra]
[variant:brandubh7]
[start-comment:before it begins]

1. d2-a2 e4-e1
[a2: a quiet start|the king is free]

2. b4-b2 d4-e4
[one|two & <b>bold</b>]

1a.1.1a. d2-e2 e4-e3
";

/// Starts a server for a corpus with games on several boards, one of them evaluated.
pub(super) fn start_server() -> TestServer {
    let files = [
        ("brandubh.csv", BRANDUBH),
        ("tree.otg", TREE),
        ("hexentafl.skud", include_str!("../../samples/hexentafl.skud")),
        ("copenhagen.otg", include_str!("../../samples/copenhagen.otg")),
    ];
    TestServer::new(&files, &|run| {
        let query = ["--query", "plies=14", "--nodes", "600", "--format", "jsonl", "-o", "@notes.jsonl"];
        let output = run(&[&["annotate", "@games.corpus"], &query[..]].concat());
        assert_eq!(output.exit, tafl_cli::Exit::Ok, "{}", output.stderr);
    })
}

/// Returns the numbers of the games that match a query.
fn games(server: &TestServer, query: &str) -> Vec<String> {
    let output = server.run(&["search", "@games.corpus", query, "--format", "jsonl"]);
    let lines = output.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == "hit").map(|line| line["game"].as_str().unwrap().to_owned()).collect()
}

/// Returns the number and the page of the first game that matches a query.
fn game(server: &TestServer, query: &str) -> (String, Value) {
    let number = games(server, query).into_iter().next().expect("a game matches");
    let value = server.json(&format!("/api/game/{number}"));
    (number, value)
}

/// Returns the output lines of `tafl annotate --format jsonl`.
fn annotate(server: &TestServer, args: &[&str]) -> Vec<Value> {
    let output = server.run(&[&["annotate"], args, &["--format", "jsonl"]].concat());
    output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a list of objects, reduced to the named fields.
fn select_fields(value: &Value, names: &[&str]) -> Value {
    let select = |object: &Value| -> Value {
        names.iter().map(|name| ((*name).to_owned(), object[*name].clone())).collect()
    };
    value.as_array().unwrap().iter().map(select).collect()
}

#[test]
fn a_game_has_its_plies_positions_and_explanations() {
    let server = start_server();
    let (number, value) = game(&server, "plies=14");
    assert_eq!(value["game"]["game"], number.as_str());
    assert_eq!(
        (&value["game"]["variant"], &value["game"]["format"]),
        (&json!("brandubh7"), &json!("movelist"))
    );
    let plies = value["plies"].as_array().unwrap();
    assert_eq!((plies.len(), value["positions"].as_array().unwrap().len()), (14, 15));
    assert_eq!(plies[5]["move"], "d3-g3");
    assert_eq!(plies[5]["captured"], json!(["g4"]));
    assert_eq!(plies[5]["position"], value["positions"][6]);
    let explanation = &plies[5]["explain"][0];
    assert_eq!((&explanation["kind"], &explanation["rule"]), (&json!("captured"), &json!("custodial")));
    assert_eq!(explanation["cells"], json!(["g3", "g5"]));
    let end = &plies[13]["explain"][0];
    assert_eq!(
        (&end["kind"], &end["winner"], &end["cells"]),
        (&json!("end"), &json!("defenders"), &json!(["g1"]))
    );
    assert_eq!(value["outcome"]["reason"], "king reached goal");
    assert_eq!(value["text"], BRANDUBH.lines().nth(2).unwrap());
    assert_eq!(value["unplayed"], json!([]));
    // The last position is the same as in `tafl replay`.
    let replay = server.run(&["replay", "@brandubh.csv", "--format", "jsonl"]);
    let last: Value = serde_json::from_str(replay.text().lines().nth(2).unwrap()).unwrap();
    assert_eq!(value["positions"][14], last["final"]);
}

#[test]
fn findings_of_a_stored_game_have_only_known_places() {
    let server = start_server();
    let (_, value) = game(&server, "variant:brandubh7 plies=6");
    let finding = &value["game"]["findings"][0];
    assert_eq!((&finding["code"], &finding["line"]), (&json!("E008"), &json!(1)));
    // The corpus stores neither the number of the record in its file, nor its offset.
    assert_eq!((&finding["game"], &finding["offset"]), (&Value::Null, &Value::Null));
    assert!(finding.as_object().unwrap().contains_key("offset"));
}

#[test]
fn a_hexagonal_game_has_the_same_fields() {
    let server = start_server();
    let (_, value) = game(&server, "variant:hexentafl4");
    assert_eq!(value["game"]["shape"], "hex 4");
    let plies = value["plies"].as_array().unwrap();
    assert!(!plies.is_empty());
    assert_eq!(value["positions"].as_array().unwrap().len(), plies.len() + 1);
    let captures = plies.iter().filter(|ply| ply["captured"] != json!([]));
    for ply in captures {
        let captors = ply["explain"][0]["cells"].as_array().unwrap();
        let to = ply["move"].as_str().unwrap().split_once('-').unwrap().1;
        assert!(captors.contains(&json!(to)) && captors.len() >= 2, "{ply}");
    }
}

#[test]
fn the_written_tree_keeps_comments_and_variations_as_text() {
    let server = start_server();
    let (_, value) = game(&server, "defenders:\"Þóra\"");
    assert_eq!(value["game"]["attackers"], "<script>alert(1)</script>");
    let tree = value["tree"].as_array().unwrap();
    assert_eq!(tree.len(), 4);
    assert_eq!(tree[0]["move"], "d2-a2");
    assert_eq!(tree[0]["ply"], 1);
    let comments: Vec<&str> = tree.iter().filter_map(|node| node["comment"].as_str()).collect();
    assert!(comments.iter().any(|text| text.contains("<b>bold</b>")), "{comments:?}");
    let with_variations: Vec<&Value> = tree.iter().filter(|node| node["variations"] != json!([])).collect();
    assert_eq!(with_variations.len(), 1, "{tree:?}");
    let variation = &with_variations[0]["variations"][0];
    assert_eq!((&variation[0]["move"], &variation[1]["move"]), (&json!("d2-e2"), &json!("e4-e3")));
    assert!(variation[1]["position"].is_string(), "{variation}");
    let ply = value["plies"].as_array().unwrap().iter().find(|ply| ply["variations"] != json!([])).unwrap();
    assert_eq!(ply["variations"][0]["moves"], json!(["d2-e2", "e4-e3"]));
}

#[test]
fn stored_evaluations_equal_those_of_annotate() {
    let server = start_server();
    let (_, value) = game(&server, "plies=14");
    let evals = &value["evals"];
    let text = std::fs::read_to_string(server.path("notes.jsonl")).unwrap();
    let notes: Value = serde_json::from_str(text.trim()).unwrap();
    for name in ["engine", "limits", "thresholds", "curves", "turning_point", "lead_changes"] {
        assert_eq!(evals[name], notes[name], "{name}");
    }
    let position_fields = ["ply", "to_move", "score", "wins", "in", "expected"];
    assert_eq!(
        select_fields(&evals["positions"], &position_fields),
        select_fields(&notes["positions"], &position_fields)
    );
    let ply_fields = ["ply", "side", "move", "loss", "judgement", "is_best", "missed_win"];
    assert_eq!(select_fields(&evals["plies"], &ply_fields), select_fields(&notes["plies"], &ply_fields));
    for side in ["attackers", "defenders"] {
        for name in
            ["plies", "accuracy", "inaccuracies", "mistakes", "blunders", "lost_by_errors", "missed_wins"]
        {
            assert_eq!(evals["sides"][side][name], notes["sides"][side][name], "{side} {name}");
        }
    }
    let best = |ply: usize| notes["positions"][ply]["best"][0].clone();
    assert_eq!(evals["plies"][3]["best"], best(3));
    let (_, other) = game(&server, "plies=6");
    assert_eq!(other["evals"], Value::Null);
}

#[test]
fn an_annotation_of_the_server_equals_that_of_annotate() {
    let server = start_server();
    let number = games(&server, "plies=6").remove(0);
    let path = format!("/api/game/{number}/annotate?nodes=1500");
    let events = server.events(&path);
    let (last, progress) = events.split_last().unwrap();
    assert_eq!(last.0, "done");
    assert_eq!(progress.len(), 7);
    assert!(progress.iter().all(|(name, data)| name == "progress" && data["of"] == 6), "{progress:?}");
    let notes = annotate(&server, &["@brandubh.csv", "--nodes", "1500"]).remove(0);
    for name in ["positions", "sides", "engine", "limits", "thresholds", "curve", "turning_point"] {
        assert_eq!(last.1[name], notes[name], "{name}");
    }
    let ply_fields = ["ply", "side", "move", "loss", "judgement", "is_best", "confirmed", "motifs"];
    assert_eq!(select_fields(&last.1["plies"], &ply_fields), select_fields(&notes["plies"], &ply_fields));
    // The second request is answered from the cache.
    assert_eq!(server.events(&path), std::slice::from_ref(last));
}

#[test]
fn an_analysis_equals_that_of_eval() {
    let server = start_server();
    let events = server.events("/api/analysis?variant=brandubh7&moves=d2-c2,e4-e1&nodes=20000&lines=3");
    let (last, lines) = events.split_last().unwrap();
    assert!(lines.iter().all(|(name, _)| name == "line") && !lines.is_empty());
    assert_eq!((last.0.as_str(), &last.1["stopped"]), ("done", &json!("nodes")));
    let args =
        ["--moves", "d2-c2 e4-e1", "--nodes", "20000", "--lines", "3", "--hash", "32", "--format", "json"];
    let eval = run(&[&["eval", "--variant", "brandubh7"], &args[..]].concat()).json();
    // The attackers are to move, so both scores are from their point of view.
    let found = |value: &Value| select_fields(&value["lines"], &["moves", "score", "wins"]);
    assert_eq!((found(&last.1), &last.1["depth"]), (found(&eval), &eval["depth"]));
    let expected = last.1["lines"][0]["expected"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&expected));
}

#[test]
fn the_analysis_of_a_won_position_has_the_winner_and_the_distance() {
    let server = start_server();
    // The king is in the corner.
    let events = server.events("/api/analysis?variant=brandubh7&position=/K6/7/7/7/7/t6/6t/&side=defenders");
    let (name, data) = events.last().unwrap();
    assert_eq!((name.as_str(), &data["stopped"]), ("done", &json!("over")));
    assert_eq!(data["outcome"]["winner"], "defenders");
    // One move leads the king to the corner.
    let events = server.events("/api/analysis?variant=brandubh7&position=/3K3/7/7/7/7/t6/6t/&side=defenders");
    let (_, data) = events.last().unwrap();
    let line = &data["lines"][0];
    assert_eq!((&line["wins"], &line["in"], &line["score"]), (&json!("defenders"), &json!(1), &Value::Null));
    assert_eq!((&line["expected"], &data["stopped"]), (&json!(0.0), &json!("proven")));
}

#[test]
fn positions_that_cannot_be_analyzed_are_rejected() {
    let server = start_server();
    let assert_rejected = |path: &str, code: &str| server.assert_rejected(server.get(path), 400, code);
    assert_rejected("/api/analysis", "bad-parameter");
    assert_rejected("/api/analysis?variant=chess", "unknown-variant");
    assert_rejected("/api/analysis?variant=brandubh7&position=/7/7/7/3T3/7/t6/6t/", "bad-position");
    assert_rejected("/api/analysis?variant=brandubh7&moves=d2-d5", "illegal-move");
    assert_rejected("/api/analysis?variant=brandubh7&lines=6", "bad-parameter");
    assert_rejected("/api/analysis?variant=brandubh7&seconds=-1", "bad-parameter");
    assert_rejected("/api/analysis?variant=brandubh7&seconds=inf", "bad-parameter");
    assert_rejected("/api/analysis?variant=brandubh7&nodes=-1", "bad-parameter");
    server.assert_rejected(server.get("/api/game/0123456789abcdef/annotate"), 404, "unknown-game");
    let number = games(&server, "plies=6").remove(0);
    assert_rejected(&format!("/api/game/{number}/annotate?nodes=999999999"), "bad-parameter");
}

#[test]
fn a_search_stops_when_its_client_disconnects() {
    let server = start_server();
    let start = Instant::now();
    // Each analysis would take a minute, and they are more than may run at once.
    for _ in 0..6 {
        server.disconnect_after_first_event("/api/analysis?variant=copenhagen11&seconds=60");
    }
    let events = server.events("/api/analysis?variant=brandubh7&nodes=1000");
    assert_eq!(events.last().unwrap().0, "done");
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
    let number = games(&server, "plies=14").remove(0);
    server.disconnect_after_first_event(&format!("/api/game/{number}/annotate?nodes=200000"));
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn unknown_games_are_rejected() {
    let server = start_server();
    for number in ["0123456789abcdef", "no-game", "%00", "..%2f..%2fetc%2fpasswd", "99999999999999999999"] {
        server.assert_rejected(server.get(&format!("/api/game/{number}")), 404, "unknown-game");
        server.assert_rejected(server.get(&format!("/api/game/{number}/record?to=pgn")), 404, "unknown-game");
    }
}

#[test]
fn a_game_can_be_downloaded_in_every_notation() {
    let server = start_server();
    let number = games(&server, "plies=14").remove(0);
    for (format, extension) in
        [("opentafl", "otg"), ("cyngesheall", "cyn"), ("movelist", "csv"), ("pgn", "pgn"), ("jsonl", "jsonl")]
    {
        let response = server.get(&format!("/api/game/{number}/record?to={format}"));
        assert_eq!(response.status, 200, "{}", response.text());
        let name = format!("attachment; filename=\"tafl-{number}.{extension}\"");
        assert_eq!(response.header("content-disposition"), Some(name.as_str()));
        assert!(response.header("x-taflbase-losses").unwrap().parse::<u32>().is_ok());
        // The downloaded record is the same game.
        let report = server.post("/api/validate?variant=brandubh7", &response.body).json();
        assert_eq!((&report["records"], &report["sound"]), (&json!(1), &json!(1)), "{format}: {report}");
        assert_eq!(report["games"][0]["moves"][5], "d3-g3");
    }
    server.assert_rejected(
        server.get(&format!("/api/game/{number}/record?to=ludii-trial")),
        400,
        "bad-parameter",
    );
}

#[test]
fn reports_equal_those_of_the_command() {
    let server = start_server();
    let report = server.json("/api/report?kind=balance&variant=brandubh7&format=json");
    let output =
        server.run(&["report", "balance", "@games.corpus", "--variant", "brandubh7", "--format", "json"]);
    assert_eq!(report["sections"], output.json()["sections"]);
    assert!(
        !report.to_string().contains(server.path("").to_str().unwrap()),
        "the path of the corpus is not revealed"
    );
    let html = server.get("/api/report?kind=balance&variant=brandubh7");
    assert_eq!(html.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = html.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert!(!policy.contains("script"), "{policy}");
    assert!(server.get("/api/report?kind=players&format=csv").text().starts_with("section,"));
    assert!(server.get("/api/report?kind=health&format=md").text().contains("# "));
    let ranking = server.get("/api/report?kind=balance&format=json");
    assert_eq!(ranking.json()["sections"].as_object().unwrap().len(), 1);
    std::fs::write(server.path("ranking.json"), ranking.text()).unwrap();
    let output = server.run(&["report", "--verify", "@ranking.json", "--corpus", "@games.corpus"]);
    assert!(output.text().contains("all figures are equal"), "{}", output.text());
    let both = "/api/report?kind=compare&variant=brandubh7&variant2=hexentafl4&format=md";
    assert_eq!(server.get(both).status, 200);
}

#[test]
fn reports_have_the_options_of_the_command() {
    let server = start_server();
    let assert_equal = |path: &str, options: &[&str]| {
        let report = server.json(&format!("/api/report?{path}&format=json"));
        let command = [&["report", path.split(['=', '&']).nth(1).unwrap(), "@games.corpus"], options];
        let output = server.run(&[&command.concat()[..], &["--format", "json"]].concat());
        assert_eq!(report["sections"], output.json()["sections"], "{path}");
        report["sections"].as_object().unwrap().len()
    };
    let tables = assert_equal(
        "kind=crosstable&groups=met&tie_breaks=wins,direct",
        &["--groups=met", "--tie-breaks=wins,direct"],
    );
    assert!(tables > 1);
    assert_equal(
        "kind=crosstable&tie_breaks=sb&tie_breaks=wins&limit=4",
        &["--tie-breaks=sb,wins", "--limit=4"],
    );
    assert_equal("kind=players&limit=2", &["--limit=2"]);
    let error = |path: &str, code: &str| server.assert_rejected(server.get(path), 400, code);
    let wrong = error("/api/report?kind=crosstable&tie_breaks=coin", "bad-parameter");
    assert_eq!(wrong["parameter"], "tie_breaks");
    assert_eq!(error("/api/report?kind=crosstable&groups=all", "bad-parameter")["parameter"], "groups");
    assert_eq!(error("/api/report?kind=crosstable&limit=201", "bad-parameter")["parameter"], "limit");
    assert_eq!(error("/api/report?kind=players&limit=0", "bad-parameter")["parameter"], "limit");
}

#[test]
fn invalid_report_requests_are_rejected() {
    let server = start_server();
    let assert_rejected = |path: &str, code: &str| server.assert_rejected(server.get(path), 400, code);
    assert_rejected("/api/report?kind=everything", "bad-parameter");
    assert_rejected("/api/report?kind=openings", "bad-parameter");
    assert_rejected("/api/report?kind=compare&variant=brandubh7", "bad-parameter");
    assert_rejected("/api/report?kind=balance&variant=chess", "unknown-variant");
    assert_rejected("/api/report?kind=balance&variant=/etc/passwd", "unknown-variant");
    let error =
        assert_rejected("/api/report?kind=compare&variant=brandubh7&variant2=chess", "unknown-variant");
    assert_eq!(error["parameter"], "variant2");
    let error =
        assert_rejected("/api/report?kind=compare&variant=chess&variant2=brandubh7", "unknown-variant");
    assert_eq!(error["parameter"], "variant");
    assert_rejected("/api/report?kind=balance&format=parquet", "bad-parameter");
    let error = assert_rejected("/api/report?kind=balance&query=plies%20%3E%3E%203", "bad-query");
    assert_eq!(error["parameter"], "query");
}

#[test]
fn every_game_has_all_its_positions() {
    let server = start_server();
    let games = games(&server, "plies>=1");
    assert!(games.len() >= 5, "only {} games", games.len());
    for number in games {
        let value = server.json(&format!("/api/game/{number}"));
        let plies = value["plies"].as_array().unwrap();
        assert_eq!(value["positions"].as_array().unwrap().len(), plies.len() + 1);
    }
}
