//! The handling of a request: it is read, waits for its permit, is answered on a blocking thread, and is written.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt as _};

use super::api;
use super::api_error::{ApiError, ErrorCode};
use super::auth::check_same_origin;
use super::concurrency::{ConcurrencyLimits, Permit};
use super::limits::ServerLimits;
use super::metrics::Metrics;
use super::openapi;
use super::redaction::redact_folders;
use super::request::{ApiRequest, Document, Pieces, event_text};
use super::routes::{Access, EVENTS, LINES, Reply, Route, Work, Writer};
use super::site::Site;
use super::store::Store;
use taflbase::{CancelToken, Job};

/// The maximum number of pieces of a stream that wait for the client.
const QUEUED_PIECES: usize = 16;

/// The time after the end of a search in which its answer is made, so that a search at its limit still has one.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// The state that all requests share.
pub(crate) struct AppState {
    /// The corpus.
    pub(crate) store: Arc<Store>,
    /// The limits of concurrent work.
    pub(crate) concurrency: ConcurrencyLimits,
    /// The limits of a request.
    pub(crate) limits: ServerLimits,
    /// The metrics.
    pub(crate) metrics: Metrics,
    /// The settings of the site that visitors notice.
    pub(crate) site: Arc<Site>,
    /// The routes of the API.
    pub(crate) routes: Vec<Arc<Route>>,
    /// The OpenAPI description of the routes.
    description: Arc<Value>,
    /// The flags that cancel running work.
    jobs: Mutex<Vec<Weak<AtomicBool>>>,
}

/// Cancels the work for a request when it is dropped, as it is when the client disconnects.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// What a client sent: the values of the parameters, the host, and the body.
struct GivenRequest {
    values: Map<String, Value>,
    host: String,
    body: Vec<u8>,
}

/// The first message of the thread that makes an answer.
enum Begun {
    Document(Document),
    Stream(&'static str, mpsc::Receiver<Vec<u8>>),
}

/// The pieces of a stream, as the body of a response.
struct PieceStream {
    pieces: mpsc::Receiver<Vec<u8>>,
    _cancel: CancelOnDrop,
}

impl Stream for PieceStream {
    type Item = Result<Vec<u8>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.poll_recv(cx).map(|piece| piece.map(Ok))
    }
}

impl AppState {
    /// Returns the state of a server with a corpus.
    pub(crate) fn new(store: Store, limits: ServerLimits, site: Site) -> AppState {
        let (concurrency, metrics) = (ConcurrencyLimits::new(limits), Metrics::default());
        let routes = api::routes();
        let description = Arc::new(openapi::document(&routes, &site.base_path));
        let routes = routes.into_iter().map(Arc::new).collect();
        AppState {
            store: Arc::new(store),
            concurrency,
            limits,
            metrics,
            site: Arc::new(site),
            routes,
            description,
            jobs: Mutex::default(),
        }
    }

    /// Cancels all running work.
    pub(crate) fn stop_all(&self) {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        for flag in jobs.iter().filter_map(Weak::upgrade) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn job_for(&self, work: Work) -> Job {
        let job = Job::default().with_timeout(match work {
            Work::Quick | Work::Query => self.limits.query_time,
            Work::Engine => self.limits.engine_time + ANSWER_TIME,
            Work::Write => self.limits.write_time,
        });
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.len() >= 2 * self.limits.connections {
            jobs.retain(|flag| flag.strong_count() > 0);
        }
        jobs.push(Arc::downgrade(&job.cancel_token().flag()));
        job
    }
}

/// Answers a request of a route.
pub(crate) async fn handle(state: Arc<AppState>, route: Arc<Route>, request: Request) -> Response {
    let start = Instant::now();
    let response = match respond(&state, &route, request).await {
        Ok(response) => response,
        Err(problem) => {
            if matches!(problem.code, ErrorCode::Busy | ErrorCode::TooSlow | ErrorCode::TooLarge) {
                state.metrics.rejected(problem.code.word());
            }
            of_problem(&problem)
        }
    };
    state.metrics.answered(route.name, response.status().as_u16(), start.elapsed());
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
    let cancel = CancelOnDrop(job.cancel_token());
    let (sender, begun) = oneshot::channel();
    let (state, route) = (Arc::clone(state), Arc::clone(route));
    let host = parts.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let given = GivenRequest { values, host: host.to_ascii_lowercase(), body };
    tokio::task::spawn_blocking(move || {
        let _permits = (permit, body_permit);
        work(&state, &route, given, job, sender);
    });
    let internal = |_| ApiError::new(ErrorCode::Internal, "internal server error");
    match begun.await.map_err(internal)?? {
        Begun::Document(document) => Ok(of_document(document)),
        Begun::Stream(content_type, pieces) => {
            let mut response = Response::new(Body::from_stream(PieceStream { pieces, _cancel: cancel }));
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
        timeout(ServerLimits::BODY_TIMEOUTS * client_timeout, read_pieces(body, max, client_timeout));
    Ok((reading.await.unwrap_or_else(|_| Err(timed_out()))?, permit))
}

async fn read_pieces(body: Body, max: usize, client_timeout: Duration) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = timeout(client_timeout, pieces.next()).await.map_err(|_| timed_out())? {
        let piece = piece.map_err(|_| {
            ApiError::new(
                ErrorCode::BadRecord,
                "the body cannot be read: it is incomplete, or its chunks are malformed",
            )
            .help("send it again, with its length in the header `Content-Length`")
        })?;
        if piece.len() > max - bytes.len() {
            return Err(too_large(max));
        }
        bytes.extend_from_slice(&piece);
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
fn work(
    state: &AppState,
    route: &Route,
    given: GivenRequest,
    job: Job,
    begun: oneshot::Sender<Result<Begun, ApiError>>,
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
        Err(problem) => drop(begun.send(Err(problem))),
        Ok(Reply::Json(value)) => drop(begun.send(Ok(Begun::Document(Document::json(&value))))),
        Ok(Reply::Document(document)) => drop(begun.send(Ok(Begun::Document(document)))),
        Ok(Reply::Stream(content_type, writer)) => {
            let (sender, pieces) = mpsc::channel(QUEUED_PIECES);
            if begun.send(Ok(Begun::Stream(content_type, pieces))).is_ok() {
                let pieces = Pieces::new(sender, token, state.limits.client_timeout);
                write(writer, content_type, &pieces);
            }
        }
    }
}

/// Writes a stream; an error becomes its last piece.
fn write(writer: Writer, content_type: &'static str, pieces: &Pieces) {
    let Err(problem) = catch_panic(|| writer(pieces)) else { return };
    // If the client disconnected instead, it gets nothing.
    let problem = if pieces.is_canceled() { ApiError::stopping() } else { problem };
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
    let _ = pieces.last(last);
}

/// Calls a function, and turns a panic into an error.
fn catch_panic<T>(function: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    let internal = |_| {
        Err(ApiError::new(ErrorCode::Internal, "internal server error")
            .help("see the server's log, and report it"))
    };
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(internal)
}

/// Returns the response of a document.
pub(crate) fn of_document(document: Document) -> Response {
    let mut response = Response::new(Body::from(document.bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(document.content_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in document.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Returns the response of an error.
pub(crate) fn of_problem(problem: &ApiError) -> Response {
    let mut response = of_document(Document::json(&problem.json()));
    *response.status_mut() =
        StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if matches!(problem.code, ErrorCode::Busy | ErrorCode::CorpusDamaged) {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
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
