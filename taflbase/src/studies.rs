//! Studies: games with variations and comments that a user keeps in a folder, one file of record lines for each study.

mod file_name;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{ErrorKind as IoErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Format, Severity, Source};

use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

use file_name::{file_name_of, title_of};

/// The maximum size of a study in bytes.
const MAX_STUDY: usize = 4 << 20;
/// The maximum number of games of a study.
const MAX_GAMES: usize = 1_000;
/// The maximum number of studies in a folder.
const MAX_STUDIES: usize = 10_000;

/// A folder with studies. It is created when the first study is saved.
///
/// Every change replaces a whole file, so readers never see a partial one. Don't change a folder from two threads at once:
/// checking the version and writing are not atomic.
///
/// # Examples
///
/// ```
/// use taflbase::StudyFolder;
///
/// # let folder = tempfile::tempdir().unwrap();
/// let studies = StudyFolder::new(folder.path().join("studies"));
/// let line = r#"{"taflbase":1,"variant":"brandubh7","lines":[{"moves":"d2-c2 d3-c3"},{"parent":0,"at":0,"moves":"d1-c1"}]}"#;
/// let saved = studies.save("Ways out: d2-c2?", line, None)?;
/// assert_eq!(studies.open("Ways out: d2-c2?")?.games, [line]);
/// assert!(studies.save("Ways out: d2-c2?", line, None).is_err(), "there is one already");
/// studies.save("Ways out: d2-c2?", line, Some(&saved.version))?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StudyFolder {
    folder: PathBuf,
}

/// A study without its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudyEntry {
    /// The title.
    pub title: String,
    /// The number of games.
    pub games: usize,
    /// The time of the last change, in seconds since 1970 in UTC.
    pub changed: u64,
    /// The version, which differs after every change.
    pub version: String,
}

/// A study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Study {
    /// The title.
    pub title: String,
    /// The version, which a change must name.
    pub version: String,
    /// The games: a record as JSON each, in the notation `jsonl`.
    pub games: Vec<String>,
}

impl StudyFolder {
    /// Returns the studies in a folder.
    pub fn new(folder: impl Into<PathBuf>) -> StudyFolder {
        StudyFolder { folder: folder.into() }
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns all studies, sorted by title; other files are ignored.
    ///
    /// # Errors
    ///
    /// Fails if the folder or a study can't be read.
    pub fn list(&self) -> Result<Vec<StudyEntry>> {
        let mut found = Vec::new();
        for title in self.titles()? {
            match self.read(&title) {
                Ok((text, changed)) => found.push(entry(title, &text, changed)),
                // It was removed in the meantime.
                Err(error) if error.kind == ErrorKind::UnknownStudy => {}
                Err(error) => return Err(error),
            }
        }
        found.sort_by(|one, other| one.title.cmp(&other.title));
        Ok(found)
    }

    /// Returns a study.
    ///
    /// # Errors
    ///
    /// Fails if there is no such study, or it can't be read.
    pub fn open(&self, title: &str) -> Result<Study> {
        let (text, _) = self.read(title)?;
        let games = games_of(&text).map(ToOwned::to_owned).collect();
        Ok(Study { title: title.trim().to_owned(), version: version_of(&text), games })
    }

    /// Saves a study: records as JSON, one on each line. A new study has no version, and a change names the version that it
    /// replaces.
    ///
    /// # Errors
    ///
    /// Fails if the title or a record is wrong, the study has another version now, or the file can't be written.
    pub fn save(&self, title: &str, games: &str, version: Option<&str>) -> Result<StudyEntry> {
        let title = title.trim();
        let path = self.path_of(title, "title")?;
        let text = checked(games)?;
        match (self.read(title), version) {
            (Ok((old, _)), Some(version)) if version_of(&old) == version => {}
            (Ok(_), Some(_)) => {
                return Err(conflict(title, "was changed in the meantime")
                    .with_help("open it again, or save under another title"));
            }
            (Ok(_), None) => {
                return Err(conflict(title, "exists already")
                    .with_help("open it to change it, or save under another title"));
            }
            (Err(error), version) if error.kind == ErrorKind::UnknownStudy => {
                if version.is_some() {
                    return Err(conflict(title, "no longer exists").with_help("save it as a new study"));
                }
                self.check_new(title)?;
            }
            (Err(error), _) => return Err(error),
        }
        self.write(&path, &text)?;
        let (text, changed) = self.read(title)?;
        Ok(entry(title.to_owned(), &text, changed))
    }

    /// Renames a study.
    ///
    /// # Errors
    ///
    /// Fails if there is no such study, a title is wrong or taken, or the file can't be renamed.
    pub fn rename(&self, title: &str, new: &str) -> Result<StudyEntry> {
        let (title, new) = (title.trim(), new.trim());
        let (old_path, new_path) = (self.path_of(title, "title")?, self.path_of(new, "new_title")?);
        let (text, changed) = self.read(title)?;
        let is_case_only = title.to_lowercase() == new.to_lowercase();
        let is_taken = if is_case_only {
            // If the file system ignores case, reading the new title would read the old file.
            title != new && self.titles()?.iter().any(|other| other == new)
        } else {
            self.read(new).is_ok()
        };
        if is_taken {
            return Err(conflict(new, "exists already").of("new_title"));
        }
        if !is_case_only {
            self.check_new(new)?;
        }
        fs::rename(&old_path, &new_path).and_then(|()| self.sync()).map_err(|error| folder_error(&error))?;
        Ok(entry(new.to_owned(), &text, changed))
    }

    /// Deletes a study.
    ///
    /// # Errors
    ///
    /// Fails if there is no such study, it has another version, or the file can't be removed.
    pub fn remove(&self, title: &str, version: &str) -> Result<()> {
        if version.is_empty() {
            return Err(Error::parameter("version", "the version is missing"));
        }
        let (text, _) = self.read(title)?;
        if version_of(&text) != version {
            return Err(conflict(title, "was changed in the meantime"));
        }
        let path = self.path_of(title, "title")?;
        fs::remove_file(path).and_then(|()| self.sync()).map_err(|error| folder_error(&error))
    }

    fn titles(&self) -> Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == IoErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(folder_error(&error)),
        };
        let mut titles = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| folder_error(&error))?;
            titles.extend(entry.file_name().to_str().and_then(title_of));
        }
        Ok(titles)
    }

    /// Checks that no other title differs only in case, which some file systems ignore.
    fn check_new(&self, title: &str) -> Result<()> {
        let titles = self.titles()?;
        if titles.len() >= MAX_STUDIES {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("the folder has {MAX_STUDIES} studies already"),
            ));
        }
        let lower = title.to_lowercase();
        match titles.iter().find(|other| other.to_lowercase() == lower) {
            Some(other) => Err(conflict(other, "exists already").with_help("use another title")),
            None => Ok(()),
        }
    }

    fn path_of(&self, title: &str, parameter: &'static str) -> Result<PathBuf> {
        file_name_of(title)
            .map(|name| self.folder.join(name))
            .map_err(|problem| Error::parameter(parameter, problem))
    }

    /// Returns the text of a study, and the time of its last change.
    fn read(&self, title: &str) -> Result<(String, u64)> {
        let title = title.trim();
        let path = self.path_of(title, "title")?;
        let found = fs::metadata(&path).and_then(|data| Ok((fs::read(&path)?, data)));
        let (bytes, data) = found.map_err(|error| match error.kind() {
            IoErrorKind::NotFound => {
                Error::new(ErrorKind::UnknownStudy, format!("no study has the title `{}`", escape(title)))
                    .of("title")
            }
            _ => folder_error(&error),
        })?;
        let changed = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok((text, changed.map_or(0, |time| time.as_secs())))
    }

    /// Replaces a file: the new one is written beside it, and takes its place when it is on the disk.
    fn write(&self, path: &Path, text: &str) -> Result<()> {
        let temporary = self.folder.join(format!(".{}.new", std::process::id()));
        let write = || {
            fs::create_dir_all(&self.folder)?;
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, path)?;
            self.sync()
        };
        write().map_err(|error| {
            // If it can't be removed, the next change replaces it.
            let _ = fs::remove_file(&temporary);
            folder_error(&error)
        })
    }

    /// Writes the names of the folder to the disk.
    fn sync(&self) -> std::io::Result<()> {
        // Only Unix can open a folder; on other systems, a rename is on the disk when it returns.
        if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
    }
}

fn entry(title: String, text: &str, changed: u64) -> StudyEntry {
    StudyEntry { title, games: games_of(text).count(), changed, version: version_of(text) }
}

fn games_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Returns the hash of a text, which is only compared with others of the same program.
fn version_of(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    format!("{:016x}", hasher.finish())
}

/// Returns the text of the file: a record on each line.
fn checked(games: &str) -> Result<String> {
    let bad = |message: String| Error::new(ErrorKind::BadRecord, message);
    if games.len() > MAX_STUDY {
        return Err(Error::new(
            ErrorKind::TooLarge,
            format!("the study is larger than {} MiB", MAX_STUDY >> 20),
        ));
    }
    let mut text = String::new();
    for (nth, line) in games_of(games).enumerate() {
        if nth >= MAX_GAMES {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("the study has more than {MAX_GAMES} games"),
            ));
        }
        let parsed = Format::Jsonl.parse(&Source::named("study", line));
        if !line.starts_with('{')
            || parsed.diagnostics.iter().any(|found| found.severity() == Severity::Error)
        {
            return Err(bad(format!("game {} is not a record as JSON", nth + 1))
                .with_help("send one record of the notation `jsonl` on each line"));
        }
        text.push_str(line);
        text.push('\n');
    }
    if text.is_empty() { Err(bad("the study has no games".to_owned())) } else { Ok(text) }
}

fn conflict(title: &str, problem: &str) -> Error {
    Error::new(ErrorKind::Conflict, format!("the study `{}` {problem}", escape(title))).of("title")
}

/// Returns the error of a file system. It may be sent to others, so the path is only in the cause.
fn folder_error(error: &std::io::Error) -> Error {
    let cause = std::io::Error::new(error.kind(), error.to_string());
    Error::new(ErrorKind::Io, format!("can't read or write the folder of studies: {}", error.kind()))
        .with_cause(Arc::new(cause))
}
