//! Abstract Play's game records (AbstractPlay/recranks, `gamerecord.json`), for Hnefatafl and heXentafl.
//!
//! ```text
//! {"header": {"game": {"name": text, "variants": [text ...]}, "event": text, "round": text,
//!             "site": {"name": text, "gameid": text | int}, "date-start": time, "date-end": time,
//!             "players": [{"name": text, "userid": text, "result": number ...} ...] ...},
//!  "moves": [[entry ...] ...]}                           rounds, each with one entry per seat
//! entry   = null | text | {"move": text, "sequence": int, "result": text | [{"type": text, "reason": text ...} ...]}
//! text of a move = segment { " " segment } | "resign" | "timeout" | "draw" | "abandoned"
//! segment = turn of `steps`: [K|C|N] cell ( "-" | "^" ) cell { "x" [K|C|N] cell }
//! ```
//!
//! - The first seat moves first. In heXentafl it plays the attackers; in the other games the defenders if the variant's
//!   name ends with `-w`.
//! - Segments after the first one are later steps of the same turn.
//! - The player with the greater `result` won; equal numbers are a draw.
//! - Hex labels are converted to our coordinates, see [`game`]. Captured kings are listed.
//! - `sequence` orders the entries of a round if all of them have one.
//! - Seats are those at the end of the game, even if the players exchanged sides at its beginning
//!   (`"pie-invoked": true`).
//! - The site's archives hold the records of all its games; those of other games are skipped, see [`other_game`].

mod game;

use std::borrow::Cow;

use tafl_rules::{Reason, Side, Span};

use self::game::AbstractPlayGame;
use super::Format;
use super::json::{self, Json, JsonValue, SiteReader};
use crate::diagnostic::{Findings, HeaderFinding, Parsed};
use crate::record::{
    Comment, EndingKind, MovePlace, Record, Written, WrittenEnding, WrittenResult, WrittenStart,
    WrittenVerdict, tag,
};
use crate::source::Source;

/// Returns the name of the game of a record, if its name does not contain `tafl`.
///
/// Broken records are not skipped, so that their errors are reported.
pub(crate) fn other_game(text: &[u8]) -> Option<Box<str>> {
    #[derive(serde::Deserialize)]
    struct RecordHead<'t> {
        #[serde(borrow)]
        header: HeaderHead<'t>,
    }
    #[derive(serde::Deserialize)]
    struct HeaderHead<'t> {
        #[serde(borrow)]
        game: GameNameHead<'t>,
    }
    #[derive(serde::Deserialize)]
    struct GameNameHead<'t> {
        #[serde(borrow)]
        name: Cow<'t, str>,
    }
    let head: RecordHead<'_> = serde_json::from_slice(text).ok()?;
    let name = head.header.game.name;
    (!is_tafl(&name)).then(|| name.into())
}

/// Returns whether the name of a game is that of a tafl game, known or not.
fn is_tafl(name: &str) -> bool {
    name.to_ascii_lowercase().contains("tafl")
}

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let tree = json::read(source, &mut diagnostics);
    let site = SiteReader::new(source, Format::AbstractPlay, diagnostics);
    let mut reader = AbstractPlayReader { site, game: None, is_other: false };
    if let Some(header) = tree.root().get("header") {
        reader.header(header);
    } else {
        reader.site.missing("header");
    }
    match tree.root().member("moves") {
        // The moves of other games are not moves of ours.
        Some(_) if reader.is_other => {}
        Some((key, rounds)) => reader.rounds(rounds, json::value_span(source, key, rounds)),
        None => reader.site.missing("moves"),
    }
    reader.site.finish()
}

struct AbstractPlayReader<'s> {
    site: SiteReader<'s>,
    game: Option<AbstractPlayGame>,
    /// Whether the game is not a tafl game.
    is_other: bool,
}

impl AbstractPlayReader<'_> {
    fn header(&mut self, header: Json<'_>) {
        // The seats of the players and the move labels depend on the game.
        match header.member("game") {
            Some((key, game)) => self.game(game, json::value_span(self.site.source, key, game)),
            None => self.site.missing("game"),
        }
        for (key, value) in header.members() {
            let span = json::value_span(self.site.source, key, value);
            match key {
                "game" => {}
                "players" => self.players(value, span),
                "site" => self.site(value, span),
                "date-start" => self.site.tag(tag::DATE, value, span),
                "unrated" => self.rated(value, span),
                "pie-invoked" => self.swap(value, span),
                name => self.site.tag(name, value, span),
            }
        }
    }

    fn rated(&mut self, value: Json<'_>, span: Span) {
        match value.value() {
            JsonValue::Bool(unrated) => {
                self.site.record.push_tag(tag::RATED, if unrated { "false" } else { "true" }, span);
            }
            _ => self.site.bad(span, "unrated", "true or false"),
        }
    }

    /// Reads whether the second player took over the side of the first one after the first move.
    fn swap(&mut self, value: Json<'_>, span: Span) {
        match value.value() {
            JsonValue::Bool(true) => {}
            JsonValue::Bool(false) => return,
            _ => return self.site.bad(span, "pie-invoked", "true or false"),
        }
        let record = &mut self.site.record;
        record.push_tag(tag::SWAPPED, "1", span);
        // The settings of the games do not say whether players may exchange sides.
        if let Some(rules) = record.rules.as_mut() {
            rules.text = rules.text.replace(" starti:", " xswap:1 starti:").into();
        }
    }

    fn site(&mut self, site: Json<'_>, span: Span) {
        if site.get("name").is_none() && site.get("gameid").is_none() {
            return self.site.bad(span, "site", "the name of a site and the number of the game");
        }
        for (name, field) in [(tag::SITE, "name"), (tag::ID, "gameid")] {
            if let Some((key, value)) = site.member(field) {
                self.site.tag(name, value, json::value_span(self.site.source, key, value));
            }
        }
    }

    fn game(&mut self, game: Json<'_>, span: Span) {
        let Some((key, name)) = game.member("name").filter(|(_, name)| name.as_str().is_some()) else {
            return self.site.bad(span, "game", "the name of a game");
        };
        let name_span = json::value_span(self.site.source, key, name);
        let variants = game.get("variants").and_then(Json::list).into_iter().flatten();
        let variants: Vec<&str> = variants.filter_map(Json::as_str).collect();
        let name = name.as_str().unwrap_or_default();
        let span =
            variants.first().and_then(|variant| self.site.source.span_of(variant)).unwrap_or(name_span);
        self.site.record.push_tag("game", name, name_span);
        let Some(game) = AbstractPlayGame::named(name, &variants) else {
            self.site.record.variant = Some(Written { text: name.into(), span: name_span });
            self.is_other = !is_tafl(name);
            if self.is_other {
                let kind = HeaderFinding::OtherGame { game: name.into() };
                self.site.report(name_span, kind);
            }
            return;
        };
        self.site.record.variant = Some(Written { text: game.variant.as_str().into(), span });
        self.site.record.rules = game.rules.as_deref().map(|rules| Written { text: rules.into(), span });
        self.site.record.start = game.start.clone().map(|setup| WrittenStart { setup, span });
        self.site.record.first_mover = Some(game.first_seat);
        self.game = Some(game);
    }

    /// Returns the side of a seat; both count from 0. There are only two playing seats.
    fn side_of_seat(&self, seat: usize) -> Option<Side> {
        let first = self.game.as_ref()?.first_seat;
        match seat {
            0 => Some(first),
            1 => Some(first.other()),
            _ => None,
        }
    }

    fn players(&mut self, players: Json<'_>, span: Span) {
        let Some((first, second)) = players.pair() else {
            return self.site.bad(span, "players", "two players");
        };
        for (seat, player) in [first, second].into_iter().enumerate() {
            let names = match self.side_of_seat(seat) {
                Some(Side::Attackers) => {
                    [tag::ATTACKERS, "attackers-id", "attackers-score", "attackers-is-ai"]
                }
                Some(Side::Defenders) => {
                    [tag::DEFENDERS, "defenders-id", "defenders-score", "defenders-is-ai"]
                }
                None => ["player", "player-id", "player-score", "player-is-ai"],
            };
            for (name, field) in names.into_iter().zip(["name", "userid", "score", "is_ai"]) {
                if let Some((key, value)) = player.member(field) {
                    self.site.tag(name, value, json::value_span(self.site.source, key, value));
                }
            }
        }
        self.result(first, second, span);
    }

    fn result(&mut self, first: Json<'_>, second: Json<'_>, span: Span) {
        let number = |player: Json<'_>| match player.get("result").map(Json::value) {
            Some(JsonValue::Int(result)) => Some(result as f64),
            Some(JsonValue::Float(result)) => Some(result),
            // JSON has no infinity: the value that Abstract Play gives to a player without a result becomes
            // null.
            Some(JsonValue::Null) => Some(f64::NEG_INFINITY),
            Some(_) | None => None,
        };
        let (Some(one), Some(two)) = (number(first), number(second)) else {
            return self.site.bad(span, "players", "a `result` for each player");
        };
        let verdict = match (one.partial_cmp(&two), self.side_of_seat(0)) {
            // Two players without a result have not drawn.
            (Some(std::cmp::Ordering::Equal), _) if one.is_finite() => WrittenVerdict::Draw,
            (Some(std::cmp::Ordering::Greater), Some(side)) => WrittenVerdict::Win(side),
            (Some(std::cmp::Ordering::Less), Some(side)) => WrittenVerdict::Win(side.other()),
            (Some(std::cmp::Ordering::Equal), _) | (_, None) | (None, _) => WrittenVerdict::Unknown,
        };
        let span = first
            .member("result")
            .map_or(span, |(key, value)| json::value_span(self.site.source, key, value));
        self.site.record.result = Some(WrittenResult { verdict, reason: None, span });
    }

    fn rounds(&mut self, rounds: Json<'_>, span: Span) {
        let Some(rounds) = rounds.list() else {
            return self.site.bad(span, "moves", "a list of rounds");
        };
        for round in rounds {
            let Some(entries) = round.list() else {
                self.site.bad(span, "moves", "rounds with an entry for each seat");
                continue;
            };
            let mut entries: Vec<(usize, Json<'_>)> = entries.enumerate().collect();
            let sequence = |entry: Json<'_>| entry.get("sequence").and_then(Json::int);
            if entries.iter().all(|(_, entry)| entry.is_null() || sequence(*entry).is_some()) {
                entries.sort_by_key(|(_, entry)| sequence(*entry));
            }
            for (seat, entry) in entries {
                self.entry(seat, entry, span);
            }
        }
    }

    fn entry(&mut self, seat: usize, entry: Json<'_>, rounds: Span) {
        let side = self.side_of_seat(seat);
        match entry.value() {
            JsonValue::Null => {}
            JsonValue::Text(text) => {
                self.turn(text, side, json::text_span(self.site.source, text, rounds));
            }
            JsonValue::Object => match entry.member("move").map(|(key, mv)| (key, mv, mv.as_str())) {
                Some((key, mv, Some(text))) => {
                    self.turn(text, side, json::value_span(self.site.source, key, mv));
                    self.outcome(entry);
                }
                Some(_) | None => self.site.bad(rounds, "moves", "entries with a `move`"),
            },
            JsonValue::Bool(_) | JsonValue::Int(_) | JsonValue::Float(_) | JsonValue::List => {
                self.site.bad(rounds, "moves", "rounds of moves");
            }
        }
    }

    fn turn(&mut self, text: &str, side: Option<Side>, span: Span) {
        let (kind, side) = match text.trim() {
            "resign" => (EndingKind::Resigned, side),
            "timeout" => (EndingKind::Timeout, side),
            "draw" => (EndingKind::Agreed, None),
            "abandoned" => (EndingKind::Adjudicated, None),
            _ => return self.segments(text, side, span),
        };
        let after = self.site.n_moves() as u32;
        self.site.end(WrittenEnding { kind, side, after, span });
    }

    fn segments(&mut self, text: &str, side: Option<Side>, span: Span) {
        let before = self.site.record.main().moves.len();
        for token in text.split_ascii_whitespace() {
            let span = json::text_span(self.site.source, token, span);
            let (n_moves, n_captures) =
                (self.site.record.main().moves.len(), self.site.record.captures.len());
            if !self.site.turn(token, span) {
                continue;
            }
            let Some(game) = &self.game else { continue };
            for capture in &mut self.site.record.captures[n_captures..] {
                capture.cell = game.coord(capture.cell);
            }
            for mv in &mut self.site.record.main_mut().moves[n_moves..] {
                (mv.from, mv.to) = (game.coord(mv.from), game.coord(mv.to));
            }
        }
        for (nth, mv) in self.site.record.main_mut().moves[before..].iter_mut().enumerate() {
            (mv.side, mv.chained) = (side, nth > 0);
        }
    }

    /// Reads the site's note about a move: the end of the game with its reason, or text.
    fn outcome(&mut self, entry: Json<'_>) {
        let Some((key, results)) = entry.member("result") else { return };
        if let Some(text) = results.as_str() {
            let place = MovePlace::in_main(self.site.record.main().moves.len());
            let span = json::value_span(self.site.source, key, results);
            self.site.record.comments.push(Comment { place, text, span });
        }
        let ends = results.list().into_iter().flatten();
        let reason = ends.filter(|end| end.get("type").and_then(Json::as_str) == Some("eog")).find_map(
            |end| match end.get("reason").and_then(Json::as_str)? {
                "king-captured" => Some(Reason::KingCaptured),
                "king-escaped" => Some(Reason::KingReachedGoal),
                "repetition" => Some(Reason::Repetition),
                "encirclement" => Some(Reason::Encirclement),
                "exit-fort" => Some(Reason::ExitFort),
                "stalemate" => Some(Reason::NoLegalMove),
                _ => None,
            },
        );
        if let (Some(result), Some(reason)) = (&mut self.site.record.result, reason) {
            result.reason = Some(reason);
        }
    }
}

#[cfg(test)]
mod tests;
