//! Rows and fields of a delimited text.
//!
//! The splitter is written by hand: it needs the span of each field, must survive a quote that is never
//! closed, and must give the same rows for every part of a stream. The crate `csv` has no spans and reads up
//! to the end of the file after an open quote.
//!
//! A quote opens a field only at its start. The field is closed by a quote before a delimiter or a line end;
//! a quote before other text belongs to the field as long as no line ends before it. If no such quote follows,
//! or if the first candidate looks like the start of another quoted field, the opening quote is an ordinary
//! character: the row ends at its line end, so an open quote never swallows later rows.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};
use tafl_rules::Span;

use crate::csv_cell::unguard;
use crate::source::TextEnd;

/// The delimiters, in the order of preference: a comma also appears in numbers and lists.
pub(super) const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];

/// The maximum length of a quoted field in bytes. A quote without a closing one within it is not closed.
const LONGEST_FIELD: usize = 256 << 10;

/// The end of a quoted field.
enum Closing {
    /// The offset of its closing quote.
    At(usize),
    /// The quote is not closed.
    None,
    /// More bytes are needed to decide.
    Unknown,
}

fn is_delimiter(byte: u8) -> bool {
    DELIMITERS.contains(&byte)
}

/// Returns whether a quote after these bytes of a row is at the start of a field.
fn opens_field(before: &[u8]) -> bool {
    before.iter().rev().find(|byte| **byte != b' ').is_some_and(|byte| is_delimiter(*byte))
}

/// Returns the end of the quoted field whose first byte after the quote is at `start`.
fn closing(bytes: &[u8], start: usize, text_end: TextEnd) -> Closing {
    let window = &bytes[..bytes.len().min(start + LONGEST_FIELD)];
    let is_complete = text_end.is_known() || window.len() < bytes.len();
    let line_end = memchr(b'\n', &window[start.min(window.len())..]).map(|end| start + end);
    let mut at = start;
    while let Some(next) = memchr(b'"', &window[at.min(window.len())..]).map(|next| at + next) {
        let rest = &window[next + 1..];
        let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
        match rest.get(blanks) {
            Some(b'"') if blanks == 0 => {
                at = next + 2;
                continue;
            }
            Some(b'\n' | b'\r') => return Closing::At(next),
            Some(byte) if is_delimiter(*byte) => return Closing::At(next),
            None if is_complete => return Closing::At(next),
            None => return Closing::Unknown,
            Some(_) => {}
        }
        // The check of the line end comes first: it is what keeps an open quote within its row.
        if line_end.is_some_and(|line_end| line_end < next) || opens_field(&window[start..next]) {
            return Closing::None;
        }
        at = next + 1;
    }
    if is_complete { Closing::None } else { Closing::Unknown }
}

/// Returns the offset of the line feed that ends the row at the start of `bytes`, or the length of the text
/// at its end; `None` if more bytes are needed.
///
/// The end does not depend on the delimiter, so that rows can be split before it is known.
pub(crate) fn row_end(bytes: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut at = 0;
    loop {
        let line_end = memchr(b'\n', &bytes[at..]).map(|end| at + end);
        let line = &bytes[at..line_end.unwrap_or(bytes.len())];
        let quote = memchr_iter(b'"', line)
            .map(|quote| at + quote)
            .find(|quote| bytes[..*quote].trim_ascii_start().is_empty() || opens_field(&bytes[..*quote]));
        let Some(quote) = quote else {
            return line_end.or((text_end.is_known()).then_some(bytes.len()));
        };
        match closing(bytes, quote + 1, text_end) {
            Closing::At(end) => at = end + 1,
            // The quote is an ordinary character.
            Closing::None => at = quote + 1,
            Closing::Unknown => return None,
        }
    }
}

/// Returns whether a row has nothing but delimiters and empty fields, or is the rule below a header:
/// `|---|:-:|`.
pub(crate) fn is_blank(row: &[u8]) -> bool {
    let is_empty = |byte: u8| byte.is_ascii_whitespace() || is_delimiter(byte) || byte == b'"';
    let has_pipe = memchr(b'|', row).is_some();
    row.iter().all(|byte| is_empty(*byte) || has_pipe && matches!(byte, b'-' | b':'))
}

/// Returns whether a row is a comment: `#` and a blank. Other fields can begin with `#` as well.
pub(crate) fn is_comment(row: &[u8]) -> bool {
    row.starts_with(b"# ")
}

/// The rows of a text, as spans; blank rows and comments are skipped.
pub(super) struct Rows<'t> {
    text: &'t str,
    at: usize,
    /// Whether a blank row was skipped before the last returned one.
    pub(super) after_blank: bool,
}

impl<'t> Rows<'t> {
    pub(super) fn new(text: &'t str, at: usize) -> Rows<'t> {
        Rows { text, at, after_blank: false }
    }
}

impl Iterator for Rows<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        self.after_blank = false;
        while self.at < self.text.len() {
            let rest = &self.text.as_bytes()[self.at..];
            let length = row_end(rest, TextEnd::Known).unwrap_or(rest.len());
            let row = &rest[..length];
            let span = Span::new(self.at, self.at + row.len() - usize::from(row.ends_with(b"\r")));
            self.at += length + 1;
            if is_blank(row) {
                self.after_blank = true;
            } else if !is_comment(row) {
                return Some(span);
            }
        }
        None
    }
}

/// A field of a row.
#[derive(Debug, Clone)]
pub(in crate::format) struct CsvField<'t> {
    /// The text without quotes, surrounding blanks, and the apostrophe before a formula; doubled quotes are single ones.
    pub(in crate::format) text: Cow<'t, str>,
    /// Its span, without quotes and surrounding blanks.
    pub(in crate::format) span: Span,
    /// The offset of its quote, if that is not closed.
    pub(in crate::format) open_quote: Option<usize>,
}

/// Splits the row at `row` into its fields.
pub(super) fn split<'t>(text: &'t str, row: Span, delimiter: u8) -> Vec<CsvField<'t>> {
    let (mut at, end) = (row.start as usize, row.end as usize);
    let bytes = &text.as_bytes()[..end];
    let mut fields = Vec::new();
    loop {
        let start = at + bytes[at..].iter().take_while(|byte| **byte == b' ').count();
        let mut open_quote = None;
        let mut inside = None;
        if bytes.get(start) == Some(&b'"') {
            match closing(bytes, start + 1, TextEnd::Known) {
                Closing::At(close) => inside = Some((start + 1, close)),
                Closing::None | Closing::Unknown => open_quote = Some(start),
            }
        }
        let after = inside.map_or(start, |(_, close)| close + 1);
        let next = memchr(delimiter, &bytes[after..]).map(|next| after + next);
        let field_end = next.unwrap_or(end);
        // Text after the closing quote, up to the delimiter, belongs to the field with its quotes.
        let inside = inside.filter(|(_, close)| text[close + 1..field_end].trim().is_empty());
        let (from, to) = inside.unwrap_or((start + usize::from(open_quote.is_some()), field_end.max(start)));
        let raw = &text[from.min(to)..to];
        let part = raw.trim();
        let from = to - raw.trim_start().len();
        let value = match inside {
            Some(_) if part.contains("\"\"") => Cow::Owned(part.replace("\"\"", "\"")),
            _ => Cow::Borrowed(part),
        };
        // Written tables have an apostrophe before text that spreadsheets would take for a formula.
        let n_guard = value.len() - unguard(&value).len();
        let value = match value {
            Cow::Borrowed(text) => Cow::Borrowed(&text[n_guard..]),
            Cow::Owned(text) => Cow::Owned(text[n_guard..].to_owned()),
        };
        fields.push(CsvField { text: value, span: Span::new(from + n_guard, from + part.len()), open_quote });
        match next {
            Some(next) => at = next + 1,
            None => return fields,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields(row: &str, delimiter: u8) -> Vec<String> {
        split(row, Span::new(0, row.len()), delimiter).iter().map(|field| field.text.to_string()).collect()
    }

    fn rows(text: &str) -> Vec<&str> {
        Rows::new(text, 0).map(|row| row.of(text)).collect()
    }

    #[test]
    fn quotes_hold_delimiters_line_feeds_and_doubled_quotes() {
        assert_eq!(fields("\"a,b\", \"c \"\"d\"\"\" ,\"\",e", b','), ["a,b", "c \"d\"", "", "e"]);
        assert_eq!(rows("\"a\nb\",c\r\nd\n"), ["\"a\nb\",c", "d"]);
    }

    #[test]
    fn a_quote_inside_of_a_field_is_text() {
        assert_eq!(fields("5\" board,\"an \"odd\" one\",x", b','), ["5\" board", "an \"odd\" one", "x"]);
        assert_eq!(fields("\"a\" b,c", b','), ["a\" b", "c"]);
    }

    #[test]
    fn an_open_quote_ends_with_its_row() {
        assert_eq!(rows("\"a,b\nc,\"d\"\n\"e\",f\n"), ["\"a,b", "c,\"d\"", "\"e\",f"]);
        assert_eq!(rows("\"a,b\nc,d\n"), ["\"a,b", "c,d"]);
        assert_eq!(fields("\"a,0,\"b\"", b','), ["a", "0", "b"]);
        let open = split("\"a,0", Span::new(0, 4), b',');
        assert_eq!((open[0].open_quote, open[0].span), (Some(0), Span::new(1, 2)));
        // Blanks of any width between the quote and the text.
        let open = split("\"\u{a0}a,0", Span::new(0, 6), b',');
        assert_eq!((open[0].open_quote, open[0].span), (Some(0), Span::new(3, 4)));
    }

    #[test]
    fn blank_rows_and_comments_are_skipped() {
        assert_eq!(rows("\n,,,\n# note\n#;a\n;;\"\"\n"), ["#;a"]);
    }

    proptest! {
        #[test]
        fn a_row_ends_at_the_same_place_however_much_of_it_is_given(
            text in "[a\", ;\\n\\r]{0,40}",
            given in 0usize..40,
        ) {
            let whole = row_end(text.as_bytes(), TextEnd::Known);
            let part = &text.as_bytes()[..given.min(text.len())];
            if let Some(end) = row_end(part, TextEnd::Unknown) {
                prop_assert_eq!(Some(end), whole);
            }
        }

        #[test]
        fn fields_are_spans_of_the_text(text in "[aæ\", ;\\n\\r|\t]{0,40}") {
            for row in Rows::new(&text, 0) {
                for delimiter in DELIMITERS {
                    for field in split(&text, row, delimiter) {
                        prop_assert!(row.start <= field.span.start && field.span.end <= row.end);
                        // Doubled quotes are single ones in the field.
                        prop_assert_eq!(field.text.replace('"', ""), field.span.of(&text).replace('"', ""));
                    }
                }
            }
        }
    }
}
