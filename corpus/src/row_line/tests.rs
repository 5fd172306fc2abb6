//! Lines are read as they were written, and inconsistent ones are rejected.

use tafl_parser::{Format, Source};

use super::*;
use crate::ingest::PreparedRecord;
use crate::ingest::tests::{GAMES, RecordPreparer};

fn prepared(text: &str) -> PreparedRecord {
    let source = Source { line: 9, ..Source::named("games.csv", text) };
    RecordPreparer::new().prepare(source, Format::MoveList)
}

fn line(text: &str) -> String {
    let mut out = Vec::new();
    write_row(&prepared(text), [1, 9], "test", &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn row_lines_round_trip() {
    let mut reader = RowReader::default();
    for text in GAMES.iter().copied().chain(["d2-c2 d2-c2", "nothing"]) {
        let first = line(text);
        let read = reader.read(first.as_bytes()).unwrap();
        let mut again = Vec::new();
        write_row(&read, [1, 9], "test", &mut again);
        assert_eq!(String::from_utf8(again).unwrap(), first);
    }
}

#[test]
fn a_game_is_prepared_as_if_it_had_been_replayed_here() {
    let (PreparedRecord::Game(before), PreparedRecord::Game(after)) =
        (prepared(GAMES[1]), RowReader::default().read(line(GAMES[1]).as_bytes()).unwrap())
    else {
        panic!("the record is a game");
    };
    assert_eq!(after.row, before.row);
    assert_eq!(after.game_setup, before.game_setup);
    assert_eq!(after.date, before.date);
    assert_eq!(after.replayed.keys, before.replayed.keys);
    assert_eq!(format!("{:?}", after.replayed), format!("{:?}", before.replayed));
}

#[test]
fn copies_and_beginnings_have_the_same_bucket() {
    let bucket = |text: &str| {
        let line = line(text);
        line.split("\"bucket\":").nth(1).unwrap().split(',').next().unwrap().to_owned()
    };
    let mirrored = "b4-b3 d5-a5 d2-b2 d4-d5 b3-a3 d5-c5";
    assert_eq!(bucket(GAMES[0]), bucket(mirrored));
    assert_eq!(bucket(GAMES[0]), bucket("d2-c2 e4-e1"));
    assert_ne!(bucket(GAMES[0]), bucket("d1-c1 e4-e1"));
}

#[test]
fn invalid_fields_are_rejected_by_name() {
    let good = line(GAMES[1]);
    let mut reader = RowReader::default();
    let mut refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        reader.read(good.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    assert!(refused("\"taflbase_row\":2", "\"taflbase_row\":1").contains("version 1"));
    assert!(refused("\"key_version\":", "\"key_version\":9").contains("position keys"));
    assert!(refused("\"plies\":14", "\"plies\":13").contains("lengths"));
    assert!(refused("\"line\":\"", "\"line\":\"0").contains("line"));
    assert!(refused("\"game\":\"", "\"game\":1,\"event\":\"").contains("game"));
    assert!(refused("\"start_key\":\"", "\"start_key\":\"-").contains("hexadecimal"));
    assert!(refused("\"keys\":[\"", "\"keys\":[7,\"").contains("hexadecimal"));
    assert!(refused("\"from\":[\"d6\"", "\"from\":[\"d5\"").contains("line of play"));
    assert!(refused("\"from\":[\"d6\"", "\"from\":[\"z6\"").contains("from"));
    assert!(refused("\"result\":\"defenders\"", "\"result\":\"both\"").contains("result"));
    assert!(refused("\"sides\":\"ad", "\"sides\":\"xd").contains("sides"));
    assert!(refused("\"sides\":\"ad", "\"sides\":\"dd").contains("first ply"));
    assert!(refused("{\"taflbase_row\"", "{\"taflbase\"").contains("not a row line"));
    let twice = good.replacen("\"\",\"g4\"", "\"\",\"g4 g4\"", 1);
    let twice = twice.replacen("\"defenders_captures\":2", "\"defenders_captures\":3", 1);
    let error = reader.read(twice.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("twice"), "{error}");
    assert!(reader.read(b"").is_err());
    assert!(reader.read(&good.as_bytes()[..good.len() / 2]).is_err());
}
