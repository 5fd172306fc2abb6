use super::*;
use crate::format::survival;

const HEX: &str = include_str!("../../../../tests/fixtures/records/valid/abstractplay-hexentafl.json");
const TAFL: &str = include_str!("../../../../tests/fixtures/records/valid/abstractplay-tablut.json");
const BROKEN: &str = include_str!("../../../../tests/fixtures/records/invalid/abstractplay.json");

fn moves(record: &Record) -> String {
    let captures = |mv| record.captures_of(mv).iter().map(|c| format!("x{}", c.cell)).collect::<String>();
    let link = |chained| if chained { "+" } else { "" };
    let moves = record
        .main()
        .moves
        .iter()
        .map(|mv| format!("{}{}-{}{}", link(mv.chained), mv.from, mv.to, captures(mv)));
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn hexentafl_has_our_labels_and_its_own_start() {
    let Parsed { value, diagnostics } = parse(&Source::new(HEX));
    assert_eq!(diagnostics, []);
    assert_eq!(moves(&value), "g4-f3 c3-b2 f3-c3xb2 d4-d3");
    assert_eq!(value.variant.as_ref().map(|variant| &*variant.text), Some("hexentafl4"));
    assert_eq!(value.start.as_ref().unwrap().setup.to_string(), "/t2t/5/2T3/t2KT1t/2T3/5/t2t/");
    assert_eq!(value.first_mover, Some(Side::Attackers));
    assert_eq!(value.tag(tag::ATTACKERS), Some("first"));
    assert_eq!(value.main().moves[2].span.of(HEX), "f1-c3xb2");
    let ending = value.ending.unwrap();
    assert_eq!((ending.kind, ending.side), (EndingKind::Resigned, Some(Side::Attackers)));
    assert_eq!(value.result.unwrap().verdict, WrittenVerdict::Win(Side::Defenders));
}

#[test]
fn white_first_seats_the_defenders_first() {
    let Parsed { value, diagnostics } = parse(&Source::new(TAFL));
    assert_eq!(diagnostics, []);
    assert_eq!(moves(&value), "e4-g4 a4-a3 e5-e4 a6-a7 e4-a4");
    assert_eq!((value.tag(tag::DEFENDERS), value.tag(tag::ATTACKERS)), (Some("first"), Some("second")));
    assert_eq!(value.first_mover, Some(Side::Defenders));
    assert_eq!(value.main().moves[2].letter.get(), Some('K'));
    assert!(value.rules.unwrap().text.contains("atkf:n"));
    let result = value.result.unwrap();
    assert_eq!(
        (result.verdict, result.reason),
        (WrittenVerdict::Win(Side::Defenders), Some(Reason::KingReachedGoal))
    );
}

#[test]
fn segments_are_steps_of_one_turn() {
    let text = TAFL.replace("\"a4-a3\"", "\"a4-c4xc5 c4^c6xKd6 c6-g6\"");
    assert_eq!(moves(&parse(&Source::new(&text)).value), "e4-g4 a4-c4xc5 +c4-c6xd6 +c6-g6 e5-e4 a6-a7 e4-a4");
}

#[test]
fn bad_values_are_named_and_the_rest_is_read() {
    let Parsed { value, diagnostics } = parse(&Source::new(BROKEN));
    assert_eq!(moves(&value), "d1-d3 f8-f10");
    let found: Vec<String> =
        diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(BROKEN))).collect();
    assert_eq!(found, ["T009 [", "T009 [", "T001 d3-d"]);
}

#[test]
fn the_larger_result_has_won_and_no_results_are_not_a_draw() {
    let verdict = |first: &str, second: &str| {
        let text =
            HEX.replace("\"result\":0}", "\"result\":FIRST}").replace("\"result\":1}", "\"result\":SECOND}");
        let text = text.replace("FIRST", first).replace("SECOND", second);
        parse(&Source::new(&text)).value.result.map(|result| result.verdict)
    };
    assert_eq!(verdict("1", "0"), Some(WrittenVerdict::Win(Side::Attackers)));
    assert_eq!(verdict("null", "0"), Some(WrittenVerdict::Win(Side::Defenders)));
    assert_eq!(verdict("0.5", "0.5"), Some(WrittenVerdict::Draw));
    assert_eq!(verdict("null", "null"), Some(WrittenVerdict::Unknown));
}

#[test]
fn the_game_decides_whether_a_record_is_skipped() {
    let other = |text: &str| other_game(text.as_bytes()).map(String::from);
    assert_eq!(
        other(r#"{"moves":[],"header":{"site":{},"game":{"name":"Ama\u007aons"}}}"#),
        Some("Amazons".into())
    );
    assert_eq!(other(r#"{"header":{"game":{"name":"AlmaTafl"}},"moves":[]}"#), None);
    assert_eq!(other(TAFL), None);
    for broken in ["", "{}", "7", r#"{"header":{"game":{"name":"Hex"}}"#, r#"{"header":{"game":"Hex"}}"#] {
        assert_eq!(other(broken), None, "{broken}");
    }
}

#[test]
fn moves_of_other_games_are_not_read() {
    let text = TAFL.replace("\"Hnefatafl\"", "\"Amazons\"");
    let Parsed { value, diagnostics } = parse(&Source::new(&text));
    let codes: Vec<_> = diagnostics.iter().map(|found| found.code().as_str()).collect();
    assert_eq!((codes, value.main().moves.len()), (vec!["H024"], 0));
}

#[test]
fn nothing_makes_it_panic() {
    for text in [HEX, TAFL, BROKEN, "", "{}"] {
        survival::check(Format::AbstractPlay, text);
    }
}
