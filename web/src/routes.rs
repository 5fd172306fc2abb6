//! The routes of the API: the router, the OpenAPI description, and the names of the metrics are made from a list of them.

use std::sync::Arc;
use std::time::Instant;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::api_error::{ApiError, ErrorCode};
use super::media_type::JSON;
use super::param::{ParamLimit, ParamTable};
use super::request::{ApiRequest, ChunkSender, Document};

/// A request with a path. Its fields are the parameters, and their doc comments describe them.
pub(crate) trait Endpoint: DeserializeOwned + JsonSchema {
    /// The name in metrics and in OpenAPI.
    const NAME: &'static str;
    /// The path. The segment `{id}` is the field `id` of the request.
    const PATH: &'static str;
    /// The summary of the answer, in a sentence.
    const SUMMARY: &'static str;
    /// The cost of the work.
    const WORK: Work;
    /// The media types of the answer, JSON first if it is one.
    const TYPES: &'static [&'static str] = &[JSON];
    /// The body, if there is one.
    const BODY: Option<RequestBody> = None;
    /// The access that the request needs.
    const ACCESS: Access = Access::Read;
    /// The limits of the server that are tighter than those of the request.
    const LIMITS: &'static [ParamLimit] = &[];
    /// The names of the parameters that are required, although they are optional in the request.
    const REQUIRED: &'static [&'static str] = &[];
    /// The answer in JSON.
    type Answer: JsonSchema;

    /// Creates the answer.
    ///
    /// # Errors
    ///
    /// Returns the error of the request.
    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError>;
}

/// A route of the API: an [`Endpoint`] as a value.
pub(crate) struct Route {
    /// The name in metrics and in OpenAPI.
    pub(crate) name: &'static str,
    /// The path.
    pub(crate) path: &'static str,
    /// The summary of the answer, in a sentence.
    pub(crate) summary: &'static str,
    /// The cost of the work.
    pub(crate) work: Work,
    /// The media types of the answer.
    pub(crate) types: &'static [&'static str],
    /// The body, if there is one.
    pub(crate) body: Option<RequestBody>,
    /// The access that the request needs.
    pub(crate) access: Access,
    /// The parameters.
    pub(crate) params: ParamTable,
    /// Adds the schema of the answer in JSON to a generator.
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    /// Creates the answer from the values of the parameters.
    pub(crate) handler: Handler,
}

/// Creates an answer from the values of the parameters.
pub(crate) type Handler = fn(Map<String, Value>, &Arc<ApiRequest>) -> Result<Reply, ApiError>;

/// The body of requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestBody {
    /// The content.
    pub(crate) description: &'static str,
    /// The media type.
    pub(crate) content_type: &'static str,
}

impl Route {
    /// Creates the route of an endpoint.
    pub(crate) fn of<E: Endpoint>() -> Route {
        Route {
            name: E::NAME,
            path: E::PATH,
            summary: E::SUMMARY,
            work: E::WORK,
            types: E::TYPES,
            body: E::BODY,
            access: E::ACCESS,
            params: ParamTable::of::<E>(E::LIMITS, E::REQUIRED),
            schema: |generator| generator.subschema_for::<E::Answer>(),
            handler: |values, request| {
                // The values were checked against the schema of the request, so this shouldn't fail.
                let endpoint: E = serde_json::from_value(Value::Object(values))
                    .map_err(|error| ApiError::new(ErrorCode::BadParameter, error.to_string()))?;
                endpoint.answer(request)
            },
        }
    }

    /// Returns whether the method is POST; else it is GET.
    pub(crate) fn is_post(&self) -> bool {
        self.body.is_some() || self.access == Access::Write
    }
}

/// The access that a request needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    /// Every server answers it.
    Read,
    /// It is about files of users, which only a server with `--write` has.
    UserFiles,
    /// It changes files, which only a server with `--write` does.
    Write,
}

/// The cost of the work for a request. It determines the time limit and the semaphore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// The work takes milliseconds.
    Quick,
    /// The work may read all games, or a large body.
    Query,
    /// A query that takes longer. Its answer is cached, so the work goes on if the client disconnects.
    Report,
    /// The engine searches.
    Engine,
    /// Files are changed, by one request at a time.
    Write,
}

/// Writes a streamed answer, after the headers have been sent.
pub(crate) type Writer = Box<dyn FnOnce(&ChunkSender) -> Result<(), ApiError> + Send>;

/// An answer.
pub(crate) enum Reply {
    /// JSON.
    Json(Value),
    /// Another document.
    Document(Document),
    /// A streamed answer: its media type, and its writer. An error becomes an event `problem`, or a last line with the type
    /// `problem`.
    Stream(&'static str, Writer),
}

/// An answer with its computing time.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Timed{A}")]
pub(crate) struct Timed<A> {
    /// The answer.
    #[serde(flatten)]
    answer: A,
    /// The time, in milliseconds.
    took_ms: f64,
}

impl<A> Timed<A> {
    /// Creates an answer whose computation began at an instant.
    pub(crate) fn since(start: Instant, answer: A) -> Timed<A> {
        Timed { answer, took_ms: start.elapsed().as_micros() as f64 / 1e3 }
    }
}

impl Reply {
    /// Creates an answer as JSON.
    ///
    /// # Panics
    ///
    /// Panics if the answer can't be written as JSON, such as a map whose keys are not strings.
    pub(crate) fn json(answer: &impl Serialize) -> Reply {
        Reply::Json(serde_json::to_value(answer).expect("an answer can be written as JSON"))
    }
}

impl From<Document> for Reply {
    fn from(document: Document) -> Reply {
        Reply::Document(document)
    }
}
