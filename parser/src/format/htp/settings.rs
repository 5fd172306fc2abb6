//! The settings of a game in a transcript.

use tafl_rules::Span;

use super::HtpReader;
use crate::diagnostic::TextFinding;
use crate::record::{Tag, tag};

impl HtpReader<'_> {
    pub(super) fn set_tag(&mut self, name: &str, value: String, span: Span) {
        self.record.tags.retain(|tag| tag.name != name);
        self.record.tags.push(Tag { name, value: &value, span });
    }

    pub(super) fn time_settings(&mut self, rest: &str) {
        let span = self.span(rest);
        let mut words = rest.split_whitespace();
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok());
        match (words.next(), number(words.next()), number(words.next())) {
            (Some("fischer"), Some(minutes), Some(seconds)) => {
                self.set_tag(tag::TIME_CONTROL, format!("{}+{seconds}", u64::from(minutes) * 60), span);
            }
            (Some("un-timed"), ..) => self.set_tag(tag::TIME_CONTROL, "un-timed".to_owned(), span),
            _ => {
                let expected = "un-timed, or fischer with minutes and seconds";
                self.report(span, TextFinding::BadValue { field: "time_settings", expected });
            }
        }
    }

    /// Reads the server's command, in words or as JSON: `attacker rated fischer 900000 10 11`.
    pub(super) fn new_game(&mut self, rest: &str) {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let words: Vec<&str> =
            rest.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
        for (nth, word) in words.iter().copied().enumerate() {
            let before = nth.checked_sub(1).and_then(|before| words.get(before)).copied();
            let next = words.get(nth + 1).copied().unwrap_or("");
            let span = self.span(word);
            match word {
                "rated" | "unrated" => {
                    let is_rated = word == "rated" && !next.eq_ignore_ascii_case("no") && next != "false";
                    self.set_tag(tag::RATED, is_rated.to_string(), span);
                }
                "fischer" => {
                    let milliseconds = next.parse::<u64>().ok();
                    if let (Some(time), Some(add)) = (milliseconds, words.get(nth + 2)) {
                        self.set_tag(tag::TIME_CONTROL, format!("{}+{add}", time / 1000), span);
                    }
                }
                "7" | "11" | "13" if nth + 1 == words.len() || before == Some("board_size") => {
                    self.size = word.parse().ok().map(|size| (size, span));
                }
                _ => {}
            }
        }
    }
}
