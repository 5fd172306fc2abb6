//! Files that are there whole or not at all, and names for them.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;

/// Returns an answer as a line of JSON.
pub(crate) fn json_line(answer: &impl Serialize) -> String {
    let mut line = serde_json::to_string(answer).expect("answers have only texts, numbers, and lists");
    line.push('\n');
    line
}

/// Returns an answer as indented JSON.
pub(crate) fn json_pretty(answer: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(answer).expect("answers have only texts, numbers, and lists");
    text.push('\n');
    text
}

/// A file that is written aside and takes its place when it is complete.
///
/// What a killed program left aside has always the same name, so the next one takes it over. Dropped without
/// [`Output::finish`] it leaves nothing behind, and what stood in its place stays.
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
    /// Fails when the path is a folder, the folder above it cannot be made or the file not be opened, and when another
    /// program is writing it.
    pub(crate) fn create(path: &Path) -> io::Result<Output> {
        // A link stays a link: its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let there = fs::metadata(&target);
        if there.as_ref().is_ok_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder; name a file"));
        }
        if there.is_ok_and(|data| !data.is_file()) {
            let file = OpenOptions::new().write(true).open(&target)?;
            return Ok(Output { writer: Some(BufWriter::new(file)), aside: None, target });
        }
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let mut aside = std::ffi::OsString::from(".");
        aside.push(name);
        aside.push(".part");
        let aside = folder.unwrap_or(Path::new(".")).join(aside);
        let file = take_aside(&aside)?;
        Ok(Output { writer: Some(BufWriter::with_capacity(1 << 16, file)), aside: Some(aside), target })
    }

    /// Begins to write the file at a path, if there is one: what takes long begins with it, so that a place that cannot be
    /// written is told before. Where `-` may be named, [`file_named`] is asked first.
    ///
    /// # Errors
    ///
    /// As [`Output::create`], with the path, and when it is `-`.
    pub(crate) fn begin(path: Option<&Path>) -> anyhow::Result<Option<Output>> {
        if path.is_some_and(|path| file_named(Some(path)).is_none()) {
            bail!("standard output is for the result; name a file instead of `-`");
        }
        path.map(|path| Output::create(path).with_context(|| path.display().to_string())).transpose()
    }

    /// Writes everything and puts the file into its place.
    ///
    /// # Errors
    ///
    /// As [`Output::finish`].
    pub(crate) fn complete(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.finish()
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
            sync_folder(&self.target)?;
        }
        Ok(())
    }
}

/// Brings the name of a file onto the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Only Unix lets a program open a folder; elsewhere renames are on the disk when they return.
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Opens the file that is written aside, empty and for this program alone.
fn take_aside(aside: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(aside)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let said = "another program is writing this file; wait for it, or write to another place";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, said));
            }
            // A file system without locks.
            Err(TryLockError::Error(_)) => {}
        }
        // Whoever had it may have put it into its place between opening and locking: then it is no longer aside.
        if is_at(&file, aside)? {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Returns whether this name still stands for an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())))
}

/// Returns whether this name still stands for an open file: elsewhere open files are not renamed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}

/// Writes a file that is there whole or not at all.
///
/// # Errors
///
/// As [`Output::create`] and [`Output::finish`].
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Output::create(path)?.complete(bytes)
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
            // As long as it is open it is locked, and nobody else has taken it over. Nothing can be done about a leftover
            // that cannot be removed.
            let _ = fs::remove_file(aside);
            self.writer = None;
        }
    }
}

/// Returns the file that `-o` names: none where it is not given or is `-`, for standard output.
pub(crate) fn file_named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| path.as_os_str() != "-")
}

/// Names of files that are given once each.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<PathBuf>);

impl Names {
    /// Takes a name, and returns whether it was free.
    pub(crate) fn take(&mut self, name: PathBuf) -> bool {
        self.0.insert(name)
    }

    /// Returns a name, numbered where it has been given before: `games.csv`, `games-2.csv`.
    pub(crate) fn free(&mut self, name: PathBuf) -> PathBuf {
        let mut candidate = name.clone();
        let mut number = 1;
        while !self.take(candidate.clone()) {
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
    fn what_a_killed_program_left_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.otg");
        fs::write(folder.path().join(".games.otg.part"), "half of something longer").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn two_programs_do_not_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.otg");
        let first = Output::create(&path).unwrap();
        let error = Output::create(&path).unwrap_err();
        assert!(error.to_string().contains("another program is writing this file"), "{error}");
        first.finish().unwrap();
        Output::create(&path).unwrap().finish().unwrap();
    }

    #[test]
    fn standard_output_is_no_file() {
        let error = Output::begin(Some(Path::new("-"))).unwrap_err().to_string();
        assert!(error.contains("name a file"), "{error}");
        assert!(!Path::new("-").exists());
    }

    #[test]
    fn a_folder_is_no_file_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::create_dir(&path).unwrap();
        let error = Output::create(&path).unwrap_err();
        assert!(error.to_string().contains("this is a folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
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
