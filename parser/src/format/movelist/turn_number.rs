//! Turn numbers in any text.

use tafl_rules::Span;

/// A turn number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u32,
    pub(super) length: usize,
    /// The span of its digits in the text.
    pub(super) digits: Span,
    /// Whether a sign such as `.` shows that it is a turn number.
    pub(super) is_marked: bool,
    /// Whether the dots after it stand for the move of the first player: `1...`.
    pub(super) skips_first: bool,
}

/// Reads a turn number at the start of a text: `12.`, `12...`, `12)`, `12:`, `(12)`, or `12` before a blank, in ASCII or with
/// fullwidth characters.
pub(super) fn turn_number(text: &str) -> Option<Number> {
    narrow_turn_number(text).or_else(|| wide_turn_number(text))
}

fn narrow_turn_number(text: &str) -> Option<Number> {
    let is_enclosed = text.starts_with('(');
    let digits_at = usize::from(is_enclosed);
    let digits = text[digits_at..].bytes().take_while(u8::is_ascii_digit).count();
    let value = text[digits_at..digits_at + digits].parse().ok()?;
    let rest = &text[digits_at + digits..];
    let number = |signs: usize, is_marked, skips_first| {
        let length = digits_at + digits + signs;
        Some(Number {
            value,
            length,
            digits: Span::new(digits_at, digits_at + digits),
            is_marked,
            skips_first,
        })
    };
    if is_enclosed {
        return if rest.starts_with(')') { number(1, true, false) } else { None };
    }
    let dots = rest.bytes().take_while(|byte| *byte == b'.').count();
    match rest.as_bytes().first() {
        Some(b'.') => number(dots + usize::from(rest[dots..].starts_with(')')), true, dots > 1),
        Some(b')') => number(1, true, false),
        Some(b':') if !rest[1..].starts_with(|next: char| next.is_ascii_digit()) => number(1, true, false),
        _ if rest.starts_with('…') => number('…'.len_utf8(), true, true),
        None => number(0, false, false),
        Some(b' ' | b'\t' | b'|' | b'<' | b'*' | b'&') => number(0, false, false),
        Some(_) if rest.starts_with(char::is_whitespace) => number(0, false, false),
        Some(_) => None,
    }
}

/// The digits of full width, which input methods of East Asia write.
const WIDE_DIGITS: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Returns whether a word ends before this text.
pub(super) fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(char::is_whitespace)
}

/// Reads a turn number with fullwidth digits, dots, or parentheses: `１２．`, `１２．．．`, `12．`, `（１２）`, or `（12)`.
fn wide_turn_number(text: &str) -> Option<Number> {
    let inner = text.strip_prefix(['(', '（']);
    let from_digits = inner.unwrap_or(text);
    let rest = from_digits.trim_start_matches(|sign| digit(sign).is_some());
    let digits = from_digits[..from_digits.len() - rest.len()].chars().map(digit);
    let value = digits.reduce(|value, digit| value?.checked_mul(10)?.checked_add(digit?))??;
    let n_dots = rest.chars().take_while(|sign| matches!(sign, '.' | '．')).count();
    let after = match (inner, n_dots) {
        (Some(_), _) => Some(rest.strip_prefix([')', '）'])?),
        (None, 0) => rest.strip_prefix(['、', ')', '）']),
        (None, _) => Some(rest.trim_start_matches(['.', '．'])),
    };
    let is_number = after.is_some() || ends_word(rest);
    let digits = Span::new(text.len() - from_digits.len(), text.len() - rest.len());
    let length = text.len() - after.unwrap_or(rest).len();
    let skips_first = inner.is_none() && n_dots > 1;
    is_number.then_some(Number { value, length, digits, is_marked: after.is_some(), skips_first })
}

/// Returns the value of a digit of any width.
fn digit(digit: char) -> Option<u32> {
    let wide = || WIDE_DIGITS.iter().position(|known| *known == digit).map(|value| value as u32);
    digit.to_digit(10).or_else(wide)
}

/// Returns a number in ASCII or fullwidth digits, like those of `digits`.
pub(crate) fn number_like(digits: &str, value: u32) -> String {
    let narrow = value.to_string();
    if !digits.starts_with(WIDE_DIGITS) {
        return narrow;
    }
    narrow.bytes().map(|digit| WIDE_DIGITS[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fullwidth_characters_are_turn_numbers() {
        let read = |text| turn_number(text).map(|number| (number.value, number.length, number.is_marked));
        assert_eq!(read("１２．ｄ６－ｃ６"), Some((12, 9, true)));
        assert_eq!(read("３. ｄ６"), Some((3, 4, true)));
        assert_eq!(read("３ ｄ６"), Some((3, 3, false)));
        assert_eq!(read("（１２）ｄ６"), Some((12, 12, true)));
        assert_eq!(read("（12）ｄ６"), Some((12, 8, true)));
        assert_eq!(read("(12）ｄ６"), Some((12, 6, true)));
        assert_eq!(read("（１２)ｄ６"), Some((12, 10, true)));
        assert_eq!(read("12． d6"), Some((12, 5, true)));
        let skips = |text| turn_number(text).map(|number| (number.length, number.skips_first));
        assert_eq!(skips("２．．．ｂ４"), Some((12, true)));
        assert_eq!(skips("２．ｂ４"), Some((6, false)));
        assert_eq!(skips("2...b4"), Some((4, true)));
        assert_eq!(read("（１２ ｄ６"), None);
        assert_eq!(read("12:30"), None);
        assert_eq!(read("（）"), None);
        assert_eq!(read("３人"), None);
        assert_eq!(read("９９９９９９９９９９９．"), None);
        assert_eq!(turn_number("（１２）ｄ６").map(|number| number.digits), Some(Span::new(3, 9)));
        assert_eq!(number_like("９", 10), "１０");
        assert_eq!(number_like("9", 10), "10");
    }
}
