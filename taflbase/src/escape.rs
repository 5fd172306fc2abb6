//! Text from records, as messages may repeat it.

use std::fmt::Write as _;
use std::path::Path;

pub use tafl_reports::is_unsafe;

/// Returns text from a record as a terminal may show it.
///
/// Control characters and those that change the direction of text become `\u{1b}` and the like, so that a record
/// can neither color, move, nor reverse text on the screen. Line feeds are control characters too.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(text, &mut out);
    out
}

/// Returns a path as a terminal may show it.
pub fn escape_path(path: &Path) -> String {
    escape(&path.display().to_string())
}

/// Adds text to `out` as [`escape`] returns it.
pub fn escape_into(text: &str, out: &mut String) {
    for symbol in text.chars() {
        if is_unsafe(symbol) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(symbol));
        } else {
            out.push(symbol);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_records_cannot_act_on_a_terminal() {
        assert_eq!(escape("a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escape("\u{202e}gnp.exe"), "\\u{202e}gnp.exe");
        assert_eq!(escape("Þórr æsir 王"), "Þórr æsir 王");
        assert_eq!(escape("two\nlines"), "two\\u{a}lines");
    }
}
