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
//! king is not written. `#` begins a comment up to the end of the line, which may consist of tags. A comma followed by another move
//! separates moves and does not begin the columns.

mod blocks;
mod heading;
mod line;
mod row;
mod tags;
mod text;
mod turn;
mod turn_gap;
mod turn_number;

use nom::Parser;
use nom::character::complete::char as sign;
use nom::sequence::terminated;
use tafl_rules::Span;

use super::{Cut, Format};
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{CaptureStyle, MovePlace, Record, WrittenEnding};
use crate::source::Source;
use crate::token::{MoveReader, Read, number, word_length};
use crate::words;

pub(crate) use blocks::{BlockKind, CellTrace};
pub(crate) use line::{LineKind, TextLine, has_moves};
pub(crate) use row::is_unplayed_row;
pub(crate) use tags::{LineContext, begins_game, fits_remark, fits_variant_remark, remark_name};
pub(super) use text::read as read_text;
pub(crate) use turn_gap::TurnGap;
pub(crate) use turn_number::number_like;

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = empty_record();
    let mut diagnostics = Findings::default();
    let is_line = memchr::memchr(b'\n', source.text.as_bytes()).is_none();
    let plain = if is_line { read_line(source, &mut record) } else { PlainLine::Other };
    if plain != PlainLine::Whole {
        let is_row =
            |line: &str| row::is_row(&line.as_bytes()[..row::remark(line.as_bytes()).unwrap_or(line.len())]);
        let is_row = only_line(source.text).is_some_and(is_row);
        match plain {
            // Many games end with a word such as `timeout`, so the moves before it are not read again.
            PlainLine::UpTo(at) if is_row => row::read(source, at, &mut record, &mut diagnostics),
            _ => {
                record = empty_record();
                if is_row {
                    row::read(source, 0, &mut record, &mut diagnostics);
                } else {
                    text::read(source, &mut record, &mut diagnostics);
                }
            }
        }
    }
    let lacks_captures =
        diagnostics.iter().any(|found| found.kind == TextFinding::MissingCapturedCell.into());
    // People who write no captures at all do not mean that there were none.
    if record.captures.is_empty() && record.capture_counts.is_none() && !lacks_captures {
        record.capture_style = CaptureStyle::NotWritten;
    }
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Returns the only line of a text that is neither blank nor a comment.
fn only_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().filter(|_| lines.next().is_none())
}

fn empty_record() -> Record {
    let mut record = Record::new(Format::MoveList);
    record.capture_style = CaptureStyle::ListedButKings;
    record
}

/// The part of a line that is nothing but moves and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlainLine {
    Whole,
    /// The moves before the word at this offset.
    UpTo(usize),
    /// The columns are unusual, or the text has several lines.
    Other,
}

/// Reads a line of nothing but moves, with or without columns, up to the first other word.
fn read_line(source: &Source<'_>, record: &mut Record) -> PlainLine {
    let bytes = source.text.as_bytes();
    let mut diagnostics = Findings::default();
    let mut at = read_plain_moves(source, 0, record);
    while bytes[at..].first() == Some(&b',') && goes_on(&bytes[at + 1..]) {
        at = read_plain_moves(source, at + 1, record);
    }
    match bytes.get(at) {
        None => PlainLine::Whole,
        Some(b',') => {
            row::read_columns(source, at, record, &mut diagnostics);
            if diagnostics.is_empty() { PlainLine::Whole } else { PlainLine::Other }
        }
        Some(_) => PlainLine::UpTo(at),
    }
}

/// Returns the way in which a stream that begins with `head` is split into games.
///
/// If the first line has columns, or is a list of more than two moves, each line is a game. Otherwise, the games are
/// found in the text.
pub(crate) fn cut_of(head: &[u8]) -> Cut {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && line[0] != b'#') else { return Cut::Lines };
    let line = &line[..row::remark(line).unwrap_or(line.len())];
    if row::is_row(line) {
        return Cut::Lines;
    }
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_move = |word: &[u8]| MoveReader::new(word.len(), &mut Vec::new()).step(word).is_ok();
    let begins = words.next().is_some_and(is_move);
    let n_words = words.clone().count();
    let n_others = words.filter(|word| !is_move(word)).count();
    // A sentence after the first move is not a list.
    let is_list = begins && n_words > 1 && n_others * 2 <= n_words;
    if is_list { Cut::Lines } else { Cut::MoveText }
}

/// Returns whether moves follow a comma, so that it does not begin the columns.
fn goes_on(after: &[u8]) -> bool {
    let rest = skip_blanks(after);
    let rest = list_number(rest).map_or(rest, |(after, _)| skip_blanks(after));
    MoveReader::new(rest.len(), &mut Vec::new()).step(rest).is_ok()
}

/// Reads moves from `start` on into the main line, and returns the offset of the first word that is not a move, or
/// the length of the text.
pub(super) fn read_plain_moves(source: &Source<'_>, start: usize, record: &mut Record) -> usize {
    read::<true>(source, start, record, &mut Findings::default())
}

/// Reads moves and other words from `start` on into the main line, and returns the offset of the comma that begins the
/// columns, or the length of the text.
pub(super) fn read_moves(
    source: &Source<'_>,
    start: usize,
    record: &mut Record,
    diagnostics: &mut Findings,
) -> usize {
    read::<false>(source, start, record, diagnostics)
}

fn read<const PLAIN: bool>(
    source: &Source<'_>,
    start: usize,
    record: &mut Record,
    diagnostics: &mut Findings,
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
            Ok((after, mv)) => {
                moves.push(mv);
                rest = after;
                // Further steps of the turn in the same word.
                while rest.first() == Some(&b'-') {
                    let from = moves.last().map_or(mv.to, |last| last.to);
                    let Ok((after, mv)) = MoveReader::new(text.len(), &mut captures).next_step(rest, from)
                    else {
                        break;
                    };
                    moves.push(mv);
                    rest = after;
                }
            }
            Err(_) if PLAIN => break,
            Err(_) => rest = read_other(source, rest, moves.len(), record, diagnostics),
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
    record: &mut Record,
    diagnostics: &mut Findings,
) -> &'a [u8] {
    let start = source.text.len() - input.len();
    if input[0] == b'#' {
        let length = memchr::memchr(b'\n', input).unwrap_or(input.len());
        let span = Span::new(start + 1, start + length);
        let text = source.at(span).trim();
        if tags::read_remark(source, span, record, diagnostics) {
            return &input[length..];
        }
        record.comments.push(crate::record::Comment { place: MovePlace::in_main(n_moves), text, span });
        return &input[length..];
    }
    if let Ok((rest, _)) = list_number(input) {
        return rest;
    }
    let of_side = words::ending_of_side(source.text.get(start..).unwrap_or_default());
    let length = of_side.map_or_else(|| word_length(input), |(_, _, length)| length);
    let span = Span::new(start, start + length);
    let ending = of_side.map(|(side, kind, _)| (Some(side), kind));
    match ending.or_else(|| Some((None, words::ending(source.at(span))?))) {
        Some((side, kind)) if record.ending.is_none() => {
            record.ending = Some(WrittenEnding { kind, side, after: n_moves as u32, span });
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tafl_rules::Side;

    use super::*;
    use crate::format::test_text::{moves_and_captures, names};
    use crate::record::{EndingKind, WrittenVerdict};

    /// Reads a text that must not have diagnostics, and returns its moves with captures as text.
    fn moves(text: &str) -> Vec<String> {
        let parsed = parse(&Source::new(text));
        assert_eq!(names(&parsed), [""; 0], "{text}");
        moves_and_captures(&parsed.value).split_ascii_whitespace().map(str::to_owned).collect()
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
    fn a_remark_about_a_move_may_name_cells() {
        let check = |text: &str, expected: &[&str], n_moves: usize| {
            let parsed = parse(&Source::new(text));
            assert_eq!(
                (names(&parsed), parsed.value.main().moves.len()),
                (expected.to_vec(), n_moves),
                "{text}"
            );
        };
        check("1. d1-d3 e5-e2, threatening e1 and e7\n2. d3-d4", &["text-skipped"], 3);
        check("1. d1-d3, threatening e1 and e7, e5-e2\n2. d3-d4", &["text-skipped"], 3);
        check("1. d1-d3 e5-e2 aiming at e1\n2. d3-d4", &["text-skipped"], 3);
        check("1. d1-d3, king e5 to e2\n2. d3-d4", &["bad-move"], 3);
        check("1. d1-d3 king e5 goes e2\n2. d3-d4", &["bad-move"], 2);
        check("1. d1-d3 e5to-e2\n2. d3-d4", &["bad-move"], 2);
    }

    #[test]
    fn a_label_may_precede_a_numbered_turn() {
        let parsed = parse(&Source::new("> 1. d1-d3 e5-e2\nMy move: 2. d3-d4\nSee you"));
        assert_eq!(
            (names(&parsed), parsed.value.main().moves.len()),
            (vec!["text-skipped", "text-skipped"], 3)
        );
        let parsed = parse(&Source::new("1. d1-d3 e5-e2\nBetter was: 1. d1-d4 here\n2. d3-d4"));
        assert_eq!((names(&parsed), parsed.value.main().moves.len()), (vec!["stray-text"], 3));
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
        assert_eq!(cut_of(b"1. d1-d3 e5-e2\n2. d3-d4\n"), Cut::MoveText);
        assert_eq!(cut_of(b"d1-d3 e5-e2\nd3-d4\n"), Cut::MoveText);
        assert_eq!(cut_of(b"1. d1-d3, e5-e2\n2. d3-d4\n"), Cut::MoveText);
        assert_eq!(cut_of(b"1 d1d3 e5e2\n2 d3d4\n"), Cut::MoveText);
        assert_eq!(cut_of(b"Dear Ann, 3 games\n1. d1-d3 e5-e2\n"), Cut::MoveText);
        assert_eq!(cut_of(b"1. d1-d3 e5-e2 2. d3-d4,0,0,White\n"), Cut::Lines);
    }

    proptest! {
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
