//! Encodings of streams, and text that is not valid UTF-8.

use std::borrow::Cow;
use std::fmt;

/// The encoding of a stream that is read as UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StreamEncoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 after a byte order mark.
    Utf8WithMark,
    /// UTF-16.
    Utf16,
    /// A message with encoded lines, as mail programs write them.
    QuotedPrintable,
    /// A table that is one JSON object, such as a column per member; it is read as an object per line.
    ColumnTable,
    /// Compressed by gzip.
    Gzip,
    /// Compressed by Zstandard.
    Zstandard,
    /// Text with bytes that are not valid UTF-8.
    NotUtf8,
}

/// Writes the name in a sentence: `gzip`, `UTF-16`.
impl fmt::Display for StreamEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StreamEncoding::Utf8 => "UTF-8",
            StreamEncoding::Utf8WithMark => "UTF-8 with a byte order mark",
            StreamEncoding::Utf16 => "UTF-16",
            StreamEncoding::QuotedPrintable => "quoted-printable",
            StreamEncoding::ColumnTable => "one JSON object for all games",
            StreamEncoding::Gzip => "gzip",
            StreamEncoding::Zstandard => "Zstandard",
            StreamEncoding::NotUtf8 => "an older encoding",
        })
    }
}

/// The characters of Windows-1252 for the bytes from 0x80 on that differ from Latin-1; U+FFFD for unused ones.
const FROM_0X80: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}',
    '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

/// Decodes a text as UTF-8, or as Windows-1252 if it has invalid bytes and no character of several bytes. Otherwise,
/// invalid bytes become U+FFFD.
pub(crate) fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let is_mixed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let has_unused = || bytes.iter().any(|byte| character(*byte) == '\u{fffd}');
    if is_mixed || has_unused() {
        return String::from_utf8_lossy(bytes);
    }
    Cow::Owned(bytes.iter().map(|byte| character(*byte)).collect())
}

fn character(byte: u8) -> char {
    let special = byte.checked_sub(0x80).and_then(|nth| FROM_0X80.get(usize::from(nth)));
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_windows_1252_are_decoded_and_broken_utf_8_is_replaced() {
        assert_eq!(decode_text(b"d6\x96f6 J\xf6rg"), "d6–f6 Jörg");
        assert_eq!(decode_text("d6–f6".as_bytes()), "d6–f6");
        assert_eq!(decode_text(b"\xc3\xb6 and \xf6"), "ö and \u{fffd}");
        assert_eq!(decode_text(b"\x81"), "\u{fffd}");
    }
}
