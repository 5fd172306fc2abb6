//! The requests and answers of the API, independent of HTTP libraries.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use taflbase::database::CorpusRequest;
use taflbase::{CancelToken, Job, json_text};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::api_error::{ApiError, ErrorCode};
use super::limits::ServerLimits;
use super::media_type::JSON;
use super::site::Site;
use super::snapshot::Snapshot;

/// The context of a request, besides its parameters.
pub(crate) struct ApiRequest {
    /// The state of the corpus when the request arrived.
    pub(crate) snapshot: Arc<Snapshot>,
    /// The host and port that the client names, in lowercase.
    pub(crate) host: String,
    /// The body; empty for GET.
    pub(crate) body: Vec<u8>,
    /// The deadline, and the cancellation if the client disconnects or the server stops.
    pub(crate) job: Job,
    /// The limits of the server.
    pub(crate) limits: ServerLimits,
    /// The settings of the site that visitors notice.
    pub(crate) site: Arc<Site>,
    /// The OpenAPI description.
    pub(crate) description: Arc<Value>,
}

impl ApiRequest {
    /// Returns the folder of the corpus.
    pub(crate) fn corpus_path(&self) -> PathBuf {
        self.snapshot.corpus.corpus().path().to_owned()
    }

    /// Runs a request about the corpus.
    ///
    /// # Errors
    ///
    /// Returns the error of the request.
    pub(crate) fn run<R: CorpusRequest>(&self, request: R) -> Result<R::Answer, ApiError> {
        Ok(request.run_on(&self.snapshot.corpus, &self.snapshot.app, &self.job)?)
    }
}

/// A document: bytes with a media type, and additional headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The media type, such as `text/html; charset=utf-8`.
    pub(crate) content_type: &'static str,
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// Additional headers, which replace those of every response.
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Document {
    /// Creates a document.
    pub(crate) fn new(content_type: &'static str, bytes: impl Into<Vec<u8>>) -> Document {
        Document { content_type, bytes: bytes.into(), headers: Vec::new() }
    }

    /// Returns a value as JSON.
    pub(crate) fn json(value: &Value) -> Document {
        Document::new(JSON, json_text(value))
    }

    /// Adds a header.
    #[must_use]
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Document {
        self.headers.push((name, value.into()));
        self
    }
}

/// The client disconnected or the server stops, so the rest of the answer isn't sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client disconnected, or the server stops")]
pub(crate) struct Disconnected;

impl From<Disconnected> for ApiError {
    fn from(error: Disconnected) -> ApiError {
        ApiError::new(ErrorCode::Internal, error.to_string())
    }
}

/// The sender of a streamed answer. A slow client makes the writer wait.
pub(crate) struct ChunkSender {
    sender: Sender<Vec<u8>>,
    token: CancelToken,
    client_timeout: Duration,
}

impl ChunkSender {
    /// Creates a sender to a client that must receive each chunk within a timeout.
    pub(crate) fn new(sender: Sender<Vec<u8>>, token: CancelToken, client_timeout: Duration) -> ChunkSender {
        ChunkSender { sender, token, client_timeout }
    }

    /// Sends bytes. It blocks the thread while the client is slow.
    ///
    /// # Errors
    ///
    /// Returns an error if the client disconnected.
    pub(crate) fn bytes(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Disconnected> {
        if self.token.is_canceled() {
            return Err(Disconnected);
        }
        self.last(bytes)
    }

    /// Returns whether the client disconnected or the server stops.
    pub(crate) fn is_canceled(&self) -> bool {
        self.token.is_canceled()
    }

    /// Sends the last bytes, even if the server stops.
    ///
    /// # Errors
    ///
    /// Returns an error if the client disconnected.
    pub(crate) fn last(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Disconnected> {
        let sending = self.sender.send_timeout(bytes.into(), self.client_timeout);
        Handle::current().block_on(sending).map_err(|_| Disconnected)
    }

    /// Sends a server-sent event.
    ///
    /// # Errors
    ///
    /// Returns an error if the client disconnected.
    pub(crate) fn event(&self, name: &'static str, data: &impl Serialize) -> Result<(), Disconnected> {
        self.bytes(event_text(name, data))
    }
}

/// Returns a server-sent event.
pub(crate) fn event_text(name: &str, data: &impl Serialize) -> String {
    // Compact JSON has no line feeds, so one `data` line is enough.
    format!("event: {name}\ndata: {}\n\n", json_text(data))
}
