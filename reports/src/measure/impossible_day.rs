//! Days that the calendar does not have, as records write them.

use tafl_corpus::query::Date;

/// Returns whether the calendar lacks every day that a date can mean: `30.02.2021`, `2021-13-01`, `13/14/2021`. Only dates in three
/// numbers with a year of four digits are judged. Zeros stand for unknown parts, and a time may follow.
pub(super) fn is_impossible_day(text: &str) -> bool {
    let day = text.trim().split([' ', 'T']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '.', '/']).collect();
    let [first, second, third] = parts[..] else { return false };
    let are_numbers =
        parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let readings: &[[&str; 3]] = match (first.len(), second.len(), third.len()) {
        (4, 1..=2, 1..=2) => &[[first, second, third]],
        (1..=2, 1..=2, 4) if day.contains('.') => &[[third, second, first]],
        (1..=2, 1..=2, 4) => &[[third, second, first], [third, first, second]],
        _ => return false,
    };
    let is_unknown = |part: &str| part.bytes().all(|byte| byte == b'0');
    let may_exist = |[year, month, day]: [&str; 3]| {
        let exists = Date::parse(&format!("{year}-{month:0>2}-{day:0>2}")).is_some();
        exists || is_unknown(month) || is_unknown(day)
    };
    are_numbers && !readings.iter().copied().any(may_exist)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_in_numbers_can_be_impossible() {
        for text in ["30.02.2021", "2021-02-30", "2021.13.01", "13/14/2021", "2023-2-29T10:00", "31-04-2021"]
        {
            assert!(is_impossible_day(text), "{text}");
        }
        for text in [
            "29.02.2024",
            "3/9/2023",
            "2024.00.00",
            "2024.??.??",
            "3.5.24",
            "yesterday",
            "31 February 2024",
            "",
            "12/31/2021",
            "1.2.3.2021",
        ] {
            assert!(!is_impossible_day(text), "{text}");
        }
    }
}
