//! Taflbase's own JSON lines: one object per record, lossless.
//!
//! ```json
//! {"taflbase":1, "format":"opentafl", "tags":[["event","Spring cup"]], "variant":"brandubh7", "rules":"dim:7 ...",
//!  "start":{"board":"7x7","position":"/3t3/.../"}, "first_mover":"attackers", "captures":"listed",
//!  "lines":[{"moves":"d2-c2 Kd4-d3xb3/kc3!"}, {"parent":0,"at":1,"number":1,"opens_with_second":true,"moves":"..."}],
//!  "comments":[{"line":0,"after":1,"text":"..."}], "clocks":[{"line":0,"after":1,"side":"attackers","milliseconds":5}],
//!  "boards":[{"after":1,"board":"7x7","position":"...","to_move":"defenders"}], "refused":[{"after":1,"move":"d1-d9"}],
//!  "move_counts":[{"after":0,"count":40}], "move_capture_counts":[{"at":1,"count":2}],
//!  "capture_counts":{"attackers":0,"defenders":1}, "ending":{"kind":"timeout","side":null,"after":2},
//!  "result":{"verdict":"defenders","reason":"timeout"}}
//! ```
//!
//! Only `taflbase`, the version of this schema, and `lines` are required. Moves are written like
//! OpenTafl's, separated by blanks. If sides were written, a line has them as `sides`, one letter per move:
//! `a`, `d`, or `-`. `FORMATS.md` lists all fields.

use tafl_rules::{BySide, Setup, Side, Span};

use super::Format;
use super::json::{self, Json, JsonValue, value_span};
use super::start::read_shape;
use crate::diagnostic::{Diagnostic, DiagnosticKind, Findings, HeaderFinding, Parsed, TextFinding};
use crate::record::*;
use crate::source::Source;
use crate::token::{MoveReader, word_length};
use crate::words;

/// The schema version that is written, and the newest that can be read.
pub(crate) const VERSION: u32 = 1;

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let json = json::read(source, &mut diagnostics);
    let mut reader = JsonlReader { source, record: Record::new(Format::Jsonl), diagnostics };
    reader.read(json.root());
    Parsed { value: reader.record, diagnostics: reader.diagnostics.into_vec() }
}

/// Returns the way in which a stream that begins with `head` is split into records: other programs write the lines as a
/// list, or indent them.
pub(crate) fn cut_of(head: &[u8]) -> Cut {
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty() && line[0] != b'#');
    let first = lines.next().unwrap_or_default();
    let is_indented = !first.ends_with(b"}") && lines.next().is_some_and(|next| next[0] != b'{');
    if first.starts_with(b"[") || is_indented { Cut::JsonValues } else { Cut::Lines }
}

struct JsonlReader<'s> {
    source: &'s Source<'s>,
    record: Record,
    diagnostics: Findings,
}

/// A field of an object: its span and its value.
type Field<'j> = (Span, Json<'j>);

impl JsonlReader<'_> {
    fn read(&mut self, json: Json<'_>) {
        match self.field(json, "taflbase").map(|(span, value)| (span, value.int())) {
            Some((span, Some(version))) if version > i64::from(VERSION) => {
                return self.report(span, TextFinding::Version { known: VERSION });
            }
            Some((_, Some(1..))) => {}
            Some((span, _)) => self.bad(span, "taflbase", "the version of the schema"),
            // The broken JSON was already reported.
            None if !self.diagnostics.is_empty() => {}
            None => self.missing(json, "taflbase"),
        }
        self.game(json);
        self.lines(json);
        self.remarks(json);
        self.checks(json);
        self.end(json);
    }

    fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    fn bad(&mut self, span: Span, field: &'static str, expected: &'static str) {
        self.report(span, TextFinding::BadValue { field, expected });
    }

    fn missing(&mut self, json: Json<'_>, field: &'static str) {
        let start = json.members().next().and_then(|(key, _)| self.source.span_of(key));
        let start = start.unwrap_or(Span::new(0, self.source.text.ceil_char_boundary(1)));
        self.report(start, TextFinding::MissingField { field });
    }

    fn field<'j>(&self, json: Json<'j>, name: &str) -> Option<Field<'j>> {
        let (key, value) = json.member(name)?;
        (!value.is_null()).then(|| (value_span(self.source, key, value), value))
    }

    fn text(&mut self, json: Json<'_>, name: &'static str) -> Option<Written> {
        let (span, value) = self.field(json, name)?;
        let text = value.as_str().map(|text| Written { text: text.into(), span });
        if text.is_none() {
            self.bad(span, name, "a string");
        }
        text
    }

    fn number(&mut self, json: Json<'_>, name: &'static str) -> Option<(u32, Span)> {
        let (span, value) = self.field(json, name)?;
        let number = value.int().and_then(|value| u32::try_from(value).ok());
        if number.is_none() {
            self.bad(span, name, "a number that is not negative");
        }
        number.map(|number| (number, span))
    }

    /// Converts a string value with `known`.
    fn word<T>(
        &mut self,
        json: Json<'_>,
        name: &'static str,
        expected: &'static str,
        known: impl FnOnce(&str) -> Option<T>,
    ) -> Option<(T, Span)> {
        let (span, value) = self.field(json, name)?;
        let word = value.as_str().and_then(known);
        if word.is_none() {
            self.bad(span, name, expected);
        }
        word.map(|word| (word, span))
    }

    fn side(&mut self, json: Json<'_>, name: &'static str) -> Option<Side> {
        self.word(json, name, "attackers or defenders", words::side).map(|(side, _)| side)
    }

    /// Returns the elements of an array of objects.
    fn rows<'j>(&mut self, json: Json<'j>, name: &'static str) -> impl Iterator<Item = Json<'j>> + use<'j> {
        let field = self.field(json, name);
        let rows = field.and_then(|(_, value)| value.list());
        if let (Some((span, _)), None) = (field, &rows) {
            self.bad(span, name, "an array");
        }
        rows.into_iter().flatten()
    }

    fn game(&mut self, json: Json<'_>) {
        let format = self.word(json, "format", "the name of a format", Format::from_name);
        self.record.format = format.map_or(Format::Jsonl, |(format, _)| format);
        let expected = "listed, listed-but-kings or not-written";
        let style = self.word(json, "captures", expected, CaptureStyle::from_name);
        self.record.capture_style = style.map_or(CaptureStyle::Listed, |(style, _)| style);
        self.record.variant = self.text(json, "variant");
        self.record.rules = self.text(json, "rules");
        self.record.first_mover = self.side(json, "first_mover");
        if let Some((_, start)) = self.field(json, "start") {
            self.record.start = self.setup(start).map(|(setup, span)| WrittenStart { setup, span });
        }
        let tags = self.field(json, "tags").map_or(Span::default(), |(span, _)| span);
        for tag in self.rows(json, "tags") {
            let texts = tag.pair().and_then(|(name, value)| name.as_str().zip(value.as_str()));
            match texts {
                Some((name, value)) => {
                    let span = self.source.span_of(value).unwrap_or(tags);
                    self.record.push_tag(name, value, span);
                }
                None => self.bad(tags, "tags", "pairs of strings"),
            }
        }
    }

    fn setup(&mut self, json: Json<'_>) -> Option<(Setup, Span)> {
        let expected = "a board such as 11x11 or hex 4";
        let (shape, _) = self.word(json, "board", expected, read_shape)?;
        let position = self.text(json, "position")?;
        match Setup::parse(shape, &position.text) {
            Ok(setup) => Some((setup, position.span)),
            Err(error) => {
                // If the string had escapes, its rows have no spans of their own.
                let in_text = self.source.at(position.span) == &*position.text;
                let place =
                    if in_text { error.span.shift(position.span.start as usize) } else { position.span };
                self.report(place, HeaderFinding::BadSetup(error.kind));
                None
            }
        }
    }

    fn lines(&mut self, json: Json<'_>) {
        if json.get("lines").is_none() && self.diagnostics.is_empty() {
            self.missing(json, "lines");
        }
        for (line, nth) in self.rows(json, "lines").zip(0u32..) {
            let branch = self.branch(line, nth);
            let second = line.get("opens_with_second").map(Json::value);
            let opens_with_second = matches!(second, Some(JsonValue::Bool(true)));
            let id = MoveLineId(nth);
            if nth == 0 {
                self.record.set_opens_with_second(id, opens_with_second);
            } else {
                // A variation without a valid branch point keeps its number, so that later references stay
                // valid.
                self.record.variations.open(branch, opens_with_second);
            }
            if let Some(moves) = self.text(line, "moves") {
                let unread = if nth == 0 { TextFinding::BadMove } else { TextFinding::BadMoveAside };
                let moves = self.moves(&moves, &unread);
                if nth == 0 {
                    self.record.main_mut().moves = moves;
                } else {
                    moves.into_iter().for_each(|mv| self.record.push_to(id, mv));
                }
            }
            if let Some(sides) = self.text(line, "sides") {
                for (mv, side) in self.record.moves_mut(id).iter_mut().zip(sides.text.bytes()) {
                    mv.side = match side {
                        b'a' => Some(Side::Attackers),
                        b'd' => Some(Side::Defenders),
                        _ => None,
                    };
                }
            }
        }
    }

    fn branch(&mut self, line: Json<'_>, nth: u32) -> Option<LineBranch> {
        let (parent, span) = self.number(line, "parent")?;
        let (at, _) = self.number(line, "at")?;
        let number = self.number(line, "number").map_or(1, |(number, _)| number);
        let known = (parent < nth).then(|| self.record.line(MoveLineId(parent)).moves.len());
        if known.is_none_or(|n_moves| at as usize > n_moves) {
            self.report(span, TextFinding::BadAddress);
            return None;
        }
        Some(LineBranch { parent: MoveLineId(parent), at, number })
    }

    /// Reads moves separated by blanks; `unread` is the diagnostic for unreadable words.
    fn moves(&mut self, written: &Written, unread: &TextFinding) -> Vec<WrittenMove> {
        // If the string had escapes, its moves have no spans of their own.
        let in_text = self.source.at(written.span) == &*written.text;
        let start = if in_text { written.span.start as usize } else { 0 };
        let first_capture = self.record.captures.len();
        let whole = start + written.text.len();
        let mut rest = written.text.as_bytes();
        let mut moves = Vec::with_capacity(rest.len() / 6 + 1);
        while let Some(byte) = rest.first() {
            if byte.is_ascii_whitespace() {
                rest = &rest[1..];
                continue;
            }
            match MoveReader::new(whole, &mut self.record.captures).step(rest) {
                Ok((after, mv)) => {
                    moves.push(mv);
                    rest = after;
                }
                Err(_) => {
                    let length = word_length(rest);
                    let at = whole - rest.len();
                    let span = if in_text { Span::new(at, at + length) } else { written.span };
                    self.report(span, unread.clone());
                    rest = &rest[length..];
                }
            }
        }
        if !in_text {
            moves.iter_mut().for_each(|mv| mv.span = written.span);
            let captures = &mut self.record.captures[first_capture..];
            captures.iter_mut().for_each(|capture| capture.span = written.span);
        }
        moves
    }

    /// Returns the place of a remark, if the record has this place.
    fn place(&mut self, json: Json<'_>) -> Option<MovePlace> {
        let line = self.number(json, "line").map_or(0, |(line, _)| line);
        let (after, span) = self.number(json, "after").unwrap_or_default();
        let n_moves = self.record.find_line(MoveLineId(line)).map(|line| line.moves.len());
        if n_moves.is_none_or(|n_moves| after as usize > n_moves) {
            self.report(span, TextFinding::BadAddress);
            return None;
        }
        Some(MovePlace { line: MoveLineId(line), after })
    }

    fn remarks(&mut self, json: Json<'_>) {
        for row in self.rows(json, "comments") {
            if let (Some(place), Some(text)) = (self.place(row), self.text(row, "text")) {
                self.record.comments.push(Comment { place, text: &text.text, span: text.span });
            }
        }
        for row in self.rows(json, "clocks") {
            let (Some(place), Some(side)) = (self.place(row), self.side(row, "side")) else { continue };
            match self.field(row, "milliseconds").map(|(span, value)| (span, value.int())) {
                Some((span, Some(milliseconds))) => {
                    self.record.clocks.push(WrittenClock { place, side, milliseconds, span });
                }
                Some((span, None)) => self.bad(span, "milliseconds", "a number"),
                None => self.missing(row, "milliseconds"),
            }
        }
    }

    fn checks(&mut self, json: Json<'_>) {
        for row in self.rows(json, "boards") {
            let Some((after, _)) = self.number(row, "after") else { continue };
            let Some((setup, span)) = self.setup(row) else { continue };
            let to_move = self.side(row, "to_move");
            self.record.boards.push(WrittenBoard { after, setup, to_move, span });
        }
        for row in self.rows(json, "refused") {
            let Some((after, _)) = self.number(row, "after") else { continue };
            let Some(written) = self.text(row, "move") else { continue };
            let side = self.side(row, "side");
            let reason = self.text(row, "reason");
            if let Some(mv) = self.moves(&written, &TextFinding::BadMoveAside).first() {
                self.record.refused.push(RefusedMove { mv: WrittenMove { side, ..*mv }, after, reason });
            }
        }
        for row in self.rows(json, "move_counts") {
            let (after, count) = (self.number(row, "after"), self.number(row, "count"));
            if let (Some((after, _)), Some((count, span))) = (after, count) {
                self.record.move_counts.push(WrittenCount { after, count, span });
            }
        }
        for row in self.rows(json, "move_capture_counts") {
            let (at, count) = (self.number(row, "at"), self.number(row, "count"));
            if let (Some((at, _)), Some((count, span))) = (at, count) {
                self.record.move_capture_counts.push(WrittenMoveCaptureCount { at, count, span });
            }
        }
        if let Some((_, counts)) = self.field(json, "capture_counts") {
            let (attackers, defenders) = (self.number(counts, "attackers"), self.number(counts, "defenders"));
            if let (Some((attackers, first)), Some((defenders, second))) = (attackers, defenders) {
                let spans = BySide { attackers: first, defenders: second };
                let by = BySide { attackers, defenders };
                self.record.capture_counts = Some(WrittenCaptureCounts { by, spans });
            }
        }
    }

    fn end(&mut self, json: Json<'_>) {
        if let Some((_, ending)) = self.field(json, "ending") {
            let expected = "resigned, timeout, agreed or adjudicated";
            let kind = self.word(ending, "kind", expected, words::ending);
            let after =
                self.number(ending, "after").map_or(self.record.main().moves.len() as u32, |(n, _)| n);
            let side = self.side(ending, "side");
            self.record.ending = kind.map(|(kind, span)| WrittenEnding { kind, side, after, span });
        }
        if let Some((_, result)) = self.field(json, "result") {
            let expected = "attackers, defenders, draw, ongoing or unknown";
            let verdict = self.word(result, "verdict", expected, words::verdict);
            let reason =
                self.word(result, "reason", "a reason", |text| text.parse().ok()).map(|(reason, _)| reason);
            self.record.result = verdict.map(|(verdict, span)| WrittenResult { verdict, reason, span });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::survival;

    const RECORD: &str = r#"{"taflbase":1,"format":"movelist","tags":[["event","x"]],"variant":"brandubh7",
        "start":{"board":"7x7","position":"/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"},"first_mover":"attackers",
        "lines":[{"moves":"d2-c2 d3-b3 c2-b2xb3","sides":"ada"},{"parent":0,"at":1,"number":1,"moves":"d3-a3"}],
        "comments":[{"line":1,"after":1,"text":"\u00e6"}],"refused":[{"after":1,"move":"d1-d9","reason":"no"}],
        "clocks":[{"line":0,"after":1,"side":"attackers","milliseconds":5}],"move_counts":[{"after":0,"count":40}],
        "boards":[{"after":0,"board":"7x7","position":"/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/","to_move":"attackers"}],
        "capture_counts":{"attackers":1,"defenders":0},"ending":{"kind":"timeout","side":null,"after":3},
        "result":{"verdict":"attackers","reason":"timeout"}}"#;

    #[test]
    fn every_field_is_read() {
        let Parsed { value, diagnostics } = parse(&Source::new(RECORD));
        assert_eq!(diagnostics, []);
        assert_eq!((value.n_lines(), value.captures.len(), value.comments.len()), (2, 1, 1));
        assert_eq!((value.boards.len(), value.refused.len(), value.clocks.len()), (1, 1, 1));
        assert_eq!(value.captures[0].span.of(RECORD), "b3");
    }

    #[test]
    fn moves_and_positions_with_escapes_have_the_place_of_their_string() {
        let text = r#"{"taflbase":1,"start":{"board":"7x7","position":"\/7\/8\/7\/7\/7\/7\/7\/"},
            "lines":[{"moves":"\u00642-c2xb3 zz"}]}"#;
        let Parsed { value, diagnostics } = parse(&Source::new(text));
        let moves = r"\u00642-c2xb3 zz";
        assert_eq!((value.main().moves[0].span.of(text), value.captures[0].span.of(text)), (moves, moves));
        let found: Vec<_> = diagnostics.iter().map(|found| found.span.of(text)).collect();
        assert_eq!(found, [r"\/7\/8\/7\/7\/7\/7\/7\/", moves]);
    }

    #[test]
    fn nothing_makes_it_panic() {
        for text in [RECORD, "", "{}"] {
            survival::check(Format::Jsonl, text);
        }
    }
}
