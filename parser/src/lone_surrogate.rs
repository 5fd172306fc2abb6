//! Escapes in JSON that are half of a character: `\ud800` without its second half.

use std::ops::Range;

/// The number of bytes of an escape such as `\ud800`.
const ESCAPE: usize = 6;

/// Returns the place of a lone surrogate for which a JSON reader stopped at byte `at`: an escape of half a character in
/// UTF-16 without the other half. Readers stop after the escape, or after the one that should have been the other half.
pub(crate) fn lone_surrogate(text: &[u8], at: usize) -> Option<Range<usize>> {
    let (mut place, mut found) = (0, None);
    while place < at.min(text.len()) {
        place += match (text[place], unit(text, place)) {
            (b'\\', Some(0xd800..=0xdbff)) if matches!(unit(text, place + ESCAPE), Some(0xdc00..=0xdfff)) => {
                2 * ESCAPE
            }
            (b'\\', Some(0xd800..=0xdfff)) => {
                found = Some(place..place + ESCAPE);
                ESCAPE
            }
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    found.filter(|found: &Range<usize>| found.end + ESCAPE + 1 >= at)
}

/// Returns the number of an escape `\u` that begins at a byte.
fn unit(text: &[u8], start: usize) -> Option<u32> {
    let digits = text.get(start..start + ESCAPE)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::lone_surrogate;

    /// Returns the lone surrogate in a string for which serde_json stops.
    fn found(text: &str) -> Option<&str> {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        lone_surrogate(text.as_bytes(), error.column()).map(|place| &text[place])
    }

    #[test]
    fn lone_surrogates_are_found_where_the_reader_stops() {
        for text in [r#""a\ud800""#, r#""\ud800""#, r#""\ud800 and more""#, r#""\ud800\n""#, r#""\ud800A""#] {
            assert_eq!(found(text), Some(r"\ud800"), "{text}");
        }
        assert_eq!(found(r#""\ud83d\ude00\udc00 x""#), Some(r"\udc00"));
        assert_eq!(found(r#""\ud83d\ude00 \\ud800 \x""#), None);
        assert_eq!(found(r#"["\ud83d\ude00",]"#), None);
    }
}
