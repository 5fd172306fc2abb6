use super::*;
use crate::format::survival;
use crate::format::test_text::{codes, moves};

const GAME: &str = "[Format \"brandubh-1\"]\n[Event \"Brandubh\"]\n[Variant \"wtf\"]\n[Date \"2026.07.29\"]\n\
    [Attackers \"Ollamh\"]\n[Defenders \"Ailbhe\"]\n[Result \"0-1\"]\n[Termination \"defenders_win_time\"]\n\n\
    1. d1-c1 d3-c3\n2. d7-e7 d5-e5x2\n0-1\n";

fn read(text: &str) -> Parsed<Record> {
    parse(&Source::new(text))
}

#[test]
fn a_file_of_the_program_is_read() {
    let parsed = read(GAME);
    assert_eq!(codes(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(moves(&record), "d1-c1 d3-c3 d7-e7 d5-e5");
    let number = record.move_capture_counts[0];
    assert_eq!((number.at, number.count, number.span.of(GAME)), (3, 2, "2"));
    assert_eq!(record.main().moves[3].span.of(GAME), "d5-e5");
    let result = record.result.unwrap();
    assert_eq!(
        (result.verdict, result.reason),
        (WrittenVerdict::Win(Side::Defenders), Some(Reason::Timeout))
    );
    assert_eq!(record.variant.unwrap().text, "brandubh7".into());
    assert_eq!(
        record.tags.iter().map(|tag| tag.name).collect::<Vec<_>>(),
        ["event", "date", "attackers", "defenders"]
    );
}

#[test]
fn one_nil_is_a_win_of_the_attackers() {
    assert_eq!(read("1. d1-c1 1-0").value.result.unwrap().verdict, WrittenVerdict::Win(Side::Attackers));
    assert_eq!(codes(&read("[Result \"1-0\"]\n1. d1-c1 0-1")), ["E013"]);
}

#[test]
fn the_forms_that_the_program_accepts_are_read() {
    let texts = [
        "1. d1-c1 d3-c3\n2. d7-e7 d5-e5",
        "d1-c1 d3-c3 d7-e7 d5-e5",
        "1. d1-c1 2. d3-c3 3. d7-e7 4. d5-e5",
        "1. d1-c1 1... d3-c3\n2) d7-e7 2) d5-e5",
        "1.d1-c1 d3-c3\r\n2.d7-e7 d5-e5\r\n*\r\n",
        "\u{feff}1. D1-C1 D3-C3\n2. D7–E7 D5E5",
        "; a game\n1. d1-c1 {solid\nreply} d3-c3 ; a pair\n2. d7-e7 d5-e5",
        "%not for us\n1. d1-c1! d3-c3?\n2. d7-e7!? d5xe5",
        "1. d1-c1 d3-c3 d7-e7 d5-e5x\n[Variant wtf]\n",
    ];
    for text in texts {
        let parsed = read(text);
        assert_eq!(codes(&parsed), [""; 0], "{text}");
        assert_eq!(moves(&parsed.value), "d1-c1 d3-c3 d7-e7 d5-e5", "{text}");
    }
}

#[test]
fn marks_after_a_number_of_captures_are_marks_as_after_a_cell() {
    let record = read("1. d1-c1! d3-c3x1!?\n2. d7-e7x1!!!").value;
    let marks: Vec<&str> = record.main().moves.iter().map(|mv| mv.mark.as_str()).collect();
    assert_eq!(marks, ["!", "!?", ""]);
    // Several marks are not one of the record.
    let comments: Vec<_> =
        record.comments.iter().map(|comment| (comment.place.after, comment.text)).collect();
    assert_eq!(comments, [(3, "!!!")]);
}

#[test]
fn custom_rules_become_a_rules_string() {
    let parsed = read("[Variant \"custom\"]\n[Rules \"armedKing=0 repetitionResult=draw\"]\n\n1. d1-c1");
    assert_eq!(codes(&parsed), [""; 0]);
    let rules = parsed.value.rules.unwrap().text;
    assert!(rules.contains("ka:a") && rules.contains("xrep:pos3draw"), "{rules}");
    let parsed = read("[Variant \"wtf\"]\n[Rules \"armedKing=0\"]\n\n1. d1-c1");
    assert_eq!((codes(&parsed), parsed.value.rules), (vec!["H001"], None));
    assert_eq!(codes(&read("[Rules \"flying=1\"]\n1. d1-c1")), ["H001"]);
}

#[test]
fn what_the_notation_does_not_have_is_reported_and_the_rest_is_read() {
    let parsed =
        read("[Event \"a\"\n[event \"b\"]\n[Event \"c\"]\n1. d1-c1 zz d3-c3 (d3-b3) d7-e7x99999999999 {open");
    assert_eq!(codes(&parsed), ["T003", "H002", "T001", "T002", "T001", "T003"]);
    assert_eq!(moves(&parsed.value), "d1-c1 d3-c3 d7-e7");
    assert_eq!(codes(&read("[Termination \"attackers_win_resign\"]\n[Result \"0-1\"]\n1. d1-c1")), ["H001"]);
    assert_eq!(codes(&read("[Format \"brandubh-9\"]\n1. d1-c1")), ["H001"]);
}

#[test]
fn numbers_of_captures_show_the_notation() {
    assert!(has_capture_number(b"1. d1-c1 d5-c5x1\n") && has_capture_number(b"d5c5x2"));
    assert!(!has_capture_number(b"d5-c5xc4 d5-h8x1 x1 c5x"));
}

#[test]
fn nothing_makes_it_panic() {
    for text in [GAME, "", "[", "{", "(((", "[Rules \"=\"]"] {
        survival::check(Format::Ollamh, text);
    }
}
