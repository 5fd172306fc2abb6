//! PGN dialects: hnefatafl.org's export and Zevratafl.
//!
//! ```text
//! game   = { "[" , name , blank , '"' , text , '"' , "]" } , { word } ;      the blank line in between is optional
//! word   = number , "." , { "." } | move | comment | "(" , { word } , ")" | "$" , number | result | ending ;
//! move   = cell , [ "-" ] , cell , [ captures ] ;      hnefatafl.org: `d11d9`, without captures
//! comment= "{" , text , "}" | ";" , text , end of line ;
//! result = "1-0" | "0-1" | "1/2-1/2" | "*" ;
//! ending = [ side | player ] , ( "resigns" | "lost on time" ... ) ;
//! ```
//!
//! The side that wins with `1-0` is not defined, so it counts only if the tag `Result` names a side:
//! `attackers`, `black wins` ... Captures are not written, and the variant only if a tag `Variant` or `Rules`
//! gives it.

mod header;

use std::cell::OnceCell;

use tafl_rules::Span;

use super::{Format, bracket, movelist, termination};
use crate::diagnostic::{Diagnostic, EndFinding, Findings, Parsed, TextFinding};
use crate::record::{
    CaptureStyle, Comment, LineBranch, MoveLineId, MoveMark, MovePlace, Record, WrittenEnding, WrittenResult,
    WrittenVerdict,
};
use crate::source::Source;
use crate::token::{MoveReader, number, word_length};
use crate::words::{self, PlayerNames, Statement};

pub(crate) use header::NAMES;
pub(super) use header::{not_a_tag, tag_line, unescape};

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Pgn);
    record.capture_style = CaptureStyle::NotWritten;
    let mut diagnostics = Findings::default();
    let start = header::read(source, &mut record, &mut diagnostics);
    let reader = PgnReader {
        source,
        record: &mut record,
        diagnostics: &mut diagnostics,
        open: vec![OpenLine { id: MoveLineId::MAIN, last_is_second: false }],
        closed: None,
        players: OnceCell::new(),
    };
    reader.read_words(&source.text.as_bytes()[start..]);
    if !record.captures.is_empty() {
        record.capture_style = CaptureStyle::ListedButKings;
    }
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// The number of bytes in which a statement such as `White resigns` is searched.
const LONGEST_SENTENCE: usize = 256;

/// A line whose end was not read yet.
#[derive(Debug, Clone, Copy)]
struct OpenLine {
    id: MoveLineId,
    /// Whether its last move was made by the player who moves second in a turn; for an empty line, whether this player
    /// moves first.
    last_is_second: bool,
}

struct PgnReader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Findings,
    /// The open lines: the main line and nested variations. Never empty.
    open: Vec<OpenLine>,
    /// The branch point of the last variation that was closed. Variations of one move follow each other, so that the
    /// number of the next one is known without a list of all.
    closed: Option<LineBranch>,
    /// The players that the tags name, once they are needed.
    players: OnceCell<PlayerNames>,
}

impl PgnReader<'_, '_> {
    fn read_words(mut self, input: &[u8]) {
        let mut rest = input;
        while let Some(byte) = rest.first() {
            rest = match byte {
                b' ' | b'\n' | b'\r' | b'\t' => &rest[1..],
                b'{' => self.comment(rest, b'}'),
                b';' => self.comment(rest, b'\n'),
                b'(' => self.open_variation(rest),
                b')' => self.close_variation(rest),
                b'0'..=b'9' | b'*' => self.number_or_result(rest),
                b'$' => self.glyph(rest),
                _ => self.mv(rest),
            };
        }
    }

    fn line(&self) -> MoveLineId {
        self.open.last().map_or(MoveLineId::MAIN, |line| line.id)
    }

    fn last_is_second(&self) -> bool {
        self.open.last().is_some_and(|line| line.last_is_second)
    }

    fn set_last_is_second(&mut self, is_second: bool) {
        if let Some(line) = self.open.last_mut() {
            line.last_is_second = is_second;
        }
    }

    fn place(&self) -> MovePlace {
        let line = self.line();
        MovePlace { line, after: self.record.line(line).moves.len() as u32 }
    }

    fn span(&self, rest: &[u8], length: usize) -> Span {
        let start = self.source.text.len() - rest.len();
        Span::new(start, start + length)
    }

    fn report<'a>(&mut self, input: &'a [u8], length: usize, kind: TextFinding) -> &'a [u8] {
        self.diagnostics.push(Diagnostic::new(self.span(input, length), kind));
        &input[length..]
    }

    fn comment<'a>(&mut self, input: &'a [u8], close: u8) -> &'a [u8] {
        let end = memchr::memchr(close, input);
        if end.is_none() && close == b'}' {
            let marked = bracket::marked(self.source.text, self.span(input, 0).start as usize);
            self.report(input, marked, TextFinding::Unclosed { bracket: '{' });
        }
        let length = end.unwrap_or(input.len());
        let inside = self.source.at(self.span(input, length)).get(1..).unwrap_or("").trim();
        if let (false, Some(span)) = (inside.is_empty(), self.source.span_of(inside)) {
            self.record.comments.push(Comment { place: self.place(), text: inside, span });
        }
        &input[end.map_or(length, |end| end + 1)..]
    }

    /// Stores `$1` to `$6` as the mark of the last move, and other glyphs as comments, because no other notation has
    /// them.
    fn glyph<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let length = word_length(input);
        let span = self.span(input, length);
        let mark = self.source.at(span)[1..].parse().ok().and_then(MoveMark::from_glyph);
        let line = self.line();
        if let (Some(mark), Some(last)) = (mark, self.record.moves_mut(line).last_mut())
            && last.mark == MoveMark::None
        {
            last.mark = mark;
            return &input[length..];
        }
        let comment = Comment { place: self.place(), text: self.source.at(span), span };
        self.record.comments.push(comment);
        &input[length..]
    }

    fn open_variation<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let blanks = input[1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if input.get(1 + blanks) == Some(&b')') {
            return self.report(input, blanks + 2, TextFinding::Stray);
        }
        let parent = self.line();
        let Some(at) = self.record.line(parent).moves.len().checked_sub(1) else {
            return self.report(input, 1, TextFinding::Stray);
        };
        let at = at as u32;
        let sibling = self.closed.filter(|closed| (closed.parent, closed.at) == (parent, at));
        let number = sibling.map_or(1, |sibling| sibling.number + 1);
        let last_is_second = self.last_is_second();
        let id = self.record.variations.open(Some(LineBranch { parent, at, number }), last_is_second);
        self.open.push(OpenLine { id, last_is_second });
        &input[1..]
    }

    fn close_variation<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        if self.open.len() == 1 {
            return self.report(input, 1, TextFinding::Stray);
        }
        let Some(OpenLine { id, .. }) = self.open.pop() else { return &input[1..] };
        self.closed = self.record.line(id).branch;
        &input[1..]
    }

    fn number_or_result<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let length = word_length(input);
        let span = self.span(input, length);
        match self.source.at(span) {
            // `*` follows many records, whatever their result.
            "*" if self.record.result.is_some() => {}
            "*" => self.result(WrittenResult { verdict: WrittenVerdict::Ongoing, reason: None, span }),
            "1/2-1/2" => self.result(WrittenResult { verdict: WrittenVerdict::Draw, reason: None, span }),
            "1-0" | "0-1" => {
                let is_stated = self.record.ending.is_some_and(|ending| ending.side.is_some());
                // `*` and `?` begin records of games that are not over yet.
                let is_open = self.record.result.is_none_or(|result| {
                    matches!(result.verdict, WrittenVerdict::Unknown | WrittenVerdict::Ongoing)
                });
                if is_open && !is_stated && self.record.tag("result").is_none() {
                    let expected = "a tag `Result` that names the side";
                    self.diagnostics.push(Diagnostic::new(span, EndFinding::BadResult { expected }));
                    self.record.push_tag("result", self.source.at(span), span);
                }
            }
            _ => return self.turn_number(input),
        }
        &input[length..]
    }

    fn result(&mut self, stated: WrittenResult) {
        termination::set_result(self.record, self.diagnostics, stated);
    }

    fn turn_number<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        if let Ok((rest, _)) = movelist::turn_number(input) {
            let line = self.line();
            let dots =
                input.len() - rest.len() - input.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if dots > 1 && self.record.line(line).moves.is_empty() {
                self.record.set_opens_with_second(line, true);
                self.set_last_is_second(true);
            }
            return rest;
        }
        match number(input) {
            Ok((rest, _)) if rest.first().is_none_or(u8::is_ascii_whitespace) => rest,
            _ => self.bad_move(input, word_length(input)),
        }
    }

    /// Reads a statement such as `White resigns` among the moves of the game, and returns its length.
    #[cold]
    fn sentence(&mut self, input: &[u8]) -> Option<usize> {
        let at = self.span(input, 0).start as usize;
        let text = self.source.text.get(at..)?;
        let line = text[..text.floor_char_boundary(LONGEST_SENTENCE)].lines().next().unwrap_or("");
        let players = self.players.get_or_init(|| PlayerNames::of(self.record));
        let (found, length) = words::statement(line, players)?;
        let span = Span::new(at, at + length);
        match found {
            Statement::Ending { kind, side } if self.record.ending.is_none() => {
                self.record.ending = Some(WrittenEnding { kind, side, after: self.place().after, span });
            }
            Statement::Result { verdict, reason } => self.result(WrittenResult { verdict, reason, span }),
            Statement::Ending { .. } | Statement::Ambiguous => {
                self.report(input, length, TextFinding::Stray);
            }
        }
        // A period that ends the sentence.
        Some(length + usize::from(line[length..].starts_with('.')))
    }

    fn bad_move<'a>(&mut self, input: &'a [u8], length: usize) -> &'a [u8] {
        let is_of_game = self.line() == MoveLineId::MAIN;
        self.report(input, length, if is_of_game { TextFinding::BadMove } else { TextFinding::BadMoveAside })
    }

    fn mv<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        if let Ok((rest, mv)) = MoveReader::new(self.source.text.len(), &mut self.record.captures).step(input)
        {
            let line = self.line();
            let is_first = self.record.line(line).moves.is_empty();
            self.set_last_is_second(self.last_is_second() ^ (!is_first && !mv.chained));
            self.record.push_to(line, mv);
            return rest;
        }
        let place = self.place();
        if place.line == MoveLineId::MAIN
            && let Some(length) = self.sentence(input)
        {
            return &input[length..];
        }
        let length = word_length(input);
        let span = self.span(input, length);
        match words::ending(self.source.at(span)) {
            Some(kind) if place.line == MoveLineId::MAIN && self.record.ending.is_none() => {
                self.record.ending = Some(WrittenEnding { kind, side: None, after: place.after, span });
                &input[length..]
            }
            Some(_) => self.report(input, length, TextFinding::Stray),
            None => self.bad_move(input, length),
        }
    }
}

#[cfg(test)]
mod tests;
