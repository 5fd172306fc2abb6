//! Positions in FEN, as written by TaflZero, playtafl.org, and other programs.
//!
//! ```text
//! line    = fen , [ " moves" , { " " , move } ] , [ "#" , comment ] ;
//! fen     = rows , [ " " , side , { " " , counter } ] ;        see tafl_rules::Fen
//! ```
//!
//! Each line is a record that begins at the position. A line without a side to move leaves it to the rules.

use tafl_rules::{Fen, SetupError, SetupErrorKind, Span};

use super::{Format, movelist};
use crate::diagnostic::{Diagnostic, Findings, HeaderFinding, Parsed, TextFinding};
use crate::record::{CaptureStyle, Comment, MovePlace, Record, WrittenStart};
use crate::source::Source;

/// The tag of the numbers after the side to move, which programs use in different ways.
const COUNTERS: &str = "counters";

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Fen);
    record.capture_style = CaptureStyle::NotWritten;
    let mut diagnostics = Findings::default();
    read_position(source, Span::new(0, source.text.len()), &mut record, &mut diagnostics);
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Reads a position and the text after it, up to the end of the span.
pub(super) fn read_position(
    source: &Source<'_>,
    line: Span,
    record: &mut Record,
    diagnostics: &mut Findings,
) {
    let mut words = words(source, line).peekable();
    let Some(rows) = words.next() else { return };
    let is_side = |word: &Span| {
        let word = source.at(*word);
        word != "moves" && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let side = words.next_if(is_side);
    let is_counter = |word: &Span| source.at(*word).bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let mut counters: Option<Span> = None;
    while let Some(word) = words.next_if(is_counter) {
        counters = Some(counters.map_or(word, |first| first.cover(word)));
    }
    read_fen(source, rows, side, record, diagnostics);
    if let Some(span) = counters {
        record.push_tag(COUNTERS, source.at(span), span);
    }
    if let Some(rest) = words.next() {
        read_rest(source, Span { end: line.end, ..rest }, record, diagnostics);
    }
}

/// Reads the rows and the side to move.
fn read_fen(
    source: &Source<'_>,
    rows: Span,
    side: Option<Span>,
    record: &mut Record,
    diagnostics: &mut Findings,
) {
    let span = side.map_or(rows, |side| rows.cover(side));
    let mut read = Fen::parse(source.at(span));
    if let Err(SetupError { kind: SetupErrorKind::UnknownSide { .. }, .. }) = &read {
        // The rows count even so.
        report(&read, span, diagnostics);
        read = Fen::parse(source.at(rows));
    }
    report(&read, span, diagnostics);
    if let Ok(fen) = read {
        record.start = Some(WrittenStart { setup: fen.setup, span: rows });
        record.first_mover = fen.to_move;
    }
}

fn report(read: &Result<Fen, SetupError>, base: Span, diagnostics: &mut Findings) {
    if let Err(error) = read {
        let kind = HeaderFinding::BadFen(error.kind.clone());
        diagnostics.push(Diagnostic::new(error.span.shift(base.start as usize), kind));
    }
}

/// Reads the text after a position: moves, or a comment.
pub(super) fn read_rest(source: &Source<'_>, rest: Span, record: &mut Record, diagnostics: &mut Findings) {
    let text = source.at(rest);
    if let Some(comment) = text.strip_prefix('#') {
        let span = Span { start: rest.start + 1, ..rest };
        let place = MovePlace::in_main(record.main().moves.len());
        record.comments.push(Comment { place, text: comment.trim(), span });
        return;
    }
    let is_moves =
        text.strip_prefix("moves").is_some_and(|moves| !moves.starts_with(|c: char| c.is_alphanumeric()));
    if !is_moves {
        diagnostics.push(Diagnostic::new(trimmed(source, rest), TextFinding::Stray));
        return;
    }
    // The list ends where the line ends.
    let line = Source { text: &source.text[..rest.end as usize], ..*source };
    let mut end = movelist::read_moves(&line, rest.start as usize + "moves".len(), record, diagnostics);
    while line.text[end..].starts_with(',') {
        end = movelist::read_moves(&line, end + 1, record, diagnostics);
    }
}

fn trimmed(source: &Source<'_>, span: Span) -> Span {
    source.span_of(source.at(span).trim()).unwrap_or(span)
}

/// Returns the spans of the words in a part of the text.
pub(super) fn words<'a>(source: &Source<'a>, part: Span) -> impl Iterator<Item = Span> + use<'a> {
    let source = *source;
    source.at(part).split_ascii_whitespace().filter_map(move |word| source.span_of(word))
}

/// Returns whether a line begins with a position in FEN that fits a board, and nothing else follows it than
/// what this notation allows.
pub(super) fn is_fen_line(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut words = line.split_ascii_whitespace();
    let Some(rows) = words.next().filter(|rows| !rows.starts_with('/') && rows.contains('/')) else {
        return false;
    };
    let has_pieces = rows.bytes().any(|byte| byte.is_ascii_alphabetic());
    if !has_pieces || Fen::parse(rows).is_err() {
        return false;
    }
    match words.next() {
        None | Some("moves" | "-") => true,
        Some(word) => word.starts_with('#') || Fen::parse(&format!("{rows} {word}")).is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tafl_rules::Side;

    use super::*;
    use crate::format::test_text::names;

    fn start(record: &Record) -> Option<String> {
        record.start.as_ref().map(|start| start.setup.to_string())
    }

    #[test]
    fn a_line_is_a_position_with_a_side() {
        let parsed = parse(&Source::new("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d 4 7 # after a swap"));
        assert_eq!(names(&parsed), [""; 0]);
        let record = parsed.value;
        assert_eq!(start(&record).as_deref(), Some("/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
        assert_eq!(record.first_mover, Some(Side::Defenders));
        assert_eq!(record.tag("counters"), Some("4 7"));
        assert_eq!(record.comments.get(0).map(|comment| comment.text), Some("after a swap"));
    }

    #[test]
    fn moves_after_a_position_are_played_from_it() {
        let parsed = parse(&Source::new("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a moves d2c2 d3-e3"));
        assert_eq!((names(&parsed), parsed.value.main().moves.len()), (vec![], 2));
    }

    #[test]
    fn an_error_is_reported_and_the_rest_is_kept() {
        let check = |text: &str, part: &str, expected: &[&str]| {
            let parsed = parse(&Source::new(text));
            assert_eq!(names(&parsed), expected, "{text}");
            assert_eq!(parsed.diagnostics[0].span.of(text), part, "{text}");
            parsed.value
        };
        let record = check("5/5/2k2/5/2a2 x", "x", &["bad-fen"]);
        assert_eq!((start(&record).is_some(), record.first_mover), (true, None));
        assert!(start(&check("5/5/2k3/5/2a2 a", "3", &["bad-fen"])).is_none());
        check("5/5/2k2/5/2a2 a and more words", "and more words", &["stray-text"]);
        let record = check("5/5/2k2/5/2a2 a moves c1c2 what c3d3", "what", &["bad-move"]);
        assert_eq!(record.main().moves.len(), 2);
    }

    #[test]
    fn only_positions_are_taken_for_positions() {
        for text in
            ["3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a", "5/5/2K2/5/2A2", "5/5/2K2/5/2b2 w 3 4", "5/5/2k2/5/5 d # x"]
        {
            assert!(is_fen_line(text.as_bytes()), "{text}");
        }
        for text in [
            "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "d1-d3xe3/e4/e5/e6",
            "1/2/3/4/5",
            "5/5/5/5/5 a",
            "a/d/k/a/d",
            "5/5/2k2/5/2a2 is a position",
            "",
        ] {
            assert!(!is_fen_line(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_recognized_or_not(text in "[adkADKbw1-9/ #æ-]{0,60}(moves)?[a-e1-5 ,#]{0,30}") {
            is_fen_line(text.as_bytes());
        }
    }
}
