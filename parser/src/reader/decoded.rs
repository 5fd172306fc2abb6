//! Streams that are decoded part by part.

use std::io::{self, Read};

/// A decoder of a stream.
pub(super) trait Decode {
    /// Appends the next decoded bytes to `ready`; none only at the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the error of reading the stream.
    fn decode(&mut self, ready: &mut Vec<u8>) -> io::Result<()>;
}

/// The bytes of a decoder as a stream.
pub(super) struct Decoded<D> {
    decoder: D,
    /// Decoded bytes that were not read yet, from `done` on.
    ready: Vec<u8>,
    done: usize,
}

impl<D: Decode> Decoded<D> {
    pub(super) const fn new(decoder: D) -> Decoded<D> {
        Decoded { decoder, ready: Vec::new(), done: 0 }
    }

    pub(super) const fn decoder(&self) -> &D {
        &self.decoder
    }
}

impl<D: Decode> Read for Decoded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.done == self.ready.len() {
            self.ready.clear();
            self.done = 0;
            self.decoder.decode(&mut self.ready)?;
        }
        let length = buffer.len().min(self.ready.len() - self.done);
        buffer[..length].copy_from_slice(&self.ready[self.done..self.done + length]);
        self.done += length;
        Ok(length)
    }
}
