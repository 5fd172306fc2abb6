//! Every form of a move, and the agreement of the fast and the slow reader.

use proptest::prelude::*;

use super::*;
use crate::token::word_length;

fn read(text: &str) -> Option<(WrittenMove, Vec<WrittenCapture>, usize)> {
    let mut captures = Vec::new();
    let (rest, mv) = MoveReader::new(text.len(), &mut captures).step(text.as_bytes()).ok()?;
    Some((mv, captures, text.len() - rest.len()))
}

fn check(text: &str, expected: &str) {
    let (mv, captures, length) = read(text).unwrap_or_else(|| panic!("{text} is a move"));
    let captured: Vec<String> =
        captures.iter().map(|c| format!("{}{}", c.letter.get().unwrap_or('.'), c.cell)).collect();
    let found = format!(
        "{}{}-{} [{}]{}{}{}",
        mv.letter.get().map(String::from).unwrap_or_default(),
        mv.from,
        mv.to,
        captured.join(" "),
        mv.mark.as_str(),
        if mv.jump { " jump" } else { "" },
        if mv.chained { " chained" } else { "" }
    );
    assert_eq!(found, expected, "{text}");
    assert_eq!(mv.span, Span::new(0, length), "{text}");
}

#[test]
fn moves_of_every_notation_are_read() {
    check("d1-d3", "d1-d3 []");
    check("d11-d9 e5", "d11-d9 []");
    check("h1h3", "h1-h3 []");
    check("d11d9", "d11-d9 []");
    check("e7-k7xk6xk6 a", "e7-k7 [.k6 .k6]");
    check("g2-g3xf3/h3 f5-f3", "g2-g3 [.f3 .h3]");
    check("c2-c3xKc4", "c2-c3 [Kc4]");
    check("CC1-C4", "Cc1-c4 []");
    check("C1-C4", "c1-c4 []");
    check("KA5-A1!", "Ka5-a1 []!");
    check("A1-A4xKA5!", "a1-a4 [Ka5]!");
    check("Ne6^=e8xce7/ne9/f8/d8", "Ne6-e8 [ce7 ne9 .f8 .d8] jump chained");
    check("c4=f4xg4", "c4-f4 [.g4] chained");
    check("ce6^e8", "ce6-e8 [] jump");
    check("Ke5-e1- b", "Ke5-e1 []-");
    check("Ke1-a1--", "Ke1-a1 []--");
    check("e3-e4++", "e3-e4 []++");
    check("E5-E8xD8/F8/E9+", "e5-e8 [.d8 .f8 .e9]+");
    check("k99-z1", "k99-z1 []");
}

#[test]
fn all_kinds_of_hyphens_are_read() {
    for text in ["d2–c2xb2", "d2—c2xb2", "d2−c2xb2", "d2‑c2xb2", "d2→c2xb2", "d2->c2xb2", "d2-c2xb2"]
    {
        check(text, "d2-c2 [.b2]");
    }
    assert!(read("d2>c2").is_none() && read("d2-→c2").is_none());
}

#[test]
fn a_comma_ends_a_move_or_parts_captures() {
    check("g3-e3xe2,1,0,Ongoing", "g3-e3 [.e2]");
    check("g3-e3xe2,e4 d1-d2", "g3-e3 [.e2 .e4]");
    assert_eq!(read("g3-e3xe2,1,0,Ongoing").unwrap().2, 8);
}

#[test]
fn a_longer_word_is_not_a_move() {
    for text in ["d1-d3z", "d1-", "d-d3", "d1-d3x", "d1-d3xz", "d1-d3xe3xz", "11", "", "d1-d3?x", "---"] {
        assert!(read(text).is_none(), "{text}");
    }
}

#[test]
fn the_marks_of_chess_are_read() {
    for mark in ["?", "!!", "??", "!?", "?!", "#", "!"] {
        check(&format!("d1-d3{mark}"), &format!("d1-d3 []{mark}"));
        check(&format!("d1-d3xe3{mark}"), &format!("d1-d3 [.e3]{mark}"));
    }
}

#[test]
fn captures_in_parentheses_and_after_multiplication_signs_are_read() {
    check("e4-e2x(f2)", "e4-e2 [.f2]");
    check("e4-e2x(f2, Kd2)!", "e4-e2 [.f2 Kd2]!");
    check("e4-e2×f2✕d2", "e4-e2 [.f2 .d2]");
    for text in ["e4-e2x(f2", "e4-e2x()", "e4-e2x(f)"] {
        assert!(read(text).is_none(), "{text}");
    }
}

#[test]
fn a_word_of_several_steps_is_read_step_by_step() {
    let text = "e3-e5-g5xe4 a1";
    let mut captures = Vec::new();
    let mut reader = MoveReader::new(text.len(), &mut captures);
    let (rest, first) = reader.step(text.as_bytes()).unwrap();
    let (rest, second) = reader.next_step(rest, first.to).unwrap();
    assert_eq!((first.span, first.n_captures), (Span::new(0, 5), 0));
    assert_eq!((second.span, second.from, second.chained), (Span::new(5, 11), first.to, true));
    assert_eq!((second.n_captures, rest), (1, &b" a1"[..]));
}

proptest! {
    #[test]
    fn the_fast_way_and_the_slow_way_agree(text in "[A-K]?[A-Ka-k][0-9]{1,2}[-^=]{0,1}[a-k][0-9]{1,2}(x[a-kK]{0,1}[a-k][0-9]{1,2}){0,3}[-+!, \"]{0,3}[a-k1]{0,9}") {
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        let by_fast = MoveReader::new(text.len(), &mut fast).step(text.as_bytes());
        let by_slow = MoveReader::new(text.len(), &mut slow).any(text.as_bytes());
        prop_assert_eq!(by_fast, by_slow);
        prop_assert_eq!(fast, slow);
    }

    #[test]
    fn any_bytes_are_read_without_panic(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let mut captures = Vec::new();
        let _ = MoveReader::new(text.len(), &mut captures).step(&text);
        prop_assert!(word_length(&text) <= text.len().max(1));
    }
}
