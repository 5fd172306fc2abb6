use tafl_rules::Side;

use super::*;
use crate::format::test_text::{line_moves, names};
use crate::record::{EndingKind, MoveLineId, WrittenVerdict, tag};

const GAME: &str = "[event:Spring cup]\n[attackers:Ask]\n[defenders:Embla]\n[result:-1]\n[termination:Black resigns]\n\
    [start-comment:Two lines,\n\nthe second with [a bracket].]\n\
    [rules:dim:7 name:Brandubh start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n\
    1. d2-c2 d3-b3 \n[A move.\nKd1-c1xb1.\n| And | an answer.]\n\n\
    2. b4-b5xb6/b7 Ke4-e7--\n[|]\n\n\
    2b.1.1a. ..... d5-c5\n\n2b.1.2a d1-d3 c5-c4\n\n2b.1.2a.1.1a. d1-c1\n\n\
    3. d1-d2 ---\n";

fn read(text: &str) -> Parsed<Record> {
    Format::OpenTafl.parse(&Source::new(text))
}

#[test]
fn a_whole_game_is_read() {
    let parsed = read(GAME);
    assert_eq!(names(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(record.tag(tag::EVENT), Some("Spring cup"));
    assert_eq!(record.tag(tag::START_COMMENT), Some("Two lines,\n\nthe second with [a bracket]."));
    assert_eq!(record.rules.as_ref().map(|rules| rules.text.starts_with("dim:7 ")), Some(true));
    let result = record.result.unwrap();
    assert_eq!(result.verdict, WrittenVerdict::Win(Side::Defenders));
    assert_eq!(result.reason, Some(tafl_rules::Reason::Resignation));
    assert_eq!(line_moves(record.line(MoveLineId::MAIN)), "d2-c2 d3-b3 b4-b5 e4-e7 d1-d2");
    assert_eq!(record.captures_of(&record.main().moves[2]).len(), 2);
    let ending = record.ending.unwrap();
    assert_eq!((ending.kind, ending.after), (EndingKind::Resigned, 5));
}

#[test]
fn comments_belong_to_their_moves_and_may_contain_moves() {
    let record = read(GAME).value;
    let comments: Vec<_> =
        record.comments.iter().map(|comment| (comment.place.after, comment.text)).collect();
    assert_eq!(comments, [(1, "A move.\nKd1-c1xb1.\n"), (2, " And | an answer.")]);
}

#[test]
fn variations_name_the_replaced_move() {
    let record = read(GAME).value;
    assert_eq!(record.n_lines(), 3);
    let first = record.line(MoveLineId(1));
    assert_eq!((first.branch.unwrap().parent, first.branch.unwrap().at), (MoveLineId::MAIN, 3));
    assert!(first.opens_with_second);
    assert_eq!(line_moves(first), "d5-c5 d1-d3 c5-c4");
    let second = record.line(MoveLineId(2));
    assert_eq!((second.branch.unwrap().parent, second.branch.unwrap().at), (MoveLineId(1), 1));
    assert_eq!(line_moves(second), "d1-c1");
}

#[test]
fn addresses_with_and_without_a_final_dot_are_the_same() {
    for dot in ["", "."] {
        let text = format!("1. d2-c2 d3-b3\n1b.1.1a{dot} ..... d3-c3\n");
        let parsed = read(&text);
        assert_eq!(names(&parsed), [""; 0]);
        assert_eq!(line_moves(parsed.value.line(MoveLineId(1))), "d3-c3");
    }
}

#[test]
fn a_bad_word_is_reported_and_the_moves_around_it_survive() {
    let text = "1. d2-c2 d3-zz\n2. d1-d2 e1-e2\n";
    let parsed = read(text);
    assert_eq!(names(&parsed), ["bad-move"]);
    assert_eq!(parsed.diagnostics[0].span.of(text), "d3-zz");
    assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d2-c2 d1-d2 e1-e2");
}

#[test]
fn a_sentence_between_turns_is_one_finding() {
    let text = "1. d2-c2 d3-b3\nthen it got dark\n2. d1-d2 e1-e2\n";
    let parsed = read(text);
    assert_eq!(names(&parsed), ["bad-move"]);
    assert_eq!(parsed.diagnostics[0].span.of(text), "then it got dark");
}

#[test]
fn moves_behind_an_address_that_leads_nowhere_are_left_out() {
    let parsed = read("1. d2-c2 d3-b3\n7b.1.1a. d4-d5\n2. d1-d2 e1-e2\n");
    assert_eq!(names(&parsed), ["bad-address"]);
    assert_eq!(parsed.value.n_lines(), 1);
    assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d2-c2 d3-b3 d1-d2 e1-e2");
}

#[test]
fn a_turn_continues_after_a_comment() {
    let parsed = read("1. d2-c2\n[one]\n1. ..... d3-b3\n[|two]\n2. d1-d2 e1-e2\n2b.1.1a. ..... e1-e3\n");
    assert_eq!(names(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(line_moves(record.line(MoveLineId::MAIN)), "d2-c2 d3-b3 d1-d2 e1-e2");
    assert_eq!(record.comments.iter().map(|comment| comment.place.after).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(record.line(MoveLineId(1)).branch.unwrap().at, 3);
}

#[test]
fn a_turn_that_is_missing_or_doubled_is_reported() {
    assert_eq!(names(&read("1. d2-c2 d3-b3\n3. d1-d2 e1-e2\n")), ["move-number"]);
    assert_eq!(names(&read("1. d2-c2 d3-b3\n1. d1-d2 e1-e2\n")), ["move-number"]);
}

#[test]
fn the_same_variation_twice_becomes_two() {
    let parsed = read("1. d2-c2 d3-b3\n1a.1.1a. d2-b2\n1a.1.1a. d2-a2\n");
    assert_eq!(names(&parsed), ["move-number"]);
    assert_eq!(parsed.value.n_lines(), 3);
    assert_eq!(parsed.value.line(MoveLineId(2)).branch.unwrap().number, 2);
}

#[test]
fn the_same_variation_very_often_takes_no_longer_than_its_number() {
    let parsed = read(&("1. d2-c2 d3-b3\n".to_owned() + &"1a.1.1a. d2-b2\n".repeat(30_000)));
    assert_eq!(parsed.value.n_lines(), 30_001);
    assert_eq!(parsed.value.line(MoveLineId(30_000)).branch.unwrap().number, 30_000);
}

#[test]
fn an_address_names_the_last_turn_with_its_number() {
    let parsed = read(
        "7. d2-c2 d3-b3\n5. d1-d2\n5. ..... e4-e7\n5. d2-d1 e7-e4\n6. a4-a3\n5b.1.1b. ..... e4-e6\n7b.1.1b. ..... d3-a3\n",
    );
    let at = |line| parsed.value.line(MoveLineId(line)).branch.unwrap().at;
    assert_eq!((parsed.value.main().moves.len(), at(1), at(2)), (7, 5, 1));
    // The last turn 5 has no first item, so the one before has it.
    let parsed = read(
        "7. d2-c2 d3-b3\n5. d1-d2 e4-e7\n5. ..... d3-d4\n6. d2-d1\n5a.1.1a. d1-c1\n5b.1.1b. ..... d3-d5\n",
    );
    let at = |line| parsed.value.line(MoveLineId(line)).branch.unwrap().at;
    assert_eq!((at(1), at(2)), (2, 4));
}

#[test]
fn addresses_of_turns_with_other_numbers_than_their_places_take_no_longer_than_the_text() {
    let n = 30_000;
    let text = "9. d2-c2 d3-b3\n".to_owned() + &"5. d1-d2 e4-e7\n".repeat(n) + &"9a.1.1a. d2-b2\n".repeat(n);
    assert_eq!(read(&text).value.n_lines(), n + 1);
}

#[test]
fn the_largest_number_that_a_turn_can_have_is_read() {
    let parsed = read(
        "4294967295. d2-c2 d3-b3\n5a.1.1a. d4-d5\n4294967295a.1.4294967295a. d2-b2\n\
         4294967295a.1.4294967295b. d2-a2\n",
    );
    assert_eq!(names(&parsed), ["move-number", "bad-address", "move-number"]);
    assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d2-c2 d3-b3");
    assert_eq!(line_moves(parsed.value.line(MoveLineId(1))), "d2-b2 d2-a2");
}

#[test]
fn berserk_turns_have_several_items() {
    let parsed = read("1. c1-c4xc5 c4=f4xg4 Ne6^=e8xce7/ne9\n1c.1.1c. d2-d3\n");
    assert_eq!(names(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(record.main().moves.iter().map(|mv| mv.chained).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(record.line(MoveLineId(1)).branch.unwrap().at, 2);
}

#[test]
fn a_tag_that_is_not_closed_ends_with_its_line() {
    let parsed = read("[event:Spring cup\n1. d2-c2 d3-b3\n");
    assert_eq!(names(&parsed), ["unclosed-bracket"]);
    assert_eq!(parsed.value.tag(tag::EVENT), Some("Spring cup"));
    assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d2-c2 d3-b3");
}

#[test]
fn duplicate_tags_are_reported_and_kept() {
    let parsed = read("[event:a]\n[Event:b]\n[variant:x]\n[variant:y]\n[variant:z]\n1. d2-c2 d3-b3\n");
    assert_eq!(names(&parsed), ["duplicate-tag", "duplicate-tag"]);
    let tags: Vec<_> = parsed.value.tags.iter().map(|tag| (tag.name, tag.value)).collect();
    assert_eq!(tags, [("event", "a"), ("event", "b"), ("variant", "y"), ("variant", "z")]);
}

#[test]
fn a_hexagonal_board_is_recognized_by_its_key() {
    for rules in ["dim:4 xtopo:hex", "xtopo:hex dim:4"] {
        let text = format!(
            "[rules:{rules} start:/t2t/5/2T3/t2KT1t/2T3/5/t2t/]\n[position:/t2t/5/3T2/t1TK2t/3T2/5/t2t/]"
        );
        let start = read(&text).value.start.expect("the position fits the board");
        assert_eq!(start.setup.to_string(), "/t2t/5/3T2/t1TK2t/3T2/5/t2t/", "{rules}");
    }
}

#[test]
fn a_position_apart_from_the_rules_is_the_start() {
    let rules = "[rules:dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]";
    let record = read(&format!("[position:/3t3/7/3T3/t2KTtt/3T3/3t3/3t3/]\n{rules}\n")).value;
    assert_eq!(record.start.unwrap().setup.to_string(), "/3t3/7/3T3/t2KTtt/3T3/3t3/3t3/");
    let broken = format!("[position:/3t3/8/3T3/t2KTtt/3T3/3t3/3t3/]\n{rules}\n");
    let parsed = read(&broken);
    assert_eq!(names(&parsed), ["bad-position"]);
    assert!(parsed.diagnostics[0].message(&broken).contains("rank 2"));
}

#[test]
fn the_first_of_two_positions_counts_and_the_second_is_reported_and_kept() {
    let rules = "[rules:dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]";
    let (one, other) = ("/3t3/7/3T3/t2KTtt/3T3/3t3/3t3/", "/3t3/7/3T3/t2KT2/3T3/3t3/3t3/");
    for text in
        [format!("[position:{one}]\n[position:{other}]\n{rules}\n"), format!("{one}\n{other}\n{rules}\n")]
    {
        let parsed = read(&text);
        assert_eq!(names(&parsed), ["duplicate-tag"]);
        assert_eq!(parsed.diagnostics[0].span.of(&text), other);
        assert_eq!(parsed.value.start.as_ref().unwrap().setup.to_string(), one);
        assert_eq!(parsed.value.tag("position"), Some(other));
    }
    // A position that cannot be read still counts as the first one.
    let parsed = read(&format!("[position:/3t3/8/3T3/7/7/7/7/]\n[position:{one}]\n{rules}\n"));
    assert_eq!(names(&parsed), ["bad-position", "duplicate-tag"]);
    assert_eq!(parsed.value.start, None);
    let kept: Vec<&str> = parsed.value.tags.iter().map(|tag| tag.value).collect();
    assert_eq!(kept, ["/3t3/8/3T3/7/7/7/7/", one]);
}

#[test]
fn a_reason_counts_before_the_result_and_behind_it() {
    for text in ["[termination:king captured]\n[result:1]\n", "[result:1]\n[termination:king captured]\n"] {
        let record = read(text).value;
        assert_eq!(record.result.unwrap().reason, Some(tafl_rules::Reason::KingCaptured), "{text}");
        assert_eq!(record.tag(tag::TERMINATION), None, "{text}");
    }
    let record = read("[termination:Black resigns]\n[result:-1]\n").value;
    assert_eq!(record.result.unwrap().reason, Some(tafl_rules::Reason::Resignation));
    assert_eq!(record.tag(tag::TERMINATION), Some("Black resigns"));
    let record = read("[termination:king captured]\n[termination:at dusk]\n[result:1]\n").value;
    let reason = Some(tafl_rules::Reason::KingCaptured);
    assert_eq!((record.result.unwrap().reason, record.tags.len()), (reason, 2));
}

#[test]
fn a_result_among_characters_that_are_not_shown_is_read() {
    for text in ["[result:\u{a0}1\0]\n", "[result: 1\u{202e}]\n", "[result:1\u{7}]\n"] {
        let parsed = read(text);
        assert_eq!(parsed.value.result.unwrap().verdict, WrittenVerdict::Win(Side::Attackers), "{text:?}");
        assert_eq!(names(&parsed), [""; 0]);
    }
}

#[test]
fn deep_variations_need_no_deep_stack() {
    let mut text = String::from("1. d2-c2 d3-b3\n");
    let mut address = String::from("1a");
    for _ in 0..300 {
        address += ".1.1a";
        text += &format!("{address}. d2-c2\n");
    }
    let parsed = read(&text);
    assert_eq!(names(&parsed), [""; 0]);
    assert_eq!(parsed.value.n_lines(), 301);
}

#[test]
fn an_open_comment_is_marked_by_whole_characters() {
    // The fortieth byte is inside a character.
    let text = format!("1. d1-d3\n[-{}", "a\u{e6}".repeat(30));
    let parsed = read(&text);
    let found = &parsed.diagnostics[0];
    assert!(text.get(found.span.start as usize..found.span.end as usize).is_some(), "{:?}", found.span);
}
