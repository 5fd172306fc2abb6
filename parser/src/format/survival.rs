//! Checks for all readers: no text makes them panic, and every span is inside the text.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tafl_rules::Span;

use super::Format;
use crate::source::Source;

/// The number of texts of each kind, and of damaged texts for each sound one.
const CASES: u32 = 200;

/// Texts made of the characters and words of a notation.
const TEXTS: [&str; 9] = [
    // FEN
    "[adkADKbw1-9/ #æ-]{0,60}(moves)?[a-e1-5 ,#]{0,30}",
    // HEN
    "((5|2v2|1vKV1|,W|!B|1[.]|-|c2c1|cX|æ|[*]|<!--|-->|5 [.]{5}|abcde|Black Wins)[ \n]{0,2}){0,16}",
    // Lists of moves, and moves in prose
    "[a-kx0-9,. #\\-\"\r\nWhiteæ]{0,120}",
    "(1\\. |2\\) |\\(3\\)|d2-f2|d2 f2|d2 - f2x|xe3|d3-d2x\\(|White |resigns|\\. |Event: |Dark: a Light: |·Dark: x|1-0|½|…|____|\\{|\\}|\\(|\\)|\\[b\\]|<p>|&nbsp;|\\||\\*|---|-- |// |R|T|\\?!|>|\n|\n\n|ply side move score expect loss remarks| ){0,30}",
    // Ollamh
    "[\\[\\]\"\\\\(){};%:.*$ \\na-gA-Zx0-9=/+!?æ\\-]{0,200}",
    // OpenTafl
    "[\\[\\]\\|:. \n\ra-kxK0-9^=/+æ-]{0,200}",
    // PGN
    "[\\[\\]\"\\\\(){};:.*$ \\na-kA-Zx0-9^=/+æ\\-]{0,200}",
    // SkudPaiSho
    "[0-9DAHG.;a-eK \\-x]{0,60}",
    // UCI
    "((position|startpos|fen|rec|moves|setoption name Variant value|ucinewgame|5/5/5/5/5|/5/|a1a2|d|>|:|#|æ|x)[ \n]{0,2}){0,12}",
];

#[test]
fn any_text_is_read_without_panic() {
    for texts in TEXTS {
        runner()
            .run(&texts, |text| {
                Format::ALL.into_iter().for_each(|format| read(format, &text));
                Ok(())
            })
            .expect("no text makes a reader panic");
    }
}

fn runner() -> TestRunner {
    TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() })
}

/// Reads a text and many copies of it with parts removed, duplicated, moved, or replaced.
pub(super) fn check(format: Format, text: &str) {
    read(format, text);
    let mut runner = runner();
    let damage = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, patch()), 1..5);
    runner
        .run(&damage, |damage| {
            let mut text = text.to_owned();
            for (at, cut, patch) in damage {
                let at = boundary(&text, at.index(text.len() + 1));
                let end = boundary(&text, (at + cut).min(text.len())).max(at);
                text.replace_range(at..end, &patch);
            }
            read(format, &text);
            Ok(())
        })
        .expect("no text makes a reader panic");
}

/// Returns the replacement of a part: often empty, sometimes characters that formats use, sometimes anything.
fn patch() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        3 => "[-\\[\\]{}\",:x/=0-9a-kA-K \n\t\\\\]{1,6}",
        1 => "\\PC{1,4}",
        1 => Just("99999999999999999999".to_owned()),
        1 => Just("\u{feff}".to_owned()),
    ]
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn read(format: Format, text: &str) {
    let parsed = format.parse(&Source::new(text));
    let inside = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && text.get(start..end).is_some(), "{span:?} is not inside {text:?}");
    };
    let record = &parsed.value;
    parsed.diagnostics.iter().for_each(|found| {
        inside(found.span);
        assert!(!found.message(text).is_empty());
    });
    record.lines().flat_map(|line| line.moves).for_each(|mv| {
        inside(mv.span);
        record.captures_of(mv).iter().for_each(|capture| inside(capture.span));
    });
    record.tags.iter().for_each(|tag| inside(tag.span));
    record.comments.iter().for_each(|comment| inside(comment.span));
    record.clocks.iter().for_each(|clock| inside(clock.span));
    record.boards.iter().for_each(|board| inside(board.span));
    record.move_counts.iter().for_each(|count| inside(count.span));
    record.move_capture_counts.iter().for_each(|number| inside(number.span));
    let single = [
        record.rules.as_ref().map(|rules| rules.span),
        record.variant.as_ref().map(|variant| variant.span),
        record.start.as_ref().map(|start| start.span),
        record.ending.map(|ending| ending.span),
        record.result.map(|result| result.span),
    ];
    single.into_iter().flatten().for_each(inside);
}
