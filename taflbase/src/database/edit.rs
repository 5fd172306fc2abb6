//! Edits of stored games: tags and player aliases.

mod aliases;
mod tags;
#[cfg(test)]
mod tests;

use std::path::Path;

use tafl_corpus::{CancelCheck, Compaction, CorpusError, compact};

use super::import::writer_note;
use crate::escape::escape;
use crate::{Error, Job, Result};

pub use aliases::{
    AliasEntry, PlayerAliasesAnswer, PlayerAliasesRequest, PlayerMergeRequest, PlayerSplitRequest,
};
pub use tags::{TagAnswer, TagRequest};

/// The maximum number of characters of a tag or a name.
const MAX_NAME: usize = 80;

/// The error of an edit: of the corpus, or of the request.
enum EditError {
    Corpus(CorpusError),
    Other(Error),
}

impl From<CorpusError> for EditError {
    fn from(error: CorpusError) -> EditError {
        EditError::Corpus(error)
    }
}

/// Runs an edit under a job, and joins small segments, of which every edit makes one.
fn edit(
    corpus: &Path,
    job: &Job,
    task: impl FnOnce(CancelCheck<'_>) -> Result<u64, EditError>,
) -> Result<u64> {
    let is_over = || job.is_over();
    let changed = match task(CancelCheck::new(&is_over)) {
        Err(EditError::Corpus(error @ CorpusError::Canceled)) => {
            job.check()?;
            return Err(error.into());
        }
        Err(EditError::Corpus(error)) => return Err(error.into()),
        Err(EditError::Other(error)) => return Err(error),
        Ok(changed) => changed,
    };
    if changed > 0 {
        // The games are stored. If something keeps their segments from being joined, a later import joins them.
        let _ = compact(corpus, &writer_note(), Compaction::FullTier, CancelCheck::NEVER);
    }
    Ok(changed)
}

/// Returns a tag or a name without blanks at its ends.
fn plain_name(text: &str, parameter: &'static str) -> Result<String> {
    let plain = text.trim();
    let length = plain.chars().count();
    if length == 0 || length > MAX_NAME || plain.contains(char::is_control) {
        let message = format!("expected 1 to {MAX_NAME} characters on one line, not `{}`", escape(text));
        return Err(Error::parameter(parameter, message));
    }
    Ok(plain.to_owned())
}
