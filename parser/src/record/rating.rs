//! Ratings of players as records write them.

/// The largest absolute value of a rating; larger numbers are typing errors, or mean something else.
const LARGEST: i16 = 9999;

/// Returns the rating that the text of a tag states, rounded: `1500`, `1500.4`, the provisional `1500?`, and `1500 +- 350` or
/// `1500 (350)` with a deviation. `None` without a number, or with another text.
pub fn read_rating(text: &str) -> Option<i16> {
    let text = text.trim();
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let end = text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let rating = rounded(number).filter(|rating| *rating <= LARGEST)?;
    let rest = rest.trim();
    let is_rating =
        matches!(rest, "" | "?") || deviation(rest).is_some_and(|number| rounded(number).is_some());
    is_rating.then_some(if is_negative { -rating } else { rating })
}

/// Returns a number with or without a decimal point, rounded half up.
fn rounded(number: &str) -> Option<i16> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = [whole, fraction]
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let up = i16::from(fraction.as_bytes().first() >= Some(&b'5'));
    whole.parse::<i16>().ok().filter(|_| is_number)?.checked_add(up)
}

/// Returns the number of a deviation, in parentheses or after a sign.
fn deviation(text: &str) -> Option<&str> {
    let signed = ["+-", "+/-", "±"].iter().find_map(|sign| text.strip_prefix(sign));
    let enclosed = || text.strip_prefix('(')?.strip_suffix(')').map(|text| text.trim_start_matches('±'));
    signed.or_else(enclosed).map(str::trim)
}

/// Returns whether the text stands for an unknown rating: signs alone, such as PGN's `?` and `-`, or a word for a player without one.
pub(crate) fn is_unknown_rating(text: &str) -> bool {
    const WORDS: [&str; 6] = ["unrated", "unknown", "none", "null", "na", "nan"];
    let letters: String = text.chars().filter(|symbol| symbol.is_alphanumeric()).collect();
    letters.is_empty() || WORDS.iter().any(|word| letters.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_with_their_signs_and_deviations() {
        for (text, rating) in [
            ("1500", 1500),
            (" 1500 ", 1500),
            ("1500.4", 1500),
            ("1499.5", 1500),
            ("1500?", 1500),
            ("1500 ?", 1500),
            ("1500 +- 350", 1500),
            ("1500+-350", 1500),
            ("1500.25 ± 80.5", 1500),
            ("1500 +/- 80", 1500),
            ("1500+/-80", 1500),
            ("1500±80", 1500),
            ("1500 (350)", 1500),
            ("1500 (±350)", 1500),
            ("0", 0),
            ("-12", -12),
            ("9999", 9999),
            ("9999.4", 9999),
            ("-0.5", -1),
        ] {
            assert_eq!(read_rating(text), Some(rating), "{text}");
            assert!(!is_unknown_rating(text), "{text}");
        }
        for text in [
            "abc",
            "99999",
            "1e3",
            "1500 points",
            "1500 +- x",
            "1500 ()",
            "+5",
            ".5",
            "1.2.3",
            "3-5",
            "1500.",
            "9999.5",
            "32767.9",
            "inf",
            "--5",
        ] {
            assert_eq!(read_rating(text), None, "{text}");
            assert!(!is_unknown_rating(text), "{text}");
        }
        for text in ["", "?", "-", "--", "????", "n/a", "NaN", "Unrated", "(none)"] {
            assert_eq!(read_rating(text), None, "{text}");
            assert!(is_unknown_rating(text), "{text}");
        }
    }
}
