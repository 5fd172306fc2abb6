//! The games of a report.

use tafl_corpus::GameAt;
use tafl_reports::{Games, GamesToLoad, load_games_until};

use crate::database::CorpusSnapshot;
use crate::database::error::under;
use crate::database::selection::games_with;
use crate::{Error, Job, Result};

/// Loads the games that a query finds, or all.
pub(super) fn load_games(corpus: &CorpusSnapshot, query: Option<&str>, job: &Job) -> Result<Games> {
    let Some(text) = query else { return load_chosen(corpus, GamesToLoad::All, job) };
    let sets = games_with(corpus, text, job)?;
    let rows = sets.iter().enumerate();
    let found: Vec<GameAt> =
        rows.flat_map(|(segment, set)| set.iter().map(move |row| GameAt { segment, row })).collect();
    load_chosen(corpus, GamesToLoad::These(&found), job)
}

/// Loads chosen games of a corpus.
pub(super) fn load_chosen(corpus: &CorpusSnapshot, chosen: GamesToLoad<'_>, job: &Job) -> Result<Games> {
    under(job, |stop| load_games_until(corpus.corpus(), chosen, stop))
}

/// Returns the error of a report about games without a source of games.
pub(super) fn no_source() -> Error {
    let message = "no source is given; name a corpus or files of records, as in `tafl report --help`";
    Error::parameter("sources", message)
}
