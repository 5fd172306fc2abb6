//! Words for endings and results, as written by people and programs.

mod languages;
mod statement;

use tafl_rules::{Reason, Side};

use crate::record::{EndingKind, WrittenEnding, WrittenVerdict};

pub(crate) use languages::{DRAWS, WINS, side_in_any_language};
pub(crate) use statement::{PlayerNames, Statement, is_about_king, is_name, mentions_end, statement};

/// Returns whether a word is one of these, ignoring case.
fn is_one_of(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns the ending that a word among the moves stands for, if any.
pub(crate) fn ending(word: &str) -> Option<EndingKind> {
    if is_one_of(word, &["resigned", "resigns", "resign", "---"]) {
        Some(EndingKind::Resigned)
    } else if is_one_of(word, &["timeout", "time-out", "timed-out"]) {
        Some(EndingKind::Timeout)
    } else if is_one_of(word, &["agreed", "draw-agreed"]) {
        Some(EndingKind::Agreed)
    } else if is_one_of(word, &["adjudicated"]) {
        Some(EndingKind::Adjudicated)
    } else {
        None
    }
}

/// Returns the word that [`ending`] reads as this ending.
pub(crate) const fn ending_word(kind: EndingKind) -> &'static str {
    match kind {
        EndingKind::Resigned => "resigned",
        EndingKind::Timeout => "timeout",
        EndingKind::Agreed => "agreed",
        EndingKind::Adjudicated => "adjudicated",
    }
}

/// Appends the words that [`ending_of_side`] reads as an ending, or the word without a side if it names none.
pub(crate) fn push_ending(ending: WrittenEnding, out: &mut String) {
    if let Some(side) = ending.side {
        out.push_str(side.as_str());
        out.push(' ');
    }
    out.push_str(ending_word(ending.kind));
}

/// Reads a side and its ending at the start of a text, as in `attackers resigned`. Returns the side, the kind, and the
/// length.
pub(crate) fn ending_of_side(text: &str) -> Option<(Side, EndingKind, usize)> {
    let (side_word, rest) = text.split_once(' ')?;
    let side = side(side_word)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let word = &rest[blanks..];
    let length = word.find([' ', '\t', '\r', '\n', ',', ';', '|', '"']).unwrap_or(word.len());
    Some((side, ending(&word[..length])?, side_word.len() + 1 + blanks + length))
}

/// Returns the side that a word stands for: `white` is the defenders and `black` is the attackers,
/// regardless of the first mover.
pub(crate) fn side(word: &str) -> Option<Side> {
    if is_one_of(word, &["attackers", "attacker", "black", "dark"]) {
        Some(Side::Attackers)
    } else if is_one_of(word, &["defenders", "defender", "white", "light"]) {
        Some(Side::Defenders)
    } else {
        None
    }
}

/// Returns the side that a word, a letter, or an abbreviation stands for: `White`, `w`, `Att`.
pub(crate) fn short_side(word: &str) -> Option<Side> {
    match side(word) {
        Some(side) => Some(side),
        None if is_one_of(word, &["a", "att", "atk", "b", "blk", "muscovites", "muscovite"]) => {
            Some(Side::Attackers)
        }
        None if is_one_of(word, &["d", "def", "dfd", "w", "wht", "swedes", "swede"]) => Some(Side::Defenders),
        None => None,
    }
}

/// Returns the result that a word or two stand for, if any.
pub(crate) fn verdict(words: &str) -> Option<WrittenVerdict> {
    let words = words.trim();
    let winner = words
        .split_once([' ', '_', '-'])
        .map_or(words, |(who, rest)| if is_one_of(rest, &["win", "wins", "won"]) { who } else { words });
    if let Some(side) = side(winner) {
        Some(WrittenVerdict::Win(side))
    } else if is_one_of(words, &["draw", "drawn", "1/2-1/2", "½-½"]) {
        Some(WrittenVerdict::Draw)
    } else if is_one_of(words, &["ongoing", "unfinished", "abandoned", "*"]) {
        Some(WrittenVerdict::Ongoing)
    } else if is_one_of(words, &["", "?", "unknown"]) {
        Some(WrittenVerdict::Unknown)
    } else {
        None
    }
}

/// Returns the reason for the end of the game if free text states it clearly.
pub(crate) fn reason(words: &str) -> Option<Reason> {
    if let Some(reason) = statement::stated_reason(words) {
        return Some(reason);
    }
    let words = words.to_ascii_lowercase();
    if words.contains("resign") {
        Some(Reason::Resignation)
    } else if words.contains("timeout") || words.contains("on time") || words.contains("out of time") {
        Some(Reason::Timeout)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_sides_whoever_moves_first() {
        assert_eq!(verdict("White"), Some(WrittenVerdict::Win(Side::Defenders)));
        assert_eq!(verdict("black wins"), Some(WrittenVerdict::Win(Side::Attackers)));
        assert_eq!(verdict("attacker_wins"), Some(WrittenVerdict::Win(Side::Attackers)));
        assert_eq!(verdict("abandoned"), Some(WrittenVerdict::Ongoing));
        assert_eq!(verdict("Whte"), None);
        assert_eq!(verdict("1-0"), None);
    }

    #[test]
    fn a_reason_is_found_in_many_words() {
        for (words, expected) in [
            ("King escaped", Some(Reason::KingReachedGoal)),
            ("king escaped to corner", Some(Reason::KingReachedGoal)),
            ("escape", Some(Reason::KingReachedGoal)),
            ("White king reached the corner", Some(Reason::KingReachedGoal)),
            ("defenders win (king reached goal)", Some(Reason::KingReachedGoal)),
            ("attackers win (king captured)", Some(Reason::KingCaptured)),
            ("By encirclement.", Some(Reason::Encirclement)),
            ("Black resigns", Some(Reason::Resignation)),
            ("after a resignation", Some(Reason::Resignation)),
            ("draw agreed", Some(Reason::Agreement)),
            ("White won", None),
            ("the king nearly escaped", None),
            ("at dusk", None),
        ] {
            assert_eq!(reason(words), expected, "{words}");
        }
    }

    #[test]
    fn every_ending_has_a_word_that_is_read_again() {
        for kind in [EndingKind::Resigned, EndingKind::Timeout, EndingKind::Agreed, EndingKind::Adjudicated] {
            assert_eq!(ending(ending_word(kind)), Some(kind));
        }
    }
}
