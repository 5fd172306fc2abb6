//! A request as the functions of the API see it, and what they answer with. HTTP libraries don't appear here.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use taflbase::database::CorpusRequest;
use taflbase::{CancelToken, Job};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::api_error::{ApiError, ErrorCode};
use super::limits::Limits;
use super::snapshot::Snapshot;

/// What a request has besides its parameters.
pub(crate) struct ApiRequest {
    /// The corpus as it was when the request came.
    pub(crate) snapshot: Arc<Snapshot>,
    /// The body; empty for GET.
    pub(crate) body: Vec<u8>,
    /// Its deadline, and its cancellation when the client goes or the server ends.
    pub(crate) job: Job,
    /// The limits of the server.
    pub(crate) limits: Limits,
    /// The description of the API in OpenAPI.
    pub(crate) description: Arc<Value>,
}

impl ApiRequest {
    /// Runs a request about the corpus.
    ///
    /// # Errors
    ///
    /// Returns why there is no answer.
    pub(crate) fn run<R: CorpusRequest>(&self, request: R) -> Result<R::Answer, ApiError> {
        Ok(request.run_on(&self.snapshot.corpus, &self.snapshot.app, &self.job)?)
    }
}

/// A document that is no JSON, or JSON with headers of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The type, such as `text/html; charset=utf-8`.
    pub(crate) content_type: &'static str,
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// Headers of its own, which replace those that every answer has.
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Document {
    /// Returns a document of a type.
    pub(crate) fn new(content_type: &'static str, bytes: impl Into<Vec<u8>>) -> Document {
        Document { content_type, bytes: bytes.into(), headers: Vec::new() }
    }

    /// Returns a value as JSON.
    pub(crate) fn json(value: &Value) -> Document {
        Document::new("application/json", value.to_string())
    }

    /// Returns the document with a header of its own.
    #[must_use]
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Document {
        self.headers.push((name, value.into()));
        self
    }
}

/// The client has gone, so the rest of the answer isn't needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client has gone")]
pub(crate) struct Gone;

impl From<Gone> for ApiError {
    fn from(gone: Gone) -> ApiError {
        ApiError::new(ErrorCode::Internal, gone.to_string())
    }
}

/// Where a long answer goes, piece by piece. A slow client makes the writer wait.
pub(crate) struct Pieces {
    sender: Sender<Vec<u8>>,
    token: CancelToken,
    patience: Duration,
}

impl Pieces {
    /// Returns where the pieces of an answer go, to a client that takes each within some time.
    pub(crate) fn new(sender: Sender<Vec<u8>>, token: CancelToken, patience: Duration) -> Pieces {
        Pieces { sender, token, patience }
    }

    /// Sends bytes. Called on a thread that may wait.
    ///
    /// # Errors
    ///
    /// Returns that the client has gone.
    pub(crate) fn bytes(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Gone> {
        if self.token.is_cancelled() {
            return Err(Gone);
        }
        let sending = self.sender.send_timeout(bytes.into(), self.patience);
        Handle::current().block_on(sending).map_err(|_| Gone)
    }

    /// Sends a line of JSON.
    ///
    /// # Errors
    ///
    /// Returns that the client has gone.
    pub(crate) fn line(&self, value: &impl Serialize) -> Result<(), Gone> {
        self.bytes(json_text(value) + "\n")
    }

    /// Sends an event of a name, as server-sent events have them.
    ///
    /// # Errors
    ///
    /// Returns that the client has gone.
    pub(crate) fn event(&self, name: &'static str, data: &impl Serialize) -> Result<(), Gone> {
        // JSON has no line feeds of its own, so one line of data is enough.
        self.bytes(format!("event: {name}\ndata: {}\n\n", json_text(data)))
    }
}

/// Returns a value as JSON.
fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer can be written as JSON")
}
