//! PlayTaflOnline's JSON, as read by OpenTafl's translator.
//!
//! ```text
//! {"Layout": text, "Attacker": text, "Defender": text, "StartDate": int (seconds since 1970),
//!  "Objective": int, "KingCapture": int, "KingStrength": int, "Throne": int, "Hostile": int, "Speed": int,
//!  "Surround": int, "ExitFort": int, "ShieldWall": int,
//!  "Move": [{"MoveX": int, "MoveY": int, "MoveXTo": int, "MoveYTo": int, "EndState": int ...} ...]}
//! ```
//!
//! - **The newest move comes first.** Rows with a -1 are not moves.
//! - `MoveX` is the file and `MoveY` the rank, both from 0.
//! - The options and the layout define the rules: see [`options`]. The attackers move first. Captures are not written.
//! - `EndState` of the first row: 1 the attackers won, 2 the defenders won, 3 draw, 4 the defender or 5 the attacker resigned,
//!   6 the defender or 7 the attacker ran out of time, 8 the game was declined.

mod options;

use tafl_rules::{Coord, Reason, Side, Span};

use self::options::CHOICES;
use super::Format;
use super::json::{self, Json, SiteReader};
use crate::diagnostic::{Findings, Parsed, TextFinding};
use crate::record::{
    CaptureStyle, EndingKind, Record, Written, WrittenEnding, WrittenMove, WrittenResult, WrittenVerdict, tag,
};
use crate::source::Source;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut diagnostics = Findings::default();
    let game = json::read(source, &mut diagnostics);
    let mut site = SiteReader::new(source, Format::PlayTaflOnline, diagnostics);
    site.record.capture_style = CaptureStyle::NotWritten;
    let mut reader = PlayTaflOnlineReader { site };
    for (key, value) in game.root().members() {
        reader.member(key, value);
    }
    match game.root().member("Move") {
        Some((key, rows)) => reader.rows(rows, json::value_span(source, key, rows)),
        None => reader.site.missing("Move"),
    }
    reader.rules(game.root());
    reader.site.finish()
}

struct PlayTaflOnlineReader<'s> {
    site: SiteReader<'s>,
}

impl PlayTaflOnlineReader<'_> {
    fn member(&mut self, key: &str, value: Json<'_>) {
        let span = json::value_span(self.site.source, key, value);
        match key {
            "Move" => {}
            "Attacker" => self.site.tag(tag::ATTACKERS, value, span),
            "Defender" => self.site.tag(tag::DEFENDERS, value, span),
            "StartDate" => self.date(value, span),
            name => self.site.tag(name, value, span),
        }
    }

    fn date(&mut self, value: Json<'_>, span: Span) {
        match value.int().and_then(day_of) {
            Some(day) => self.site.record.push_tag(tag::DATE, &day, span),
            None => self.site.bad(span, "StartDate", "seconds since 1970"),
        }
    }

    /// Combines layout and options into a rules string. If an option is missing or unknown, the record gets
    /// no rules, so that the game is not checked by wrong ones.
    fn rules(&mut self, game: Json<'_>) {
        let Some((key, layout)) = game.member("Layout") else { return self.site.missing("Layout") };
        let span = json::value_span(self.site.source, key, layout);
        let name = layout.as_str().unwrap_or_default();
        let known = options::layout(name);
        let mut keys = Vec::new();
        for choice in &CHOICES {
            let number = match game.member(choice.field) {
                None => choice.default,
                Some((key, value)) => match value.int().and_then(|number| usize::try_from(number).ok()) {
                    Some(number) if number < choice.keys.len() => Some(number),
                    Some(_) | None => {
                        self.site.bad(
                            json::value_span(self.site.source, key, value),
                            choice.field,
                            choice.expected,
                        );
                        continue;
                    }
                },
            };
            match number {
                Some(number) => keys.push(choice.keys[number]),
                None => self.site.missing(choice.field),
            }
        }
        let Some((side, start)) = known else {
            self.site.record.variant = Some(Written { text: name.into(), span });
            return;
        };
        if keys.len() == CHOICES.len() {
            keys.retain(|key| !key.is_empty());
            let text = format!("dim:{side} name:{name} atkf:y {} start:{start}", keys.join(" "));
            self.site.record.rules = Some(Written { text: text.into(), span });
        }
    }

    fn rows(&mut self, rows: Json<'_>, span: Span) {
        let Some(rows) = rows.list() else {
            return self.site.bad(span, "Move", "a list of moves");
        };
        let rows: Vec<Json<'_>> = rows.collect();
        for row in rows.iter().rev() {
            self.row(*row, span);
        }
        if let Some((key, state)) = rows.first().and_then(|newest| newest.member("EndState")) {
            self.end(state, json::value_span(self.site.source, key, state));
        }
    }

    fn row(&mut self, row: Json<'_>, rows: Span) {
        const FIELDS: [&str; 4] = ["MoveX", "MoveY", "MoveXTo", "MoveYTo"];
        let mut span: Option<Span> = None;
        let mut numbers = [0_i64; 4];
        for (field, number) in FIELDS.into_iter().zip(&mut numbers) {
            let Some((key, value)) = row.member(field) else {
                return self.site.bad(
                    span.unwrap_or(rows),
                    "Move",
                    "rows with MoveX, MoveY, MoveXTo and MoveYTo",
                );
            };
            let place = json::value_span(self.site.source, key, value);
            span = Some(span.map_or(place, |span| span.cover(place)));
            match value.int() {
                Some(found) => *number = found,
                None => return self.site.bad(place, "Move", "the number of a file or a rank, from 0"),
            }
        }
        if numbers.contains(&-1) {
            return;
        }
        let span = span.unwrap_or(rows);
        // A number off every board is not a file or rank; files beyond `z` have no letter.
        if numbers.iter().any(|number| !(0..26).contains(number)) {
            return self.site.report(span, TextFinding::BadMove);
        }
        let [x, y, x_to, y_to] = numbers.map(|number| number as i16);
        let mv = WrittenMove::new(Coord::new(x, y), Coord::new(x_to, y_to), span);
        let first_capture = self.site.record.captures.len();
        self.site.record.push_move(mv, first_capture);
    }

    fn end(&mut self, state: Json<'_>, span: Span) {
        let won = |side| (WrittenVerdict::Win(side), None);
        let lost = |side: Side, kind| (WrittenVerdict::Win(side.other()), Some((kind, side)));
        let (verdict, ending) = match state.int() {
            Some(0) => (WrittenVerdict::Ongoing, None),
            Some(1) => won(Side::Attackers),
            Some(2) => won(Side::Defenders),
            Some(3) => (WrittenVerdict::Draw, None),
            Some(4) => lost(Side::Defenders, EndingKind::Resigned),
            Some(5) => lost(Side::Attackers, EndingKind::Resigned),
            Some(6) => lost(Side::Defenders, EndingKind::Timeout),
            Some(7) => lost(Side::Attackers, EndingKind::Timeout),
            // Declined: the game was never played.
            Some(8) => (WrittenVerdict::Unknown, None),
            Some(_) | None => return self.site.bad(span, "EndState", "a number from 0 to 8"),
        };
        let after = self.site.n_moves() as u32;
        let reason: Option<Reason> = ending.map(|(kind, _)| kind.reason());
        self.site.record.ending =
            ending.map(|(kind, side)| WrittenEnding { kind, side: Some(side), after, span });
        self.site.record.result = Some(WrittenResult { verdict, reason, span });
    }
}

/// Returns the date of a time in seconds since 1970 as `YYYY.MM.DD`, or `None` outside the years 0 to 9999.
fn day_of(seconds: i64) -> Option<String> {
    const SECONDS_A_DAY: i64 = 86_400;
    /// Years start in March here, so that the leap day is the last day of a year and every 400 years have the
    /// same length.
    const DAYS_OF_400_YEARS: i64 = 146_097;
    /// Days from 1 March of the year 0 to 1 January 1970.
    const DAYS_TO_1970: i64 = 719_468;
    let days = seconds.div_euclid(SECONDS_A_DAY) + DAYS_TO_1970;
    let (era, day) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // From March on, the months have 31, 30, 31, 30, and 31 days, repeating: 153 days per five months.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    (0..10_000).contains(&year).then(|| format!("{year:04}.{month:02}.{day:02}"))
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Role, RuleSet};

    use super::*;
    use crate::format::survival;
    use crate::format::test_text::moves;

    const GAME: &str = include_str!("../../../tests/fixtures/records/valid/playtaflonline.json");
    const BROKEN: &str = include_str!("../../../tests/fixtures/records/invalid/playtaflonline.json");

    #[test]
    fn the_newest_move_is_first() {
        let Parsed { value, diagnostics } = parse(&Source::new(GAME));
        assert_eq!(diagnostics, []);
        assert_eq!(moves(&value), "d2-a2 d3-c3 f4-f2");
        assert_eq!(value.main().moves[0].span.of(GAME), r#"3, "MoveY": 1, "MoveXTo": 0, "MoveYTo": 1"#);
        let (ending, result) = (value.ending.unwrap(), value.result.unwrap());
        assert_eq!(
            (ending.kind, ending.side, ending.after),
            (EndingKind::Resigned, Some(Side::Defenders), 3)
        );
        assert_eq!(
            (result.verdict, result.reason),
            (WrittenVerdict::Win(Side::Attackers), Some(Reason::Resignation))
        );
        assert_eq!(value.tag(tag::DATE), Some("2017.02.10"));
    }

    #[test]
    fn options_and_layout_are_the_rules() {
        let text = parse(&Source::new(GAME)).value.rules.unwrap().text;
        let rules: RuleSet = text.parse().unwrap();
        let expected =
            "dim:7 name:Brandubh ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse::<RuleSet>().unwrap();
        assert_eq!((rules.king_capture, &rules.start), (expected.king_capture, &expected.start));
        assert_eq!(rules.unknown, [""; 0]);
    }

    #[test]
    fn every_option_gives_rules() {
        for choice in &CHOICES {
            for keys in choice.keys {
                let text = format!("dim:7 name:x {keys} start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
                let rules: RuleSet = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(rules.unknown, [""; 0], "{text}");
            }
        }
    }

    #[test]
    fn every_layout_fits_its_board() {
        for (side, start) in options::all_layouts() {
            let rules: RuleSet = format!("dim:{side} start:{start}")
                .parse()
                .unwrap_or_else(|error| panic!("{start}: {error}"));
            assert_eq!(
                rules.start.pieces().filter(|(_, piece)| piece.role == Role::King).count(),
                1,
                "{start}"
            );
        }
        assert_eq!(options::layout("AleaEvangelii").map(|(side, _)| side), Some(19));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [0, 951_782_400, 951_868_800, 1_486_684_800, -86_400];
        let expected = ["1970.01.01", "2000.02.29", "2000.03.01", "2017.02.10", "1969.12.31"];
        assert_eq!(days.map(|seconds| day_of(seconds).unwrap()), expected);
        assert_eq!(day_of(i64::MAX), None);
    }

    #[test]
    fn bad_values_are_named_and_the_rest_is_read() {
        let Parsed { value, diagnostics } = parse(&Source::new(BROKEN));
        assert_eq!(moves(&value), "d2-a2 d3-c3");
        assert!(value.rules.is_none());
        assert_eq!(value.variant.map(|variant| variant.text.into()), Some("moonbase".to_owned()));
        let found: Vec<String> =
            diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(BROKEN))).collect();
        assert_eq!(found, ["T009 9", "T009 soon", "T009 x", "T009 77", "T008 "]);
    }

    #[test]
    fn a_cell_outside_every_board_is_not_read() {
        let row = |x: i32| {
            let text = format!(r#"{{"Move":[{{"MoveX":{x},"MoveY":0,"MoveXTo":0,"MoveYTo":1}}]}}"#);
            let Parsed { value, diagnostics } = parse(&Source::new(&text));
            let replay = crate::replay::Replayer::new(Default::default()).replay(&value);
            assert_eq!(replay.plies, []);
            (moves(&value), diagnostics.iter().any(|found| found.code().name() == "bad-move"))
        };
        assert_eq!(row(32_767), (String::new(), true));
        assert_eq!(row(26), (String::new(), true));
        assert_eq!(row(25), ("z1-a2".into(), false));
    }

    #[test]
    fn nothing_makes_it_panic() {
        for text in [GAME, BROKEN, "", "{}"] {
            survival::check(Format::PlayTaflOnline, text);
        }
    }
}
