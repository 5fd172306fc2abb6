//! Games of a corpus that a request chooses.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::Query;
use tafl_corpus::{Corpus, GameAt, NumberSet};

use super::error::{bad_query, under};
use super::{CorpusSnapshot, GameIdParam};
use crate::{Error, ErrorKind, Job, Result};

/// The games of a corpus that a request is about: all of them if neither field is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct GameSelection {
    /// Games that match this query (see `tafl search --help`)
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY"))]
    pub query: Option<String>,
    /// The game with this ID, as shown by tables and searches; may be repeated
    #[cfg_attr(feature = "clap", arg(long, value_name = "ID", allow_hyphen_values = true))]
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
    /// Fails if the query is wrong or contradicts itself, no game has one of the numbers, or a file is damaged.
    pub fn find(&self, corpus: &CorpusSnapshot, job: &Job) -> Result<Vec<GameAt>> {
        if self.is_all() {
            return Ok(corpus.corpus().games().collect());
        }
        let mut games = self.numbered(corpus.corpus())?;
        if let Some(text) = &self.query {
            let sets = games_with(corpus, text, job)?;
            let rows = sets
                .iter()
                .enumerate()
                .flat_map(|(segment, set)| set.iter().map(move |row| GameAt { segment, row }));
            games.extend(rows);
        }
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    fn numbered(&self, corpus: &Corpus) -> Result<Vec<GameAt>> {
        let wanted: Vec<_> = self.game.iter().map(|number| number.0).collect();
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
