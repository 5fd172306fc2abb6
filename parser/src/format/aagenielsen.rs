//! The play site of aagenielsen.dk: one JSON object per game.
//!
//! ```text
//! {"File": text, "WhiteSidePlayerName": text, "BlackSidePlayerName": text, "AageGameTypeKey": int,
//!  "AageGameTypeName": text, "WhoMovedFirst": "black", "BlackPiecesCaptured": int, "WhitePiecesCaptured": int,
//!  "Moves": [ move ... ], "WhoWon": "White" | "Black" | "Draw" | "Ongoing" | "" }
//! move = turn of [`WrittenTurn`] | "resigned" | "timeout"
//! ```
//!
//! - Black is the attackers. `BlackPiecesCaptured` is the number of pieces captured by Black.
//! - `WhoMovedFirst` is always "black", even if White moved first: it is kept as a tag and otherwise ignored.
//! - `resigned` and `timeout` refer to the side to move. If a game has several, the last one ends it.
//! - The capture of a king is never listed. Old games write `h1h3`, without a hyphen or captures; a few
//!   games begin in the old style and continue in the new one.

use tafl_rules::{BySide, Side, Span};

use super::Format;
use super::json::{self, Json, SiteReader};
use crate::diagnostic::{EndFinding, Findings, Parsed};
use crate::record::{CaptureStyle, Record, Written, WrittenCaptureCounts, WrittenEnding, WrittenResult, tag};
use crate::source::Source;
use crate::words;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let game = json::read(source, &mut diagnostics);
    let mut site = SiteReader::new(source, Format::AageNielsen, diagnostics);
    site.record.capture_style = CaptureStyle::ListedButKings;
    let mut reader = AageNielsenReader { site };
    if reader.site.is_object(game.root()) {
        for (key, value) in game.root().members() {
            reader.member(key, value);
        }
        reader.missing(game.root());
    }
    reader.site.finish()
}

struct AageNielsenReader<'s> {
    site: SiteReader<'s>,
}

impl AageNielsenReader<'_> {
    fn member(&mut self, key: &str, value: Json<'_>) {
        let span = json::value_span(self.site.source, key, value);
        match key {
            "Moves" => self.moves(value, span),
            "WhoWon" => self.winner(value, span),
            "AageGameTypeKey" => self.variant(value, span),
            "BlackPiecesCaptured" => self.count(Side::Attackers, value, span, "BlackPiecesCaptured"),
            "WhitePiecesCaptured" => self.count(Side::Defenders, value, span, "WhitePiecesCaptured"),
            "File" => self.site.tag(tag::ID, value, span),
            "BlackSidePlayerName" => self.site.tag(tag::ATTACKERS, value, span),
            "WhiteSidePlayerName" => self.site.tag(tag::DEFENDERS, value, span),
            name => self.site.tag(name, value, span),
        }
    }

    /// The variant is named after the number of the game type; only the number is unique on the site.
    fn variant(&mut self, value: Json<'_>, span: Span) {
        match value.int() {
            Some(number) if number >= 0 => {
                self.site.record.variant = Some(Written { text: format!("aage-{number}").into(), span });
            }
            _ => self.site.bad(span, "AageGameTypeKey", "a number"),
        }
    }

    fn count(&mut self, side: Side, value: Json<'_>, span: Span, field: &'static str) {
        let Some(count) = value.int().and_then(|count| u32::try_from(count).ok()) else {
            return self.site.bad(span, field, "a number of pieces");
        };
        let counts = self
            .site
            .record
            .capture_counts
            .get_or_insert(WrittenCaptureCounts { by: BySide::default(), spans: BySide::default() });
        counts.by[side] = count;
        counts.spans[side] = span;
    }

    fn winner(&mut self, value: Json<'_>, span: Span) {
        let Some(verdict) = value.as_str().and_then(words::verdict) else {
            let expected = "`White`, `Black`, `Draw`, `Ongoing` or an empty string";
            return self.site.report(span, EndFinding::BadResult { expected });
        };
        self.site.record.result = Some(WrittenResult { verdict, reason: None, span });
    }

    fn moves(&mut self, value: Json<'_>, span: Span) {
        let Some(entries) = value.list() else {
            return self.site.bad(span, "Moves", "a list of moves");
        };
        self.site.record.main_mut().moves.reserve(entries.len());
        for entry in entries {
            match entry.as_str() {
                Some(token) => self.entry(token, json::text_span(self.site.source, token, span)),
                None => self.site.bad(span, "Moves", "a list of moves"),
            }
        }
    }

    fn entry(&mut self, token: &str, span: Span) {
        // Every move has a digit in this position, and no word does, so words need not be compared with
        // moves.
        let is_word = !token.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        let Some(kind) = is_word.then(|| words::ending(token)).flatten() else {
            return self.turn(token, span);
        };
        let after = self.site.n_moves() as u32;
        self.site.end(WrittenEnding { kind, side: None, after, span });
    }

    fn turn(&mut self, token: &str, span: Span) {
        if self.site.turn(token, span) && !token.contains('-') {
            self.site.record.capture_style = CaptureStyle::NotWritten;
        }
    }

    fn missing(&mut self, game: Json<'_>) {
        for field in ["AageGameTypeKey", "Moves", "WhoWon"] {
            if game.get(field).is_none() {
                self.site.missing(field);
            }
        }
        // One number without the other would imply that the other is 0.
        let is_counted = |field| game.get(field).is_some_and(|value| value.int().is_some());
        if !(is_counted("BlackPiecesCaptured") && is_counted("WhitePiecesCaptured")) {
            self.site.record.capture_counts = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::survival;
    use crate::record::{EndingKind, WrittenVerdict};

    const GAMES: &str = include_str!("../../../tests/fixtures/records/valid/aagenielsen.jsonl");
    const BROKEN: &str = include_str!("../../../tests/fixtures/records/invalid/aagenielsen.jsonl");

    fn game(n: usize) -> Parsed<Record> {
        parse(&Source::new(GAMES.lines().nth(n).expect("the fixture has this line")))
    }

    fn broken(n: usize) -> (Record, Vec<String>) {
        let text = BROKEN.lines().nth(n).expect("the fixture has this line");
        let Parsed { value, diagnostics } = parse(&Source::new(text));
        let findings =
            diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(text))).collect();
        (value, findings)
    }

    #[test]
    fn fields_are_mapped_to_the_record() {
        let Parsed { value, diagnostics } = game(0);
        assert_eq!(diagnostics, []);
        assert_eq!(value.variant.as_ref().map(|variant| &*variant.text), Some("aage-129"));
        assert_eq!(value.tag(tag::ATTACKERS), Some("dark"));
        assert_eq!(value.tag(tag::DEFENDERS), Some("light \"q\""));
        assert_eq!(value.tag("WhoMovedFirst"), Some("black"));
        assert_eq!(value.first_mover, None);
        let counts = value.capture_counts.expect("both counts are given");
        assert_eq!((counts.by[Side::Attackers], counts.by[Side::Defenders]), (1, 0));
        assert_eq!(value.capture_style, CaptureStyle::ListedButKings);
        assert_eq!(value.result.map(|result| result.verdict), Some(WrittenVerdict::Win(Side::Attackers)));
    }

    #[test]
    fn places_are_those_of_the_tokens() {
        let text = GAMES.lines().next().unwrap();
        let record = game(0).value;
        let token = |n: usize| record.main().moves[n].span.of(text);
        assert_eq!([token(0), token(2)], ["d2-c2", "c2-b2xb3"]);
        assert_eq!(record.captures[0].span.of(text), "b3");
        assert_eq!(record.variant.unwrap().span.of(text), "129");
        assert_eq!(record.ending.unwrap().span.of(text), "resigned");
    }

    #[test]
    fn old_games_write_no_captures() {
        let record = game(1).value;
        assert_eq!(record.capture_style, CaptureStyle::NotWritten);
        assert_eq!(record.main().moves.len(), 2);
    }

    #[test]
    fn a_chain_is_several_steps_of_one_turn() {
        let (record, findings) = broken(4);
        assert_eq!(findings, [""; 0]);
        let chained: Vec<bool> = record.main().moves.iter().map(|mv| mv.chained).collect();
        assert_eq!(chained, [false, false, true]);
    }

    #[test]
    fn a_game_without_moves_ends_all_the_same() {
        let record = game(2).value;
        assert_eq!(record.ending.map(|ending| (ending.kind, ending.after)), Some((EndingKind::Timeout, 0)));
        assert_eq!(record.result.map(|result| result.verdict), Some(WrittenVerdict::Unknown));
    }

    #[test]
    fn bad_moves_are_named_and_the_good_ones_survive() {
        let (record, findings) = broken(0);
        assert_eq!(record.main().moves.len(), 2);
        assert_eq!(findings, ["T001 nox", "T001 f8-d8y"]);
    }

    #[test]
    fn the_last_of_several_endings_counts() {
        let (record, findings) = broken(1);
        assert_eq!(record.ending.map(|ending| (ending.kind, ending.after)), Some((EndingKind::Resigned, 2)));
        assert_eq!(findings, ["T002 timeout"]);
    }

    #[test]
    fn values_of_the_wrong_kind_are_named_and_the_rest_is_read() {
        let (record, findings) = broken(2);
        assert_eq!(record.main().moves.len(), 1);
        assert!(record.capture_counts.is_none() && record.result.is_none());
        assert_eq!(findings, ["T009 x", "T009 -1", "E010 Grey"]);
    }

    #[test]
    fn a_truncated_line_keeps_its_fields() {
        let (record, findings) = broken(3);
        assert_eq!(record.main().moves.len(), 2);
        assert_eq!(record.variant.as_ref().map(|variant| &*variant.text), Some("aage-16"));
        assert_eq!(findings, ["T007 \"h1", "T008 "]);
    }

    #[test]
    fn nothing_makes_it_panic() {
        for text in GAMES.lines().chain(BROKEN.lines()) {
            survival::check(Format::AageNielsen, text);
        }
    }
}
