//! The engine's analysis of a position, streamed during the search.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taflbase::engine::{Analysis, AnalysisRequest};

use crate::api_error::ApiError;
use crate::media_type::{EVENTS, JSON};
use crate::request::{ApiRequest, ChunkSender};
use crate::routes::{Endpoint, Reply, Work};

/// Search a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AnalysisParams {
    /// The search.
    #[serde(flatten)]
    request: AnalysisRequest,
    /// Events while the engine searches, or its result as JSON.
    #[serde(default)]
    format: AnalysisFormat,
}

/// The format of an analysis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AnalysisFormat {
    #[default]
    Events,
    Json,
}

impl Endpoint for AnalysisParams {
    const NAME: &'static str = "analysis";
    const PATH: &'static str = "/api/analysis";
    const SUMMARY: &'static str = "The engine's lines in a position: an event `line` after each depth, then one event `done`. Scores and expectations \
         are the attackers'. The search ends when the client closes the connection. With `format=json`, only what `done` has, \
         when the search has ended.";
    const WORK: Work = Work::Engine;
    const TYPES: &'static [&'static str] = &[JSON, EVENTS];
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = Analysis;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let max_time = Some(request.limits.engine_time);
        let prepared = AnalysisRequest { max_time, ..self.request }.prepare(&request.snapshot.app)?;
        if self.format == AnalysisFormat::Json {
            return Ok(Reply::json(&prepared.run(&request.job, &|_| ())?));
        }
        let request = Arc::clone(request);
        let write = move |chunks: &ChunkSender| {
            let analysis = prepared.run(&request.job, &|report| {
                if chunks.event("line", report).is_err() {
                    // The search ends at its next check of the token.
                    request.job.cancel_token().cancel();
                }
            })?;
            Ok(chunks.event("done", &analysis)?)
        };
        Ok(Reply::Stream(EVENTS, Box::new(write)))
    }
}
