//! The formats of data: identifiers, JSON and JSON lines, guarded CSV, and visible control characters.

use serde_json::Value;
use tafl_cli::Exit;

use super::RunOutput;
use super::test_folder::TestFolder;

/// A record whose names a spreadsheet or a terminal would act on.
const HOSTILE: &str = r#"{"taflbase":1,"variant":"brandubh7","tags":[["attackers","=HYPERLINK(\"http://x\")"],["defenders","@Bo\u001b[31m"],["event","-3"],["site","\u202egnp.exe"]],"lines":[{"moves":"d2-c2 e4-e1"}]}
"#;

/// Files of two games, one of them hostile.
const FILES: &[(&str, &str)] = &[
    ("games.otg", "[variant:brandubh7]\n[attackers:Asa]\n[defenders:Bo]\n\n1. d2-c2 e4-e1\n2. b4-b2\n"),
    (
        "hostile.csv",
        "variant,attackers,defenders,event,site,moves\nbrandubh7,'=cmd|x,'@Bo,-3,'-Oslo,d2-c2 e4-e1\n",
    ),
];

fn is_id(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns the columns of a CSV table without quoted commas.
fn column<'t>(table: &'t str, name: &str) -> Vec<&'t str> {
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap()).collect()
}

#[test]
fn identifiers_are_hexadecimal_in_every_format() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let search = folder.run(&["search", "@corpus", "ply=2", "--format", "json"]).json();
    let game = search["hits"][0]["game"].as_str().unwrap().to_owned();
    let of_game = |format: &str| {
        let question = "SELECT game, line, rules_id FROM games WHERE attackers = 'Asa'";
        folder.run(&["sql", "@corpus", question, "--format", format])
    };
    let json = of_game("json").json();
    assert_eq!(json[0]["game"], game);
    assert!(is_id(&json[0]["line"]) && is_id(&json[0]["rules_id"]), "{json}");
    assert_eq!(of_game("jsonl").text(), format!("{}\n", json[0]));
    assert_eq!(column(of_game("csv").text(), "game"), [game.as_str()]);
    assert!(of_game("text").text().contains(&game));
    let hits = folder.run(&["search", "@corpus", "player:Asa ply=2", "--format", "csv"]);
    assert_eq!(column(hits.text(), "game"), [game.as_str()]);
    // An identifier is found by its text, and joins tables.
    let joined = format!("SELECT p.key FROM plies p JOIN games g ON g.game = p.game WHERE p.game = '{game}'");
    let keys = folder.run(&["sql", "@corpus", &joined, "--format", "json"]).json();
    assert_eq!(keys.as_array().unwrap().len(), 3);
    assert!(is_id(&keys[0]["key"]), "{keys}");
    assert_eq!(folder.run(&["export", "@corpus", "--game", &game, "--to", "movelist"]).exit, Exit::Ok);
}

#[test]
fn json_is_one_value_and_jsonl_one_value_per_line() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let json = folder.run(&["search", "@corpus", "ply>=1", "--format", "json"]).json();
    let lines = folder.run(&["search", "@corpus", "ply>=1", "--format", "jsonl"]);
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, hits) = lines.split_last().unwrap();
    assert_eq!((&json["hits"], &json["summary"]), (&Value::from(hits), summary));
    let question = "SELECT game, plies FROM games ORDER BY plies";
    let json = folder.run(&["sql", "@corpus", question, "--format", "json"]).json();
    let lines = folder.run(&["sql", "@corpus", question, "--format", "jsonl"]);
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json, Value::from(lines));
    let none =
        folder.run(&["sql", "@corpus", "SELECT game FROM games WHERE plies > 99", "--format", "jsonl"]);
    assert_eq!(none.text(), "");
}

#[test]
fn csv_is_no_formula_and_is_read_back() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let question = "SELECT attackers, defenders, event, site, -plies AS minus FROM games WHERE plies = 2";
    let table = folder.run(&["sql", "@corpus", question, "--format", "csv"]);
    assert_eq!(table.text(), "attackers,defenders,event,site,minus\n'=cmd|x,'@Bo,-3,'-Oslo,-2\n");
    let hits = folder.run(&["search", "@corpus", "plies=2", "--format", "csv"]);
    assert_eq!(column(hits.text(), "attackers"), ["'=cmd|x"]);
    assert_eq!(column(hits.text(), "event"), ["-3"]);
    let json = folder.run(&["sql", "@corpus", question, "--format", "json"]).json();
    assert_eq!(json[0]["attackers"], "=cmd|x");
    // Records as CSV come back unchanged.
    let records = folder.run(&["export", "@corpus", "--to", "csv"]);
    assert!(records.text().contains("'=cmd|x"), "{}", records.text());
    folder.file("again.csv", records.text());
    folder.run(&["import", "@again", "@again.csv"]);
    let question = "SELECT attackers, defenders, event, site, plies FROM games ORDER BY plies";
    let rows = |corpus: &str| folder.run(&["sql", corpus, question, "--format", "json"]).json();
    assert_eq!(rows("@again"), rows("@corpus"));
}

#[test]
fn control_and_bidirectional_characters_are_visible_in_text() {
    let folder = TestFolder::new();
    folder.file("hostile.jsonl", HOSTILE);
    let output = folder.run(&["import", "@corpus", "@hostile.jsonl"]);
    assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    for args in [
        &["search", "@corpus", "plies>=0"][..],
        &["search", "@corpus", "ply=1"],
        &["sql", "@corpus", "SELECT * FROM games"],
        &["sql", "@corpus", "SELECT attackers AS \"\u{1b}[31m\" FROM games"],
        &["show", "@hostile.jsonl"],
        &["replay", "@hostile.jsonl"],
        &["validate", "@hostile.jsonl"],
        &["info", "@corpus"],
        &["explore", "@corpus", "--variant", "brandubh7"],
        &["annotate", "@hostile.jsonl", "--nodes", "10"],
    ] {
        assert_safe(&folder, args);
    }
}

#[test]
fn control_characters_in_the_name_of_rules_are_visible_in_text() {
    let rules = "dim:7 name:\u{1b}[31mRed atkf:y ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let folder = TestFolder::new();
    folder.file("games.csv", "d2-c2 e4-e1,0,2,Ongoing\n");
    folder.run(&["import", "@corpus", "@games.csv", "--variant", rules]);
    let explore = ["explore", "@corpus", "--variant", rules];
    for args in [
        &["--tree", "1", "--min-games", "1"][..],
        &["--heat-maps"],
        &["--moves", "d2-c2"],
        // No game has this position.
        &["--moves", "d2-b2"],
    ] {
        let output = assert_safe(&folder, &[&explore[..], args].concat());
        assert!(format!("{}{}", output.text(), output.stderr).contains("[31mRed"), "{args:?}");
    }
}

/// Runs the program, and checks that its output has no characters that change what a terminal shows.
fn assert_safe(folder: &TestFolder, args: &[&str]) -> RunOutput {
    let output = folder.run(args);
    assert_ne!(output.exit, Exit::Error, "{args:?}: {}", output.stderr);
    let is_unsafe = |symbol: char| symbol != '\n' && taflbase::escape::is_unsafe(symbol);
    for text in [output.text(), &output.stderr] {
        assert!(!text.contains(is_unsafe), "{args:?}: {text:?}");
    }
    output
}

#[test]
fn views_and_functions_answer_questions_about_players_openings_and_boards() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let sql = |question: &str| folder.run(&["sql", "@corpus", question, "--format", "json"]).json();
    let players = sql("SELECT player, games, as_attackers FROM players ORDER BY player");
    assert_eq!(players[1], serde_json::json!({ "player": "@Bo", "games": 1, "as_attackers": 0 }));
    assert_eq!(players.as_array().unwrap().len(), 4);
    let openings = sql("SELECT ply, moves, games, key FROM openings ORDER BY ply");
    assert_eq!(openings[1]["moves"], "d2-c2 e4-e1");
    assert_eq!((&openings[1]["games"], &openings[2]["games"]), (&2.into(), &1.into()));
    // Two variants with the same rules are one opening.
    folder.file("walker.otg", "[variant:brandubh-7x7-walker]\n\n1. d2-c2 e4-e1\n");
    folder.file("cross.otg", "[variant:brandubh-throneless-cross-7x7]\n\n1. d2-c2 e4-e2\n");
    folder.run(&["import", "@twins", "@walker.otg", "@cross.otg"]);
    let twins =
        folder.run(&["sql", "@twins", "SELECT * FROM openings ORDER BY ply", "--format", "json"]).json();
    assert_eq!((twins.as_array().unwrap().len(), &twins[0]["variant"]), (3, &"brandubh-7x7-walker".into()));
    assert_eq!((&twins[0]["games"], &twins[1]["games"]), (&2.into(), &1.into()));
    let key = openings[1]["key"].as_str().unwrap();
    let board = "/3tT2/2t4/3T3/ttTK1tt/3T3/3t3/3t3/";
    let found = sql(&format!(
        "SELECT board('{key}') AS by_key, board(game, 2) AS by_ply, piece(board(game, 2), 'e1') AS piece, \
        position_key('brandubh7', '{board}', 'attackers') AS key, moves(game, 1) AS moves FROM games LIMIT 1"
    ));
    let expected =
        serde_json::json!([{ "by_key": board, "by_ply": board, "piece": "T", "key": key, "moves": "d2-c2" }]);
    assert_eq!(found, expected);
    assert_eq!(
        sql("SELECT board(game, 9) AS none, piece('x', 'a1') AS nothing FROM games LIMIT 1"),
        serde_json::json!([{ "none": null, "nothing": null }])
    );
    for (question, message) in [
        ("SELECT board(1) FROM games", "argument 1 of board(key) or board(game, ply)"),
        ("SELECT moves(game) FROM games", "wrong number of arguments"),
        ("SELECT position_key('brandubh7', '/7/', 'attackers') FROM games", "is not a position record"),
    ] {
        let output = folder.run(&["sql", "@corpus", question]);
        assert_eq!(output.exit, Exit::Error, "{question}: {}", output.text());
        assert!(output.stderr.contains(message), "{question}: {}", output.stderr);
    }
}

#[test]
fn records_of_a_known_variant_are_written_with_its_rules() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    for args in [
        &["convert", "@games.otg", "--to", "opentafl"][..],
        &["export", "@corpus", "--to", "opentafl"],
        &["search", "@corpus", "player:Asa", "--format", "opentafl"],
    ] {
        let output = folder.run(args);
        assert_eq!(output.exit, Exit::Ok, "{args:?}: {}", output.stderr);
        let text = output.text();
        assert!(text.contains("[variant:brandubh7]") && text.contains("[rules:dim:7 "), "{args:?}: {text}");
        assert!(!output.stderr.contains("W003"), "{args:?}: {}", output.stderr);
    }
    folder.file("unnamed.otg", "[attackers:Asa]\n\n1. d2-c2 e4-e1\n");
    let convert = ["convert", "@unnamed.otg", "--variant", "brandubh7"];
    let written = folder.run(&[&convert[..], &["--to", "opentafl"]].concat());
    assert!(written.text().contains("[rules:dim:7 "), "{}", written.text());
    // A list of losses names the variant, as the findings of `validate` do.
    let listed = folder.run(&[&convert[..], &["--to", "uci", "--losses", "-"]].concat());
    assert!(listed.stderr.contains("\"variant\":\"brandubh7\""), "{}", listed.stderr);
}
