//! Values of fields: results, numbers of turns, and moves.

use tafl_rules::{Reason, Side};

use crate::record::WrittenVerdict;
use crate::token::MoveReader;
use crate::words;

/// Returns a number of pieces; data frames with missing values write `3.0`.
pub(super) fn count(text: &str) -> Option<u32> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

/// Returns whether a field is empty, or has the word for a missing value of a data frame.
pub(crate) fn is_missing(text: &str) -> bool {
    text.is_empty() || matches!(text, "NaN" | "nan" | "<NA>")
}

/// Returns the result in a field, which may include the reason: `Black (timeout)`, `White resigned`.
pub(super) fn result(text: &str) -> Option<(WrittenVerdict, Option<Reason>)> {
    if let Some(verdict) = words::verdict(text) {
        return Some((verdict, None));
    }
    if is_doubtful(text) {
        return None;
    }
    let (first, rest) = text.split_once([' ', '_', ':', ',', '(']).unwrap_or((text, ""));
    let rest = rest.trim().to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    let reason = || {
        let inside = rest.trim_start_matches(|symbol: char| symbol.is_ascii_punctuation() || symbol == ' ');
        let inside =
            ["wins", "win", "won"].iter().find_map(|word| inside.strip_prefix(word)).unwrap_or(inside);
        let inside = inside.trim_matches(|symbol: char| symbol.is_ascii_punctuation() || symbol == ' ');
        let inside = inside.strip_prefix("by ").unwrap_or(inside);
        inside.parse::<Reason>().ok().or_else(|| words::reason(inside))
    };
    let has_king = text[first.len()..].to_ascii_lowercase().starts_with(" king");
    match words::side(first) {
        // `White king captured`: not the side that wins, but the side of the king.
        Some(Side::Defenders) if has_king => None,
        Some(side) if begins(&["resign", "timeout", "timed out", "lost", "loses", "ran out"]) => {
            Some((WrittenVerdict::Win(side.other()), reason()))
        }
        Some(side) if begins(&["win", "won"]) || reason().is_some() => {
            Some((WrittenVerdict::Win(side), reason()))
        }
        Some(_) => None,
        None => {
            let is_draw = matches!(words::verdict(first), Some(WrittenVerdict::Draw)) && reason().is_some();
            is_draw.then(|| (WrittenVerdict::Draw, reason()))
        }
    }
}

/// Returns the side that a letter stands for in a column of winners. In a column of results, `W` could also mean a win.
pub(super) fn winner(column: &str, text: &str) -> Option<Side> {
    let column = column.to_ascii_lowercase();
    let is_of_winners = column.contains("winner") || column.contains("won");
    if is_of_winners && matches!(text, "B" | "b" | "W" | "w") { words::short_side(text) } else { None }
}

/// Returns whether a result is a guess: `White?`.
pub(super) fn is_doubtful(text: &str) -> bool {
    text.contains('?')
}

/// Returns the number of a turn: `12`, `12.`, `12)`, or `12.0`.
pub(super) fn turn_number(text: &str) -> Option<u32> {
    let digits = text.trim_end_matches(['.', ')', ':']);
    digits.strip_suffix(".0").unwrap_or(digits).parse().ok()
}

/// Returns whether a field begins with a move, after the number of its turn, or is a list: `['d2-f2', 'd3-d2']`.
pub(in crate::format) fn begins_with_move(text: &str) -> bool {
    let mut words = text.trim_start_matches(['[', '\'', '"']).split_ascii_whitespace();
    let Some(word) = words.next() else { return false };
    let is_numbered =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b')'));
    let word = if is_numbered(word) { words.next().unwrap_or("") } else { word };
    let word = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit() || matches!(symbol, '.' | ')'));
    // The quote after the first move of a list.
    let word = word.split('\'').next().unwrap_or_default();
    MoveReader::new(word.len(), &mut Vec::new()).step(word.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_a_side_in_a_column_of_winners() {
        for (column, text, expected) in [
            ("Winner", "B", Some(Side::Attackers)),
            ("who won", "w", Some(Side::Defenders)),
            ("winner", "D", None),
            ("winner", "Bob", None),
            ("result", "W", None),
        ] {
            assert_eq!(winner(column, text), expected, "{column} {text}");
        }
    }

    #[test]
    fn the_loser_of_a_resignation_is_not_the_winner() {
        let attackers = WrittenVerdict::Win(Side::Attackers);
        assert_eq!(result("White resigned"), Some((attackers, Some(Reason::Resignation))));
        assert_eq!(result("black wins (king captured)"), Some((attackers, Some(Reason::KingCaptured))));
        assert_eq!(result("Attackers win by timeout"), Some((attackers, Some(Reason::Timeout))));
        assert_eq!(result("Black (timeout)"), Some((attackers, Some(Reason::Timeout))));
        assert_eq!(result("draw (repetition)"), Some((WrittenVerdict::Draw, Some(Reason::Repetition))));
        assert_eq!(result("black"), Some((attackers, None)));
        assert_eq!(result("Black, king captured"), Some((attackers, Some(Reason::KingCaptured))));
        assert_eq!(result("black by time"), Some((attackers, Some(Reason::Timeout))));
        for text in [
            "1-0",
            "Whte",
            "White?",
            "black wins?",
            "Black (timeout?)",
            "white to move",
            "drawing",
            "White king captured",
        ] {
            assert_eq!(result(text), None, "{text}");
        }
    }
}
