//! The games of a report.

use tafl_reports::{Games, GamesToLoad, load_games_until};

use crate::database::error::under;
use crate::database::selection::{games_of, games_with};
use crate::database::{CorpusSnapshot, no_match_reasons, parse_query};
use crate::{Error, Job, Result};

/// Loads the games that a query finds, or all.
pub(super) fn load_games(corpus: &CorpusSnapshot, query: Option<&str>, job: &Job) -> Result<Games> {
    let Some(text) = query else { return load_chosen(corpus, GamesToLoad::All, job) };
    let found = games_of(&games_with(corpus, text, job)?);
    load_chosen(corpus, GamesToLoad::These(&found), job)
}

/// Loads chosen games of a corpus.
pub(super) fn load_chosen(corpus: &CorpusSnapshot, chosen: GamesToLoad<'_>, job: &Job) -> Result<Games> {
    under(job, |stop| load_games_until(corpus.corpus(), chosen, stop))
}

/// Returns possible reasons why no game of a corpus matches the query of a report.
pub(super) fn query_reasons(corpus: &CorpusSnapshot, query: Option<&str>) -> Result<Vec<String>> {
    match query {
        Some(text) if corpus.corpus().n_games() > 0 => no_match_reasons(&parse_query(text, "query")?, corpus),
        _ => Ok(Vec::new()),
    }
}

/// Returns the error of a report about games without a source of games.
pub(super) fn no_source() -> Error {
    let message = "no source is given; name a corpus or files of records, as in `tafl report --help`";
    Error::parameter("sources", message)
}
