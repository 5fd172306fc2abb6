use super::*;
use crate::format::test_text::names;
use crate::record::MoveMark;

const START: &str = "3vvvvv3 5v5 11 v4V4v v3VVV3v vv1VVKVV1vv v3VVV3v v4V4v 11 5v5 3vvvvv3";

fn moves(record: &Record) -> String {
    let moves = record.main().moves.iter().map(|mv| format!("{}-{}{}", mv.from, mv.to, mv.mark.as_str()));
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_board_and_moves_are_read() {
    let text = format!("{START}\n\n1.g2f3 f4b4 2.kXjL* fLf11(*)\n3.a1xa2x k11-k10\n");
    let parsed = parse(&Source::new(&text));
    assert_eq!(names(&parsed), ["bad-move"], "a1xa2x is not a move");
    let record = parsed.value;
    assert_eq!(moves(&record), "g2-f3 f4-b4 k10-j11* f11-f11* k11-k10");
    assert_eq!(record.first_mover, Some(Side::Attackers));
    assert_eq!(record.start.as_ref().map(|start| start.setup.pieces().count()), Some(37));
    assert_eq!(variant(&record), Some("copenhagen11"));
}

#[test]
fn white_can_move_first() {
    let texts = [format!("{START},W\n\n1.- f4b4 2.k4c4 f5f4"), format!("{START}\n\n1. - f4b4 2. k4c4 f5f4")];
    for text in texts {
        let parsed = parse(&Source::new(&text));
        assert_eq!((names(&parsed), parsed.value.first_mover), (vec![], Some(Side::Defenders)), "{text}");
        assert_eq!(moves(&parsed.value), "f4-b4 k4-c4 f5-f4");
    }
}

#[test]
fn the_drawn_board_and_the_status_are_kept() {
    let drawing = "5 .....\n4 ..v..\n3 .vKV.\n2 .....\n1 .....\n  abcde\n\nWhite's Move\n";
    let text = format!("5 2v2 1vKV1 2v2 5\n\n1.c2c1\n\n{drawing}");
    let parsed = parse(&Source::new(&text));
    assert_eq!(names(&parsed), [""; 0]);
    let board = &parsed.value.boards[0];
    assert_eq!((board.after, board.to_move), (1, Some(Side::Defenders)));
    assert_eq!(board.setup.to_string(), "/5/5/1tKT1/2t2/5/");
    assert_eq!(parsed.value.result.map(|result| result.verdict), Some(WrittenVerdict::Ongoing));
}

#[test]
fn a_mark_after_the_board_or_a_status_is_the_result() {
    let verdict = |text: &str| {
        let parsed = parse(&Source::new(text));
        (names(&parsed), parsed.value.result.map(|result| result.verdict))
    };
    let white = Some(WrittenVerdict::Win(Side::Defenders));
    assert_eq!(verdict("K4 2v2 1v1V1 2v2 5!W"), (vec![], white));
    assert_eq!(verdict("K4 2v2 1v1V1 2v2 5 !W\n\nWhite Wins!"), (vec![], white));
    assert_eq!(verdict("K4 2v2 1v1V1 2v2 5!W\n\nBlack Wins"), (vec!["second-result"], white));
}

#[test]
fn comments_have_the_place_of_their_section() {
    let text = "<!-- første -->\n5 2v2 1vKV1 2v2 5\n\n1.c2c1 <!-- c3c4 -->\n2.c1c2\n<!-- last\nc2c1 -->";
    let parsed = parse(&Source::new(text));
    assert_eq!(moves(&parsed.value), "c2-c1 c1-c2");
    let found: Vec<_> = parsed.value.comments.iter().map(|c| (c.place.after, c.text)).collect();
    assert_eq!(found, [(0, "første"), (1, "c3c4"), (2, "last\nc2c1")]);
    for comment in parsed.value.comments.iter() {
        assert_eq!(comment.span.of(text), comment.text);
    }
    assert_eq!(names(&parse(&Source::new("5 2v2 1vKV1 2v2 5\n<!-- x"))), ["unclosed-bracket"]);
}

#[test]
fn moves_before_the_board_lead_to_it() {
    let text = "1.c2c1 c3c4(*)\n\n5 2v2 1vKV1 5 2v2\n\n    5 .....\n    4 ..v..\n    3 .vKV.\n    2 .....\n    1 ..v..\n      abcde\n\nIncomplete Game";
    let parsed = parse(&Source::new(text));
    let record = parsed.value;
    assert_eq!((parsed.diagnostics.len(), record.start.is_none(), record.boards.len()), (0, true, 1));
    assert_eq!((record.boards[0].after, record.main().moves[1].mark), (2, MoveMark::Star));
}

#[test]
fn a_repaired_record_keeps_the_words_of_its_other_moves() {
    let text = format!("{START}\n\n1.k8i8 d6d3 2.gLgX* fXjX(*)\n");
    let source = Source::new(&text);
    let mut record = parse(&source).value;
    assert_eq!(crate::write::retrace(&record, &source), text);
    record.main_mut().moves[1].to = "d4".parse().unwrap();
    assert_eq!(crate::write::retrace(&record, &source), text.replace("d6d3", "d6d4"));
}

#[test]
fn an_error_is_reported_and_the_rest_is_kept() {
    let check = |text: &str, part: &str, expected: &[&str]| {
        let parsed = parse(&Source::new(text));
        assert_eq!(names(&parsed), expected, "{text}");
        assert_eq!(parsed.diagnostics[0].span.of(text), part, "{text}");
    };
    check("5 2v3 1vKV1 2v2 5\n\n1.c2c1", "3", &["bad-fen"]);
    check("5 2v2 1vKV1 2v2 5\n\n1.c2c1 c3c4 3.c1c2", "3", &["move-number"]);
    check("5 2v2 1vKV1 2v2 5\n\n1.c2c1 c3", "c3", &["incomplete"]);
    check("5 2v2 1vKV1 2v2 5\n\n5 .....\n4 ..v..\n3 .vKV.\n2 .....\n1 ....", "1 ....", &["bad-drawing"]);
    check(
        "5 2v2 1vKV1 2v2 5\n\n5 .....\n4 ..v..\n2 .....\n1 .....",
        "5 .....\n4 ..v..\n2 .....\n1 .....",
        &["bad-drawing"],
    );
}
