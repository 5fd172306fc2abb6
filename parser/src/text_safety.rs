//! Characters of records that affect the text around them: control characters, and those that change the direction of text.
//!
//! Text from records must not color, move, or reverse the text around it on a terminal, in an editor, or in a table. JSON can
//! escape such characters without a loss; cells of tables show their codes.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns whether writers replace a character with a space: a control character other than line ends and tabs, or one that changes
/// the direction of text.
pub(crate) fn is_control(symbol: char) -> bool {
    (symbol.is_control() && !matches!(symbol, '\n' | '\r' | '\t')) || is_directional_formatting(symbol)
}

/// Returns whether a character is an explicit directional formatting character of Unicode: it changes the direction of the
/// text after it, up to the end of a line.
const fn is_directional_formatting(symbol: char) -> bool {
    matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character affects the text around it: a control character other than line ends and tabs, or one that
/// changes the direction of text.
fn affects_text(symbol: char) -> bool {
    (symbol.is_control() && !matches!(symbol, '\n' | '\r' | '\t'))
        || is_directional_formatting(symbol)
        || matches!(symbol, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Returns a JSON text in which characters that affect the text around them are escaped. Its value is the same.
///
/// # Examples
///
/// ```
/// use tafl_parser::escape_json;
///
/// assert_eq!(escape_json("[\"a\u{202e}b\"]".to_owned()), "[\"a\\u202eb\"]");
/// ```
pub fn escape_json(json: String) -> String {
    // JSON has no other control characters: serializers escape them.
    if json.is_ascii() && !json.contains('\u{7f}') {
        return json;
    }
    match escaped(&json, |symbol, out| write!(out, "\\u{:04x}", u32::from(symbol))) {
        Cow::Borrowed(_) => json,
        Cow::Owned(json) => json,
    }
}

/// Returns text as a cell of a table shows it: characters that affect the text around them are replaced by their codes, such
/// as `\u{1b}`.
pub fn visible_text(text: &str) -> Cow<'_, str> {
    escaped(text, |symbol, out| write!(out, "\\u{{{:x}}}", u32::from(symbol)))
}

/// Replaces the characters that affect the text around them.
fn escaped(text: &str, replace: impl Fn(char, &mut String) -> std::fmt::Result) -> Cow<'_, str> {
    let Some(first) = text.find(affects_text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for symbol in text[first..].chars() {
        if affects_text(symbol) {
            replace(symbol, &mut out).expect("a text takes everything");
        } else {
            out.push(symbol);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_same_value_without_characters_that_affect_text() {
        let text = "Þórr \u{202e}gnp.exe \u{7f}\u{85}\u{2028}\u{200f} 王 \u{1b}[31m\n";
        let json = escape_json(serde_json::to_string(text).unwrap());
        assert!(!json.contains(affects_text), "{json:?}");
        assert!(json.contains("Þórr") && json.contains("王"));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn cells_show_the_codes() {
        assert_eq!(visible_text("a\u{1b}[31m\u{202e}b\tc\n"), "a\\u{1b}[31m\\u{202e}b\tc\n");
        assert!(matches!(visible_text("Åsa, 王"), Cow::Borrowed(_)));
    }
}
