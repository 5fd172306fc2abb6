//! Atomic output files, and their names.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The layout of the JSON answers of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonLayout {
    /// A line for each answer.
    Lines,
    /// One array of all answers.
    Array,
}

/// Lines of answers, which become an array or stay as they are.
#[derive(Debug)]
pub(crate) struct JsonList {
    layout: JsonLayout,
    is_empty: bool,
}

impl JsonList {
    /// Returns an empty list.
    pub(crate) fn new(layout: JsonLayout) -> JsonList {
        JsonList { layout, is_empty: true }
    }

    /// Returns the text for the next answer, whose line ends with a line feed.
    pub(crate) fn item<'l>(&mut self, line: &'l [u8]) -> Cow<'l, [u8]> {
        let is_first = std::mem::take(&mut self.is_empty);
        match self.layout {
            JsonLayout::Lines => Cow::Borrowed(line),
            JsonLayout::Array => {
                let before: &[u8] = if is_first { b"[" } else { b",\n" };
                Cow::Owned([before, line.trim_ascii_end()].concat())
            }
        }
    }

    /// Returns the text after the last answer.
    pub(crate) const fn end(&self) -> &'static str {
        match (self.layout, self.is_empty) {
            (JsonLayout::Lines, _) => "",
            (JsonLayout::Array, true) => "[]\n",
            (JsonLayout::Array, false) => "]\n",
        }
    }
}

/// The maximum number of links that are followed one after another, as on Linux.
const MAX_LINKS: usize = 40;

/// A file that is written to a temporary file, which replaces the target when it is complete.
///
/// The temporary file always has the same name, so the next run reuses what a killed program left. If the output is dropped
/// without [`Output::finish`], the temporary file is removed, and the old target remains.
#[derive(Debug)]
pub(crate) struct Output {
    /// The open file; `None` only while it is being finished.
    writer: Option<BufWriter<File>>,
    /// The temporary file; `None` if the target is written directly.
    temporary: Option<PathBuf>,
    target: PathBuf,
    /// The path as it was given, for messages.
    path: PathBuf,
}

impl Output {
    /// Creates the temporary file and missing parent folders.
    ///
    /// A target that is not a regular file, such as a pipe or `/dev/null`, is written directly.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a folder, a folder or the file cannot be created, or another program is writing the
    /// file.
    pub(crate) fn create(path: &Path) -> io::Result<Output> {
        // A link stays a link: its target is replaced.
        let target = link_target(path);
        if names_folder(path) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder; name a file"));
        }
        let path = path.to_owned();
        let existing = fs::metadata(&target);
        if existing.is_ok_and(|data| !data.is_file()) {
            let file = OpenOptions::new().write(true).open(&target)?;
            return Ok(Output { writer: Some(BufWriter::new(file)), temporary: None, target, path });
        }
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(".part");
        let temporary = folder.unwrap_or(Path::new(".")).join(temporary);
        let file = open_temporary(&temporary)?;
        Ok(Output {
            writer: Some(BufWriter::with_capacity(1 << 16, file)),
            temporary: Some(temporary),
            target,
            path,
        })
    }

    /// Creates the output for a path, if one is given. Long computations call it first, so that an error is reported before
    /// them. Callers that accept `-` use [`file_named`] before.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Output::create`], with the path, and an error if the path is `-`.
    pub(crate) fn begin(path: Option<&Path>) -> anyhow::Result<Option<Output>> {
        reject_stdout(path)?;
        path.map(|path| Output::create(path).with_context(|| path.display().to_string())).transpose()
    }

    /// Writes the content, and replaces the target.
    ///
    /// # Errors
    ///
    /// As [`Output::finish`], with the path.
    pub(crate) fn complete(mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path.display().to_string();
        self.write_all(bytes).and_then(|()| self.finish()).context(path)
    }

    /// Replaces the target.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be completed; the old target then remains.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(temporary) = &self.temporary {
            file.sync_all()?;
            fs::rename(temporary, &self.target)?;
            self.temporary = None;
            sync_folder(&self.target)?;
        }
        Ok(())
    }
}

/// Returns the file that a path names: links are followed, also to a file that does not exist.
fn link_target(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Ok(existing) = fs::canonicalize(&target) {
            return existing;
        }
        let Ok(link) = fs::read_link(&target) else { return target };
        // A relative link begins at the folder that contains it.
        target = target.parent().unwrap_or(Path::new("")).join(link);
    }
    path.to_owned()
}

/// Returns whether a path names a folder: one that exists, or one that a separator at its end announces.
pub(crate) fn names_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.is_dir() || last.is_some_and(|&byte| std::path::is_separator(byte.into()))
}

/// Syncs the folder of a file, so that its new name is on disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Folders can be opened only on Unix; elsewhere, renames are on disk when they return.
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Opens and locks the temporary file, and empties it.
fn open_temporary(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = "another program is writing this file; wait for it, or write to another file";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
            }
            // The file system has no locks.
            Err(TryLockError::Error(_)) => {}
        }
        // Another program may have renamed the file between opening and locking; then a new one is opened.
        if is_at(&file, path)? {
            file.set_len(0)?;
            return Ok(file);
        }
    }
}

/// Returns whether a path still names an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())))
}

/// Returns whether a path still names an open file. Outside of Unix, open files can't be renamed.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}

/// Writes a file atomically.
///
/// # Errors
///
/// As [`Output::create`] and [`Output::finish`].
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes)?;
    output.finish()
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
        if let Some(temporary) = self.temporary.take() {
            // The file is locked while it is open, so no other program uses it. If it can't be removed, the next run reuses it.
            let _ = fs::remove_file(temporary);
            self.writer = None;
        }
    }
}

/// Returns the file that `-o` names, or `None` for standard output (no option, or `-`).
pub(crate) fn file_named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| path.as_os_str() != "-")
}

/// Rejects `-` as the output of a command whose answer goes to standard output.
///
/// # Errors
///
/// Returns an error if the path is `-`.
pub(crate) fn reject_stdout(path: Option<&Path>) -> anyhow::Result<()> {
    if path.is_some() && file_named(path).is_none() {
        bail!("standard output is used for the result; give a file instead of `-`");
    }
    Ok(())
}

/// A set of file names, to avoid using one twice.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<PathBuf>);

impl Names {
    /// Reserves a name, and returns whether it was free.
    pub(crate) fn take(&mut self, name: PathBuf) -> bool {
        self.0.insert(name)
    }

    /// Reserves a name, with a number if it is taken: `games.csv`, `games-2.csv`.
    pub(crate) fn free(&mut self, name: PathBuf) -> PathBuf {
        let mut candidate = name.clone();
        let mut number = 1;
        while !self.take(candidate.clone()) {
            number += 1;
            let stem = name.file_stem().unwrap_or_default().to_string_lossy();
            let extension = name.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
            candidate = name.with_file_name(format!("{stem}-{number}{extension}"));
        }
        candidate
    }
}

/// Returns a name without `.gz` and `.zst`.
pub(crate) fn unpacked_name(name: &Path) -> PathBuf {
    match name.extension().and_then(|extension| extension.to_str()) {
        Some("gz" | "zst") => name.with_extension(""),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_appears_when_the_output_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/games.otg");
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"one").unwrap();
        assert!(!path.exists());
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_whether_or_not_its_target_exists() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("games.otg");
        std::os::unix::fs::symlink("new/target.otg", &link).unwrap();
        for content in ["one", "two"] {
            write_whole(&link, content.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(folder.path().join("new/target.otg")).unwrap(), content);
        }
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink("games.otg", &link).unwrap();
        write_whole(&link, b"three").unwrap();
        assert_eq!(fs::read_to_string(&link).unwrap(), "three", "a link to itself is replaced");
    }

    #[test]
    fn the_temporary_file_of_a_killed_program_is_reused() {
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
    fn two_programs_cannot_write_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.otg");
        let first = Output::create(&path).unwrap();
        let error = Output::create(&path).unwrap_err();
        assert!(error.to_string().contains("another program is writing this file"), "{error}");
        first.finish().unwrap();
        Output::create(&path).unwrap().finish().unwrap();
    }

    #[test]
    fn standard_output_is_rejected_as_a_file() {
        let error = Output::begin(Some(Path::new("-"))).unwrap_err().to_string();
        assert!(error.contains("give a file"), "{error}");
        assert!(!Path::new("-").exists());
    }

    #[test]
    fn a_folder_is_rejected_as_a_file_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::create_dir(&path).unwrap();
        let error = Output::create(&path).unwrap_err();
        assert!(error.to_string().contains("this is a folder"), "{error}");
        let error = Output::create(&folder.path().join("new/")).unwrap_err();
        assert!(error.to_string().contains("this is a folder"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_dropped_output_leaves_only_the_old_file() {
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
