use tafl_rules::Reason;

use super::*;
use crate::format::survival;
use crate::format::test_text::{codes, line_moves_and_captures, moves_and_captures};
use crate::record::{WrittenVerdict, tag};

fn read(text: &str) -> Parsed<Record> {
    parse(&Source::new(text))
}

const SESSION: &str = "> board_size 7\n= \n> play defender 0d5 0b5\n= \n> play attacker 0b4 0b3 # hm\n= 0b5 0b7\n\
    > final_status\n= ongoing\n";

#[test]
fn replies_list_the_captures() {
    let parsed = read(SESSION);
    assert_eq!(codes(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(moves_and_captures(&record), "d5-b5 b4-b3xb5xb7");
    assert_eq!(record.capture_style, CaptureStyle::Listed);
    assert_eq!(record.variant.as_ref().map(|variant| &*variant.text), Some("hnefatafl-org-7"));
    assert_eq!(record.comments.get(0).map(|comment| comment.place), Some(MovePlace::in_main(2)));
    assert_eq!(record.result.unwrap().verdict, WrittenVerdict::Ongoing);
}

#[test]
fn without_replies_captures_are_not_written() {
    let record = read("play attacker d1 d3\nplay defender f8-d8\n").value;
    assert_eq!(
        (moves_and_captures(&record).as_str(), record.capture_style),
        ("d1-d3 f8-d8", CaptureStyle::NotWritten)
    );
    assert_eq!(record.variant, None);
}

#[test]
fn refused_plays_keep_their_reason() {
    let parsed = read("play attacker d1 d3\n= \nplay attacker d3 d4\n? wrong turn\nplay defender x\n? bad\n");
    assert_eq!(codes(&parsed), ["T001"]);
    let record = parsed.value;
    assert_eq!(moves_and_captures(&record), "d1-d3");
    assert_eq!(record.refused[0].reason.as_ref().map(|reason| &*reason.text), Some("wrong turn"));
}

#[test]
fn plays_that_were_taken_back_are_variations() {
    let record =
        read("play a d1 d3\n= \nplay d f8 d8\n= \nplay_undo\n= \nplay_undo\n= \nplay a d1 d2\n= \n").value;
    assert_eq!(
        (moves_and_captures(&record), line_moves_and_captures(&record, MoveLineId(1))),
        ("d1-d2".to_owned(), "d1-d3 f8-d8".to_owned())
    );
    assert_eq!(
        record.line(MoveLineId(1)).branch,
        Some(LineBranch { parent: MoveLineId::MAIN, at: 0, number: 1 })
    );
    assert_eq!(codes(&read("play_undo\n")), ["T002"]);
    let record = read("play a d1 d3\nplay_undo\nplay a d1 d2\nplay_undo\nplay a d1 d4\n").value;
    let numbers: Vec<_> =
        record.variations.iter().map(|line| line.branch.map(|branch| branch.number)).collect();
    assert_eq!(numbers, [Some(1), Some(2)]);
}

#[test]
fn programs_play_with_generate_move() {
    let text = "generate_move\n= play attacker d1 d3, score: 0.1, delay milliseconds: 7, loops: 9\nescape_vec:\n\n7 8 9\n\n\
        generate_move\n= play defender resigns _, score: 0\n";
    let parsed = read(text);
    assert_eq!(codes(&parsed), [""; 0]);
    assert_eq!(moves_and_captures(&parsed.value), "d1-d3");
    let ending = parsed.value.ending.unwrap();
    assert_eq!((ending.kind.reason(), ending.side), (Reason::Resignation, Some(Side::Defenders)));
}

#[test]
fn settings_are_read_and_the_last_one_counts() {
    let record = read("time_settings un-timed\ntime_settings fischer 15 10\nfirst_move defender\n").value;
    assert_eq!((record.tag(tag::TIME_CONTROL), record.first_mover), (Some("900+10"), Some(Side::Defenders)));
    let record = read("new_game attacker rated fischer 900000 10 13\ngame 6 play attacker D1 D3\n").value;
    assert_eq!((record.tag(tag::TIME_CONTROL), record.tag(tag::RATED)), (Some("900+10"), Some("true")));
    assert_eq!(record.variant.map(|variant| variant.text), Some("hnefatafl-org-13".into()));
}

#[test]
fn the_size_of_a_board_may_be_the_first_word_of_a_new_game() {
    assert_eq!(read("new_game 7 rated\n").value.variant, None);
    let size = |text: &str| read(text).value.variant.map(|variant| variant.text.to_string());
    assert_eq!(size("new_game 7\n").as_deref(), Some("hnefatafl-org-7"));
    assert_eq!(size("new_game {\"board_size\": 7, \"rated\": true}\n").as_deref(), Some("hnefatafl-org-7"));
}

#[test]
fn a_comment_has_the_place_of_the_play_on_its_line() {
    for (text, after) in [
        ("play a d1 d3\nplay_undo\nplay a d1 d2 # on this play\n", 1),
        ("play a d1 d3\nplay d resigns _ # on this resignation\n", 1),
        ("play a d1 d3\nplay d x # on a play that cannot be read\n", 1),
        ("play a d1 d3\nplay d f8 d8 # taken back\nplay_undo\n", 1),
        ("play a d1 d3\nplay d f8 d8 # refused\n? bad\n", 1),
    ] {
        let record = read(text).value;
        let places: Vec<_> = record.comments.iter().map(|comment| comment.place).collect();
        assert_eq!((places, record.main().moves.len()), (vec![MovePlace::in_main(after)], 1), "{text}");
    }
}

#[test]
fn an_incomplete_board_and_foreign_lines_are_reported() {
    let parsed = read("hello\nshow_board\n= \n   ABCDE\n  ┌───┐\n 5│ . . . . . │ 5\nplay a d1 d3\n");
    assert_eq!(codes(&parsed), ["T002", "T018"]);
}

#[test]
fn nothing_makes_it_panic() {
    for text in
        [SESSION, "show_board\n 5│ . . . . . │ 5\n 4│ . . . . . │ 4\n", "", "play", "play_undo\nplay_undo"]
    {
        survival::check(Format::Htp, text);
    }
}
