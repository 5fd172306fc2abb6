//! Write errors that polars hides: some of its writers report a full disk as a format error.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::PolarsResult;

/// The first error of a writer, which its [`WatchedWriter`] stores.
#[derive(Debug, Clone, Default)]
pub(crate) struct FirstError(Arc<Mutex<Option<io::Error>>>);

impl FirstError {
    /// Takes the error, if there was one.
    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn check<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && error.kind() != io::ErrorKind::Interrupted
        {
            let same = match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => io::Error::new(error.kind(), error.to_string()),
            };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(same);
        }
        result
    }
}

/// A writer whose first error is stored.
#[derive(Debug)]
pub(crate) struct WatchedWriter<W> {
    out: W,
    first_error: FirstError,
}

impl<W> WatchedWriter<W> {
    /// Returns a writer, and its first error.
    pub(crate) fn new(out: W) -> (WatchedWriter<W>, FirstError) {
        let first_error = FirstError::default();
        (WatchedWriter { out, first_error: first_error.clone() }, first_error)
    }
}

impl<W: Write> Write for WatchedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.first_error.check(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.first_error.check(flushed)
    }
}

/// Writes with polars, and returns the writer's own error if there is one.
///
/// # Errors
///
/// Fails as the writer or polars does.
pub(crate) fn write_watched<W: Write, T>(
    out: W,
    write: impl FnOnce(WatchedWriter<W>) -> PolarsResult<T>,
) -> io::Result<T> {
    let (out, first_error) = WatchedWriter::new(out);
    write(out).map_err(|error| first_error.take().unwrap_or_else(|| io::Error::other(error.to_string())))
}

#[cfg(test)]
mod tests {
    use polars::df;
    use polars::io::parquet::write::ParquetWriter;

    use super::*;

    /// A disk with a number of free bytes.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.0);
            self.0 -= written;
            if written > 0 { Ok(written) } else { Err(io::Error::from(io::ErrorKind::StorageFull)) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_reported_as_one_wherever_it_ends() {
        let mut frame = df!("number" => [1, 2, 3], "text" => ["a", "b", "c"]).unwrap();
        let mut whole = Vec::new();
        ParquetWriter::new(&mut whole).finish(&mut frame).unwrap();
        for room in 0..whole.len() {
            let write = |out| ParquetWriter::new(out).finish(&mut frame);
            let error = write_watched(SmallDisk(room), write).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room} bytes: {error}");
        }
        assert!(
            write_watched(SmallDisk(whole.len()), |out| ParquetWriter::new(out).finish(&mut frame)).is_ok()
        );
    }
}
