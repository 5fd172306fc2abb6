//! The site's archive: one game per line, in RON.
//!
//! ```text
//! (id:int, attacker:text, attacker_rating:(rating:float,rd:float), defender:text, defender_rating:(...),
//!  rated:Yes|No, plays:plays, status:AttackerWins|DefenderWins|Draw|Ongoing, messages:[...], board_size:_7|_11|_13)
//! plays  = PlayRecordsTimed([(play:play, attacker_time:(milliseconds_left:int), defender_time:(...)), ...])
//!        | PlayRecords([play, ...]) ;
//! play   = None | Some(Play((role:Attacker|Defender, from:vertex, to:vertex)))
//!        | Some(AttackerResigns) | Some(DefenderResigns) ;
//! vertex = (size:_7|_11|_13, x:int, y:int) ;                  y counts from the top rank, from 0
//! ```

use tafl_rules::{Coord, Side, Span};

use super::HnefataflOrgReader;
use crate::diagnostic::{EndFinding, TextFinding};
use crate::format::json::{self, Json, JsonValue};
use crate::record::{
    CaptureStyle, EndingKind, MovePlace, Written, WrittenClock, WrittenEnding, WrittenMove, WrittenResult,
    WrittenVerdict, tag,
};

impl HnefataflOrgReader<'_> {
    /// Reads a game of the archive.
    pub(super) fn archived(&mut self, game: Json<'_>) {
        // Captures are not written; replay reconstructs them.
        self.site.record.capture_style = CaptureStyle::NotWritten;
        for (key, value) in game.members() {
            let span = json::value_span(self.site.source, key, value);
            match key {
                "plays" => self.plays(value, span),
                "id" => self.site.tag(tag::ID, value, span),
                "attacker" => self.site.tag(tag::ATTACKERS, value, span),
                "defender" => self.site.tag(tag::DEFENDERS, value, span),
                "attacker_rating" => self.rating(tag::ATTACKERS_RATING, value, span),
                "defender_rating" => self.rating(tag::DEFENDERS_RATING, value, span),
                "rated" => self.rated(value, span),
                "status" => self.status(value, span),
                "messages" => self.messages(value, span),
                "board_size" => self.board_size(value, span),
                name => self.site.tag(name, value, span),
            }
        }
    }

    /// Stores a Glicko rating with its deviation: `1500 +- 350`.
    fn rating(&mut self, name: &str, value: Json<'_>, span: Span) {
        match (value.get("rating").and_then(Json::to_text), value.get("rd").and_then(Json::to_text)) {
            (Some(rating), Some(deviation)) => {
                self.site.record.push_tag(name, &format!("{rating} +- {deviation}"), span);
            }
            _ => self.site.bad(span, "rating", "`rating` and `rd`"),
        }
    }

    fn rated(&mut self, value: Json<'_>, span: Span) {
        match value.as_str() {
            Some("Yes") => self.site.record.push_tag(tag::RATED, "true", span),
            Some("No") => self.site.record.push_tag(tag::RATED, "false", span),
            Some(_) | None => self.site.bad(span, "rated", "Yes or No"),
        }
    }

    fn status(&mut self, value: Json<'_>, span: Span) {
        let verdict = match value.as_str() {
            Some("AttackerWins") => WrittenVerdict::Win(Side::Attackers),
            Some("DefenderWins") => WrittenVerdict::Win(Side::Defenders),
            Some("Draw") => WrittenVerdict::Draw,
            Some("Ongoing") => WrittenVerdict::Ongoing,
            Some(_) | None => {
                let expected = "AttackerWins, DefenderWins, Draw or Ongoing";
                return self.site.report(span, EndFinding::BadResult { expected });
            }
        };
        self.site.record.result = Some(WrittenResult { verdict, reason: None, span });
    }

    fn board_size(&mut self, value: Json<'_>, span: Span) {
        match size(value) {
            Some(side) => {
                self.site.record.variant =
                    Some(Written { text: format!("hnefatafl-org-{side}").into(), span });
            }
            None => self.site.bad(span, "board_size", "_7, _11 or _13"),
        }
    }

    fn plays(&mut self, value: Json<'_>, span: Span) {
        let records = value.members().next().and_then(|(_, records)| records.list());
        let Some(records) = records else {
            return self.site.bad(span, "plays", "a list of plays");
        };
        for record in records {
            match record.member("play") {
                Some((_, play)) => {
                    self.play(play, span);
                    self.times(record);
                }
                None => self.play(record, span),
            }
        }
    }

    fn times(&mut self, record: Json<'_>) {
        let place = MovePlace::in_main(self.site.record.main().moves.len());
        for (name, side) in [("attacker_time", Side::Attackers), ("defender_time", Side::Defenders)] {
            let Some((key, value)) = record.get(name).and_then(|time| time.member("milliseconds_left"))
            else {
                continue;
            };
            let span = json::value_span(self.site.source, key, value);
            if let Some(milliseconds) = value.int() {
                self.site.record.clocks.push(WrittenClock { place, side, milliseconds, span });
            }
        }
    }

    fn play(&mut self, play: Json<'_>, plays: Span) {
        match play.value() {
            JsonValue::Null => {}
            JsonValue::Text(word) => {
                let span = json::text_span(self.site.source, word, plays);
                let side = match word {
                    "AttackerResigns" => Side::Attackers,
                    "DefenderResigns" => Side::Defenders,
                    _ => return self.site.report(span, TextFinding::BadMove),
                };
                let after = self.site.n_moves() as u32;
                self.site.record.ending =
                    Some(WrittenEnding { kind: EndingKind::Resigned, side: Some(side), after, span });
            }
            JsonValue::Bool(_)
            | JsonValue::Int(_)
            | JsonValue::Float(_)
            | JsonValue::List
            | JsonValue::Object => {
                if self.vertices(play).is_none() {
                    self.site.bad(plays, "plays", "plays with `role`, `from` and `to`");
                }
            }
        }
    }

    /// Reads the two cells of a play; `None` if one of them is missing.
    fn vertices(&mut self, play: Json<'_>) -> Option<()> {
        let play = play.get("Play")?;
        let (from_key, from) = play.member("from")?;
        let (_, to) = play.member("to")?;
        let start = json::value_span(self.site.source, from_key, from);
        let (last_key, last) = to.member("y")?;
        let span = start.cover(json::value_span(self.site.source, last_key, last));
        let side = match play.get("role")?.as_str()? {
            "Attacker" => Some(Side::Attackers),
            "Defender" => Some(Side::Defenders),
            _ => None,
        };
        let mv = WrittenMove { side, ..WrittenMove::new(vertex(from)?, vertex(to)?, span) };
        let first_capture = self.site.record.captures.len();
        self.site.record.push_move(mv, first_capture);
        Some(())
    }
}

/// Returns the number of cells per side given by a word such as `_11`, at most 26: files beyond `z` have no letter.
fn size(value: Json<'_>) -> Option<i16> {
    value.as_str()?.strip_prefix('_')?.parse().ok().filter(|side| (1..=26).contains(side))
}

/// Returns the cell of a vertex; `None` if a number is missing or off the board.
fn vertex(value: Json<'_>) -> Option<Coord> {
    let size = size(value.get("size")?)?;
    let number = |name| {
        let number = value.get(name).and_then(Json::int)?;
        i16::try_from(number).ok().filter(|number| (0..size).contains(number))
    };
    Some(Coord::new(number("x")?, size - 1 - number("y")?))
}
