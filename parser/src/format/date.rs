//! Dates: days in numbers, in words, and days that do not exist.

use std::fmt;

/// Returns the day of a date as `YYYY.MM.DD`, and the time after it; `None` if the date is ambiguous or has
/// another form.
///
/// A point separates day, month, and year in Europe. With slashes or hyphens, the month comes first in some
/// countries, so the date is unambiguous only if one of the numbers is above 12, or if both are equal.
pub(crate) fn read(text: &str) -> Option<(String, &str)> {
    let text = without_weekday(text);
    if let Some(found) = named_month(text) {
        return Some(found);
    }
    let end = text.find([' ', 'T']).unwrap_or(text.len());
    let (day, time) = text.split_at(end);
    let mut days = readings(day)?.into_iter().flatten().filter(CalendarDay::exists);
    let found = days.next()?;
    let is_ambiguous = days.any(|other| other != found);
    (!is_ambiguous).then(|| (found.to_string(), time.trim_start_matches([' ', 'T'])))
}

/// Returns whether the calendar lacks every day that a date can mean: `2024.02.31`, `13/14/2024`. Dates in words, and parts of dates,
/// are free text.
pub fn is_impossible_day(text: &str) -> bool {
    let text = without_weekday(text.trim());
    let day = &text[..text.find([' ', 'T']).unwrap_or(text.len())];
    // Zeros stand for unknown parts.
    let may_exist = |day: &CalendarDay| day.month == 0 || day.day == 0 || day.exists();
    readings(day).is_some_and(|days| !days.iter().flatten().any(may_exist))
}

/// A day in numbers, which may not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CalendarDay {
    pub(super) year: u32,
    pub(super) month: u32,
    pub(super) day: u32,
}

impl CalendarDay {
    /// Returns whether the calendar has this day.
    pub(super) fn exists(&self) -> bool {
        let is_leap =
            self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let n_days = match self.month {
            2 => 28 + u32::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (1..=12).contains(&self.month) && (1..=n_days).contains(&self.day)
    }
}

impl fmt::Display for CalendarDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

/// Returns the ways to read three numbers with a year of four digits.
fn readings(text: &str) -> Option<[Option<CalendarDay>; 2]> {
    let mark = text.chars().find(|symbol| !symbol.is_ascii_digit())?;
    let mut numbers = text.split(mark);
    let parts = [numbers.next()?, numbers.next()?, numbers.next()?];
    if numbers.next().is_some() || !parts.iter().all(|part| is_digits(part)) {
        return None;
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let [first, second, third] = [number(parts[0])?, number(parts[1])?, number(parts[2])?];
    let day_first = Some(CalendarDay { year: third, month: second, day: first });
    match (parts[0].len(), parts[2].len(), mark) {
        (4, 1..=2, '-' | '.' | '/') => {
            Some([Some(CalendarDay { year: first, month: second, day: third }), None])
        }
        (1..=2, 4, '.') => Some([day_first, None]),
        (1..=2, 4, '-' | '/') => {
            Some([day_first, Some(CalendarDay { year: third, month: first, day: second })])
        }
        _ => None,
    }
}

/// Returns a date without the day of the week, as messages have it: `Sat, 14 Mar 2020`, `Saturday, March 14, 2020`.
fn without_weekday(text: &str) -> &str {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let length = text.find([',', ' ', '.']).unwrap_or(0);
    let word = &text[..length];
    let is_name = |name: &str| word.eq_ignore_ascii_case(name) || word.eq_ignore_ascii_case(&name[..3]);
    let is_day = DAYS.iter().any(|name| is_name(name));
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
    let found = CalendarDay { year: year.parse().ok()?, month: month as u32, day: day.parse().ok()? };
    (is_date && found.exists()).then(|| (found.to_string(), time))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Format, test_text};
    use crate::record::tag;
    use crate::source::Source;

    fn day(text: &str) -> Option<String> {
        read(text).map(|(day, time)| format!("{day}|{time}"))
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
        assert_eq!(day("29.02.2024").as_deref(), Some("2024.02.29|"));
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
            "31 June 2026",
            "2026-02-29",
            "31.04.2026",
            "31/2/2026",
            "13/14/2026",
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
    fn a_day_that_does_not_exist_is_kept_as_written_and_reported() {
        let table = |date: &str| (Format::Csv, format!("date,moves\n\"{date}\",d6-c6 e4-e6\n"));
        let pgn = |date: &str| (Format::Pgn, format!("[Date \"{date}\"]\n\n1. d6-c6 e4-e6"));
        let tree = |date: &str| (Format::Sgf, format!("(;GM[29]DT[{date}]RU[Brandubh];B[d6-c6])"));
        let prose = |date: &str| (Format::MoveList, format!("Date: {date}\n1. d6-c6 e4-e6"));
        for ((format, text), date, is_day) in [
            (table("31.02.2024"), "31.02.2024", false),
            (table("29.02.2024"), "2024.02.29", true),
            (table("13/14/2024"), "13/14/2024", false),
            (table("2024-13-45T10:00:00"), "2024-13-45T10:00:00", false),
            (table("yesterday"), "yesterday", true),
            (table("3.5.24"), "3.5.24", true),
            (table("31 February 2024"), "31 February 2024", true),
            (pgn("2024.13.45"), "2024.13.45", false),
            (pgn("2024.??.??"), "2024.??.??", true),
            (pgn("2024.00.00"), "2024.00.00", true),
            (tree("2024-13-45"), "2024-13-45", false),
            (tree("2024-02-29"), "2024.02.29", true),
            (prose("2023-02-29"), "2023-02-29", false),
            (prose("3/9/2023"), "3/9/2023", true),
        ] {
            let parsed = format.parse(&Source::new(&text));
            assert_eq!(parsed.value.tag(tag::DATE), Some(date), "{text}");
            assert_eq!(test_text::codes(&parsed), if is_day { &[][..] } else { &["H001"] }, "{text}");
        }
    }
}
