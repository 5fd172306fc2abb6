//! Lines of moves: the CSV archives and plain lists of moves.
//!
//! ```text
//! line    = moves , [ "," , count , "," , count , "," , outcome ] ;     counts: captures by the attackers and by the defenders
//! moves   = word , { " " , word } ;
//! word    = move | ending | number , ( "." | ")" ) ;
//! outcome = "White" | "Black" | "Draw" | "Ongoing" | "" ;               White: the defenders, Black: the attackers
//! ```
//!
//! Moves are listed without their sides; archives alternate and begin with the attackers. The capture of a
//! king is not written. `#` begins a comment up to the end of the line. A comma followed by another move
//! separates moves and does not begin the columns.

use nom::Parser;
use nom::character::complete::char as sign;
use nom::sequence::terminated;
use tafl_rules::{BySide, Span};

use super::{Cut, Format};
use crate::diagnostic::{Diagnostic, EndFinding, Parsed, TextFinding};
use crate::record::{CaptureStyle, MovePlace, Record, WrittenCaptureCounts, WrittenEnding, WrittenResult};
use crate::source::Source;
use crate::token::{MoveReader, Read, number, word_length};
use crate::words;

/// The accepted values of the last column.
const OUTCOMES: &str = "White, Black, Draw, Ongoing or an empty column";

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::MoveList);
    record.capture_style = CaptureStyle::ListedButKings;
    let mut diagnostics = Vec::new();
    let bytes = source.text.as_bytes();
    let mut columns = read_moves(source, 0, &mut record, &mut diagnostics);
    while bytes[columns..].first() == Some(&b',') && goes_on(&bytes[columns + 1..]) {
        columns = read_moves(source, columns + 1, &mut record, &mut diagnostics);
    }
    if columns < bytes.len() {
        read_columns(source, columns, &mut record, &mut diagnostics);
    }
    Parsed { value: record, diagnostics }
}

/// Returns the way in which a stream that begins with `head` is split into games.
///
/// If the first line has columns or more than two words, each line is a game. With turn numbers, or one or
/// two moves per line, a game extends to the next blank line.
pub(crate) fn cut_of(head: &[u8]) -> Cut {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && line[0] != b'#') else { return Cut::Lines };
    let is_table = memchr::memchr(b',', line).is_some_and(|comma| !goes_on(&line[comma + 1..]));
    let mut words = line.split(u8::is_ascii_whitespace);
    let is_numbered = words.next().is_some_and(|word| list_number(word).is_ok());
    let is_short = words.filter(|word| !word.is_empty()).count() < 2;
    // For a single short line, both ways give the same result.
    if !is_table && (is_numbered || is_short) { Cut::BlankLines } else { Cut::Lines }
}

/// Returns whether moves follow a comma, so that it does not begin the columns.
fn goes_on(behind: &[u8]) -> bool {
    let rest = skip_blanks(behind);
    let rest = list_number(rest).map_or(rest, |(behind, _)| skip_blanks(behind));
    MoveReader::new(rest.len(), &mut Vec::new()).step(rest).is_ok()
}

/// Reads moves from `start` on into the main line, and returns the offset of the comma that begins the
/// columns, or the length of the text.
pub(super) fn read_moves(
    source: &Source<'_>,
    start: usize,
    record: &mut Record,
    diagnostics: &mut Vec<Diagnostic>,
) -> usize {
    let text = source.text.as_bytes();
    // The list is taken out of the record because the reader needs a mutable borrow of the record's captures.
    let mut moves = std::mem::take(&mut record.main_mut().moves);
    moves.reserve((text.len() - start) / 6 + 1);
    let mut captures = std::mem::take(&mut record.captures);
    let mut rest = &text[start..];
    loop {
        rest = skip_blanks(rest);
        match rest.first() {
            None | Some(b',') => break,
            Some(_) => {}
        }
        let mut reader = MoveReader::new(text.len(), &mut captures);
        if let Some((mv, length)) = reader.common(rest) {
            moves.push(mv);
            rest = &rest[length..];
            continue;
        }
        match reader.step(rest) {
            Ok((behind, mv)) => {
                moves.push(mv);
                rest = behind;
                // Further steps of the turn in the same word.
                while rest.first() == Some(&b'-') {
                    let from = moves.last().map_or(mv.to, |last| last.to);
                    let Ok((behind, mv)) = MoveReader::new(text.len(), &mut captures).next_step(rest, from)
                    else {
                        break;
                    };
                    moves.push(mv);
                    rest = behind;
                }
            }
            Err(_) => rest = read_other(source, rest, moves.len(), (record, diagnostics)),
        }
    }
    record.captures = captures;
    record.main_mut().moves = moves;
    text.len() - rest.len()
}

#[inline]
fn skip_blanks(input: &[u8]) -> &[u8] {
    let mut rest = input;
    while let [b' ' | b'\n' | b'\r' | b'\t' | b'"', tail @ ..] = rest {
        rest = tail;
    }
    rest
}

/// Reads a word that is not a move, and returns the rest of the input.
#[cold]
fn read_other<'a>(
    source: &Source<'_>,
    input: &'a [u8],
    n_moves: usize,
    (record, diagnostics): (&mut Record, &mut Vec<Diagnostic>),
) -> &'a [u8] {
    let start = source.text.len() - input.len();
    if input[0] == b'#' {
        let length = memchr::memchr(b'\n', input).unwrap_or(input.len());
        let span = Span::new(start + 1, start + length);
        let text = source.at(span).trim();
        record.comments.push(crate::record::Comment {
            place: MovePlace::in_main(n_moves),
            text: text.into(),
            span,
        });
        return &input[length..];
    }
    if let Ok((rest, _)) = list_number(input) {
        return rest;
    }
    let length = word_length(input);
    let span = Span::new(start, start + length);
    match words::ending(source.at(span)) {
        Some(kind) if record.ending.is_none() => {
            record.ending = Some(WrittenEnding { kind, side: None, after: n_moves as u32, span });
        }
        Some(_) => diagnostics.push(Diagnostic::new(span, TextFinding::Stray)),
        None => diagnostics.push(Diagnostic::new(span, TextFinding::BadMove)),
    }
    &input[length..]
}

/// Reads a turn number with its dots: `12.`.
pub(super) fn turn_number(input: &[u8]) -> Read<'_, u32> {
    let (rest, number) = terminated(number, sign('.')).parse(input)?;
    let dots = rest.iter().take_while(|byte| **byte == b'.').count();
    Ok((&rest[dots..], number))
}

/// Reads a turn number as in lists: `12.` or `12)`.
fn list_number(input: &[u8]) -> Read<'_, u32> {
    turn_number(input).or_else(|_| terminated(number, sign(')')).parse(input))
}

/// Reads the columns after the moves.
fn read_columns(source: &Source<'_>, start: usize, record: &mut Record, diagnostics: &mut Vec<Diagnostic>) {
    let line = source.text[start + 1..].trim_end();
    if let Some(columns) = usual_columns(line) {
        let [first, second, outcome] = columns.map(|(from, to)| Span::new(start + 1 + from, start + 1 + to));
        if let (Ok(attackers), Ok(defenders)) = (source.at(first).parse(), source.at(second).parse()) {
            let spans = BySide { attackers: first, defenders: second };
            record.capture_counts = Some(WrittenCaptureCounts { by: BySide { attackers, defenders }, spans });
        } else {
            let kind = TextFinding::BadValue { field: "captures", expected: "a number" };
            diagnostics.push(Diagnostic::new(first.cover(second), kind));
        }
        match words::verdict(source.at(outcome)) {
            Some(verdict) => record.result = Some(WrittenResult { verdict, reason: None, span: outcome }),
            None => {
                diagnostics.push(Diagnostic::new(outcome, EndFinding::BadResult { expected: OUTCOMES }));
            }
        }
        return;
    }
    let found = line.split(',').count() as u32 + 1;
    let span = Span::new(start + 1, start + 1 + line.len());
    diagnostics.push(Diagnostic::new(span, TextFinding::Columns { found, expected: 4 }));
    let last = line.rsplit(',').next().map(str::trim).unwrap_or_default();
    if let (Some(verdict), Some(span)) =
        (words::verdict(last).filter(|_| !last.is_empty()), source.span_of(last))
    {
        record.result = Some(WrittenResult { verdict, reason: None, span });
    }
}

/// Returns the ranges of the three columns after the moves, without surrounding blanks.
fn usual_columns(line: &str) -> Option<[(usize, usize); 3]> {
    let mut columns = [(0, 0); 3];
    let mut start = 0;
    let mut parts = line.split(',');
    for column in &mut columns {
        let part = parts.next()?;
        let lead = part.len() - part.trim_start().len();
        *column = (start + lead, start + lead + part.trim().len());
        start += part.len() + 1;
    }
    parts.next().is_none().then_some(columns)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tafl_rules::Side;

    use super::*;
    use crate::record::{EndingKind, WrittenVerdict};

    fn names(parsed: &Parsed<Record>) -> Vec<&'static str> {
        parsed.diagnostics.iter().map(|finding| finding.code().name()).collect()
    }

    /// Reads a text that must not have diagnostics, and returns its moves with captures as text.
    fn moves(text: &str) -> Vec<String> {
        let parsed = parse(&Source::new(text));
        assert_eq!(names(&parsed), [""; 0], "{text}");
        let record = parsed.value;
        let captures = |mv| record.captures_of(mv).iter().map(|c| format!("x{}", c.cell)).collect::<String>();
        record.main().moves.iter().map(|mv| format!("{}-{}{}", mv.from, mv.to, captures(mv))).collect()
    }

    #[test]
    fn captures_are_read_as_written() {
        let expected = ["e7-k7xk6xk6", "h10-h11xg11xg11xj11"];
        assert_eq!(moves("e7-k7xk6xk6 h10-h11xg11xg11xj11,2,3,White"), expected);
    }

    #[test]
    fn an_unplayed_game_is_a_record() {
        let record = parse(&Source::new("timeout,0,0,")).value;
        assert_eq!(record.main().moves.len(), 0);
        assert_eq!(record.ending.map(|ending| (ending.kind, ending.after)), Some((EndingKind::Timeout, 0)));
        assert_eq!(record.result.map(|result| result.verdict), Some(WrittenVerdict::Unknown));
    }

    #[test]
    fn a_timeout_ends_the_moves() {
        let record = parse(&Source::new("g1-g3 timeout,0,0,Black")).value;
        assert_eq!(record.ending.map(|ending| ending.after), Some(1));
        assert_eq!(record.result.map(|result| result.verdict), Some(WrittenVerdict::Win(Side::Attackers)));
    }

    #[test]
    fn numbers_lines_and_comments_are_no_moves() {
        let expected = ["d1-d3", "e5-e2", "d11-d9"];
        let lists = ["1. d1-d3, e5-e2\n2. d11-d9", "1) d1-d3 e5-e2, 2) d11-d9", "d1-d3,e5-e2, d11→d9"];
        for text in lists {
            assert_eq!(moves(text), expected, "{text}");
        }
        for text in ["1. d1-d3 e5-e2 2. d11-d9", "1.d1-d3 e5-e2\n2. d11d9", "d1-d3\te5-e2 # so\r\nd11-d9\r\n"]
        {
            assert_eq!(moves(text), expected);
        }
    }

    #[test]
    fn counts_and_outcome_are_read_despite_errors() {
        let check = |text: &str, expected: &[&str]| {
            let parsed = parse(&Source::new(text));
            assert_eq!(names(&parsed), expected, "{text}");
            assert_eq!(parsed.value.main().moves.len(), 2, "{text}");
            parsed.value
        };
        assert!(check("d1-d3 e5-e2,x,0,White", &["bad-value"]).result.is_some());
        assert!(check("d1-d3 e5-e2,1,0,Whte", &["unknown-result"]).capture_counts.is_some());
        assert!(check("d1-d3 e5-e2,White", &["column-count"]).result.is_some());
        check("d1-d3 zz e5-e2,1,0,Draw", &["bad-move"]);
        check("d1-d3 e5-e2 timeout timeout,1,0,Draw", &["stray-text"]);
    }

    #[test]
    fn lines_and_numbered_turns_are_distinguished() {
        assert_eq!(cut_of(b"# x\nd1-d3 e5-e2,0,0,White\n"), Cut::Lines);
        assert_eq!(cut_of(b"timeout,0,0,\n"), Cut::Lines);
        assert_eq!(cut_of(b"d1-d3 e5-e2 d3-d4\nh1-h3 e5-e2 d3-d4\n"), Cut::Lines);
        assert_eq!(cut_of(b"1. d1-d3 e5-e2\n2. d3-d4\n"), Cut::BlankLines);
        assert_eq!(cut_of(b"d1-d3 e5-e2\nd3-d4\n"), Cut::BlankLines);
        assert_eq!(cut_of(b"1. d1-d3, e5-e2\n2. d3-d4\n"), Cut::BlankLines);
        assert_eq!(cut_of(b"1. d1-d3 e5-e2 2. d3-d4,0,0,White\n"), Cut::Lines);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[a-kx0-9,. #\\-\"\r\nWhiteæ]{0,120}") {
            let parsed = parse(&Source::new(&text));
            for finding in parsed.diagnostics {
                prop_assert!(finding.span.end as usize <= text.len());
                finding.message(&text);
            }
        }

        #[test]
        fn a_good_line_is_written_as_it_was(
            moves in prop::collection::vec("[a-k]([1-9]|1[01])-[a-k]([1-9]|1[01])(x[a-k]([1-9]|1[01])){0,3}", 0..12),
            counts in (0u32..30, 0u32..30),
            outcome in "White|Black|Draw|Ongoing|",
        ) {
            let line = format!("{},{},{},{outcome}\n", moves.join(" "), counts.0, counts.1);
            let parsed = parse(&Source::new(line.trim_end()));
            prop_assert_eq!(&parsed.diagnostics, &[]);
            let mut text = String::new();
            let game = crate::write::WriteGame { record: &parsed.value, played: None };
            prop_assert_eq!(crate::write::write_record(game, Format::MoveList, &mut text), Ok(Vec::new()));
            prop_assert_eq!(text, line);
        }
    }
}
