//! Words and numbers in sentences.

use std::fmt;

/// Joins words with a conjunction before the last one: `a`, `a and b`, `a, b, and c`. The list of no words is an empty string.
///
/// # Examples
///
/// ```
/// use tafl_rules::word_list;
///
/// assert_eq!(word_list(&["attackers", "defenders"], "and"), "attackers and defenders");
/// assert_eq!(word_list(&["a win", "a draw", "a loss"], "or"), "a win, a draw, or a loss");
/// ```
pub fn word_list<T: AsRef<str>>(words: &[T], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [one, other] => format!("{} {conjunction} {}", one.as_ref(), other.as_ref()),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{}, {conjunction} {}", first.join(", "), last.as_ref())
        }
    }
}

/// A count with a comma between groups of three digits: `28,876`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "", &grouped_digits(&self.0.to_string()))
    }
}

/// Inserts commas between groups of three digits, as [`Count`] does; for the integer part of other numbers.
///
/// # Examples
///
/// ```
/// use tafl_rules::grouped_digits;
///
/// assert_eq!(grouped_digits("1234567"), "1,234,567");
/// ```
pub fn grouped_digits(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a count with its noun, in the singular if it is one.
///
/// # Examples
///
/// ```
/// use tafl_rules::counted;
///
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(2277, "ply", "plies"), "2,277 plies");
/// ```
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", Count(count), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_a_serial_comma() {
        let lists: Vec<String> = (0..=4).map(|n| word_list(&["a", "b", "c", "d"][..n], "and")).collect();
        assert_eq!(lists, ["", "a", "a and b", "a, b, and c", "a, b, c, and d"]);
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        let texts = [0, 12, 999, 1000, 28_876, 1_234_567].map(|n| Count(n).to_string());
        assert_eq!(texts, ["0", "12", "999", "1,000", "28,876", "1,234,567"]);
        assert_eq!(format!("{:>8}", Count(1000)), "   1,000");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "man", "men")), ["0 men", "1 man", "2 men"]);
    }
}
