//! The games that a report is about.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use tafl_corpus::Corpus;
use taflbase::database::CorpusSnapshot;

use crate::args::database::corpus::{ImportArgs, KeepArg};
use crate::args::rules::{TextFormat, VariantArgs};
use crate::features::is_corpus;
use crate::number::counted;
use crate::{Exit, Io, temporary};

/// A corpus to report on.
pub(crate) struct Source {
    pub(crate) corpus: Arc<CorpusSnapshot>,
    /// An error where something that was named could not be read; people have been told.
    pub(crate) exit: Exit,
    /// The folder that lasts as long as the source, where it was made for the report.
    _made: Option<Folder>,
}

/// A folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed lies among other files that nobody needs.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Source {
    /// Opens a corpus, or imports files of records into one that lasts as long as the source.
    ///
    /// # Errors
    ///
    /// Fails when a corpus is damaged, or no file can be read.
    pub(crate) fn open(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<Source> {
        match paths {
            [] => bail!("name a corpus or files of records; `tafl report --help` has examples"),
            [one] if is_corpus(one) => Ok(Source::of(Corpus::open(one)?)),
            paths => Source::import(paths, io),
        }
    }

    fn of(corpus: Corpus) -> Source {
        Source { corpus: Arc::new(CorpusSnapshot::of(corpus, None)), exit: Exit::Ok, _made: None }
    }

    fn import(paths: &[PathBuf], io: &mut Io<'_>) -> anyhow::Result<Source> {
        let made = Folder(temporary::folder("report")?);
        let folder = made.0.join("corpus");
        let args = ImportArgs {
            rows: Vec::new(),
            corpus: folder.clone(),
            paths: paths.to_vec(),
            notation: None,
            variant: VariantArgs { variant: None, rules: None },
            // The order of copies, and with it nothing else, would hang on the number of threads.
            threads: None,
            retry: false,
            keep: KeepArg::Better,
            commit_every: None,
            format: TextFormat::Text,
        };
        let mut said = Vec::new();
        let exit = {
            let mut inner = Io::new(io.take_stdin(), io::sink(), &mut said);
            crate::command::database::import::run(&args, &mut inner)?
        };
        if exit == Exit::Error {
            io.notice_always(String::from_utf8_lossy(&said).trim_end());
        }
        let Ok(corpus) = Corpus::open(&folder) else {
            bail!("no games could be read from the files that were named");
        };
        let rejected = corpus.info()?.rejected;
        if rejected > 0 {
            io.notice(&format!(
                "{} could not be used; `tafl validate` says why",
                counted(rejected, "record", "records")
            ));
        }
        // That a record was rejected is no fault of the report.
        let exit = if exit == Exit::Error { exit } else { Exit::Ok };
        Ok(Source { exit, _made: Some(made), ..Source::of(corpus) })
    }
}
