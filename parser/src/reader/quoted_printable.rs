//! Decoding of quoted-printable messages, as mail programs store them (RFC 2045, section 6.7).
//!
//! ```text
//! escape     = "=" , hex , hex ;             one byte
//! soft break = "=" , { blank } , line end ;  the line continues
//! ```
//!
//! Only a text whose beginning declares the encoding in a header is decoded: elsewhere, `=` is a sign of moves. All
//! lines after this header are decoded, so that the other parts of a message lose nothing but escapes. The columns of
//! findings count the decoded text, and lines are kept: a soft break is moved to the end of its paragraph.

use std::io::{self, BufRead, BufReader, Read};

use super::decoded::Decode;

/// The name of the header, in lower case.
const HEADER: &[u8] = b"content-transfer-encoding:";

/// The maximum length of a line that is decoded as a whole. Mail programs write at most 76 characters.
const LONGEST_LINE: u64 = 64 << 10;

/// Returns whether the beginning of a text is a message that declares the encoding.
pub(super) fn is_declared(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').any(declares)
}

fn declares(line: &[u8]) -> bool {
    let line = line.trim_ascii().to_ascii_lowercase();
    line.strip_prefix(HEADER).is_some_and(|value| value.trim_ascii() == b"quoted-printable")
}

/// A stream with quoted-printable lines, decoded.
pub(super) struct QuotedPrintableDecoder<R> {
    input: BufReader<R>,
    /// Whether a header has declared the encoding.
    is_encoded: bool,
    /// The number of line ends that soft breaks removed from the present paragraph.
    n_removed: usize,
}

impl<R: Read> QuotedPrintableDecoder<R> {
    /// Creates a decoder of the stream.
    pub(super) fn new(input: R) -> QuotedPrintableDecoder<R> {
        QuotedPrintableDecoder { input: BufReader::new(input), is_encoded: false, n_removed: 0 }
    }

    /// Returns the stream below.
    pub(super) fn input(&self) -> &R {
        self.input.get_ref()
    }

    fn decode_line(&mut self, line: &[u8], ready: &mut Vec<u8>) {
        let has_end = line.ends_with(b"\n");
        let text = line.trim_ascii_end();
        let is_soft = has_end && text.ends_with(b"=");
        let mut rest = if is_soft { &text[..text.len() - 1] } else { line };
        while let Some((byte, after)) = rest.split_first() {
            match escaped(rest) {
                Some(byte) => {
                    ready.push(byte);
                    rest = &rest[3..];
                }
                None => {
                    ready.push(*byte);
                    rest = after;
                }
            }
        }
        if is_soft {
            self.n_removed += 1;
        } else if has_end {
            ready.extend(std::iter::repeat_n(b'\n', std::mem::take(&mut self.n_removed)));
        }
    }
}

/// Returns the byte of an escape at the start of a text.
fn escaped(text: &[u8]) -> Option<u8> {
    let [b'=', digits @ ..] = text else { return None };
    let digits = std::str::from_utf8(digits.get(..2)?).ok()?;
    // A sign before a digit would be read as a number, too.
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

impl<R: Read> Decode for QuotedPrintableDecoder<R> {
    fn decode(&mut self, ready: &mut Vec<u8>) -> io::Result<()> {
        while ready.is_empty() {
            let mut line = Vec::new();
            if self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if self.is_encoded {
                self.decode_line(&line, ready);
            } else {
                self.is_encoded = declares(&line);
                *ready = line;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reader::decoded::Decoded;

    fn read(text: &[u8]) -> Vec<u8> {
        let mut read = Vec::new();
        Decoded::new(QuotedPrintableDecoder::new(text)).read_to_end(&mut read).unwrap();
        read
    }

    #[test]
    fn escapes_and_soft_breaks_are_decoded_after_the_header() {
        let text = "Subject: a=3D\nContent-Transfer-Encoding: Quoted-Printable\n\n1. d2=E2=80=93f2 d3-=\nd2\n2. e4=\n";
        assert!(is_declared(text.as_bytes()));
        let expected =
            "Subject: a=3D\nContent-Transfer-Encoding: Quoted-Printable\n\n1. d2–f2 d3-d2\n\n2. e4";
        assert_eq!(String::from_utf8(read(text.as_bytes())).unwrap(), expected);
        assert!(!is_declared(b"Content-Transfer-Encoding: 8bit\n\nquoted-printable\n"));
    }

    #[test]
    fn signs_that_are_not_escapes_are_kept() {
        let text = b"content-transfer-encoding: quoted-printable\nx=y d2=g2=\x80 =+1 =4";
        assert_eq!(read(text), text);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let text = [&b"content-transfer-encoding: quoted-printable\n"[..], &bytes].concat();
            prop_assert!(read(&text).len() <= text.len());
        }
    }
}
