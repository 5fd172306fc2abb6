//! Values of fields: dates, results, numbers of turns, and moves.

use tafl_rules::{Reason, Side};

use crate::record::WrittenVerdict;
use crate::token::MoveReader;
use crate::words;

/// Returns the day of a date as `YYYY.MM.DD`, and the time after it; `None` if the date is ambiguous or has
/// another form.
///
/// A point separates day, month, and year in Europe. With slashes or hyphens, the month comes first in some
/// countries, so the date is unambiguous only if one of the numbers is above 12, or if both are equal.
pub(crate) fn date(text: &str) -> Option<(String, &str)> {
    let text = without_weekday(text);
    if let Some(found) = named_month(text) {
        return Some(found);
    }
    let end = text.find([' ', 'T']).unwrap_or(text.len());
    let (day, time) = text.split_at(end);
    let mark = day.chars().find(|symbol| !symbol.is_ascii_digit())?;
    let mut numbers = day.split(mark);
    let parts = [numbers.next()?, numbers.next()?, numbers.next()?];
    if numbers.next().is_some() || !parts.iter().all(|part| is_digits(part)) {
        return None;
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let [first, second, third] = [number(parts[0])?, number(parts[1])?, number(parts[2])?];
    let (year, month, day) = match (parts[0].len(), parts[2].len(), mark) {
        (4, 1..=2, '-' | '.' | '/') => (first, second, third),
        (1..=2, 4, '.') => (third, second, first),
        (1..=2, 4, '-' | '/') if first > 12 || first == second => (third, second, first),
        (1..=2, 4, '-' | '/') if second > 12 => (third, first, second),
        _ => return None,
    };
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_day.then(|| (format!("{year:04}.{month:02}.{day:02}"), time.trim_start_matches([' ', 'T'])))
}

/// Returns a date without the day of the week, as messages have it: `Sat, 14 Mar 2020`, `Saturday, March 14, 2020`.
fn without_weekday(text: &str) -> &str {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let length = text.find([',', ' ', '.']).unwrap_or(0);
    let word = text[..length].to_ascii_lowercase();
    let is_day =
        word.len() >= 3 && DAYS.iter().any(|day| *day == word || word.len() == 3 && day.starts_with(&word));
    if is_day { text[length..].trim_start_matches([',', ' ', '.']) } else { text }
}

/// Reads `3 May 2021`, `May 3, 2021`, and the same with a short name of the month. A time may follow, as in messages:
/// `14 Mar 2020 10:22:11 +0100`.
fn named_month(text: &str) -> Option<(String, &str)> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let month_of = |word: &str| {
        let word = word.trim_end_matches('.').to_ascii_lowercase();
        let is_month = |month: &&str| {
            word.len() >= 3 && (**month == word || word.len() <= 4 && month.starts_with(&word))
        };
        MONTHS.iter().position(is_month).map(|nth| nth + 1)
    };
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let [first, second, year] = [words.next()?, words.next()?, words.next()?];
    let year_end = year.as_ptr() as usize - text.as_ptr() as usize + year.len();
    let time = text[year_end..].trim_matches([' ', ',']);
    let time = time.strip_prefix("at ").unwrap_or(time);
    let (day, month) = match month_of(second) {
        Some(month) => (first, month),
        None => (second, month_of(first)?),
    };
    let day = ["st", "nd", "rd", "th", "."].iter().find_map(|end| day.strip_suffix(end)).unwrap_or(day);
    let is_time = || time.split_once(':').is_some_and(|(hour, _)| is_digits(hour) && hour.len() <= 2);
    let is_date = (time.is_empty() || is_time())
        && year.len() == 4
        && is_digits(year)
        && is_digits(day)
        && day.len() <= 2;
    let day: u32 = day.parse().ok().filter(|day| is_date && (1..=31).contains(day))?;
    Some((format!("{year}.{month:02}.{day:02}"), time))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

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

    fn day(text: &str) -> Option<String> {
        date(text).map(|(day, time)| format!("{day}|{time}"))
    }

    #[test]
    fn dates_are_read_only_if_they_are_unambiguous() {
        for text in ["2026-03-09", "2026.03.09", "2026/3/9", "9.3.2026", "09.03.2026"] {
            assert_eq!(day(text).as_deref(), Some("2026.03.09|"), "{text}");
        }
        assert_eq!(day("2026-03-09T10:20:30Z").as_deref(), Some("2026.03.09|10:20:30Z"));
        assert_eq!(day("25/12/2026").as_deref(), Some("2026.12.25|"));
        assert_eq!(day("12/25/2026").as_deref(), Some("2026.12.25|"));
        assert_eq!(day("05/05/2026").as_deref(), Some("2026.05.05|"));
        for text in ["3 May 2021", "May 3, 2021", "3. May 2021", "3rd may 2021"] {
            assert_eq!(day(text).as_deref(), Some("2021.05.03|"), "{text}");
        }
        assert_eq!(day("1 Sept. 2021").as_deref(), Some("2021.09.01|"));
        for (text, time) in [
            ("Sat, 14 Mar 2020 10:22:11 +0100", "10:22:11 +0100"),
            ("Sat, 14 Mar 2020 10:22:11 +0100 (CET)", "10:22:11 +0100 (CET)"),
            ("14 Mar 2020 10:22:11 GMT", "10:22:11 GMT"),
            ("Sat, 14 Mar 2020", ""),
            ("Saturday, March 14, 2020 10:22 AM", "10:22 AM"),
            ("Saturday 14 March 2020 at 10:22", "10:22"),
            ("Sat 2020-03-14 10:22", "10:22"),
        ] {
            assert_eq!(day(text), Some(format!("2020.03.14|{time}")), "{text}");
        }
        for text in [
            "3/9/2026",
            "9.3.26",
            "2026-13-01",
            "12/0/2026",
            "May 2026",
            "32 May 2026",
            "3 Mai 2026",
            "2026",
            "",
            "1.2.3.4",
            "Sat, 14 Mar 2020 or later",
            "Sat, 3/9/2020",
            "Satin, 14 Mar 2020",
            "9æ3æ2026",
        ] {
            assert_eq!(day(text), None, "{text}");
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
