//! How a target reads its input: a text, and behind it, where there is one, a byte that forces a format.

use tafl_parser::{Format, detect};

/// The first of the bytes that force a format. Texts do not end with these bytes, so every text is a plain input.
const FORCE: u8 = 0xf0;

/// Splits an input into its bytes and the format that is forced.
pub fn split(data: &[u8]) -> (&[u8], Option<Format>) {
    match data {
        [text @ .., last] if usize::from(last.wrapping_sub(FORCE)) < Format::ALL.len() => {
            (text, Some(Format::ALL[usize::from(last - FORCE)]))
        }
        text => (text, None),
    }
}

/// Returns an input as a text, with the format that is forced or else detected.
#[allow(dead_code, reason = "one target reads bytes")]
pub fn text(data: &[u8]) -> (String, Format) {
    let (bytes, format) = split(data);
    let format = format.or_else(|| detect(bytes, None).first().copied()).unwrap_or(Format::MoveList);
    (String::from_utf8_lossy(bytes).into_owned(), format)
}
