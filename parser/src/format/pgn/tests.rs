use tafl_rules::Side;

use super::*;
use crate::format::test_text::{line_moves, names};
use crate::record::tag;

fn read(text: &str) -> Parsed<Record> {
    parse(&Source::new(text))
}

#[test]
fn glued_moves_are_read_with_and_without_a_blank_line() {
    for gap in ["", "\n"] {
        let text = format!("[Event \"Game 12\"]\n[Site \"x\"]\n{gap}1. d11d9 e5e2\n2. d3d4\n");
        let parsed = read(&text);
        assert_eq!(names(&parsed), [""; 0]);
        assert_eq!(parsed.value.tag(tag::EVENT), Some("Game 12"));
        assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d11-d9 e5-e2 d3-d4");
        assert_eq!(parsed.value.capture_style, CaptureStyle::NotWritten);
    }
}

#[test]
fn one_nil_means_nothing_unless_a_tag_names_the_side() {
    let parsed = read("1. d1d3 e5e2 1-0");
    assert_eq!(names(&parsed), ["unknown-result"]);
    assert_eq!(parsed.value.result, None);
    let parsed = read("[Result \"Black wins\"]\n1. d1d3 e5e2 1-0");
    assert_eq!(names(&parsed), [""; 0]);
    assert_eq!(parsed.value.result.unwrap().verdict, WrittenVerdict::Win(Side::Attackers));
    assert_eq!(read("1. d1d3 *").value.result.unwrap().verdict, WrittenVerdict::Ongoing);
}

#[test]
fn comments_and_variations_nest() {
    let parsed = read("1. d1d3 {first} e5e2 (1... e5e3 {other} 2. a4a5 (2. a4b4)) 2. g1g3 ; rest\n");
    assert_eq!(names(&parsed), [""; 0]);
    let record = parsed.value;
    assert_eq!(line_moves(record.line(MoveLineId::MAIN)), "d1-d3 e5-e2 g1-g3");
    assert_eq!(line_moves(record.line(MoveLineId(1))), "e5-e3 a4-a5");
    assert_eq!(
        record.line(MoveLineId(1)).branch,
        Some(LineBranch { parent: MoveLineId::MAIN, at: 1, number: 1 })
    );
    assert!(record.line(MoveLineId(1)).opens_with_second && !record.line(MoveLineId(2)).opens_with_second);
    assert_eq!(
        record.line(MoveLineId(2)).branch,
        Some(LineBranch { parent: MoveLineId(1), at: 1, number: 1 })
    );
    let comments: Vec<_> = record.comments.iter().map(|c| (c.place.line.0, c.place.after, c.text)).collect();
    assert_eq!(comments, [(0, 1, "first"), (1, 1, "other"), (0, 3, "rest")]);
}

#[test]
fn a_bad_word_is_reported_and_the_moves_survive() {
    let parsed = read("[Event \"x]\n1. d1d3 zz e5e2 ) 2. d3");
    assert_eq!(names(&parsed), ["not-a-tag", "bad-move", "stray-text", "bad-move"]);
    assert_eq!(line_moves(parsed.value.line(MoveLineId::MAIN)), "d1-d3 e5-e2");
}

#[test]
fn quotes_in_tags_are_escaped() {
    let record = read("[Event \"The \\\"big\\\" one \\\\\"]\n").value;
    assert_eq!(record.tag(tag::EVENT), Some("The \"big\" one \\"));
}

#[test]
fn duplicate_tags_are_reported_and_kept() {
    let text = "[Event \"a\"]\n[event \"b\"]\n[Black \"c\"]\n[Attackers \"d\"]\n[Result \"?!\"]\n1. d1d3";
    let parsed = read(text);
    assert_eq!(names(&parsed), ["duplicate-tag", "duplicate-tag", "unknown-result"]);
    assert_eq!(parsed.value.tags.len(), 5);
}

#[test]
fn a_fen_is_the_start_unless_there_is_a_position() {
    let setup = |text: &str| {
        let parsed = read(text);
        assert_eq!(names(&parsed), [""; 0], "{text}");
        (parsed.value.start.map(|start| start.setup.to_string()), parsed.value.first_mover)
    };
    let fen = "[FEN \"5/5/2k2/5/a4 d 0 1\"]\n";
    let start = || Some("/t4/5/2K2/5/5/".to_owned());
    assert_eq!(setup(&format!("{fen}\n1. c3c4")), (start(), Some(Side::Defenders)));
    let (chosen, _) = setup(&format!("[Position \"/4t/5/2K2/5/5/\"]\n{fen}\n1. c3c4"));
    assert_eq!(chosen.as_deref(), Some("/4t/5/2K2/5/5/"));
    assert_eq!(names(&read("[FEN \"5/5/2k3/5/a4 d\"]\n\n1. c3c4")), ["bad-fen"]);
}

#[test]
fn the_first_of_two_positions_counts_and_the_second_is_reported_and_kept() {
    let (one, other) = ("/3t3/7/3T3/t2KTtt/3T3/3t3/3t3/", "/3t3/7/3T3/t2KT2/3T3/3t3/3t3/");
    let parsed = read(&format!("[Position \"{one}\"]\n[position \"{other}\"]\n1. d1d2"));
    assert_eq!(names(&parsed), ["duplicate-tag"]);
    assert_eq!(parsed.value.start.as_ref().unwrap().setup.to_string(), one);
    assert_eq!(parsed.value.tag("position"), Some(other));
}

#[test]
fn a_reason_counts_before_the_result_and_behind_it() {
    for text in [
        "[Termination \"agreement\"]\n[Result \"1/2-1/2\"]\n",
        "[Result \"1/2-1/2\"]\n[Termination \"agreement\"]\n",
        "[Termination \"agreement\"]\n1. d1d3 1/2-1/2",
    ] {
        let record = read(text).value;
        assert_eq!(record.result.unwrap().reason, Some(tafl_rules::Reason::Agreement), "{text}");
        assert_eq!(record.tag(tag::TERMINATION), None, "{text}");
    }
}

#[test]
fn deep_variations_need_no_deep_stack() {
    let text = "d1d3 (".repeat(5000);
    let parsed = read(&text);
    assert_eq!(parsed.value.n_lines(), 5001);
}

#[test]
fn an_open_comment_is_marked_by_whole_characters() {
    // The fortieth byte is inside a character.
    let text = format!("1. d1d3 {{-{}", "a\u{e6}".repeat(30));
    let parsed = read(&text);
    let found = &parsed.diagnostics[0];
    assert!(text.get(found.span.start as usize..found.span.end as usize).is_some(), "{:?}", found.span);
}
