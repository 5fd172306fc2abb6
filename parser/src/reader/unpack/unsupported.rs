//! Stand-ins for the decoders in builds without them: reading returns an error.

use std::io::{self, Read};
use std::marker::PhantomData;

use super::Rewound;

/// A stream of gzip members, which cannot be read.
pub(super) type Gzip<'r> = Unsupported<'r>;
/// A stream of Zstandard frames, which cannot be read.
pub(super) type Zstd<'r> = Unsupported<'r>;

/// A compressed stream.
pub(in crate::reader) struct Unsupported<'r>(PhantomData<Rewound<'r>>);

impl<'r> Unsupported<'r> {
    /// Creates the stream; nothing is read.
    pub(super) fn new(_: Rewound<'r>) -> Unsupported<'r> {
        Unsupported(PhantomData)
    }
}

impl Read for Unsupported<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "compressed records are not supported here"))
    }
}
