//! Decompression of gzip and Zstandard.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::{Rewound, is_empty_frame};

/// A stream of gzip members.
pub(super) type Gzip<'r> = MultiGzDecoder<Rewound<'r>>;

/// Skips a frame without text; its first four bytes were already read.
fn skip_frame(input: &mut impl Read) -> io::Result<()> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    let n_skipped = io::copy(&mut input.take(length), &mut io::sink())?;
    if n_skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// A stream of Zstandard frames.
pub(in crate::reader) struct Zstd<'r> {
    state: ZstdState<'r>,
}

impl<'r> Zstd<'r> {
    /// Creates the stream of the text in a compressed stream.
    pub(super) fn new(input: Rewound<'r>) -> Zstd<'r> {
        Zstd { state: ZstdState::Between(input) }
    }
}

enum ZstdState<'r> {
    /// Before a frame.
    Between(Rewound<'r>),
    /// In a frame.
    Within(Box<StreamingDecoder<Rewound<'r>, ruzstd::decoding::FrameDecoder>>),
    /// After the last frame, or after an error.
    Ended,
}

impl Read for Zstd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, ZstdState::Ended) {
                ZstdState::Ended => return Ok(0),
                ZstdState::Between(mut input) => {
                    let mut magic = Vec::with_capacity(4);
                    input.by_ref().take(4).read_to_end(&mut magic)?;
                    if magic.is_empty() {
                        return Ok(0);
                    }
                    if is_empty_frame(&magic) {
                        skip_frame(&mut input)?;
                        self.state = ZstdState::Between(input);
                        continue;
                    }
                    // The inspected bytes are used up by now. Another chain around this chain would grow with
                    // every frame, until reading through it overflowed the stack.
                    let (_, rest) = input.into_inner();
                    let whole = Cursor::new(magic).chain(rest);
                    let decoder = StreamingDecoder::new(whole).map_err(io::Error::other)?;
                    self.state = ZstdState::Within(Box::new(decoder));
                }
                ZstdState::Within(mut decoder) => {
                    let length = decoder.read(buffer)?;
                    if length > 0 {
                        self.state = ZstdState::Within(decoder);
                        return Ok(length);
                    }
                    self.state = ZstdState::Between(decoder.into_inner());
                }
            }
        }
    }
}
