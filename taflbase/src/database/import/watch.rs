//! Imports of a watched folder: new and changed files, as soon as they are complete.
//!
//! The folder is listed at intervals instead of by notifications of the system: those do not reach network folders, containers,
//! or folders that are replaced, they say nothing about whether a file is complete, and a listing of ten thousand files takes
//! milliseconds. A file is read once its size and its time are the same in two listings, so a file that is still being
//! written waits. A file that is read too early anyway is read again when it changes; its games are copies then. A file that
//! the system could not read is tried again after a while.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::{ImportAnswer, ImportEvent, ImportRequest};
use crate::escape::escape_path;
use crate::records::Inputs;
use crate::{App, Error, ErrorKind, Job, Result};

/// The time between two checks of the job while nothing happens.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The longest time after which a file that could not be read is tried again.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// The ends of the names of files that programs write before they rename them. Hidden files are skipped, too.
const UNFINISHED: [&str; 5] = [".part", ".tmp", ".crdownload", ".download", "~"];

/// An event of a watched folder.
#[derive(Debug)]
pub enum WatchEvent {
    /// An event of an import.
    Import(ImportEvent),
    /// Files were imported.
    Imported {
        /// The number of files.
        files: usize,
        /// The counts.
        answer: Box<ImportAnswer>,
    },
    /// An import failed, and is tried again.
    Failed(Error),
}

/// The size of a file and the time of its last change.
type FileState = (u64, Option<SystemTime>);

/// A folder with the states of its files.
#[derive(Debug)]
struct WatchedFolder {
    path: PathBuf,
    /// The states in the last listing.
    seen: HashMap<PathBuf, FileState>,
    /// The states in which files were imported.
    imported: HashMap<PathBuf, FileState>,
    /// The files that could not be read.
    unread: HashMap<PathBuf, FailedRead>,
}

/// A file that could not be read.
#[derive(Debug, Clone, Copy)]
struct FailedRead {
    state: FileState,
    /// The time from the last try to the next one. It doubles with each try.
    delay: Duration,
    last_try: Instant,
}

impl WatchedFolder {
    fn new(path: &Path) -> WatchedFolder {
        WatchedFolder {
            path: path.to_owned(),
            seen: HashMap::new(),
            imported: HashMap::new(),
            unread: HashMap::new(),
        }
    }

    /// Notes that files were imported, except those that could not be read.
    fn mark(&mut self, files: HashMap<PathBuf, FileState>, unread: &[PathBuf], interval: Duration) {
        for (path, state) in files {
            let last = self.unread.remove(&path);
            if unread.contains(&path) {
                let longest = LONGEST_DELAY.max(interval);
                let delay = last.map_or(interval, |last| last.delay.saturating_mul(2).min(longest));
                self.unread.insert(path, FailedRead { state, delay, last_try: Instant::now() });
            } else {
                self.imported.insert(path, state);
            }
        }
    }

    /// Returns whether a file could not be read, has not changed, and is not to be tried yet.
    fn is_delayed(&self, path: &Path, state: FileState) -> bool {
        self.unread.get(path).is_some_and(|last| last.state == state && last.last_try.elapsed() < last.delay)
    }

    /// Lists the folder, and returns the files that are new or changed and have not changed since the last listing.
    fn ready(&mut self) -> HashMap<PathBuf, FileState> {
        let list = Inputs::find(std::slice::from_ref(&self.path)).list;
        let now: HashMap<PathBuf, FileState> = list
            .iter()
            .filter_map(|input| input.path())
            .filter(|path| !is_unfinished(path))
            .filter_map(|path| Some((path.to_owned(), state(path)?)))
            .collect();
        let is_ready = |path: &PathBuf, state: &FileState| {
            let is_new = self.seen.get(path) == Some(state) && self.imported.get(path) != Some(state);
            is_new && !self.is_delayed(path, *state)
        };
        let ready = now.iter().filter(|(path, state)| is_ready(path, state));
        let ready = ready.map(|(path, state)| (path.clone(), *state)).collect();
        self.imported.retain(|path, _| now.contains_key(path));
        self.unread.retain(|path, _| now.contains_key(path));
        self.seen = now;
        ready
    }
}

fn state(path: &Path) -> Option<FileState> {
    let data = fs::metadata(path).ok()?;
    Some((data.len(), data.modified().ok()))
}

fn is_unfinished(path: &Path) -> bool {
    // A name may not be UTF-8.
    let name = path.as_os_str().as_encoded_bytes();
    UNFINISHED.iter().any(|end| name.ends_with(end.as_bytes()))
}

impl ImportRequest {
    /// Imports the files of the watched folder, and those that are added or changed, until the job is canceled.
    ///
    /// Each batch of files is one atomic change of the corpus, which other programs may change between two batches. A batch
    /// that is canceled stores nothing.
    ///
    /// # Errors
    ///
    /// Fails if no folder is watched, the rules are wrong, or `take` fails. Imports that fail for other reasons are events, and
    /// are tried again, like files that could not be read.
    pub fn watch(
        &self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(WatchEvent) -> Result<()> + Send),
    ) -> Result<()> {
        let Some(path) = &self.watch else {
            return Err(Error::parameter("watch", "no folder is named"));
        };
        if !path.is_dir() {
            return Err(Error::parameter("watch", format!("{}: not a folder", escape_path(path))));
        }
        // Wrong rules would fail again and again.
        self.rules.find(app)?;
        let mut folder = WatchedFolder::new(path);
        let mut failure = None;
        while !job.is_over() {
            let ready = folder.ready();
            if !ready.is_empty() {
                match self.import_files(&ready.keys().cloned().collect(), app, job, take) {
                    Ok(answer) => {
                        let files = ready.len();
                        folder.mark(ready, &answer.unread, self.interval.get());
                        failure = None;
                        take(WatchEvent::Imported { files, answer: Box::new(answer) })?;
                    }
                    Err(error) if error.kind == ErrorKind::Canceled => break,
                    Err(error) if failure.as_ref() == Some(&error.message) => {}
                    Err(error) => {
                        failure = Some(error.message.clone());
                        take(WatchEvent::Failed(error))?;
                    }
                }
            }
            wait(self.interval.get(), job);
        }
        Ok(())
    }

    fn import_files(
        &self,
        files: &HashSet<PathBuf>,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(WatchEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        let request =
            ImportRequest { paths: self.watch.iter().cloned().collect(), watch: None, ..self.clone() };
        request.run_on(Some(files), None, app, job, &mut |event| take(WatchEvent::Import(event)))
    }
}

/// Waits, but not longer than until the job is over.
fn wait(interval: Duration, job: &Job) {
    let begin = Instant::now();
    // The end of a long interval may be later than the clock can count.
    while !job.is_over() && begin.elapsed() < interval {
        thread::sleep(CHECK_INTERVAL.min(interval.saturating_sub(begin.elapsed())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesRequest;

    fn names(ready: &HashMap<PathBuf, FileState>) -> Vec<String> {
        let mut names: Vec<String> =
            ready.keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_ready_when_they_stay_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let mut watched = WatchedFolder::new(folder.path());
        write("a.csv", "d2-c2\n");
        write("b.csv.part", "d2-c2\n");
        write(".c.csv", "d2-c2\n");
        assert_eq!(names(&watched.ready()), [""; 0]);
        let ready = watched.ready();
        assert_eq!(names(&ready), ["a.csv"]);
        watched.imported.extend(ready);
        assert_eq!(names(&watched.ready()), [""; 0]);
        // A file that grows with every listing waits.
        for text in ["d2-c2\nd", "d2-c2\nd2-e", "d2-c2\nd2-e2\n"] {
            write("a.csv", text);
            assert_eq!(names(&watched.ready()), [""; 0], "{text}");
        }
        fs::rename(folder.path().join("b.csv.part"), folder.path().join("b.csv")).unwrap();
        assert_eq!(names(&watched.ready()), ["a.csv"]);
        assert_eq!(names(&watched.ready()), ["a.csv", "b.csv"]);
    }

    #[test]
    fn files_that_could_not_be_read_are_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["a.csv", "b.csv"].map(|name| folder.path().join(name));
        for path in [&one, &other] {
            fs::write(path, "d2-c2\n").unwrap();
        }
        let mut watched = WatchedFolder::new(folder.path());
        watched.ready();
        let ready = watched.ready();
        assert_eq!(names(&ready), ["a.csv", "b.csv"]);
        watched.mark(ready, std::slice::from_ref(&one), Duration::ZERO);
        let ready = watched.ready();
        assert_eq!(names(&ready), ["a.csv"]);
        // The next try waits, unless the file changes.
        watched.mark(ready, std::slice::from_ref(&one), Duration::from_secs(3600));
        watched.unread.get_mut(&one).unwrap().delay = Duration::from_secs(3600);
        assert_eq!(names(&watched.ready()), [""; 0]);
        fs::write(&one, "d2-c2 c4-c3\n").unwrap();
        watched.ready();
        let ready = watched.ready();
        assert_eq!(names(&ready), ["a.csv"]);
        watched.mark(ready, &[], Duration::ZERO);
        assert_eq!((names(&watched.ready()), watched.unread.len()), (Vec::new(), 0));
    }

    #[test]
    fn an_interval_may_be_longer_than_the_clock_can_count() {
        let mut watched = WatchedFolder::new(Path::new("games"));
        let (path, state) = (PathBuf::from("games/a.csv"), (1, None));
        for _ in 0..2 {
            let files = HashMap::from([(path.clone(), state)]);
            watched.mark(files, std::slice::from_ref(&path), Duration::MAX);
        }
        assert!(watched.is_delayed(&path, state));
        let job = Job::default();
        job.cancel_token().cancel();
        wait(Duration::MAX, &job);
    }

    #[test]
    #[cfg(unix)]
    fn the_name_of_an_unfinished_file_may_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = |name: &'static [u8]| Path::new(std::ffi::OsStr::from_bytes(name));
        assert!(is_unfinished(path(b"\xff.part")) && !is_unfinished(path(b"\xff.csv")));
    }

    #[test]
    fn a_watched_folder_is_imported_until_the_job_is_canceled() {
        let folder = tempfile::tempdir().unwrap();
        let watched = folder.path().join("games");
        fs::create_dir(&watched).unwrap();
        fs::write(watched.join("a.csv"), "d2-c2 e4-e1 b4-b2 d4-e4\n").unwrap();
        fs::write(watched.join("notes.txt"), "not a game").unwrap();
        let request = ImportRequest {
            corpus: folder.path().join("corpus"),
            watch: Some(watched.clone()),
            interval: crate::Seconds::new(Duration::from_millis(20)).unwrap(),
            rules: RulesRequest::of("brandubh7"),
            ..ImportRequest::default()
        };
        let job = Job::default();
        let token = job.cancel_token();
        let mut counts = Vec::new();
        request
            .watch(&App::new(), &job, &mut |event| {
                match event {
                    WatchEvent::Imported { answer, .. } => {
                        counts.push((answer.counts.added, answer.counts.doubled));
                        match counts.len() {
                            1 => {
                                fs::write(
                                    watched.join("a.csv"),
                                    "d2-c2 e4-e1 b4-b2 d4-e4\nd2-e2 c4-c3 b4-b3\n",
                                )
                                .unwrap();
                            }
                            _ => token.cancel(),
                        }
                    }
                    WatchEvent::Failed(error) => panic!("{error}"),
                    WatchEvent::Import(_) => {}
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(counts, [(1, 0), (1, 1)]);
    }
}
