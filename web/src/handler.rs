//! The handling of a request: it is read, waits for its permit, is answered on a blocking thread, and is written.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::response::Response;
use serde_json::{Map, Value};
use taflbase::{CancelOnDrop, Job};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt as _};

use super::api_error::{ApiError, ErrorCode};
use super::app_state::AppState;
use super::auth::check_same_origin;
use super::concurrency::Permit;
use super::limits::ServerLimits;
use super::media_type::{EVENTS, LINES};
use super::redaction::redact_folders;
use super::request::{ApiRequest, ChunkSender, Document, event_text};
use super::response::{document_response, error_response};
use super::routes::{Access, Reply, Route, Work, Writer};

/// The maximum number of chunks of a stream that wait for the client.
const QUEUED_CHUNKS: usize = 16;

/// The parts of a request that the answer needs: the values of the parameters, the host, and the body.
struct GivenRequest {
    values: Map<String, Value>,
    host: String,
    body: Vec<u8>,
}

/// The first message of the thread that makes an answer.
enum ReplyStart {
    Document(Document),
    Stream(&'static str, mpsc::Receiver<Vec<u8>>),
}

/// The chunks of a stream, as the body of a response.
struct ChunkStream {
    chunks: mpsc::Receiver<Vec<u8>>,
    _cancel: Option<CancelOnDrop>,
}

impl Stream for ChunkStream {
    type Item = Result<Vec<u8>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.chunks.poll_recv(cx).map(|chunk| chunk.map(Ok))
    }
}

/// Answers a request of a route.
pub(crate) async fn handle(state: Arc<AppState>, route: Arc<Route>, request: Request) -> Response {
    let start = Instant::now();
    let response = match respond(&state, &route, request).await {
        Ok(response) => response,
        Err(problem) => {
            if matches!(problem.code, ErrorCode::Busy | ErrorCode::TooSlow | ErrorCode::TooLarge) {
                state.metrics.count_rejection(problem.code.as_str());
            }
            error_response(&problem)
        }
    };
    state.metrics.count_answer(route.name, response.status().as_u16(), start.elapsed());
    response
}

async fn respond(state: &Arc<AppState>, route: &Arc<Route>, request: Request) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let given = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map_err(|_| {
        ApiError::new(ErrorCode::BadParameter, "the query string of the address is malformed")
    })?;
    let path_params = RawPathParams::from_request_parts(&mut parts, &())
        .await
        .map_err(|_| ApiError::new(ErrorCode::NotFound, "the address is not UTF-8"))?;
    let in_path = path_params.iter().next().map(|(_, value)| value.to_owned());
    let values = route.params.read(given.0, in_path)?;
    if route.access != Access::Read {
        state.site.studies()?;
        check_same_origin(&parts.headers)?;
    }
    let (body, body_permit) = match route.body {
        None => (Vec::new(), None),
        Some(_) => read_body(body, state).await.map(|(body, permit)| (body, Some(permit)))?,
    };
    // A request with a query may read all games.
    let work_kind = match (route.work, values.get("query")) {
        (Work::Quick, Some(_)) => Work::Query,
        (kind, _) => kind,
    };
    let permit = state.concurrency.acquire(work_kind).await?;
    let job = state.job_for(work_kind);
    let cancel = (work_kind != Work::Report).then(|| job.cancel_token().cancel_on_drop());
    let (sender, reply_start) = oneshot::channel();
    let (state, route) = (Arc::clone(state), Arc::clone(route));
    let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let given = GivenRequest { values, host: host.to_ascii_lowercase(), body };
    tokio::task::spawn_blocking(move || {
        let _permits = (permit, body_permit);
        run_job(&state, &route, given, job, sender);
    });
    let internal = |_| ApiError::new(ErrorCode::Internal, "internal server error");
    match reply_start.await.map_err(internal)?? {
        ReplyStart::Document(document) => Ok(document_response(document)),
        ReplyStart::Stream(content_type, chunks) => {
            let mut response = Response::new(Body::from_stream(ChunkStream { chunks, _cancel: cancel }));
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Ok(response)
        }
    }
}

/// Returns a body and the permit for its memory.
async fn read_body(body: Body, state: &AppState) -> Result<(Vec<u8>, Permit), ApiError> {
    let max = state.limits.body_bytes;
    // The length of a chunked body isn't known yet, so it counts as the longest.
    let length = body.size_hint().exact();
    let length = length.map_or(max, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if length > max {
        return Err(too_large(max));
    }
    let permit = state.concurrency.acquire_body(length).await?;
    let client_timeout = state.limits.client_timeout;
    let reading =
        timeout(ServerLimits::BODY_TIMEOUTS * client_timeout, read_chunks(body, max, client_timeout));
    Ok((reading.await.unwrap_or_else(|_| Err(timed_out()))?, permit))
}

async fn read_chunks(body: Body, max: usize, client_timeout: Duration) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = timeout(client_timeout, chunks.next()).await.map_err(|_| timed_out())? {
        let chunk = chunk.map_err(|_| {
            ApiError::new(
                ErrorCode::BadRecord,
                "the body cannot be read: it is incomplete, or its chunks are malformed",
            )
            .help("send it again, with its length in the header `Content-Length`")
        })?;
        if chunk.len() > max - bytes.len() {
            return Err(too_large(max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large(max: usize) -> ApiError {
    ApiError::new(ErrorCode::TooLarge, format!("the body has more than {max} bytes"))
        .help("use `tafl validate` or `tafl convert`, or start the server with a larger `--body`")
}

fn timed_out() -> ApiError {
    ApiError::new(ErrorCode::TooSlow, "the body did not arrive in time")
}

/// Creates the answer, on a blocking thread.
fn run_job(
    state: &AppState,
    route: &Route,
    given: GivenRequest,
    job: Job,
    reply_start: oneshot::Sender<Result<ReplyStart, ApiError>>,
) {
    let token = job.cancel_token();
    let answer = move || -> Result<Reply, ApiError> {
        let snapshot = state.store.current()?;
        let description = Arc::clone(&state.description);
        let site = Arc::clone(&state.site);
        let GivenRequest { values, host, body } = given;
        let request = ApiRequest { snapshot, host, body, job, limits: state.limits, site, description };
        let mut reply = (route.handler)(values, &Arc::new(request));
        if route.access == Access::Write && reply.is_ok() {
            // The client's next request sees the change.
            state.store.refresh();
        }
        if let (true, Ok(Reply::Json(answer))) = (state.site.redacts_folders, &mut reply) {
            redact_folders(answer);
        }
        reply
    };
    match catch_panic(answer) {
        // The client may have gone; ignore the send error.
        Err(problem) => drop(reply_start.send(Err(problem))),
        Ok(Reply::Json(value)) => drop(reply_start.send(Ok(ReplyStart::Document(Document::json(&value))))),
        Ok(Reply::Document(document)) => drop(reply_start.send(Ok(ReplyStart::Document(document)))),
        Ok(Reply::Stream(content_type, writer)) => {
            let (sender, chunks) = mpsc::channel(QUEUED_CHUNKS);
            if reply_start.send(Ok(ReplyStart::Stream(content_type, chunks))).is_ok() {
                let chunks = ChunkSender::new(sender, token, state.limits.client_timeout);
                write(writer, content_type, &chunks);
            }
        }
    }
}

/// Writes a stream; an error becomes its last chunk.
fn write(writer: Writer, content_type: &'static str, chunks: &ChunkSender) {
    let Err(problem) = catch_panic(|| writer(chunks)) else { return };
    // If the client disconnected instead, it gets nothing.
    let problem = if chunks.is_canceled() { ApiError::stopping() } else { problem };
    let last = match content_type {
        EVENTS => event_text("problem", &problem.json()),
        LINES => {
            let mut line = problem.json();
            line["type"] = "problem".into();
            format!("{line}\n")
        }
        // The client sees that the answer is incomplete, because the summary is missing.
        _ => format!("\nproblem: {}\n", problem.message),
    };
    let _ = chunks.last(last);
}

/// Calls a function, and turns a panic into an error.
fn catch_panic<T>(function: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    let internal = |_| {
        Err(ApiError::new(ErrorCode::Internal, "internal server error")
            .help("see the server's log, and report it"))
    };
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let problem = catch_panic::<()>(|| panic!("on purpose")).unwrap_err();
        assert_eq!(problem.code, ErrorCode::Internal);
        assert!(!problem.message.contains("on purpose"));
    }
}
