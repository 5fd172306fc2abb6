//! Turn numbers in any text.

/// A turn number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u32,
    pub(super) length: usize,
    /// Whether a sign such as `.` shows that it is a turn number.
    pub(super) is_marked: bool,
    /// Whether the dots after it stand for the move of the first player: `1...`.
    pub(super) skips_first: bool,
}

/// Reads a turn number at the start of a text: `12.`, `12)`, `12:`, `(12)`, or `12` before a blank.
pub(super) fn turn_number(text: &str) -> Option<Number> {
    if text.starts_with(WIDE_DIGITS) {
        return wide_turn_number(text);
    }
    let is_enclosed = text.starts_with('(');
    let digits_at = usize::from(is_enclosed);
    let digits = text[digits_at..].bytes().take_while(u8::is_ascii_digit).count();
    let value = text[digits_at..digits_at + digits].parse().ok()?;
    let rest = &text[digits_at + digits..];
    let number = |signs: usize, is_marked, skips_first| {
        Some(Number { value, length: digits_at + digits + signs, is_marked, skips_first })
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

/// Reads a turn number with digits of full width: `１２．`.
fn wide_turn_number(text: &str) -> Option<Number> {
    let rest = text.trim_start_matches(WIDE_DIGITS);
    let digits = text[..text.len() - rest.len()].chars();
    let digits = digits.filter_map(|digit| WIDE_DIGITS.iter().position(|known| *known == digit));
    let value = digits
        .map(|digit| digit as u32)
        .try_fold(0u32, |value, digit| value.checked_mul(10)?.checked_add(digit))?;
    let after = rest.strip_prefix(['.', '．', '、', ')', '）']);
    let is_number = after.is_some() || ends_word(rest);
    let length = text.len() - after.unwrap_or(rest).len();
    is_number.then_some(Number { value, length, is_marked: after.is_some(), skips_first: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_full_width_are_turn_numbers() {
        let read = |text| turn_number(text).map(|number| (number.value, number.length, number.is_marked));
        assert_eq!(read("１２．ｄ６－ｃ６"), Some((12, 9, true)));
        assert_eq!(read("３. ｄ６"), Some((3, 4, true)));
        assert_eq!(read("３ ｄ６"), Some((3, 3, false)));
        assert_eq!(read("３人"), None);
        assert_eq!(read("９９９９９９９９９９９．"), None);
    }
}
