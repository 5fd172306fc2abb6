//! Searches, lists of games, and checks of queries.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::corpus::{HitFormat, write_hits};
use taflbase::database::{
    GamesAnswer, GamesRequest, QueryAnswer, QueryRequest, SearchAnswer, SearchHits, SearchRequest,
};
use taflbase::{Request, json_line};

use crate::api_error::ApiError;
use crate::limits::MAX_STREAMED_HITS;
use crate::media_type::{CSV, JSON, LINES};
use crate::param::ParamLimit;
use crate::redaction::{redact_folders, without_folder};
use crate::request::{ApiRequest, Document};
use crate::routes::{Endpoint, Reply, Work};

/// The limit of a page's offset.
const OFFSET: ParamLimit = ParamLimit::new("offset", 10_000_000, 0);
/// The size of a chunk of streamed hits, in bytes.
const CHUNK_BYTES: usize = 1 << 14;

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
                let (mut table, mut rows) = (Vec::new(), hits.rows()?);
                if request.site.redacts_folders {
                    for source in rows.iter_mut().filter_map(|row| row.game.source.as_mut()) {
                        *source = without_folder(source).to_owned();
                    }
                }
                write_hits(&rows, HitFormat::Csv, &mut table)?;
                request.job.check()?;
                let name = "attachment; filename=\"hits.csv\"";
                Ok(Document::new(CSV, table).header("content-disposition", name).into())
            }
        }
    }
}

/// Returns the lines of all hits, and the summary as the last one.
fn stream(hits: SearchHits, request: Arc<ApiRequest>) -> Reply {
    let write = move |chunks: &crate::request::ChunkSender| {
        let mut lines = String::new();
        for hit in hits.hits() {
            // Also while nothing is sent: many hits may be needed for a chunk, and each is read from a file.
            request.job.check()?;
            lines += &if request.site.redacts_folders { redacted_line(&hit?) } else { json_line(&hit?) };
            if lines.len() >= CHUNK_BYTES {
                chunks.bytes(std::mem::take(&mut lines))?;
            }
        }
        lines += &json_line(&hits.summary());
        Ok(chunks.bytes(lines)?)
    };
    Reply::Stream(LINES, Box::new(write))
}

/// Returns the line of a hit without the folder of its file.
fn redacted_line(hit: &impl Serialize) -> String {
    let mut value = serde_json::to_value(hit).expect("an answer can be written as JSON");
    redact_folders(&mut value);
    json_line(&value)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use taflbase::Job;
    use taflbase::database::SearchRequest;
    use tokio::runtime::Builder;
    use tokio::sync::mpsc;

    use super::*;
    use crate::api_error::ErrorCode;
    use crate::limits::ServerLimits;
    use crate::request::ChunkSender;
    use crate::site::Site;
    use crate::snapshot::snapshot_of_one_game;

    /// Streams all positions of a game under a job that begins after the search.
    fn streamed(job: Job) -> (Result<(), ErrorCode>, String) {
        let (_folder, snapshot) = snapshot_of_one_game();
        let search = SearchRequest { query: "plies > 3".to_owned(), ..SearchRequest::default() };
        let hits = search.find(&snapshot.corpus, &Job::default()).unwrap();
        let request = ApiRequest {
            snapshot,
            host: String::new(),
            body: Vec::new(),
            job,
            limits: ServerLimits::of_cores(1),
            site: Arc::new(Site { redacts_folders: true, ..Site::default() }),
            description: Arc::default(),
        };
        let Reply::Stream(_, writer) = stream(hits, Arc::new(request)) else { panic!("a stream") };
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let (sender, mut receiver) = mpsc::channel(8);
        let result = runtime.block_on(async {
            let work = move || {
                writer(&ChunkSender::new(sender, Job::default().cancel_token(), Duration::from_secs(5)))
            };
            tokio::task::spawn_blocking(work).await.unwrap()
        });
        let mut text = Vec::new();
        while let Ok(chunk) = receiver.try_recv() {
            text.extend(chunk);
        }
        (result.map_err(|error| error.code), String::from_utf8(text).unwrap())
    }

    #[test]
    fn the_time_of_a_query_holds_while_hits_are_written() {
        let (result, text) = streamed(Job::default());
        assert_eq!(result, Ok(()));
        assert!(text.contains("\"source\":\"games.csv\"") && text.ends_with("}\n"), "{text}");
        let (result, text) = streamed(Job::default().with_timeout(Duration::ZERO));
        assert_eq!((result, text.as_str()), (Err(ErrorCode::TooSlow), ""));
    }
}
