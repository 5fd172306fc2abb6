//! hnefatafl.org's JSON, the answer to `resume_game_json`; the same in RON; and the site's [`archive`] in
//! RON.
//!
//! ```text
//! {"id": int, "attackers": text, "defenders": text, "dim": int, "start": position, "moves": moves,
//!  "time_control": {"main_time_seconds": int, "increment_length": int} | null,
//!  "time_remaining_ms": {"attackers": int, "defenders": int, "last_move": time} | null,
//!  "rated": bool, "messages": [{"username": text, "timestamp": time, "content": text} ...]}
//! moves    = move { " " move } ;       move = turn | "---" | "resigns" ;
//! position = like ours, but with the top rank first; A attacker, D defender, K king, or t, T, K
//! ```
//!
//! - The answer may follow the words `= resume_game_json` or `= resume_game_ron`.
//! - `---` means that the side to move resigned. Other results are not written.
//! - Boards of 7 write cells with a leading zero (`0d1`), boards of 13 in uppercase (`D1`).
//! - The variant is not named: it is `hnefatafl-org-7`, `-11`, or `-13`, by `dim`. A field `variant`, which the
//!   server has prepared, takes precedence.

mod archive;

use tafl_rules::{RowOrder, Setup, Shape, Side, Span};

use super::Format;
use super::json::{self, Json, SiteReader};
use super::ron;
use crate::diagnostic::{Findings, HeaderFinding, Parsed};
use crate::record::{
    CaptureStyle, MovePlace, Record, Written, WrittenClock, WrittenEnding, WrittenStart, tag,
};
use crate::source::Source;
use crate::words;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let game = match ron_start(source.text) {
        Some(start) => ron::read(source, start, &mut diagnostics),
        None => json::read_after(source, &["= resume_game_json", "= watch_game_json"], &mut diagnostics),
    };
    let mut site = SiteReader::new(source, Format::HnefataflOrg, diagnostics);
    // Kings are captured only at the end of the game, and the server lists their capture like that of men.
    site.record.capture_style = CaptureStyle::Listed;
    let mut reader = HnefataflOrgReader { site };
    match game.root().get("plays") {
        Some(_) => reader.archived(game.root()),
        None => reader.resumed(game.root()),
    }
    reader.site.finish()
}

struct HnefataflOrgReader<'s> {
    site: SiteReader<'s>,
}

/// Returns the start of the RON value, if the text is RON: after its command, or at an opening parenthesis.
fn ron_start(text: &str) -> Option<usize> {
    let body = text.trim_start_matches('\u{feff}').trim_start();
    let ron = body.strip_prefix("= resume_game_ron").or_else(|| body.starts_with('(').then_some(body))?;
    Some(text.len() - ron.len())
}

impl HnefataflOrgReader<'_> {
    /// Reads a game that is still being played.
    fn resumed(&mut self, game: Json<'_>) {
        self.object(game);
        for (key, value) in game.members() {
            self.member(key, value);
        }
        self.clocks(game);
        self.start(game);
        self.variant(game);
    }

    fn object(&mut self, game: Json<'_>) {
        if !self.site.is_object(game) {
            return;
        }
        for field in ["dim", "start", "moves"] {
            if game.get(field).is_none() {
                self.site.missing(field);
            }
        }
    }

    fn member(&mut self, key: &str, value: Json<'_>) {
        let span = json::value_span(self.site.source, key, value);
        match key {
            "moves" => self.moves(value, span),
            "dim" | "start" | "variant" | "time_remaining_ms" => {}
            "id" => self.site.tag(tag::ID, value, span),
            "attackers" => self.site.tag(tag::ATTACKERS, value, span),
            "defenders" => self.site.tag(tag::DEFENDERS, value, span),
            "rated" => self.site.tag(tag::RATED, value, span),
            "time_control" => self.time_control(value, span),
            "messages" => self.messages(value, span),
            name => self.site.tag(name, value, span),
        }
    }

    /// Stores the time control as seconds per game and seconds per move: `900+10`.
    fn time_control(&mut self, value: Json<'_>, span: Span) {
        let seconds = |name| value.get(name).and_then(Json::int);
        match (seconds("main_time_seconds"), seconds("increment_length")) {
            _ if value.is_null() => {}
            (Some(main), Some(more)) => {
                self.site.record.push_tag(tag::TIME_CONTROL, &format!("{main}+{more}"), span)
            }
            _ => self.site.bad(span, "time_control", "`main_time_seconds` and `increment_length`"),
        }
    }

    fn messages(&mut self, value: Json<'_>, span: Span) {
        let Some(messages) = value.list() else {
            return self.site.bad(span, "messages", "a list of messages");
        };
        for message in messages {
            let part = |name| message.get(name).and_then(Json::as_str).unwrap_or("");
            let place = match message.member("content") {
                Some((key, value)) => json::value_span(self.site.source, key, value),
                None => {
                    self.site.bad(span, "messages", "messages with `content`");
                    continue;
                }
            };
            let words = format!("{} {}: {}", part("timestamp"), part("username"), part("content"));
            self.site.record.push_tag("message", words.trim_start(), place);
        }
    }

    fn clocks(&mut self, game: Json<'_>) {
        let Some((key, times)) = game.member("time_remaining_ms") else { return };
        let place = MovePlace::in_main(self.site.record.main().moves.len());
        for (name, side) in [("attackers", Side::Attackers), ("defenders", Side::Defenders)] {
            let Some((key, value)) = times.member(name) else { continue };
            let span = json::value_span(self.site.source, key, value);
            match value.int() {
                Some(milliseconds) => {
                    self.site.record.clocks.push(WrittenClock { place, side, milliseconds, span })
                }
                None => self.site.bad(span, "time_remaining_ms", "milliseconds"),
            }
        }
        match times.member("last_move") {
            Some((key, value)) => {
                self.site.tag("last-move", value, json::value_span(self.site.source, key, value))
            }
            None if times.members().next().is_none() && !times.is_null() => {
                self.site.bad(
                    json::value_span(self.site.source, key, times),
                    "time_remaining_ms",
                    "times by side",
                );
            }
            None => {}
        }
    }

    fn moves(&mut self, value: Json<'_>, span: Span) {
        let Some(moves) = value.as_str() else {
            return self.site.bad(span, "moves", "a string of moves");
        };
        for token in moves.split_ascii_whitespace() {
            let span = json::text_span(self.site.source, token, span);
            match words::ending(token) {
                Some(kind) => {
                    let after = self.site.n_moves() as u32;
                    self.site.end(WrittenEnding { kind, side: None, after, span });
                }
                None => self.turn(token, span),
            }
        }
    }

    fn turn(&mut self, token: &str, span: Span) {
        let plain = without_zeros(token);
        self.site.turn(plain.as_deref().unwrap_or(token), span);
    }

    fn start(&mut self, game: Json<'_>) {
        let Some((key, value)) = game.member("start") else { return };
        let span = json::value_span(self.site.source, key, value);
        let Some(text) = value.as_str() else {
            return self.site.bad(span, "start", "a position record");
        };
        let side = game
            .get("dim")
            .and_then(Json::int)
            .unwrap_or_else(|| text.trim_matches('/').split('/').count() as i64);
        let Some(shape) = u8::try_from(side).ok().and_then(Shape::square) else {
            let (key, value) = game.member("dim").unwrap_or((key, value));
            let span = json::value_span(self.site.source, key, value);
            return self.site.bad(span, "dim", "the number of cells per side, 5 to 21");
        };
        match Setup::parse_in(shape, &our_letters(text), RowOrder::Falling) {
            Ok(setup) => self.site.record.start = Some(WrittenStart { setup, span }),
            Err(error) => {
                // The letters were replaced one for one, so positions in both texts are the same.
                let place =
                    if span.len() == text.len() { error.span.shift(span.start as usize) } else { span };
                self.site.report(place, HeaderFinding::BadSetup(error.kind));
            }
        }
    }

    fn variant(&mut self, game: Json<'_>) {
        let named = game.member("variant").filter(|(_, value)| value.as_str().is_some());
        let Some((key, value)) = named.or_else(|| game.member("dim")) else { return };
        let span = json::value_span(self.site.source, key, value);
        self.site.record.variant = match value.as_str() {
            Some(name) if key == "variant" => Some(Written { text: name.into(), span }),
            _ => value.int().map(|side| Written { text: format!("hnefatafl-org-{side}").into(), span }),
        };
    }
}

/// Returns the position with our piece letters, each in the same place.
pub(super) fn our_letters(text: &str) -> String {
    let letter = |letter| match letter {
        'A' => 't',
        'D' => 'T',
        other => other,
    };
    text.chars().map(letter).collect()
}

/// Returns the token without leading zeros before its cells, if it has any.
fn without_zeros(token: &str) -> Option<String> {
    let bytes = token.as_bytes();
    let is_lead = |at: usize| {
        bytes[at] == b'0'
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
            && at.checked_sub(1).is_none_or(|before| !bytes[before].is_ascii_digit())
    };
    let has_zeros = (0..bytes.len()).any(is_lead);
    has_zeros
        .then(|| token.char_indices().filter(|(at, _)| !is_lead(*at)).map(|(_, letter)| letter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::survival;
    use crate::format::test_text::moves_and_captures;
    use crate::record::EndingKind;

    const GAME: &str = include_str!("../../../tests/fixtures/records/valid/hnefatafl-org.json");
    const SMALL: &str = include_str!("../../../tests/fixtures/records/valid/hnefatafl-org-7.json");
    const ARCHIVE: &str = include_str!("../../../tests/fixtures/records/valid/hnefatafl-org.ron");
    const BROKEN: &str = include_str!("../../../tests/fixtures/records/invalid/hnefatafl-org.json");

    #[test]
    fn fields_are_mapped_to_the_record() {
        let Parsed { value, diagnostics } = parse(&Source::new(GAME));
        assert_eq!(diagnostics, []);
        assert_eq!(value.tag(tag::ID), Some("7"));
        assert_eq!(value.tag(tag::TIME_CONTROL), Some("900+10"));
        assert_eq!(value.tag(tag::RATED), Some("true"));
        assert_eq!(value.tag("message"), Some("2026-01-02T03:04:05Z dark: good luck"));
        assert_eq!(value.variant.as_ref().map(|variant| &*variant.text), Some("hnefatafl-org-11"));
        let clocks: Vec<_> = value.clocks.iter().map(|clock| (clock.side, clock.milliseconds)).collect();
        assert_eq!(clocks, [(Side::Attackers, 885_694), (Side::Defenders, 911_981)]);
        assert_eq!(moves_and_captures(&value), "h1-h2 g7-j7 k8-j8xj7 f8-c8");
        assert_eq!(value.ending.map(|ending| (ending.kind, ending.after)), Some((EndingKind::Resigned, 4)));
        let places = [value.main().moves[2].span.of(GAME), value.captures[0].span.of(GAME)];
        assert_eq!(places, ["k8-j8xj7", "j7"]);
    }

    #[test]
    fn the_start_has_the_top_rank_first() {
        let text = r#"{"dim":7,"start":"/7/3A3/7/3K3/7/7/3D3/","moves":""}"#;
        let start = parse(&Source::new(text)).value.start.unwrap();
        assert_eq!(start.setup.to_string(), "/3T3/7/7/3K3/7/3t3/7/");
    }

    #[test]
    fn small_boards_have_zeros_before_their_cells() {
        let Parsed { value, diagnostics } = parse(&Source::new(SMALL));
        assert_eq!(diagnostics, []);
        assert_eq!(moves_and_captures(&value), "d2-a2 d3-d2 d1-e1");
        assert_eq!(value.main().moves[0].span.of(SMALL), "0d2-0a2");
        assert_eq!(value.start.unwrap().setup.to_string(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    }

    #[test]
    fn ron_and_json_give_the_same_record() {
        let json = GAME.trim_start_matches("= resume_game_json ");
        let mut ron = json.replace("[{", "[(").replace("}]", ")]").replace('{', "(").replace('}', ")");
        let names =
            ["id", "attackers", "defenders", "dim", "start", "time_control", "main_time_seconds", "username"];
        let more = [
            "increment_length",
            "time_remaining_ms",
            "last_move",
            "moves",
            "rated",
            "messages",
            "timestamp",
            "content",
        ];
        for name in names.into_iter().chain(more) {
            ron = ron.replace(&format!("\"{name}\":"), &format!("{name}:"));
        }
        let read = |text: &str| {
            let Parsed { mut value, diagnostics } = parse(&Source::new(text));
            assert_eq!(diagnostics, [], "{text}");
            value.forget_places();
            value
        };
        assert_eq!(read(&format!("= resume_game_ron {ron}")), read(GAME));
    }

    #[test]
    fn the_archive_is_read() {
        let Parsed { value, diagnostics } = parse(&Source::new(ARCHIVE));
        assert_eq!(diagnostics, []);
        assert_eq!(moves_and_captures(&value), "h1-h2 g7-j7");
        assert_eq!(value.variant.as_ref().map(|variant| &*variant.text), Some("hnefatafl-org-11"));
        assert_eq!(value.tag(tag::ATTACKERS_RATING), Some("1500 +- 350"));
        let times: Vec<_> =
            value.clocks.iter().map(|clock| (clock.place.after, clock.milliseconds)).collect();
        assert_eq!(times[..4], [(0, 900_000), (0, 900_000), (1, 905_000), (1, 900_000)]);
        assert_eq!(times.len(), 8);
        assert_eq!(value.main().moves[1].side, Some(Side::Defenders));
        let ending = value.ending.unwrap();
        assert_eq!(
            (ending.kind, ending.side, ending.after),
            (EndingKind::Resigned, Some(Side::Attackers), 2)
        );
        assert_eq!(value.result.unwrap().verdict, crate::record::WrittenVerdict::Win(Side::Defenders));
    }

    #[test]
    fn a_cell_outside_of_the_named_board_is_reported() {
        let text = ARCHIVE.replace("from:(size:_11,x:7,y:10)", "from:(size:_05,x:7,y:10)");
        let Parsed { value, diagnostics } = parse(&Source::new(&text));
        assert_eq!((moves_and_captures(&value).as_str(), diagnostics.len()), ("g7-j7", 1));
    }

    #[test]
    fn bad_values_are_named_and_the_rest_is_read() {
        let Parsed { value, diagnostics } = parse(&Source::new(BROKEN));
        assert_eq!(moves_and_captures(&value), "d1-d3 g1-g3");
        let found: Vec<String> =
            diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(BROKEN))).collect();
        assert_eq!(found, ["H006 X", "T009 {", "T009 soon", "T001 e5-", "T001 what", "T009 ["]);
    }

    #[test]
    fn nothing_makes_it_panic() {
        for text in [GAME, SMALL, ARCHIVE, BROKEN, "", "{}", "[]"] {
            survival::check(Format::HnefataflOrg, text);
        }
    }
}
