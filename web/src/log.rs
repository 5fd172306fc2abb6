//! The log: warnings of the server, and a line for each request, without its query string, which may contain the token.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::pin::Pin;
use std::str::FromStr;
use std::task::{Context, Poll};
use std::time::Instant;

use anyhow::Context as _;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Method, Request, Response};
use hyper::body::{Frame, SizeHint};
use tracing::level_filters::LevelFilter;

/// Where the log is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogTarget {
    /// To standard error, from this level on.
    Level(LevelFilter),
    /// To the end of a file, at the level `info`.
    File(PathBuf),
}

impl FromStr for LogTarget {
    type Err = String;

    /// Reads the name of a level, or else the path of a file.
    ///
    /// # Errors
    ///
    /// Returns an error for a word without a dot or a folder that is not a level, because it may be a misspelled level.
    fn from_str(text: &str) -> Result<LogTarget, String> {
        match text.parse() {
            Ok(level) if !text.is_empty() => Ok(LogTarget::Level(level)),
            _ if text.contains('.') || text.contains(std::path::is_separator) => {
                Ok(LogTarget::File(text.into()))
            }
            _ if text.is_empty() => Err("expected a level or a file".to_owned()),
            _ => Err(format!(
                "not a level (off, error, warn, info, debug, or trace); for a file of this name, write `./{text}`"
            )),
        }
    }
}

/// Starts the log. If the process has a log already, that one is used.
///
/// # Errors
///
/// Returns an error if the file can't be opened.
pub(crate) fn start(target: &LogTarget) -> anyhow::Result<()> {
    let builder = tracing_subscriber::fmt().with_ansi(false).with_target(false);
    // An error means that the process has a log already.
    let _ = match target {
        LogTarget::Level(level) => builder.with_max_level(*level).with_writer(std::io::stderr).try_init(),
        LogTarget::File(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.with_context(|| format!("--log {}", path.display()))?;
            builder.with_max_level(LevelFilter::INFO).with_writer(std::sync::Mutex::new(file)).try_init()
        }
    };
    Ok(())
}

/// The log entry of a request. It is written when the response has been sent or dropped.
pub(crate) struct LogEntry {
    method: Method,
    path: String,
    status: u16,
    start: Instant,
    bytes: u64,
    is_whole: bool,
}

impl LogEntry {
    /// Starts the entry of a request.
    pub(crate) fn new<B>(request: &Request<B>) -> LogEntry {
        LogEntry {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            status: 0,
            start: Instant::now(),
            bytes: 0,
            is_whole: false,
        }
    }

    /// Attaches the entry to a response, whose body writes it at its end.
    pub(crate) fn follow(mut self, response: Response<Body>) -> Response<Body> {
        if !tracing::enabled!(tracing::Level::INFO) {
            return response;
        }
        self.status = response.status().as_u16();
        self.is_whole = response.body().is_end_stream();
        response.map(|body| Body::new(LoggedBody { body, entry: Some(self) }))
    }

    fn write(&self) {
        tracing::info!(
            method = %self.method,
            path = %self.path.escape_default(),
            status = self.status,
            ms = self.start.elapsed().as_micros() as f64 / 1e3,
            bytes = self.bytes,
            whole = self.is_whole,
        );
    }
}

/// The body of a response, which counts its bytes for the log entry.
struct LoggedBody {
    body: Body,
    entry: Option<LogEntry>,
}

impl HttpBody for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        let is_end = self.body.is_end_stream();
        if let Some(entry) = &mut self.entry {
            match &polled {
                Poll::Ready(Some(Ok(frame))) => {
                    entry.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                    entry.is_whole = is_end;
                }
                Poll::Ready(None) => entry.is_whole = true,
                Poll::Ready(Some(Err(_))) | Poll::Pending => {}
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for LoggedBody {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            entry.write();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_level_is_not_a_file() {
        assert_eq!("info".parse(), Ok(LogTarget::Level(LevelFilter::INFO)));
        for file in ["access.log", "./info", "/var/log/tafl"] {
            assert_eq!(file.parse(), Ok(LogTarget::File(file.into())));
        }
        let error = "debgu".parse::<LogTarget>().unwrap_err();
        assert!(error.contains("write `./debgu`"), "{error}");
        assert!("".parse::<LogTarget>().is_err());
    }
}
