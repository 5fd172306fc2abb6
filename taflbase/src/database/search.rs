//! Searches of a corpus.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::query::Query;
use tafl_corpus::{
    CountEffort, CountEstimate, GameSummary, HitDetail, HitPage, HitRow, HitUnit, PageRequest, SearchHit,
    Total,
};

use super::error::under;
use super::hit_order::{HitOrder, HitSort, sorted_page};
use super::{CorpusRequest, CorpusSnapshot, Hit, no_match_reasons, parse_query};
use crate::{App, Bounded, Job, Request, Result, SummaryTag};

/// The number of hits or games to skip. There are fewer than the maximum in any corpus, and sums with it can't overflow.
pub type PageOffset = Bounded<0, 1_000_000_000_000, 0>;

/// Search a corpus for games or positions
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SearchRequest {
    /// The query, in the query language (docs/query.md)
    #[cfg_attr(feature = "clap", arg(value_name = "QUERY"))]
    pub query: String,
    /// List games with their first match, or every position that matches
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNIT", default_value = "game"))]
    pub per: HitKind,
    /// The order of the hits
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ORDER", default_value = "corpus"))]
    pub sort: HitOrder,
    /// Reverse the order; games without a date or rating stay last
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub reverse: bool,
    /// The maximum number of hits to return
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, short = 'n', value_name = "N", default_value_t))]
    pub limit: Bounded<0, 1_000_000, 10>,
    /// The number of hits to skip first
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub offset: PageOffset,
    /// Only count the hits
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub count: bool,
}

/// What a hit is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum HitKind {
    /// A game, with the first position that matches and the number of them
    #[default]
    Game,
    /// A position
    Position,
}

impl From<HitKind> for HitUnit {
    fn from(kind: HitKind) -> HitUnit {
        match kind {
            HitKind::Game => HitUnit::Game,
            HitKind::Position => HitUnit::Position,
        }
    }
}

/// The subject of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuerySubject {
    /// Whole games.
    Games,
    /// Positions in games. Version 0.1.0 wrote `moments`.
    #[serde(alias = "moments")]
    Positions,
}

/// The hits of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchAnswer {
    /// The query in canonical form.
    pub query: String,
    /// The subject of the query.
    pub about: QuerySubject,
    /// The hits, in the requested order.
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
    /// What a hit in the answer is; games if the query is about games.
    pub per: HitKind,
    /// The number of matching positions, or of games if the query is about games.
    pub hits: u64,
    /// The number of games that match.
    pub games: u64,
    /// Whether the numbers of hits and games are exact; otherwise they are estimates from a sample of the games.
    pub exact: bool,
    /// The 95 % interval of the number of hits; only if it is an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits_between: Option<[u64; 2]>,
    /// The 95 % interval of the number of games; only if it is an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games_between: Option<[u64; 2]>,
    /// The number of hits of the page's kind that were skipped.
    pub offset: u64,
    /// The number of hits in the answer.
    pub shown: usize,
    /// The number of games that the index left to be replayed, as far as the search came.
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
    /// The subject of the query.
    pub about: QuerySubject,
    /// Sentences about clauses that exclude each other, so that the query can't match; mostly empty.
    pub contradictions: Vec<String>,
}

impl QuerySubject {
    fn of(query: &Query) -> QuerySubject {
        if query.is_about_games() { QuerySubject::Games } else { QuerySubject::Positions }
    }
}

impl Request for QueryRequest {
    type Answer = QueryAnswer;

    fn run(self, _: &App, _: &Job) -> Result<QueryAnswer> {
        let query = parse_query(&self.query, "query")?;
        Ok(QueryAnswer {
            query: query.to_string(),
            about: QuerySubject::of(&query),
            contradictions: query.contradictions().iter().map(ToString::to_string).collect(),
        })
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
        let unit = if query.is_about_games() { HitUnit::Game } else { self.per.into() };
        let request = if self.count {
            PageRequest { unit, offset: 0, limit: 0, effort: CountEffort::Exact }
        } else {
            let (offset, limit) = (self.offset.get(), self.limit.get());
            PageRequest { unit, offset, limit, effort: CountEffort::Estimate }
        };
        let sort = HitSort { order: self.sort, is_reversed: self.reverse };
        let answer = if !sort.is_of_corpus() && !self.count {
            sorted_page(sort, &query, request, corpus, job)?
        } else {
            under(job, |stop| corpus.searcher().page(&query, request, stop))?
        };
        Ok(SearchHits { corpus: Arc::clone(corpus), query, answer, request })
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
    request: PageRequest,
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

    /// Returns what a hit is.
    pub fn unit(&self) -> HitUnit {
        self.request.unit
    }

    /// Returns the number of hits that were skipped.
    pub fn offset(&self) -> u64 {
        self.request.offset
    }

    /// Reads the hits one at a time, in the requested order. The caller checks the job between them.
    pub fn hits(&self) -> impl Iterator<Item = Result<Hit>> {
        let matches = |nth: usize| self.answer.matches.get(nth).copied();
        self.answer.hits.iter().enumerate().map(move |(nth, found)| self.hit(*found, matches(nth)))
    }

    fn hit(&self, found: SearchHit, matches: Option<u64>) -> Result<Hit> {
        let detail = self.corpus.searcher().detail(&self.query, found)?;
        let at = found.at();
        let is_about_games = self.query.is_about_games();
        self.corpus.with_summary(at, |summary| hit_of(summary, &detail, matches, is_about_games))
    }

    /// Reads the hits with the whole rows of their games, as tables show them.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn rows(&self) -> Result<Vec<HitRow>> {
        Ok(self.corpus.searcher().rows(self.corpus.corpus(), &self.query, &self.answer)?)
    }

    /// Returns the number of hits.
    pub fn summary(&self) -> SearchSummary {
        let manifest = self.corpus.corpus().manifest();
        SearchSummary {
            r#type: SummaryTag::Summary,
            query: self.query.to_string(),
            corpus: CorpusState { generation: manifest.generation, manifest: manifest.checksum.clone() },
            per: if self.request.unit == HitUnit::Game { HitKind::Game } else { HitKind::Position },
            hits: self.answer.total.number(),
            games: self.answer.games.number(),
            exact: matches!(self.answer.total, Total::Exactly(_)),
            hits_between: between(self.answer.total),
            games_between: between(self.answer.games),
            offset: self.request.offset,
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
            0 => no_match_reasons(&self.query, &self.corpus),
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
            let hit =
                |row: &HitRow| hit_of(&GameSummary::of(&row.game), &row.detail, row.matches, is_about_games);
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

/// Returns the interval of a number that is an estimate.
fn between(total: Total) -> Option<[u64; 2]> {
    match total {
        Total::Exactly(_) | Total::AtLeast(_) => None,
        Total::About(CountEstimate { low, high, .. }) => Some([low, high]),
    }
}

fn hit_of(summary: &GameSummary<'_>, detail: &HitDetail, matches: Option<u64>, is_about_games: bool) -> Hit {
    if is_about_games {
        Hit::of_game(summary, Some(detail.position.to_string()))
    } else {
        Hit::of_position(summary, detail, matches)
    }
}
