//! Streams that may be compressed or encoded in UTF-16.

#[cfg(not(target_arch = "wasm32"))]
mod packed;
// Browsers decompress what they load, and the decoders would be a tenth of the file that pages load.
#[cfg(target_arch = "wasm32")]
#[path = "unpack/unsupported.rs"]
mod packed;

use std::io::{self, Cursor, Read};

use super::decoded::Decoded;
use super::encoding::StreamEncoding;
use super::quoted_printable::QuotedPrintableDecoder;
use super::utf16::{ByteOrder, Utf16Decoder};
use packed::{Gzip, Zstd};

/// A stream of bytes.
type Input<'r> = Box<dyn Read + Send + 'r>;
/// A stream whose first bytes were inspected.
type Rewound<'r> = io::Chain<Cursor<Vec<u8>>, Input<'r>>;
/// A decompressed stream whose beginning was read.
type Resumed<'r> = io::Chain<Cursor<Vec<u8>>, Unpacked<'r>>;

/// A decompressed stream in UTF-8.
pub(super) enum Unpacked<'r> {
    /// Not compressed.
    Plain(Rewound<'r>),
    /// gzip, possibly with several members.
    Gzip(Box<Gzip<'r>>),
    /// Zstandard, possibly with several frames.
    Zstd(Zstd<'r>),
    /// Not compressed, in UTF-16.
    Utf16(Decoded<Utf16Decoder<Rewound<'r>>>),
    /// A message in quoted-printable lines.
    QuotedPrintable(Box<Decoded<QuotedPrintableDecoder<Resumed<'r>>>>),
}

impl<'r> Unpacked<'r> {
    /// Detects the encoding of a stream by its first bytes.
    pub(super) fn new(mut input: Input<'r>) -> io::Result<Unpacked<'r>> {
        let mut magic = Vec::with_capacity(4);
        input.by_ref().take(4).read_to_end(&mut magic)?;
        let (is_gzip, is_zstd) = (magic.starts_with(&[0x1f, 0x8b]), magic == ZSTD || is_empty_frame(&magic));
        let order = ByteOrder::of_mark(&magic);
        let whole = Cursor::new(magic).chain(input);
        Ok(if let Some(order) = order {
            Unpacked::Utf16(Decoded::new(Utf16Decoder::new(whole, order)))
        } else if is_gzip {
            Unpacked::Gzip(Box::new(Gzip::new(whole)))
        } else if is_zstd {
            Unpacked::Zstd(Zstd::new(whole))
        } else {
            Unpacked::Plain(whole)
        })
    }

    /// Returns a stream of which `begin` was already read, with its quoted-printable lines decoded.
    pub(super) fn decoded(self, begin: Vec<u8>) -> Unpacked<'r> {
        let decoder = QuotedPrintableDecoder::new(Cursor::new(begin).chain(self));
        Unpacked::QuotedPrintable(Box::new(Decoded::new(decoder)))
    }

    /// Returns whether the stream is compressed.
    pub(super) fn is_packed(&self) -> bool {
        match self {
            Unpacked::Plain(_) | Unpacked::Utf16(_) => false,
            Unpacked::Gzip(_) | Unpacked::Zstd(_) => true,
            Unpacked::QuotedPrintable(stream) => stream.decoder().input().get_ref().1.is_packed(),
        }
    }

    /// Returns the encoding of the stream.
    pub(super) fn encoding(&self) -> StreamEncoding {
        match self {
            Unpacked::Plain(_) => StreamEncoding::Utf8,
            Unpacked::Gzip(_) => StreamEncoding::Gzip,
            Unpacked::Zstd(_) => StreamEncoding::Zstandard,
            Unpacked::Utf16(_) => StreamEncoding::Utf16,
            Unpacked::QuotedPrintable(_) => StreamEncoding::QuotedPrintable,
        }
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Unpacked::Plain(input) => input.read(buffer),
            Unpacked::Gzip(input) => input.read(buffer),
            Unpacked::Zstd(input) => input.read(buffer),
            Unpacked::Utf16(input) => input.read(buffer),
            Unpacked::QuotedPrintable(input) => input.read(buffer),
        }
    }
}

/// The first bytes of a Zstandard frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Returns whether a Zstandard frame with this beginning is skippable: it holds metadata such as an index,
/// not text.
fn is_empty_frame(magic: &[u8]) -> bool {
    matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18])
}
