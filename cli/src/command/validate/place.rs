//! The places of findings as other programs name them: files relative to the working folder, and columns.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use taflbase::records::{FindingLine, STDIN_PATH};

/// The working folder, to which the names of files are relative.
pub(super) struct WorkingFolder(PathBuf);

impl WorkingFolder {
    /// Returns the working folder of the program.
    pub(super) fn current() -> WorkingFolder {
        // Without a working folder, relative names stay as they are.
        WorkingFolder(std::env::current_dir().unwrap_or_default())
    }

    /// Returns the path of a file below the working folder, with slashes; none for files elsewhere and for standard input.
    pub(super) fn relative(&self, file: &str) -> Option<String> {
        if file == "-" || file == STDIN_PATH {
            return None;
        }
        self.whole(file).strip_prefix(&self.0).ok().map(with_slashes)
    }

    /// Returns the address of a file: `file:///games/a.csv`.
    pub(super) fn address(&self, file: &str) -> String {
        format!("file:///{}", percent_encoded(&with_slashes(&self.whole(file))))
    }

    /// Returns the address of the folder, with a slash at its end.
    pub(super) fn folder_address(&self) -> String {
        let address = self.address("");
        if address.ends_with('/') { address } else { address + "/" }
    }

    /// Returns the path without `.` and `..`. Links are not resolved, so that files keep the names under which they were given.
    fn whole(&self, file: &str) -> PathBuf {
        let mut path = PathBuf::new();
        for part in self.0.join(file).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    path.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => path.push(part),
            }
        }
        path
    }
}

/// The marked part of a line. Of a part over several lines, it is the first one.
pub(super) struct MarkedColumns<'f> {
    /// The first column, from 1, in characters.
    pub(super) start: u64,
    /// The column after the last one.
    pub(super) end: u64,
    /// The marked text.
    pub(super) text: &'f str,
}

impl<'f> MarkedColumns<'f> {
    /// Returns the marked part of a finding's line; none if the finding is about a file as a whole.
    pub(super) fn of(line: &'f FindingLine<'_>) -> Option<MarkedColumns<'f>> {
        let finding = &line.finding;
        let (start, end) = finding.excerpt.part;
        let text = finding.excerpt.text.get(start..end)?;
        line.game.map(|_| MarkedColumns {
            start: finding.column,
            end: finding.column + text.chars().count() as u64,
            text,
        })
    }
}

/// Returns the message of a finding with its place in the record: `illegal move (game 3, ply 5)`.
pub(super) fn message_in_record(line: &FindingLine<'_>) -> String {
    match line.within() {
        within if within.is_empty() => line.finding.message.clone(),
        within => format!("{} ({within})", line.finding.message),
    }
}

fn with_slashes(path: &Path) -> String {
    let parts = path.components().filter(|part| *part != Component::RootDir);
    parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Returns a path as a part of an address (RFC 3986).
pub(super) fn percent_encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte.into())
            }
            byte => write!(out, "%{byte:02X}").expect("texts take everything"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn files_are_named_below_the_working_folder() {
        let folder = WorkingFolder("/work folder/tafl".into());
        assert_eq!(folder.relative("games/a.csv").as_deref(), Some("games/a.csv"));
        assert_eq!(folder.relative("./x/../games/a.csv").as_deref(), Some("games/a.csv"));
        assert_eq!(folder.relative("/work folder/tafl/a.csv").as_deref(), Some("a.csv"));
        for elsewhere in ["../a.csv", "/other/a.csv", "-"] {
            assert_eq!(folder.relative(elsewhere), None);
        }
        assert_eq!(folder.address("../þ a.csv"), "file:///work%20folder/%C3%BE%20a.csv");
        assert_eq!(folder.folder_address(), "file:///work%20folder/tafl/");
        assert_eq!(WorkingFolder("/".into()).folder_address(), "file:///");
    }
}
