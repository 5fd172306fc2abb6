//! Evidence for each notation in the beginning of a text.

use super::htp::{self, GameBoundary};
use super::{bracket, cyngesheall, fen, hen, json_rows, movelist, ollamh, uci};
use crate::token::MoveReader;
use crate::words;

/// The beginning of a text, a few KiB. Each method returns a score for one notation: 0 for no match, 3 for
/// words that occur in no other notation, 4 for more.
pub(crate) struct TextHead<'h> {
    text: &'h [u8],
    /// The text from its first nonblank byte.
    start: &'h [u8],
    is_json: bool,
    is_own: bool,
}

impl<'h> TextHead<'h> {
    pub(crate) fn new(text: &'h [u8]) -> TextHead<'h> {
        let start = text.trim_ascii_start();
        let is_json = start.first() == Some(&b'{') || start.first() == Some(&b'[') && !is_tag(text);
        TextHead { text, start, is_json, is_own: is_own(start) }
    }

    /// Returns whether the text is one of our own JSON lines. No other notation claims it, although its tags may
    /// have the names of a play site's fields.
    pub(crate) fn is_own(&self) -> bool {
        self.is_own
    }

    /// Returns the lines that are not blank, without surrounding blanks.
    fn lines(&self) -> impl Iterator<Item = &'h [u8]> + use<'h> {
        let lines = self.text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_empty())
    }

    /// Returns whether the text is JSON or begins with a tag, so that its lines may be part of a comment.
    fn is_framed(&self) -> bool {
        self.is_json || self.start.first() == Some(&b'[')
    }

    fn has(&self, words: &str) -> bool {
        memchr::memmem::find(self.text, words.as_bytes()).is_some()
    }

    pub(crate) fn opentafl(&self) -> u32 {
        let is_known = bracket::known_tag(self.start).is_some() || self.start.starts_with(b"[dim:");
        3 * u32::from(is_known || bracket::tag_name(self.start).is_some() && self.has_known_tag_or_turns())
    }

    /// Returns whether a text that begins with an unknown tag is a record: a known tag or a turn follows.
    fn has_known_tag_or_turns(&self) -> bool {
        let mut lines = memchr::memchr_iter(b'\n', self.start).map(|end| &self.start[end + 1..]);
        lines.any(|line| bracket::known_tag(line).is_some()) || first_move(self.start).is_some()
    }

    pub(crate) fn pgn(&self) -> u32 {
        3 * u32::from(bracket::is_pgn_tag(self.start))
    }

    pub(crate) fn aagenielsen(&self) -> u32 {
        // Games that were converted to another site's objects keep some of the fields as tags.
        let is_converted = || self.ftzm() > 0 && !self.has("\"AageGameTypeKey\"");
        let has_field = self.has("\"AageGameType") || self.has("\"WhoMovedFirst\"");
        if self.is_json && has_field && !is_converted() {
            3 + u32::from(self.has("\"AageGameTypeKey\""))
        } else {
            0
        }
    }

    pub(crate) fn hnefatafl_org(&self) -> u32 {
        let is_ron =
            self.has("resume_game_ron") || self.start.first() == Some(&b'(') && self.has("attacker_rating:");
        let is_answer = || ["= resume_game_json", "= watch_game_json"].iter().any(|lead| self.has(lead));
        let is_text = self.is_json || is_ron || is_answer();
        3 * u32::from(is_text && (is_ron || self.has("\"moves\"") && self.has("\"dim\"")))
    }

    pub(crate) fn abstractplay(&self) -> u32 {
        3 * u32::from(self.is_json && self.has("\"header\"") && self.has("\"game\""))
    }

    pub(crate) fn playtaflonline(&self) -> u32 {
        3 * u32::from(self.is_json && (self.has("\"MoveX\"") || self.has("\"KingCapture\"")))
    }

    pub(crate) fn jsonl(&self) -> u32 {
        3 * u32::from(self.is_own || self.is_json && self.has("\"taflbase\""))
    }

    pub(crate) fn ludii_trial(&self) -> u32 {
        3 * u32::from(self.text.starts_with(b"game=") || self.has("START GAME OPTIONS"))
    }

    pub(crate) fn ashton_log(&self) -> u32 {
        3 * u32::from(self.has("GameAshtonTablut") || self.has("competition.tablut"))
    }

    pub(crate) fn skudpaisho(&self) -> u32 {
        let digits = self.start.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let names_setup =
            matches!(self.start.get(digits..digits + 2), Some([b'D' | b'A' | b'G' | b'H', b'.']));
        3 * u32::from(digits > 0 && names_setup)
    }

    /// Uppercase cells, in OpenTafl's frame or in a game that can be Cyngesheall.
    pub(crate) fn cyngesheall(&self) -> u32 {
        if !first_move(self.text).is_some_and(|file| file.is_ascii_uppercase()) {
            0
        } else if self.start.first() == Some(&b'[') || cyngesheall::is_possible(self.text) {
            4
        } else {
            1
        }
    }

    /// A move or the row of a game without moves at the beginning, or moves somewhere in a text of no other notation.
    pub(crate) fn movelist(&self) -> u32 {
        let has_no_moves = || self.lines().next().is_some_and(movelist::is_unplayed_row);
        if first_move(self.text).is_some() && self.start.first() != Some(&b'[') || has_no_moves() {
            2
        } else {
            u32::from(!self.is_json && movelist::has_moves(self.text))
        }
    }

    pub(crate) fn csv(&self) -> u32 {
        if self.is_json || self.start.first() == Some(&b'[') { 0 } else { super::csv::likeness(self.text) }
    }

    /// An object with a column of moves; the fields of a site are stronger evidence.
    pub(crate) fn json_rows(&self) -> u32 {
        2 * u32::from(self.is_json && json_rows::is_likely(self.start))
    }

    pub(crate) fn sgf(&self) -> u32 {
        let start = self.start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.start).trim_ascii_start();
        let is_tree = start.strip_prefix(b"(").is_some_and(|tree| tree.trim_ascii_start().starts_with(b";"));
        if is_tree { 3 + u32::from(self.has("GM[29]")) } else { 0 }
    }

    pub(crate) fn fen(&self) -> u32 {
        let mut lines = self.lines().filter(|line| line.first() != Some(&b'#'));
        4 * u32::from(lines.next().is_some_and(fen::is_fen_line))
    }

    pub(crate) fn uci(&self) -> u32 {
        4 * u32::from(!self.is_framed() && self.lines().any(uci::is_position_line))
    }

    pub(crate) fn hen(&self) -> u32 {
        4 * u32::from(!self.is_framed() && self.lines().any(hen::is_sound_board))
    }

    /// PGN's frame, with numbers of captures or what only the program writes. Plain PGN is possible as well, so
    /// that the extension `.tafl` decides.
    pub(crate) fn ollamh(&self) -> u32 {
        let has_numbers = || ollamh::has_capture_number(self.text);
        let marks = ["[Format \"brandubh", "[Variant \"wtf\"", "[Variant \"walker\"", "[Rules \"armedKing="];
        match bracket::is_pgn_tag(self.start) {
            true if marks.iter().any(|mark| self.has(mark)) || has_numbers() => 4,
            true => 3,
            false => 3 * u32::from(has_numbers() && first_move(self.text).is_some()),
        }
    }

    pub(crate) fn ftzm(&self) -> u32 {
        3 * u32::from(self.is_json && (self.has("\"blackPlayerName\"") || self.has("\"whitePlayerName\"")))
    }

    pub(crate) fn htp(&self) -> u32 {
        let is_play = |line| htp::boundary(line) == Some(GameBoundary::Play);
        // A game without moves has its board only.
        let is_size = |line: &[u8]| {
            let size = line.strip_prefix(b"board_size ").unwrap_or_default();
            !size.is_empty() && size.iter().all(u8::is_ascii_digit)
        };
        let is_transcript = !self.is_json
            && (self.start.split(|byte| *byte == b'\n').any(is_play)
                || self.lines().next().is_some_and(is_size));
        3 * u32::from(is_transcript && !self.has("= resume_game"))
    }
}

/// Returns a letter of a cell of the first move of a text of turns, `a` for an ending, or `None` if it begins with neither.
fn first_move(head: &[u8]) -> Option<u8> {
    // Text inside a comment may look like a move.
    let mut turns = head.trim_ascii_start();
    while turns.first() == Some(&b'[') {
        turns = turns[bracket::close(turns)? + 1..].trim_ascii_start();
    }
    let lines = turns.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let line = lines.into_iter().find(|line| !line.is_empty() && line[0] != b'#')?;
    let words = line.split(|byte| byte.is_ascii_whitespace() || *byte == b',' || *byte == b'"');
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.' || *byte == b')' || *byte == b':';
    let word = words.into_iter().find(|word| !word.iter().all(is_number))?;
    let number = word.iter().take_while(|byte| is_number(byte)).count();
    let word = &word[number..];
    let mut captures = Vec::new();
    let is_move = MoveReader::new(word.len(), &mut captures).step(word).is_ok();
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    // `defenders timeout,0,0,Black` is a game that ended before its first move.
    let is_end = || {
        (words::ending(text(word)).is_some() || words::ending_of_side(text(line)).is_some()).then_some(b'a')
    };
    if is_move { word.iter().rev().find(|byte| byte.is_ascii_alphabetic()).copied() } else { is_end() }
}

/// Returns whether a text begins with one of our own JSON lines, after comments: an object with the member
/// `"taflbase"`, a number, wherever it is among its members. It may be the first one of a list.
fn is_own(text: &[u8]) -> bool {
    let mut object = text;
    while object.first() == Some(&b'#') {
        let Some(end) = memchr::memchr(b'\n', object) else { return false };
        object = object[end..].trim_ascii_start();
    }
    // Programs that read JSON write a list of the objects.
    if object.first() == Some(&b'[') {
        object = object[1..].trim_ascii_start();
    }
    if object.first() != Some(&b'{') {
        return false;
    }
    let (mut at, mut depth) = (0, 0u32);
    while let Some(byte) = object.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return false,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let rest = &object[at..];
                let Some(length) = string_length(rest) else { return false };
                at += length + 1;
                if depth == 1 && rest.starts_with(b"taflbase\"") && is_number_after_colon(&rest[length + 1..])
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Returns the number of bytes before the quote that ends a string, if it ends in this text.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns whether a member with a number as its value continues with this text; numbers may be strings.
fn is_number_after_colon(text: &[u8]) -> bool {
    let value = text.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start);
    let value = value.map(|value| value.strip_prefix(b"\"").unwrap_or(value));
    value.is_some_and(|value| value.first().is_some_and(u8::is_ascii_digit))
}

/// Returns whether the text begins with a tag such as `[event:` or `[Event "`, or with the time of a chat such as
/// `[12:01]`, which are not valid JSON.
fn is_tag(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let digits = text.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
    text.len() > 1 && text[1].is_ascii_alphabetic() || digits > 0 && text.get(digits + 1) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::detect;
    use crate::record::Format;

    fn scores(text: &str) -> [u32; 3] {
        let head = TextHead::new(text.as_bytes());
        [head.fen(), head.uci(), head.hen()]
    }

    #[test]
    fn positions_and_sessions_are_recognized_by_whole_lines() {
        assert_eq!(scores("# start\n\n3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a\n"), [4, 0, 0]);
        assert_eq!(scores("uci\nisready\nposition startpos moves d2c2\n"), [0, 4, 0]);
        assert_eq!(scores("1.d2c2 e4e1\n\n3v3 3v3 3V3 vvVKVvv 3V3 3v3 3v3\n"), [0, 0, 4]);
    }

    #[test]
    fn prose_moves_and_records_are_not_taken_for_positions() {
        for text in [
            "1. d2-c2 e4-e1\n2. b4-b2 d4-e4\n",
            "d2-c2 e4-e1 b4-b2 d4-e4,0,0,White\n",
            "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n",
            "Send `position startpos` first.\nThe position startpos moves slowly.\n",
            "[event:x]\n[rules:dim:7]\n\n1. d2-c2\n[\nposition startpos\n3v3 3v3 3V3 vvVKVvv 3V3 3v3 3v3\n]\n",
            "the a/d/k letters a\n",
            "a b c d e f g\n",
            "11 11 11 11 11 11 11 11 11 11 11\n",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
            "2024/11/5/3/2 a\n",
            "",
        ] {
            assert_eq!(scores(text), [0; 3], "{text}");
        }
    }

    #[test]
    fn own_lines_are_no_other_notation_whatever_their_tags_are() {
        for text in [
            r#"{"taflbase":1,"tags":[["AageGameTypeName","x"]],"lines":[{"moves":"d2-c2"}]}"#,
            r#"{ "taflbase" : "1", "tags":[["WhoMovedFirst","black"]]}"#,
            r#"{"tags":[["AageGameTypeName","{\"MoveX\":"],["dim","resume_game_ron"]],"lines":[],"taflbase":1}"#,
            "# a comment\n\n{\"taflbase\":1,\"tags\":[[\"GameAshtonTablut\",\"START GAME OPTIONS\"]]}",
            r#"{"taflbase":1,"tags":[["a","#,
        ] {
            assert_eq!(detect(text.as_bytes(), Some("x.json")), [Format::Jsonl], "{text}");
        }
    }

    #[test]
    fn games_converted_to_the_objects_of_another_site_are_of_that_site() {
        let converted = r#"{"blackPlayerName":"Runa","whitePlayerName":"Odd","AageGameTypeName":"x","WhoMovedFirst":"black","moves":""}"#;
        assert_eq!(detect(converted.as_bytes(), Some("x.json")).first(), Some(&Format::Ftzm));
        let own = r#"{"AageGameTypeKey":16,"blackPlayerName":"Runa","Moves":[]}"#;
        assert_eq!(detect(own.as_bytes(), Some("x.json")).first(), Some(&Format::AageNielsen));
    }

    #[test]
    fn answers_of_a_server_are_recognized_by_their_command() {
        for command in ["resume_game_json", "watch_game_json"] {
            let text = format!("= {command} {{\"dim\":7,\"start\":\"/7/\",\"moves\":\"0d2-0c2\"}}\n");
            assert_eq!(
                detect(text.as_bytes(), Some("x.txt")).first(),
                Some(&Format::HnefataflOrg),
                "{command}"
            );
        }
    }

    #[test]
    fn lines_of_a_site_that_mention_our_member_stay_lines_of_the_site() {
        for text in [
            r#"{"File":"{\"taflbase\":1}","AageGameTypeKey":16,"Moves":[]}"#,
            r#"{"AageGameTypeKey":16,"x":{"taflbase":1},"Moves":[]}"#,
            r#"{"AageGameTypeKey":16,"x":"taflbase","Moves":[]}"#,
        ] {
            assert_eq!(detect(text.as_bytes(), None).first(), Some(&Format::AageNielsen), "{text}");
        }
    }

    #[test]
    fn a_game_that_ended_before_its_first_move_is_a_list_of_moves() {
        for text in ["defenders timeout,0,0,Black\n", "timeout,0,0,White\n", "attackers resigned\n"] {
            assert_eq!(detect(text.as_bytes(), None).first(), Some(&Format::MoveList), "{text}");
        }
    }

    #[test]
    fn a_game_of_one_move_is_a_list_of_moves_if_it_has_a_variant_and_a_turn_number() {
        for text in [
            "Variant: brandubh7\n\n1. f4-f3\n",
            "Variant: brandubh7\nAttackers: You\nDate: 2026-11-28\n\n1. f4-f3 defenders resign\n",
            "Rules: dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n\n1. d2-c2\n",
        ] {
            assert_eq!(detect(text.as_bytes(), Some("played.txt")), [Format::MoveList], "{text}");
        }
        for text in [
            "Variant: brandubh7\n\nThe move f4-f3 is the usual one.\n",
            "Variant: of a print\n\n1. f4-f3\n",
            "Release notes\n\n1. f4-f3 is a new range\n",
            "Variant: brandubh7\n",
        ] {
            assert_eq!(detect(text.as_bytes(), Some("notes.txt")), [], "{text}");
        }
    }

    #[test]
    fn unknown_tags_are_tags_of_opentafl_if_a_known_tag_or_a_turn_follows() {
        for text in ["[foo: bar]\n\n1. d2-c2", "[game:x]\n[variant:brandubh7]\n", "[x: y]\n\n1. ---\n"] {
            assert_eq!(detect(text.as_bytes(), None).first(), Some(&Format::OpenTafl), "{text}");
        }
        for text in ["[INFO: the program has started]\nbusy\n", "[section]\nkey=1\n", "[12:30] d1-d3"] {
            assert_ne!(detect(text.as_bytes(), None).first(), Some(&Format::OpenTafl), "{text}");
        }
    }
}
