//! A request as the functions of the API see it, and what they answer with. No word about HTTP libraries here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use taflbase::{CompiledVariant, PlayedPosition};
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;

use super::limits::Limits;
use super::params::Params;
use super::problem::{Code, Problem};
use super::state::Snapshot;

/// A request, ready to be answered.
pub(crate) struct Call {
    /// The corpus as it was when the request came.
    pub(crate) snapshot: Arc<Snapshot>,
    /// What the request says.
    pub(crate) params: Params,
    /// The part of the path that the route leaves open, such as the number of a game; else empty.
    pub(crate) id: String,
    /// The body; empty for GET.
    pub(crate) body: Vec<u8>,
    /// When to give up.
    pub(crate) stop: Stop,
    /// What may be asked for.
    pub(crate) limits: Limits,
}

impl Call {
    /// Returns the rules that the request names.
    ///
    /// # Errors
    ///
    /// Returns that none are named, or what is wrong with them.
    pub(crate) fn rules(&self) -> Result<Arc<CompiledVariant>, Problem> {
        Ok(self.params.rules().require(&self.snapshot.app)?)
    }

    /// Returns the position that the request names.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the rules, the position or the moves.
    pub(crate) fn position(&self) -> Result<PlayedPosition, Problem> {
        Ok(self.params.position()?.play(&self.snapshot.app)?)
    }
}

/// When to give up: the client has gone, the server ends, or the time is over.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    flag: Arc<AtomicBool>,
    begun: Instant,
    time: Duration,
}

impl Stop {
    /// Returns a stop that comes after a time, or sooner when it is told.
    pub(crate) fn after(time: Duration) -> Stop {
        Stop { flag: Arc::default(), begun: Instant::now(), time }
    }

    /// Returns whether it is time to give up.
    pub(crate) fn is_now(&self) -> bool {
        self.is_told() || self.begun.elapsed() >= self.time
    }

    /// Returns whether nobody waits for the answer any more.
    pub(crate) fn is_told(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Says that nobody waits for the answer any more.
    pub(crate) fn tell(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Returns the flag that is set when nobody waits any more: what the engine looks at.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
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

/// The client has gone; whatever is being made, nobody wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client has gone")]
pub(crate) struct Gone;

impl From<Gone> for Problem {
    /// Nobody will read it.
    fn from(gone: Gone) -> Problem {
        Problem::new(Code::Internal, gone.to_string())
    }
}

/// Where a long answer goes, piece by piece. A slow client makes the writer wait.
pub(crate) struct Pieces {
    sender: Sender<Vec<u8>>,
    stop: Stop,
    patience: Duration,
}

impl Pieces {
    /// Returns where the pieces of an answer go, to a client that takes each within some time.
    pub(crate) fn new(sender: Sender<Vec<u8>>, stop: Stop, patience: Duration) -> Pieces {
        Pieces { sender, stop, patience }
    }

    /// Sends bytes. Called on a thread that may wait.
    ///
    /// # Errors
    ///
    /// Returns that the client has gone.
    pub(crate) fn bytes(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Gone> {
        if self.stop.is_told() {
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
    pub(crate) fn line(&self, value: &Value) -> Result<(), Gone> {
        self.bytes(format!("{value}\n"))
    }

    /// Sends an event of a name, as server-sent events have them.
    ///
    /// # Errors
    ///
    /// Returns that the client has gone.
    pub(crate) fn event(&self, name: &'static str, data: &Value) -> Result<(), Gone> {
        // JSON has no line feeds of its own, so one line of data is enough.
        self.bytes(format!("event: {name}\ndata: {data}\n\n"))
    }
}
