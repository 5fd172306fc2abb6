//! Errors of a corpus as errors of requests.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tafl_corpus::query::QueryError;
use tafl_corpus::{CancelCheck, CorpusError};

use crate::escape::escape;
use crate::{Error, ErrorKind, Job, Result};

impl From<CorpusError> for Error {
    /// The message names a file without its folder, since it may be sent to others; the cause has the whole path.
    fn from(error: CorpusError) -> Error {
        let damaged = |message: String| Error::new(ErrorKind::CorpusDamaged, message);
        let name =
            |path: &Path| path.file_name().map_or_else(String::new, |name| escape(&name.to_string_lossy()));
        let made = match &error {
            CorpusError::NotFound { .. } | CorpusError::NotACorpus { .. } => {
                damaged("the corpus is gone".to_owned())
            }
            CorpusError::Occupied { .. } => {
                Error::new(ErrorKind::Conflict, "a file or a folder that is not a corpus has this name")
                    .with_help("name a new folder")
            }
            CorpusError::Newer { found, known, .. } => {
                damaged(format!("the corpus has version {found}, this program reads version {known}"))
            }
            CorpusError::KeyVersion { found, known, .. } => {
                damaged(format!("the position keys have version {found}, this program has version {known}"))
            }
            CorpusError::Damaged { path, fault } => {
                damaged(format!("a file of the corpus is damaged, {}: {fault}", name(path)))
            }
            CorpusError::OtherVersion { path } => {
                damaged(format!("{} was written by another version of the program", name(path)))
            }
            CorpusError::Io { path, source } if is_about_writing(source.kind()) => {
                let message =
                    format!("a file of the corpus cannot be written, {}: {}", name(path), source.kind());
                Error::new(ErrorKind::Io, message)
            }
            CorpusError::Io { path, source } if source.kind() == io::ErrorKind::PermissionDenied => {
                Error::new(
                    ErrorKind::Io,
                    format!("a file of the corpus cannot be used, {}: {}", name(path), source.kind()),
                )
            }
            CorpusError::Io { path, source } => {
                damaged(format!("a file of the corpus cannot be read, {}: {}", name(path), source.kind()))
            }
            CorpusError::Locked { .. } => {
                Error::new(ErrorKind::Busy, "another program is writing to this corpus")
                    .with_help("try again when it has finished")
            }
            CorpusError::Canceled => Error::new(ErrorKind::TimedOut, "the answer takes too long")
                .with_help("restrict the request to a variant, a year, a player, or a smaller page"),
            CorpusError::Sql(message) => Error::new(ErrorKind::BadQuery, message.clone()),
            _ => Error::new(ErrorKind::Io, "the corpus cannot be used"),
        };
        let made = match error.repair_command() {
            Some(command) => made.with_help(format!("run `{command}` on the corpus")),
            None => made,
        };
        made.with_cause(Arc::new(error))
    }
}

/// Returns the error for a folder that the caller named. If it is not a corpus, the name is wrong: no corpus has disappeared.
pub(super) fn named_folder(error: Error) -> Error {
    let cause = error.cause.as_deref().and_then(|cause| cause.downcast_ref::<CorpusError>());
    match cause {
        Some(cause @ (CorpusError::NotFound { .. } | CorpusError::NotACorpus { .. })) => {
            let message = escape(&cause.to_string());
            Error { kind: ErrorKind::Io, message, ..error }.of("corpus")
        }
        _ => error,
    }
}

/// Returns whether only a write fails with a kind of error.
fn is_about_writing(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(kind, StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

/// Returns the error of a query that a parameter has.
pub(super) fn bad_query(error: &QueryError, text: &str, parameter: &'static str) -> Error {
    let span = error.span.start as usize..error.span.end as usize;
    Error::new(ErrorKind::BadQuery, error.to_string()).of(parameter).at("query", text, span)
}

/// Runs a task of a corpus that ends when a job is over; the error is that of the job then.
pub(super) fn under<T>(job: &Job, task: impl FnOnce(CancelCheck<'_>) -> Result<T, CorpusError>) -> Result<T> {
    let is_over = || job.is_over();
    match task(CancelCheck::new(&is_over)) {
        Err(error @ CorpusError::Canceled) => {
            job.check()?;
            Err(error.into())
        }
        result => Ok(result?),
    }
}
