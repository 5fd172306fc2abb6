//! Imports: records, or rows that were prepared elsewhere, become games of a corpus.

mod prepare_worker;
mod records;
mod rows;
mod text;
mod watch;

use std::collections::HashSet;
use std::io::BufRead;
use std::num::NonZeroU64;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{
    CancelCheck, Compaction, CopyPolicy, Corpus, DuplicatePolicy, Ingest, IngestOptions, IngestSummary,
    NO_MOVES, compact,
};
use tafl_parser::Format;

use crate::clock::now;
use crate::records::{InputProblem, ReadCounts, RecordEvent, RecordReader};
use crate::{App, Job, Named, Progress, Result, RulesRequest, Seconds, StreamRequest, SummaryTag, Threads};

pub use prepare_worker::PrepareWorker;
pub use text::{ImportTextAnswer, ImportTextRequest};
pub use watch::WatchEvent;

/// Import games into a corpus
///
/// # Examples
///
/// ```
/// use taflbase::database::{ImportRequest, OnCorpus, SearchRequest};
/// use taflbase::{App, Job, Request, StreamRequest};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("brandubh.csv"));
/// # std::fs::write(&file, "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\n").unwrap();
/// let (app, job) = (App::new(), Job::default());
/// let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
/// let imported = import.run(&app, &job, &mut |_event| Ok(()))?;
/// assert_eq!((imported.counts.added, imported.corpus_games), (1, 1));
///
/// let request = SearchRequest { query: "plies > 4".to_owned(), ..SearchRequest::default() };
/// let answer = OnCorpus { corpus, request }.run(&app, &job)?;
/// assert_eq!(answer.summary.games, 1);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct ImportRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// Files, folders, globs, or `-` for standard input; FILE:GAME selects a game by number
    /// or ID, and FILE:L12 the one in line 12; .gz and .zst files are unpacked
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required_unless_present_any = ["retry", "rows", "watch"]))]
    pub paths: Vec<PathBuf>,
    /// Read row lines as written by `tafl rows` instead of records, without
    /// replaying them; `-` for standard input
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", num_args = 1..))]
    #[cfg_attr(feature = "clap", arg(conflicts_with_all = ["paths", "retry", "notation", "commit_every"]))]
    #[cfg_attr(feature = "clap", arg(conflicts_with_all = ["variant", "rule"]))]
    pub rows: Vec<PathBuf>,
    /// Import the files of a folder, and then those that are added or changed,
    /// until the command is interrupted; a file is read when it has stayed the
    /// same for the interval
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOLDER", conflicts_with_all = ["paths", "retry", "rows"]))]
    pub watch: Option<PathBuf>,
    /// The time between two listings of the watched folder
    // `requires` has no effect beside an option that conflicts with the required one.
    #[cfg_attr(feature = "clap", arg(requires = "watch", conflicts_with_all = ["paths", "retry", "rows"]))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t))]
    pub interval: WatchInterval,
    /// Read every file in this notation instead of detecting it
    #[serde(rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// The rules for all records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// Retry records that were rejected before
    #[cfg_attr(feature = "clap", arg(long))]
    pub retry: bool,
    /// Of several copies of a game, keep this one
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", default_value_t, value_enum))]
    pub keep: CopyChoice,
    /// Select the treatment of records with the moves of a stored game. Such a
    /// record is a copy if no player or date differs, and its ID or both players
    /// are equal or it has 24 plies or more; otherwise it is a possible copy. The
    /// same line of the same file is never stored twice
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", default_value_t, value_enum))]
    pub duplicates: DuplicateChoice,
    /// Commit after every N records, not only at the end
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::positive::<NonZeroU64>))]
    pub commit_every: Option<NonZeroU64>,
}

/// The time between two listings of a watched folder: 2 seconds by default.
pub type WatchInterval = Seconds<1_000_000, 2_000_000_000>;

/// The copy of a game that a corpus keeps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum CopyChoice {
    /// A sound record before others, then one with a result, then the one with more information
    #[default]
    Better,
    /// The first one
    First,
}

/// The treatment of records with the moves of a stored game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DuplicateChoice {
    /// Store all, without a mark
    Keep,
    /// Store all, and mark copies and possible copies in the column `duplicate_of`
    Note,
    /// Store copies once; store possible copies, and mark them in `duplicate_of`
    #[default]
    Drop,
}

/// An event of an import, besides games.
#[derive(Debug)]
pub enum ImportEvent {
    /// A path is not read.
    Problem(InputProblem),
    /// An event of an input.
    Input {
        /// The name of the input, for people.
        name: String,
        /// The event; never a record.
        event: RecordEvent<()>,
    },
    /// The games so far are stored, and remain if the import is stopped.
    Committed {
        /// The number of new games that this import has stored.
        added: u64,
        /// Whether the import is complete, apart from joining small segments.
        is_complete: bool,
    },
}

/// The counts of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportAnswer {
    /// Always `summary`.
    pub r#type: SummaryTag,
    /// Games, copies, and rejected records.
    #[serde(flatten)]
    pub counts: IngestSummary,
    /// Files of folders that hold no records.
    pub skipped: u64,
    /// Inputs that couldn't be read, or not to their end.
    pub unreadable: u64,
    /// The number of games in the corpus after the import.
    pub corpus_games: u64,
    /// The number of inputs and records that were read.
    #[serde(skip)]
    pub read: ReadCounts,
    /// The files that the system could not read, or not to their end, such as one without permission. Another try can succeed.
    #[serde(skip)]
    pub unread: Vec<PathBuf>,
}

/// The records that an import has read and not yet committed.
struct FinishedRead {
    ingest: Ingest,
    counts: ReadCounts,
    unread: Vec<PathBuf>,
}

impl CopyChoice {
    /// Returns how a corpus takes in games under these choices.
    pub(super) fn options(self, duplicates: DuplicateChoice) -> IngestOptions {
        let keep = match self {
            CopyChoice::Better => CopyPolicy::Better,
            CopyChoice::First => CopyPolicy::First,
        };
        let duplicates = match duplicates {
            DuplicateChoice::Keep => DuplicatePolicy::Keep,
            DuplicateChoice::Note => DuplicatePolicy::Note,
            DuplicateChoice::Drop => DuplicatePolicy::Drop,
        };
        IngestOptions { keep, duplicates, note: writer_note(), ..IngestOptions::default() }
    }
}

/// Returns the note that other programs read while this one writes into a corpus.
pub(super) fn writer_note() -> String {
    format!("since {}", now())
}

impl ImportAnswer {
    /// Returns whether a record was rejected for another reason than that its game was never played.
    pub fn has_faults(&self) -> bool {
        self.counts.codes.keys().any(|code| code != NO_MOVES)
    }
}

impl ImportRequest {
    /// Runs the request. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Fails if no input is left to be read, the rules are wrong, another program writes into the corpus, a row can't
    /// be stored, a file of the corpus can't be read or written, or `take` fails. Then nothing is stored except what
    /// was committed before.
    pub fn run_with_stdin<'i>(
        self,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        self.run_on(None, stdin, app, job, take)
    }

    /// Runs the request on those of its files that are in a set, or on all of them.
    fn run_on<'i>(
        self,
        only: Option<&HashSet<PathBuf>>,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        if self.rows.is_empty() {
            let reader = records::reader(&self, only, stdin);
            return self.run_with_reader(&reader, app, job, take);
        }
        let ingest = rows::import(&self, stdin, job)?;
        self.finish(FinishedRead { ingest, counts: ReadCounts::default(), unread: Vec::new() }, job, take)
    }

    /// Runs the request on the records of a reader.
    fn run_with_reader(
        self,
        reader: &RecordReader<'_>,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        let read = records::import(&self, reader, app, job, take)?;
        self.finish(read, job, take)
    }

    /// Commits what was added, and joins small segments.
    fn finish(
        self,
        read: FinishedRead,
        job: &Job,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        let FinishedRead { ingest, counts: read, unread } = read;
        let counts = ingest.summary();
        let done = counts.added + counts.doubled + counts.rejected;
        job.report(&Progress { done, unit: "games", proportion: None, detail: "writing tables and index" });
        let counts = ingest.finish()?;
        take(ImportEvent::Committed { added: counts.added, is_complete: true })?;
        if counts.added + counts.replaced > 0 {
            job.report(&Progress { done, unit: "games", proportion: None, detail: "joining small segments" });
            // The games are stored. If something keeps their segments from being joined, a later import joins them.
            let _ = compact(&self.corpus, &writer_note(), Compaction::FullTier, CancelCheck::NEVER);
        }
        Ok(ImportAnswer {
            r#type: SummaryTag::Summary,
            counts,
            skipped: read.skipped,
            unreadable: read.unreadable,
            corpus_games: Corpus::open(&self.corpus)?.n_games(),
            read,
            unread,
        })
    }

    fn begin(&self) -> Result<Ingest> {
        let options = IngestOptions { threads: self.threads.get(), ..self.keep.options(self.duplicates) };
        Ok(Ingest::begin(&self.corpus, &options)?)
    }
}

impl StreamRequest for ImportRequest {
    type Item = ImportEvent;
    type Summary = ImportAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<ImportAnswer> {
        self.run_with_stdin(None, app, job, take)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::ErrorKind;
    use crate::Request;
    use crate::database::{CorpusSnapshot, InfoRequest, OnCorpus};

    const GAME: &str = "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\n";

    fn import(app: &App, job: &Job, folder: &Path, name: &str, text: &str) -> Result<ImportAnswer> {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        let rules = RulesRequest::of("brandubh7");
        let corpus = folder.join("corpus");
        let request = ImportRequest { corpus, paths: vec![file], rules, ..ImportRequest::default() };
        request.run(app, job, &mut |_| Ok(()))
    }

    #[test]
    fn an_open_corpus_stays_open_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (app, job) = (App::new(), Job::default());
        import(&app, &job, folder.path(), "a.csv", GAME).unwrap();
        let corpus = folder.path().join("corpus");
        let open = || -> Arc<CorpusSnapshot> { app.corpora().open(&corpus).unwrap() };
        let first = open();
        assert!(Arc::ptr_eq(&first, &open()));
        let answer = import(&app, &job, folder.path(), "b.csv", "d2-e2 c4-c3 b4-b3 c3-c2\n").unwrap();
        assert_eq!((answer.counts.added, answer.corpus_games), (1, 2));
        let second = open();
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!((first.corpus().n_games(), second.corpus().n_games()), (1, 2));
        let info = OnCorpus { corpus: corpus.clone(), request: InfoRequest {} }.run(&app, &job).unwrap();
        assert_eq!(info.games, 2);
        std::fs::remove_dir_all(&corpus).unwrap();
        let error = app.corpora().open(&corpus).err().unwrap();
        assert_eq!((error.kind, error.parameter.as_deref()), (ErrorKind::Io, Some("corpus")));
        assert!(error.message.contains("no such corpus (create one with `tafl import`)"), "{error}");
    }

    #[test]
    fn a_canceled_import_stores_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::default();
        job.cancel_token().cancel();
        let error = import(&App::new(), &job, folder.path(), "a.csv", GAME).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Canceled);
        assert!(Corpus::open(&folder.path().join("corpus")).map_or(true, |corpus| corpus.n_games() == 0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn files_that_the_system_cannot_read_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (job, corpus) = (Job::default(), folder.path().join("corpus"));
        import(&App::new(), &job, folder.path(), "a.csv", GAME).unwrap();
        // Its first byte is never readable.
        let link = folder.path().join("b.csv");
        std::os::unix::fs::symlink("/proc/self/mem", &link).unwrap();
        let paths = vec![folder.path().to_owned()];
        let answer =
            ImportRequest { corpus, paths, ..ImportRequest::default() }
                .run(&App::new(), &job, &mut |_| Ok(()));
        let answer = answer.unwrap();
        assert_eq!((answer.unreadable, answer.unread), (1, vec![link]));
    }

    #[test]
    fn a_corpus_is_not_imported_into_itself() {
        let folder = tempfile::tempdir().unwrap();
        let (app, job) = (App::new(), Job::default());
        import(&app, &job, folder.path(), "a.csv", GAME).unwrap();
        let corpus = folder.path().join("corpus");
        let request = ImportRequest { paths: vec![corpus.clone()], corpus, ..ImportRequest::default() };
        let error = request.run(&app, &job, &mut |_| Ok(())).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("paths"));
    }
}
