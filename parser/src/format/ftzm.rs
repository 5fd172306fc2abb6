//! The JSON that the site of ftzm/hnefatafl imports: Copenhagen Hnefatafl, 11x11.
//!
//! ```text
//! {"gameName": text, "blackPlayerName": text, "whitePlayerName": text, "startTime": time, "endTime": time,
//!  "gameStatus": status, "moves": move { " " move }}
//! status = "ongoing" | "black_won_king_captured" | "black_won_white_surrounded" | "black_won_no_white_moves"
//!        | "white_won_king_escaped" | "white_won_exit_fort" | "white_won_no_black_moves"
//!        | ( "black" | "white" ) "_won" [ "_resignation" | "_timeout" ] | "draw" | "abandoned"
//! move   = cell [ "-" ] cell { "x" cell }
//! ```
//!
//! - Black is the attackers, and moves first.
//! - The site writes no captures; imported games may list them, without those of kings.

use tafl_rules::{Reason, Side, Span};

use super::Format;
use super::json::{self, Json, SiteReader};
use crate::diagnostic::{EndFinding, Findings, Parsed};
use crate::record::{CaptureStyle, Record, WrittenEnding, WrittenResult, WrittenVerdict, tag};
use crate::source::Source;
use crate::words;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let game = json::read(source, &mut diagnostics);
    let mut site = SiteReader::new(source, Format::Ftzm, diagnostics);
    site.record.capture_style = CaptureStyle::NotWritten;
    let mut reader = FtzmReader { site };
    for (key, value) in game.root().members() {
        reader.member(key, value);
    }
    reader.missing(game.root());
    if !reader.site.record.captures.is_empty() {
        reader.site.record.capture_style = CaptureStyle::ListedButKings;
    }
    reader.site.finish()
}

/// The result and the reason that a status stands for.
///
/// `None` if the word is unknown. The words are taken literally: with `black_won_resignation`, Black won.
pub(crate) fn status(word: &str) -> Option<(WrittenVerdict, Option<Reason>)> {
    let plain = match word {
        "ongoing" => Some((WrittenVerdict::Ongoing, None)),
        "draw" => Some((WrittenVerdict::Draw, None)),
        "abandoned" => Some((WrittenVerdict::Unknown, Some(Reason::Unfinished))),
        _ => None,
    };
    plain.or_else(|| {
        let (side, rest) = word.split_once("_won")?;
        let (side, is_black) = match side {
            "black" => (Side::Attackers, true),
            "white" => (Side::Defenders, false),
            _ => return None,
        };
        let reason = match (rest, is_black) {
            ("", _) => None,
            ("_king_captured", true) => Some(Reason::KingCaptured),
            ("_white_surrounded", true) => Some(Reason::Encirclement),
            ("_no_white_moves", true) | ("_no_black_moves", false) => Some(Reason::NoLegalMove),
            ("_king_escaped", false) => Some(Reason::KingReachedGoal),
            ("_exit_fort", false) => Some(Reason::ExitFort),
            ("_resignation", _) => Some(Reason::Resignation),
            ("_timeout", _) => Some(Reason::Timeout),
            _ => return None,
        };
        Some((WrittenVerdict::Win(side), reason))
    })
}

struct FtzmReader<'s> {
    site: SiteReader<'s>,
}

impl FtzmReader<'_> {
    fn missing(&mut self, game: Json<'_>) {
        // Nothing is missing in a text that is not an object, or is truncated.
        if !self.site.is_object(game) {
            return;
        }
        for names in [["blackPlayerName"; 2], ["whitePlayerName"; 2], ["moves", "moveString"]] {
            if names.into_iter().all(|name| game.get(name).is_none()) {
                self.site.missing(names[0]);
            }
        }
    }

    fn member(&mut self, key: &str, value: Json<'_>) {
        let span = json::value_span(self.site.source, key, value);
        match key {
            "moves" | "moveString" => self.moves(value, span),
            "gameStatus" | "game_status" => self.status(value, span),
            "gameName" => self.site.tag(tag::EVENT, value, span),
            // The writer's sign for an unknown player, whose name the notation requires.
            "blackPlayerName" | "whitePlayerName" if value.as_str() == Some("?") => {}
            "blackPlayerName" => self.site.tag(tag::ATTACKERS, value, span),
            "whitePlayerName" => self.site.tag(tag::DEFENDERS, value, span),
            "startTime" => self.site.tag(tag::DATE, value, span),
            name => self.site.tag(name, value, span),
        }
    }

    fn status(&mut self, value: Json<'_>, span: Span) {
        if value.is_null() {
            return;
        }
        match value.as_str().and_then(status) {
            Some((verdict, reason)) => {
                self.site.record.result = Some(WrittenResult { verdict, reason, span })
            }
            None => {
                let expected = "a status such as white_won_king_escaped";
                self.site.report(span, EndFinding::BadResult { expected });
                self.site.tag("gameStatus", value, span);
            }
        }
    }

    fn moves(&mut self, value: Json<'_>, span: Span) {
        let Some(moves) = value.as_str() else {
            // A truncated value was already reported.
            if value.is_null() && !self.site.diagnostics.is_empty() {
                return;
            }
            return self.site.bad(span, "moves", "a string of moves");
        };
        for token in moves.split_whitespace() {
            let span = json::text_span(self.site.source, token, span);
            match words::ending(token) {
                Some(kind) => {
                    let after = self.site.n_moves() as u32;
                    self.site.end(WrittenEnding { kind, side: None, after, span });
                }
                None => {
                    self.site.turn(token, span);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::survival;
    use crate::format::test_text::codes;

    const GAME: &str = r#"{"gameName":"Harbor cup","blackPlayerName":"Runa","whitePlayerName":"Odd",
        "startTime":"2026-03-01T10:00:00Z","gameStatus":"white_won_exit_fort","moves":"d11-d9 f8d8 k4-i4xi5"}"#;

    #[test]
    fn members_are_mapped_to_the_record() {
        let Parsed { value, diagnostics } = parse(&Source::new(GAME));
        assert_eq!(diagnostics, []);
        assert_eq!((value.tag(tag::ATTACKERS), value.tag(tag::DEFENDERS)), (Some("Runa"), Some("Odd")));
        assert_eq!((value.tag(tag::EVENT), value.main().moves.len()), (Some("Harbor cup"), 3));
        assert_eq!(value.capture_style, CaptureStyle::ListedButKings);
        let result = value.result.unwrap();
        assert_eq!(
            (result.verdict, result.reason),
            (WrittenVerdict::Win(Side::Defenders), Some(Reason::ExitFort))
        );
    }

    #[test]
    fn a_status_names_a_winner_who_can_have_won_that_way() {
        assert_eq!(
            status("black_won_timeout"),
            Some((WrittenVerdict::Win(Side::Attackers), Some(Reason::Timeout)))
        );
        assert_eq!(status("white_won"), Some((WrittenVerdict::Win(Side::Defenders), None)));
        assert_eq!(status("abandoned"), Some((WrittenVerdict::Unknown, Some(Reason::Unfinished))));
        for word in ["white_won_king_captured", "black_won_exit_fort", "green_won", "won", ""] {
            assert_eq!(status(word), None, "{word}");
        }
    }

    #[test]
    fn missing_and_bad_members_are_named_and_the_rest_is_read() {
        let parsed =
            parse(&Source::new(r#"{"blackPlayerName":"a","moves":"d11-d9 zz f8-d8","gameStatus":"lost"}"#));
        assert_eq!(codes(&parsed), ["T001", "E010", "T008"]);
        assert_eq!(parsed.value.main().moves.len(), 2);
        assert_eq!(parsed.value.tag("gameStatus"), Some("lost"));
        assert_eq!(codes(&parse(&Source::new("7"))), ["T007"]);
    }

    #[test]
    fn nothing_makes_it_panic() {
        for text in [GAME, "", "{}", "[]"] {
            survival::check(Format::Ftzm, text);
        }
    }
}
