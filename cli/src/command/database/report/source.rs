//! The games that a report is about.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use tafl_corpus::Corpus;
use tafl_rules::counted;
use taflbase::App;
use taflbase::database::{CorpusSnapshot, ImportEvent, ImportRequest};
use taflbase::records::sole_corpus;

use crate::command::database::import;
use crate::{Exit, Io, temporary};

/// A corpus to report on.
pub(crate) struct ReportSource {
    pub(crate) corpus: Arc<CorpusSnapshot>,
    /// [`Exit::Error`] if an input could not be read; the error has been reported.
    pub(crate) exit: Exit,
    /// The temporary folder of the corpus, if the corpus was imported for the report.
    _folder: Option<ImportedFolder>,
}

/// A folder that is removed when it is dropped.
struct ImportedFolder(PathBuf);

impl Drop for ImportedFolder {
    fn drop(&mut self) {
        // If the folder can't be removed, it remains among the other temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl ReportSource {
    /// Opens a corpus, or imports files of records into one that lasts as long as the source.
    ///
    /// # Errors
    ///
    /// Returns an error if a corpus is damaged or not the only path, or no file can be read.
    pub(crate) fn open(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<ReportSource> {
        if paths.is_empty() {
            bail!("no source is given; name a corpus or files of records, as in `tafl report --help`");
        }
        match sole_corpus(paths)? {
            Some(corpus) => Ok(ReportSource::of(Corpus::open(corpus)?)),
            None => ReportSource::import(paths, io),
        }
    }

    fn of(corpus: Corpus) -> ReportSource {
        ReportSource { corpus: Arc::new(CorpusSnapshot::of(corpus, None)), exit: Exit::Ok, _folder: None }
    }

    fn import(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<ReportSource> {
        let temporary = ImportedFolder(temporary::folder("report")?);
        let folder = temporary.0.join("corpus");
        let request =
            ImportRequest { corpus: folder.clone(), paths: paths.to_vec(), ..ImportRequest::default() };
        let (job, stdin, mut events) = (io.job(), io.take_stdin(), Vec::new());
        let imported = request.run_with_stdin(Some(stdin), &App::new(), &job, &mut |event| {
            events.push(event);
            Ok(())
        });
        io.end_progress();
        let is_incomplete =
            events.iter().any(|event| matches!(event, ImportEvent::Problem(problem) if problem.is_error()));
        let exit = imported.as_ref().map_or(Exit::Error, |answer| import::exit(answer, is_incomplete));
        // Skipped files are expected, but problems, such as a skipped corpus, are not.
        for event in
            events.iter().filter(|event| exit == Exit::Error || matches!(event, ImportEvent::Problem(_)))
        {
            import::show_event(event, io);
        }
        let answer = match imported {
            Err(error) if error.parameter.as_deref() == Some("paths") => {
                bail!("the files have no readable games")
            }
            answer => answer?,
        };
        let corpus = Corpus::open(&folder)?;
        let rejected = answer.counts.rejected - answer.counts.rejected_before;
        if rejected > 0 {
            io.notice(&format!(
                "{} could not be used; see `tafl validate`",
                counted(rejected, "record", "records")
            ));
        }
        // A rejected record is not an error of the report.
        let exit = if exit == Exit::Error { exit } else { Exit::Ok };
        Ok(ReportSource { exit, _folder: Some(temporary), ..ReportSource::of(corpus) })
    }
}
