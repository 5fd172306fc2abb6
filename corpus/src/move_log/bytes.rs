//! The bytes of a move log, in memory or in a file.

use std::ops::{Deref, Range};
use std::sync::Arc;

use ownedbytes::OwnedBytes;

use super::error::MoveLogError;
use crate::checked_file::CheckedFile;

/// The bytes of a move log.
#[derive(Debug, Clone)]
pub(super) enum LogBytes {
    Memory(OwnedBytes),
    File(Arc<CheckedFile>),
}

impl LogBytes {
    pub(super) fn len(&self) -> usize {
        match self {
            LogBytes::Memory(bytes) => bytes.len(),
            LogBytes::File(file) => file.len(),
        }
    }

    /// Returns bytes that are kept.
    pub(super) fn read(&self, range: Range<usize>) -> Result<OwnedBytes, MoveLogError> {
        match self {
            LogBytes::Memory(bytes) => Ok(bytes.slice(range)),
            LogBytes::File(file) => file.read(range).map_err(|error| MoveLogError::File(error.to_string())),
        }
    }

    /// Returns the bytes of a game, which are copied if they lie in several blocks of the file.
    pub(super) fn game(&self, range: Range<usize>) -> Result<GameBytes<'_>, MoveLogError> {
        match self {
            LogBytes::Memory(bytes) => Ok(GameBytes::Memory(&bytes[range])),
            LogBytes::File(_) => self.read(range).map(GameBytes::Block),
        }
    }
}

/// The bytes of a game.
#[derive(Debug, Clone)]
pub(super) enum GameBytes<'t> {
    Memory(&'t [u8]),
    /// A part of a block of the file, or a copy.
    Block(OwnedBytes),
}

impl Deref for GameBytes<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            GameBytes::Memory(bytes) => bytes,
            GameBytes::Block(bytes) => bytes,
        }
    }
}
