//! Files that are there whole or not at all, and names for them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is written aside and takes its place when it is complete.
///
/// Dropped without [`Output::finish`] it leaves nothing behind, and what stood in its place stays.
#[derive(Debug)]
pub(crate) struct Output {
    /// The open file; nothing only while it is being finished.
    writer: Option<BufWriter<File>>,
    /// Where it is written to, when that is not its place.
    aside: Option<PathBuf>,
    target: PathBuf,
}

impl Output {
    /// Begins to write a file; folders above it are made.
    ///
    /// What is no ordinary file, such as a pipe or `/dev/null`, is written directly.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made or the file not be opened.
    pub(crate) fn create(path: &Path) -> io::Result<Output> {
        // A link stays a link: its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&target).is_ok_and(|data| !data.is_file() && !data.is_dir()) {
            let file = OpenOptions::new().write(true).open(&target)?;
            return Ok(Output { writer: Some(BufWriter::new(file)), aside: None, target });
        }
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let aside = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
        let aside = folder.unwrap_or(Path::new(".")).join(aside);
        let file = File::create(&aside)?;
        Ok(Output { writer: Some(BufWriter::with_capacity(1 << 16, file)), aside: Some(aside), target })
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written to the end; then what stood in its place stays.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(aside) = &self.aside {
            file.sync_all()?;
            fs::rename(aside, &self.target)?;
            self.aside = None;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(bytes.len()), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(aside) = self.aside.take() {
            self.writer = None;
            // Nothing can be done about a leftover that cannot be removed.
            let _ = fs::remove_file(aside);
        }
    }
}

/// Names of files that are given once each.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<PathBuf>);

impl Names {
    /// Returns a name, numbered where it has been given before: `games.csv`, `games-2.csv`.
    pub(crate) fn free(&mut self, name: PathBuf) -> PathBuf {
        let mut candidate = name.clone();
        let mut number = 1;
        while !self.0.insert(candidate.clone()) {
            number += 1;
            let stem = name.file_stem().unwrap_or_default().to_string_lossy();
            let ending = name.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
            candidate = name.with_file_name(format!("{stem}-{number}{ending}"));
        }
        candidate
    }
}

/// Returns a name without `.gz` and `.zst`.
pub(crate) fn unpacked_name(name: &Path) -> PathBuf {
    match name.extension().and_then(|ending| ending.to_str()) {
        Some("gz" | "zst") => name.with_extension(""),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/games.otg");
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"one").unwrap();
        assert!(!path.exists());
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_run_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.otg");
        fs::write(&path, "old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"half of the n").unwrap();
        drop(output);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
