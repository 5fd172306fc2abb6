//! Searches, lists of games, and checks of queries.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::Request;
use taflbase::corpus::{HitFormat, write_hits};
use taflbase::database::{
    GamesAnswer, GamesRequest, QueryAnswer, QueryRequest, SearchAnswer, SearchHits, SearchRequest,
};

use crate::api_error::ApiError;
use crate::limits::MAX_STREAMED_HITS;
use crate::param::ParamLimit;
use crate::request::{ApiRequest, Document};
use crate::routes::{CSV, Endpoint, JSON, LINES, Reply, Work};

/// The limit of a page's offset.
const OFFSET: ParamLimit = ParamLimit::new("offset", 10_000_000, 0);
/// The size of a piece of streamed hits, in bytes.
const PIECE_BYTES: usize = 1 << 14;

/// Search the corpus.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SearchParams {
    /// The search.
    #[serde(flatten)]
    search: SearchRequest,
    /// The format of the answer: a page, a stream of JSON lines that ends with a summary, or a table.
    #[serde(default)]
    format: HitsFormat,
}

/// The format of hits.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum HitsFormat {
    #[default]
    Json,
    Jsonl,
    Csv,
}

impl Endpoint for SearchParams {
    const NAME: &'static str = "search";
    const PATH: &'static str = "/api/search";
    const SUMMARY: &'static str =
        "The games or positions that match a query: a page of hits, or all hits as a stream.";
    const WORK: Work = Work::Query;
    const TYPES: &'static [&'static str] = &[JSON, LINES, CSV];
    const LIMITS: &'static [ParamLimit] = &[
        OFFSET,
        ParamLimit::new("limit", MAX_STREAMED_HITS, MAX_STREAMED_HITS).with("format", "jsonl"),
        ParamLimit::new("limit", 10_000, 10_000).with("format", "csv"),
        ParamLimit::new("limit", 100, 20),
    ];
    type Answer = SearchAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let hits = self.search.find(&request.snapshot.corpus, &request.job)?;
        match self.format {
            HitsFormat::Json => Ok(Reply::json(&hits.answer(&request.job)?)),
            HitsFormat::Jsonl => Ok(stream(hits, Arc::clone(request))),
            HitsFormat::Csv => {
                let mut table = Vec::new();
                write_hits(&hits.rows()?, HitFormat::Csv, &mut table)?;
                request.job.check()?;
                let name = "attachment; filename=\"hits.csv\"";
                Ok(Document::new(CSV, table).header("content-disposition", name).into())
            }
        }
    }
}

/// Returns the lines of all hits, and the summary as the last one.
fn stream(hits: SearchHits, request: Arc<ApiRequest>) -> Reply {
    let write = move |pieces: &crate::request::Pieces| {
        let mut lines = String::new();
        for hit in hits.hits() {
            lines += &line(&hit?);
            if lines.len() >= PIECE_BYTES {
                request.job.check()?;
                pieces.bytes(std::mem::take(&mut lines))?;
            }
        }
        lines += &line(&hits.summary());
        Ok(pieces.bytes(lines)?)
    };
    Reply::Stream(LINES, Box::new(write))
}

fn line(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("an answer can be written as JSON") + "\n"
}

impl Endpoint for GamesRequest {
    const NAME: &'static str = "games";
    const PATH: &'static str = "/api/games";
    const SUMMARY: &'static str = "A page of games, in the order of the corpus.";
    const WORK: Work = Work::Query;
    const LIMITS: &'static [ParamLimit] = &[OFFSET];
    type Answer = GamesAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&request.run(self)?))
    }
}

impl Endpoint for QueryRequest {
    const NAME: &'static str = "query";
    const PATH: &'static str = "/api/query";
    const SUMMARY: &'static str = "A query as the server understands it, or the error in it with its place.";
    const WORK: Work = Work::Quick;
    type Answer = QueryAnswer;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        Ok(Reply::json(&Request::run(self, &request.snapshot.app, &request.job)?))
    }
}
