//! Games of a corpus that a request chooses.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::Query;
use tafl_corpus::{Corpus, GameAt, NumberSet};

use super::error::{bad_query, under};
use super::{CorpusSnapshot, GameIdParam, no_match_reasons};
use crate::{Error, ErrorKind, Job, Result};

/// The games of a corpus that a request is about: all of them if neither field is given. Both fields together are an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct GameSelection {
    /// Games that match this query, or have a position that matches it (see `tafl search --help`)
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY"))]
    pub query: Option<String>,
    /// The game with this ID, as shown by tables and searches; may be repeated
    #[cfg_attr(feature = "clap", arg(long, value_name = "ID", allow_hyphen_values = true))]
    #[cfg_attr(feature = "clap", arg(conflicts_with = "query"))]
    pub game: Vec<GameIdParam>,
}

impl GameSelection {
    /// Returns whether every game is chosen.
    pub fn is_all(&self) -> bool {
        self.query.is_none() && self.game.is_empty()
    }

    /// Returns the games in the order of the corpus.
    ///
    /// # Errors
    ///
    /// Fails if the query is wrong or contradicts itself, no game has one of the IDs, both a query and IDs are given, or a file
    /// is damaged.
    pub fn find(&self, corpus: &CorpusSnapshot, job: &Job) -> Result<Vec<GameAt>> {
        match &self.query {
            None if self.game.is_empty() => Ok(corpus.corpus().games().collect()),
            None => self.with_ids(corpus.corpus()),
            Some(_) if !self.game.is_empty() => {
                let message = "`query` and `game` exclude each other; select games by one of them";
                Err(Error::parameter("game", message))
            }
            Some(text) => Ok(games_of(&games_with(corpus, text, job)?)),
        }
    }

    /// Returns the reasons why a query found no games: at least one if `found` is empty, and none otherwise or without a query.
    ///
    /// # Errors
    ///
    /// Fails if the query is wrong, or a file is damaged.
    pub fn no_match_notes(&self, corpus: &CorpusSnapshot, found: &[GameAt]) -> Result<Vec<String>> {
        let Some(text) = self.query.as_ref().filter(|_| found.is_empty()) else { return Ok(Vec::new()) };
        let reasons = no_match_reasons(&parse_query(text, "query")?, corpus)?;
        Ok(if reasons.is_empty() { vec!["no game matches the query".to_owned()] } else { reasons })
    }

    fn with_ids(&self, corpus: &Corpus) -> Result<Vec<GameAt>> {
        let wanted: Vec<_> = self.game.iter().map(|id| id.0).collect();
        let games = corpus.find(&wanted)?;
        if games.len() < wanted.len() {
            for game in wanted {
                if corpus.find(&[game])?.is_empty() {
                    let message = format!("unknown game ID {game}");
                    return Err(Error::new(ErrorKind::UnknownGame, message).of("game"));
                }
            }
        }
        Ok(games)
    }
}

/// Parses the query that a parameter has.
///
/// # Errors
///
/// Returns the mistake with its place.
pub fn parse_query(text: &str, parameter: &'static str) -> Result<Query> {
    Query::parse(text).map_err(|error| bad_query(&error, text, parameter))
}

/// Returns the games of sets, one for each segment, in the order of the corpus.
pub(super) fn games_of(sets: &[NumberSet]) -> Vec<GameAt> {
    let rows = sets.iter().enumerate();
    rows.flat_map(|(segment, set)| set.iter().map(move |row| GameAt { segment, row })).collect()
}

/// Returns the games of each segment that the parameter `query` selects.
///
/// # Errors
///
/// Fails if the query is wrong or contradicts itself. A search reports a contradiction as a note. For a selection it is an error,
/// because a report on no games, or the removal of none, would hide the mistake.
pub(super) fn games_with(corpus: &CorpusSnapshot, text: &str, job: &Job) -> Result<Vec<NumberSet>> {
    let query = parse_query(text, "query")?;
    let contradictions: Vec<String> = query.contradictions().iter().map(ToString::to_string).collect();
    if !contradictions.is_empty() {
        return Err(Error::new(ErrorKind::BadQuery, contradictions.join("; ")).of("query").at(
            "query",
            text,
            0..text.len(),
        ));
    }
    let segments = corpus.corpus().segments();
    let mut sets: Vec<NumberSet> =
        segments.iter().map(|segment| NumberSet::empty(segment.n_games())).collect();
    under(job, |stop| {
        corpus.searcher().each_cancelable(&query, stop, |found| {
            sets[found.segment].insert(found.row);
            ControlFlow::Continue(())
        })
    })?;
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{ExportRequest, ImportRequest};
    use crate::{App, StreamRequest};

    #[test]
    fn a_query_and_ids_exclude_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
        std::fs::write(&file, "[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
        let (app, job) = (App::new(), Job::default());
        let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
        import.run(&app, &job, &mut |_| Ok(())).unwrap();
        let mut games = Vec::new();
        let all = ExportRequest { corpus: corpus.clone(), ..ExportRequest::default() };
        all.run(&app, &job, &mut |game| {
            games.push(game.game.parse().unwrap());
            Ok(())
        })
        .unwrap();
        let select = GameSelection { query: Some("plies>0".to_owned()), game: games };
        let error = ExportRequest { corpus, select, ..ExportRequest::default() }
            .run(&app, &job, &mut |_| Ok(()))
            .unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("game"));
    }
}
