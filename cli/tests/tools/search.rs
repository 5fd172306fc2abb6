//! `tafl search`: hits by game and by position, order, totals, captures by their kind, text, and contradictions.

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::test_folder::TestFolder;

/// Games with names, dates, and ratings. The last game has two pieces captured at once, between two men each.
const FILES: &[(&str, &str)] = &[(
    "games.csv",
    "\
variant,attackers,defenders,attackers rating,defenders rating,date,event,comment,moves
brandubh7,John Smith,Åsa Öst,1500,1700,2015-03-02,Winter Cup,The king sees an exit fort,d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3
brandubh7,Jon Smyth,John Smith Jr,,1400,2019,Summer Cup,A fortress,d2-e2 c4-c3 b4-b3 c3-c2
brandubh7,Bo,Åsa Öst,1900,,,Winter Cup,Nothing,d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2
",
)];

/// Returns the answer of a search.
fn search(folder: &TestFolder, args: &[&str]) -> Value {
    let args = [&["search", "@corpus"], args, &["--format", "json"]].concat();
    let output = folder.run(&args);
    assert_ne!(output.exit, Exit::Error, "{}", output.stderr);
    output.json()
}

/// Returns the attackers of the hits, in order.
fn attackers(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["attackers"].as_str().unwrap()).collect()
}

#[test]
fn games_are_listed_once_with_their_first_match() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let games = search(&folder, &["king_moved"]);
    let summary = &games["summary"];
    assert_eq!(
        (&summary["per"], &summary["games"], &summary["exact"]),
        (&json!("game"), &json!(2), &json!(true))
    );
    assert_eq!(attackers(&games), ["John Smith", "Bo"]);
    let matches: Vec<u64> =
        games["hits"].as_array().unwrap().iter().map(|hit| hit["matches"].as_u64().unwrap()).collect();
    assert_eq!((&matches[..], &summary["hits"]), (&[2, 2][..], &json!(4)));
    let positions = search(&folder, &["king_moved", "--per", "position"]);
    assert_eq!(positions["summary"]["hits"], 4);
    assert_eq!(positions["hits"].as_array().unwrap().len(), 4);
    assert_eq!(positions["hits"][0]["at"], games["hits"][0]["at"]);
    assert_eq!(positions["hits"][2]["at"], games["hits"][1]["at"]);
    assert!(positions["hits"][0].get("matches").is_none());
    let text = folder.run(&["search", "@corpus", "king_moved", "--limit", "1"]);
    assert!(text.text().contains("(the first of 2 hits in this game)"), "{}", text.text());
    assert!(text.text().ends_with("game 1 of 2, with 4 hits\n"), "{}", text.text());
    let second = search(&folder, &["king_moved", "--offset", "1", "--limit", "1"]);
    assert_eq!(second["hits"], json!([games["hits"][1]]));
    let table = folder.run(&["search", "@corpus", "king_moved", "--format", "csv"]);
    assert!(table.text().lines().next().unwrap().ends_with(",matches"), "{}", table.text());
}

#[test]
fn queries_about_games_show_the_last_position() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let games = search(&folder, &["plies=6"]);
    assert_eq!(games["hits"][0]["final"], "/2ttT2/1t5/3TK2/t1T2tt/3T3/3t3/3t3/");
    assert!(games["hits"][0].get("at").is_none());
    let text = folder.run(&["search", "@corpus", "plies=6"]);
    assert!(text.text().contains("  the end, after ply 6, e4-e3; attackers to move\n"), "{}", text.text());
    assert!(text.text().ends_with("1 game\n"), "{}", text.text());
}

#[test]
fn hits_are_sorted_and_unknown_values_are_last() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    for (args, expected) in [
        (&["plies>0", "--sort", "date"][..], ["Jon Smyth", "John Smith", "Bo"]),
        (&["plies>0", "--sort", "date", "--reverse"], ["John Smith", "Jon Smyth", "Bo"]),
        (&["plies>0", "--sort", "rating"], ["Bo", "John Smith", "Jon Smyth"]),
        (&["plies>0", "--sort", "length"], ["Bo", "John Smith", "Jon Smyth"]),
        (&["plies>0", "--sort", "length", "--reverse"], ["Jon Smyth", "John Smith", "Bo"]),
        (&["plies>0", "--reverse"], ["Bo", "Jon Smyth", "John Smith"]),
        (&["ply>=0", "--sort", "relevance"], ["Bo", "John Smith", "Jon Smyth"]),
    ] {
        let answer = search(&folder, args);
        assert_eq!(attackers(&answer), expected, "{args:?}");
        assert_eq!(answer["summary"]["exact"], true);
    }
    // The whole name comes before a name with another word.
    assert_eq!(
        attackers(&search(&folder, &["player:\"john smith\"", "--sort", "relevance", "--reverse"])),
        ["Jon Smyth", "John Smith"]
    );
    let positions = search(&folder, &["king_moved", "--per", "position", "--sort", "length"]);
    assert_eq!(attackers(&positions), ["Bo", "Bo", "John Smith", "John Smith"]);
    let middle = search(
        &folder,
        &["king_moved", "--per", "position", "--sort", "length", "--offset", "1", "--limit", "2"],
    );
    assert_eq!(middle["hits"], json!([positions["hits"][1], positions["hits"][2]]));
}

#[test]
fn numbers_outside_of_their_ranges_are_errors() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    for (args, message) in [
        (
            &["search", "@corpus", "capture", "--offset", "18446744073709551615"][..],
            "is not in 0..=1000000000000",
        ),
        (&["search", "@corpus", "capture", "-j", "0"], "0 is less than 1"),
        (&["replay", "@games.csv", "--diagram-every", "0"], "0 is less than 1"),
        (&["import", "@corpus", "@games.csv", "--commit-every", "0"], "0 is less than 1"),
    ] {
        let output = folder.run(args);
        assert_eq!(output.exit, Exit::Error, "{args:?}: {}", output.text());
        assert!(output.stderr.contains(message), "{args:?}: {}", output.stderr);
    }
    let far = folder.run(&["search", "@corpus", "king_moved", "--offset", "1000000000000"]);
    assert_eq!(far.exit, Exit::Ok, "{}", far.stderr);
    assert!(far.text().contains("none after --offset"), "{}", far.text());
}

#[test]
fn negative_ratings_are_found() {
    let game = "[attackers:A]\n[defenders:?]\n[attackers-rating:-5]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";
    let folder = TestFolder::with_corpus(&[("games.otg", game)], &[]);
    for (query, games) in [("rating>=-5", 1), ("attackers_rating:-9..-6", 0), ("rating:-9..", 1)] {
        assert_eq!(search(&folder, &[query])["summary"]["games"], games, "{query}");
    }
}

#[test]
fn combining_marks_are_ignored_as_other_diacritics() {
    let folder = TestFolder::new();
    folder.file(
        "games.csv",
        "variant,attackers,moves\nbrandubh7,A\u{30a}sa,d2-c2 e4-e1\nbrandubh7,\u{c5}sa,d2-e2 c4-c3\n\
         brandubh7,\u{130}zmir,d6-c6 e4-e6\n",
    );
    folder.run(&["import", "@corpus", "@games.csv"]);
    let games = |query: &str| search(&folder, &[query, "--count"])["summary"]["games"].as_u64().unwrap();
    for query in
        ["player:asa", "player:\u{e5}sa", "player=\"\u{c5}sa\"", "player:\"A\u{30a}sa\"", "player:\"as*\""]
    {
        assert_eq!(games(query), 2, "{query}");
    }
    assert_eq!(games("player:izmir"), 1);
    // Both spellings name one player.
    let sql = ["sql", "@corpus", "SELECT games FROM players ORDER BY games DESC", "--format", "json"];
    assert_eq!(folder.run(&sql).json(), json!([{ "games": 2 }, { "games": 1 }]));
}

#[test]
fn captures_are_counted_by_their_kind() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let hits = |query: &str| search(&folder, &[query, "--count"])["summary"]["hits"].as_u64().unwrap();
    assert_eq!(hits("capture"), 2);
    assert_eq!((hits("custodial>=1"), hits("custodial"), hits("against_corner=1")), (1, 1, 1));
    assert_eq!((hits("custodial>=2"), hits("custodial=0 ply>0")), (0, 21));
    assert_eq!((hits("walled>=1"), hits("shieldwall>=1")), (0, 0));
    assert_eq!(hits("custodial + walled = captured and capture"), 1);
}

#[test]
fn texts_are_found_by_phrase_prefix_and_similar_words() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let games = |query: &str| search(&folder, &[query, "--count"])["summary"]["games"].as_u64().unwrap();
    for (query, expected) in [
        ("comment:\"exit fort\"", 1),
        ("comment:fort*", 2),
        ("comment:forts~1", 1),
        ("comment:Smith", 0),
        ("text:fort*", 2),
        ("player:\"asa ost\"", 2),
        ("player:smith~1", 2),
        ("player:\"jon smit~1\"", 2),
        ("player:\"smit john~1\"", 2),
        ("player!=\"smith~1\"", 3),
        ("event:wintre~1", 0),
        ("event:wintre~2", 2),
        ("attackers:\"Jon~\"", 2),
    ] {
        assert_eq!(games(query), expected, "{query}");
    }
    let wrong = folder.run(&["search", "@corpus", "player:a~1"]);
    assert_eq!(wrong.exit, Exit::Error);
    assert!(wrong.stderr.contains("`~` takes 1 to 2 differing letters"), "{}", wrong.stderr);
}

#[test]
fn a_search_without_hits_names_similar_words() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let notes = |query: &str| search(&folder, &[query])["notes"].clone();
    assert_eq!(
        notes("player:\"jhon smith\""),
        json!([
            "no game has `player:\"jhon smith\"`; did you mean `player:\"john smith\"`? (also similar: `jon`)"
        ])
    );
    assert_eq!(
        notes("player:\"smith asa\""),
        json!(["no game has `player:\"smith asa\"`: its words are there, but not like this"])
    );
    assert_eq!(notes("event:xyzzyqwert"), json!(["no game has `event:\"xyzzyqwert\"`, nor a similar word"]));
    let output = folder.run(&["search", "@corpus", "event:wimter"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.stderr.contains("did you mean `event:\"winter\"`?"), "{}", output.stderr);
}

#[test]
fn a_query_that_cannot_match_is_explained() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let output = folder.run(&["search", "@corpus", "king_captured king_on_throne"]);
    assert_eq!((output.exit, output.text()), (Exit::Findings, "nothing found\n"));
    assert!(
        output.stderr.starts_with("`king_captured` and `king_on_throne` exclude each other: "),
        "{}",
        output.stderr
    );
    // Hits need no explanation.
    let possible = search(&folder, &["ply<3 ply>5 or king_moved"]);
    assert_eq!(possible["notes"], json!([]));
}

/// The tools for language models are not in the default build, so the source of their descriptions is read.
#[test]
fn queries_that_language_models_are_shown_are_read() {
    let source = include_str!("../../src/mcp/tools.rs");
    let (_, search) = source.split_once("title: \"Search games\"").unwrap();
    let (description, _) = search.split_once("schema:").unwrap();
    let lines: Vec<&str> = description.split("\\\n").map(str::trim_start).collect();
    let text = lines.concat();
    let queries: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    assert_eq!(queries, ["variant:brandubh7 result:attackers", "player:Ann", "piece:king capture"]);
    for query in queries {
        tafl_corpus::Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    }
}
