//! Decoding of UTF-16 streams, as written by some editors and sites, to UTF-8.
//!
//! Only text with a byte order mark is treated as UTF-16: without the mark it cannot be identified reliably.
//! Positions in the text count bytes of UTF-8.

use std::io::{self, Read};

use super::decoded::Decode;

/// The byte order of a code unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    /// Low byte first.
    Little,
    /// High byte first.
    Big,
}

impl ByteOrder {
    /// Returns the byte order given by the first bytes of a text, if they are a byte order mark of UTF-16.
    pub(super) fn of_mark(head: &[u8]) -> Option<ByteOrder> {
        match head {
            // The mark of UTF-32 begins like that of UTF-16.
            [0xff, 0xfe, 0, 0] => None,
            [0xff, 0xfe, ..] => Some(ByteOrder::Little),
            [0xfe, 0xff, ..] => Some(ByteOrder::Big),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// The number of bytes decoded at once.
const CHUNK: u64 = 8 << 10;

/// A UTF-16 stream as UTF-8, including its byte order mark. Invalid UTF-16 becomes U+FFFD.
pub(super) struct Utf16Decoder<R> {
    input: R,
    order: ByteOrder,
    /// Bytes of an incomplete character: at most one and a half code units.
    begun: Vec<u8>,
}

impl<R> Utf16Decoder<R> {
    /// Creates a decoder of the stream to UTF-8.
    pub(super) const fn new(input: R, order: ByteOrder) -> Utf16Decoder<R> {
        Utf16Decoder { input, order, begun: Vec::new() }
    }
}

impl<R: Read> Decode for Utf16Decoder<R> {
    fn decode(&mut self, ready: &mut Vec<u8>) -> io::Result<()> {
        while ready.is_empty() {
            let mut bytes = std::mem::take(&mut self.begun);
            let n_read = self.input.by_ref().take(CHUNK).read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let is_end = n_read == 0;
            let mut units: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| self.order.unit([pair[0], pair[1]])).collect();
            // The first half of a surrogate pair waits for the second one.
            let is_half = !is_end && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit));
            units.truncate(units.len() - usize::from(is_half));
            let rest = &bytes[2 * units.len()..];
            if is_end && !rest.is_empty() {
                units.push(0xfffd);
            } else {
                self.begun = rest.to_vec();
            }
            let signs = char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER));
            ready.extend_from_slice(signs.collect::<String>().as_bytes());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reader::decoded::Decoded;

    fn encoded(text: &str, order: ByteOrder) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            ByteOrder::Little => unit.to_le_bytes(),
            ByteOrder::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// Reads `step` bytes at a time.
    fn read_in(bytes: &[u8], order: ByteOrder, step: usize) -> String {
        let mut stream = Decoded::new(Utf16Decoder::new(bytes, order));
        let (mut text, mut buffer) = (Vec::new(), vec![0; step]);
        loop {
            match stream.read(&mut buffer).unwrap() {
                0 => return String::from_utf8(text).unwrap(),
                length => text.extend_from_slice(&buffer[..length]),
            }
        }
    }

    #[test]
    fn only_a_byte_order_mark_selects_utf_16() {
        assert_eq!(ByteOrder::of_mark(b"\xff\xfed\0"), Some(ByteOrder::Little));
        assert_eq!(ByteOrder::of_mark(b"\xfe\xff\0d"), Some(ByteOrder::Big));
        for head in [&b"\xff\xfe\0\0"[..], b"d2-c", b"d\x002\0", b"\xff", b""] {
            assert_eq!(ByteOrder::of_mark(head), None);
        }
    }

    #[test]
    fn a_pair_that_is_torn_by_the_end_of_a_chunk_is_whole() {
        let text = "x".repeat(CHUNK as usize / 2 - 1) + "\u{1f451}";
        assert_eq!(read_in(&encoded(&text, ByteOrder::Big), ByteOrder::Big, 100), text);
    }

    #[test]
    fn halves_are_replaced_and_the_rest_is_kept() {
        assert_eq!(read_in(b"a\0\x00\xd8b\0c", ByteOrder::Little, 64), "a\u{fffd}b\u{fffd}");
        assert_eq!(read_in(b"\0a\xd8\x00", ByteOrder::Big, 64), "a\u{fffd}");
    }

    proptest! {
        #[test]
        fn every_text_comes_out_as_it_went_in(text in ".{0,40}", step in 1usize..9) {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                prop_assert_eq!(read_in(&encoded(&text, order), order, step), text.as_str());
            }
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), step in 1usize..9) {
            read_in(&bytes, ByteOrder::Little, step);
        }
    }
}
