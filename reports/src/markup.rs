//! Text in HTML and SVG.

use std::fmt::{self, Write as _};

/// Text escaped for HTML and XML, between tags and in double-quoted attributes.
///
/// Line feeds and tabs become spaces. Characters that XML 1.0 cannot contain, and invisible control
/// characters such as those that change the direction of text, become U+FFFD.
///
/// # Examples
///
/// ```
/// use tafl_reports::Escaped;
///
/// assert_eq!(Escaped("Tom & <b>Jerry</b>").to_string(), "Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|symbol| match symbol {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\n' | '\t' => f.write_char(' '),
            symbol if is_unsafe(symbol) => f.write_char('\u{fffd}'),
            symbol => f.write_char(symbol),
        })
    }
}

/// Returns whether a character is an invisible control character or is not allowed in XML 1.0.
pub fn is_unsafe(symbol: char) -> bool {
    symbol.is_control()
        || matches!(symbol, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(symbol, '\u{61c}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || matches!(symbol, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_invisible_characters_are_escaped() {
        assert_eq!(Escaped("a<b> & \"c\"\u{0}").to_string(), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
        assert_eq!(Escaped("two\nlines\u{202e}\u{ffff}").to_string(), "two lines\u{fffd}\u{fffd}");
    }
}
