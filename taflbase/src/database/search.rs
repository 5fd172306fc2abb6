//! Searches of a corpus.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::{Comparison, ConditionValue, Query};
use tafl_corpus::{
    Corpus, CountMode, GameAt, GameSummary, HitPage, HitRow, PageRequest, SearchHit, Searcher, Total,
};

use super::error::under;
use super::{CorpusRequest, CorpusSnapshot, Hit, parse_query};
use crate::{App, Bounded, Job, Request, Result, SummaryTag};

/// Search a corpus for games or positions
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SearchRequest {
    /// The query, in the query language (docs/query.md)
    #[cfg_attr(feature = "clap", arg(value_name = "QUERY"))]
    pub query: String,
    /// The maximum number of hits to return
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short = 'n', value_name = "N", default_value_t))]
    pub limit: Bounded<0, 1_000_000, 10>,
    /// The number of hits to skip first
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub offset: Bounded<0, { u64::MAX }, 0>,
    /// Only count the hits
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub count: bool,
}

/// The kind of hits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuerySubject {
    /// Whole games.
    Games,
    /// Positions in games.
    Moments,
}

/// The hits of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchAnswer {
    /// The query in canonical form.
    pub query: String,
    /// The kind of hits.
    pub about: QuerySubject,
    /// The hits, in the order of the corpus.
    pub hits: Vec<Hit>,
    /// The number of hits.
    pub summary: SearchSummary,
    /// Possible reasons for the absence of hits.
    pub notes: Vec<String>,
}

/// The number of hits of a search, and their origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchSummary {
    /// Always `summary`.
    pub r#type: SummaryTag,
    /// The query in canonical form.
    pub query: String,
    /// The state of the corpus that was searched.
    pub corpus: CorpusState,
    /// The number of hits, of those that were counted.
    pub hits: u64,
    /// The number of games with hits.
    pub games: u64,
    /// Whether all hits were counted; otherwise the search stopped when the page was full.
    pub exact: bool,
    /// The number of hits that were skipped.
    pub offset: u64,
    /// The number of hits in the answer.
    pub shown: usize,
    /// The number of games that the index left to be replayed.
    pub candidates: u64,
}

/// The state of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CorpusState {
    /// The number of changes of the corpus.
    pub generation: u64,
    /// The checksum of its manifest.
    pub manifest: String,
}

/// Check a query
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueryRequest {
    /// The query, in the query language (docs/query.md)
    pub query: String,
}

/// A query in canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueryAnswer {
    /// The query in its canonical form.
    pub query: String,
    /// The kind of hits.
    pub about: QuerySubject,
}

impl QuerySubject {
    fn of(query: &Query) -> QuerySubject {
        if query.is_about_games() { QuerySubject::Games } else { QuerySubject::Moments }
    }
}

impl Request for QueryRequest {
    type Answer = QueryAnswer;

    fn run(self, _: &App, _: &Job) -> Result<QueryAnswer> {
        let query = parse_query(&self.query, "query")?;
        Ok(QueryAnswer { query: query.to_string(), about: QuerySubject::of(&query) })
    }
}

impl SearchRequest {
    /// Searches a corpus, without reading the games of the hits.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the query, which file is damaged, or that the job is over.
    pub fn find(&self, corpus: &Arc<CorpusSnapshot>, job: &Job) -> Result<SearchHits> {
        let query = parse_query(&self.query, "query")?;
        let page = if self.count {
            PageRequest { offset: 0, limit: 0, count: CountMode::All }
        } else {
            PageRequest { offset: self.offset.get(), limit: self.limit.get(), count: CountMode::Page }
        };
        let answer = under(job, |stop| corpus.searcher().search_cancelable(&query, page, stop))?;
        Ok(SearchHits { corpus: Arc::clone(corpus), query, answer, offset: page.offset })
    }
}

impl CorpusRequest for SearchRequest {
    type Answer = SearchAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<SearchAnswer> {
        self.find(corpus, job)?.answer(job)
    }
}

/// The hits of a search, whose games are read one at a time.
pub struct SearchHits {
    corpus: Arc<CorpusSnapshot>,
    query: Query,
    answer: HitPage,
    offset: u64,
}

impl SearchHits {
    /// Returns the query.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the places of the hits, and their numbers.
    pub fn found(&self) -> &HitPage {
        &self.answer
    }

    /// Returns the corpus.
    pub fn corpus(&self) -> &CorpusSnapshot {
        &self.corpus
    }

    /// Reads the hits, in the order of the corpus. A stream checks the job between them.
    pub fn hits(&self) -> impl Iterator<Item = Result<Hit>> {
        self.answer.hits.iter().map(|found| self.hit(*found))
    }

    fn hit(&self, found: SearchHit) -> Result<Hit> {
        let spot = if self.query.is_about_games() {
            None
        } else {
            Some(self.corpus.searcher().detail(&self.query, found)?)
        };
        let at = GameAt { segment: found.segment, row: found.game };
        self.corpus.with_summary(at, |card| Hit::new(card, spot.as_ref()))
    }

    /// Reads the hits with the whole rows of their games, as tables show them.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn rows(&self) -> Result<Vec<HitRow>> {
        Ok(self.corpus.searcher().rows(self.corpus.corpus(), &self.query, &self.answer.hits)?)
    }

    /// Returns the number of hits.
    pub fn summary(&self) -> SearchSummary {
        let manifest = self.corpus.corpus().manifest();
        SearchSummary {
            r#type: SummaryTag::Summary,
            query: self.query.to_string(),
            corpus: CorpusState { generation: manifest.generation, manifest: manifest.checksum.clone() },
            hits: self.answer.total.number(),
            games: self.answer.games.number(),
            exact: matches!(self.answer.total, Total::Exactly(_)),
            offset: self.offset,
            shown: self.answer.hits.len(),
            candidates: self.answer.candidates,
        }
    }

    /// Returns possible reasons for the absence of hits; none if there are hits.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn notes(&self) -> Result<Vec<String>> {
        match self.answer.total.number() {
            0 => notes(&self.query, self.corpus.corpus(), self.corpus.searcher()),
            _ => Ok(Vec::new()),
        }
    }

    /// Reads the hits, and returns the answer.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged or the job is stopped.
    pub fn answer(&self, job: &Job) -> Result<SearchAnswer> {
        let is_about_games = self.query.is_about_games();
        let hits = if self.corpus.keeps_all_summaries() {
            let checked = self.hits().map(|hit| job.check().and(hit));
            checked.collect::<Result<Vec<Hit>>>()?
        } else {
            // Many games of a segment are read faster at once.
            let hit = |row: &HitRow| {
                Hit::new(&GameSummary::of(&row.game), (!is_about_games).then_some(&row.detail))
            };
            self.rows()?.iter().map(hit).collect()
        };
        Ok(SearchAnswer {
            query: self.query.to_string(),
            about: QuerySubject::of(&self.query),
            hits,
            summary: self.summary(),
            notes: self.notes()?,
        })
    }
}

fn notes(query: &Query, corpus: &Corpus, searcher: &Searcher) -> Result<Vec<String>> {
    if corpus.n_games() == 0 {
        return Ok(vec!["the corpus is empty; `tafl import` puts games into it".to_owned()]);
    }
    let mut notes = Vec::new();
    for condition in query.game_conditions() {
        let name = match (&condition.value, condition.field.as_str(), condition.comparison) {
            (ConditionValue::Word(name), "variant", Comparison::Equal) => name,
            _ => continue,
        };
        if !searcher.has_game_with(condition)? {
            let known = searcher.variants()?;
            let known = if known.is_empty() { "none with a name".to_owned() } else { known.join(", ") };
            notes.push(format!("the corpus has no game of the variant `{name}`; it has: {known}"));
        }
    }
    for number in searcher.misfits(query)? {
        notes.push(match query.boards().len() {
            1 => "the pattern fits on no board of the corpus".to_owned(),
            _ => format!("pattern {} of the query fits on no board of the corpus", number + 1),
        });
    }
    Ok(notes)
}
