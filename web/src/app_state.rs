//! A request on its way: read, given a permit, answered on a thread of its own, written.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt as _};

use super::api;
use super::api_error::{ApiError, ErrorCode};
use super::concurrency::{ConcurrencyLimits, Permit};
use super::limits::Limits;
use super::metrics::Metrics;
use super::openapi;
use super::request::{ApiRequest, Document, Pieces};
use super::routes::{EVENTS, LINES, Reply, Route, Work, Writer};
use super::store::Store;
use taflbase::{CancelToken, Job};

/// How many pieces of a long answer wait for the client at most.
const PIECES: usize = 16;

/// What all requests share.
pub(crate) struct AppState {
    /// The corpus.
    pub(crate) store: Arc<Store>,
    /// How much is done at once.
    pub(crate) concurrency: ConcurrencyLimits,
    /// What a request may cost.
    pub(crate) limits: Limits,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// The addresses of the API.
    pub(crate) routes: Vec<Arc<Route>>,
    /// Their description in OpenAPI.
    description: Arc<Value>,
    /// The flags that cancel running work.
    jobs: Mutex<Vec<Weak<AtomicBool>>>,
}

/// Cancels work when its client has gone.
struct Waiting(CancelToken);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The first message of the thread that makes an answer.
enum Head {
    Document(Document),
    Stream(&'static str, mpsc::Receiver<Vec<u8>>),
}

/// The pieces of a long answer, as the body of a response.
struct Flow {
    pieces: mpsc::Receiver<Vec<u8>>,
    _waiting: Waiting,
}

impl Stream for Flow {
    type Item = Result<Vec<u8>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.poll_recv(cx).map(|piece| piece.map(Ok))
    }
}

impl AppState {
    /// Returns what requests share.
    pub(crate) fn new(store: Store, limits: Limits) -> AppState {
        let (concurrency, metrics) = (ConcurrencyLimits::new(limits), Metrics::default());
        let routes = api::routes();
        let description = Arc::new(openapi::document(&routes));
        let routes = routes.into_iter().map(Arc::new).collect();
        AppState {
            store: Arc::new(store),
            concurrency,
            limits,
            metrics,
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
            Work::Engine => self.limits.engine_time + Duration::from_secs(5),
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
    let begun = Instant::now();
    let response = match respond(&state, &route, request).await {
        Ok(response) => response,
        Err(problem) => {
            if matches!(problem.code, ErrorCode::Busy | ErrorCode::TooSlow | ErrorCode::TooLarge) {
                state.metrics.rejected(problem.code.word());
            }
            of_problem(&problem)
        }
    };
    state.metrics.answered(route.name, response.status().as_u16(), begun.elapsed());
    response
}

async fn respond(state: &Arc<AppState>, route: &Arc<Route>, request: Request) -> Result<Response, ApiError> {
    let (mut parts, body) = request.into_parts();
    let given = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map_err(|_| {
        ApiError::new(ErrorCode::BadParameter, "the part of the address behind `?` cannot be read")
    })?;
    let open = RawPathParams::from_request_parts(&mut parts, &())
        .await
        .map_err(|_| ApiError::new(ErrorCode::NotFound, "the address is no UTF-8 text"))?;
    let in_path = open.iter().next().map(|(_, value)| value.to_owned());
    let values = route.params.read(given.0, in_path)?;
    let (body, held) = match route.body {
        None => (Vec::new(), None),
        Some(_) => read_body(body, state).await.map(|(body, held)| (body, Some(held)))?,
    };
    // Any request with a query may read all games.
    let work_kind = match (route.work, values.get("query")) {
        (Work::Quick, Some(_)) => Work::Query,
        (kind, _) => kind,
    };
    let permit = state.concurrency.enter(work_kind).await?;
    let job = state.job_for(work_kind);
    let waiting = Waiting(job.cancel_token());
    let (head, said) = oneshot::channel();
    let (state, route) = (Arc::clone(state), Arc::clone(route));
    tokio::task::spawn_blocking(move || work(&state, &route, (values, body), (job, permit, held), head));
    let internal = |_| ApiError::new(ErrorCode::Internal, "internal server error");
    match said.await.map_err(internal)?? {
        Head::Document(document) => Ok(of_document(document)),
        Head::Stream(content_type, pieces) => {
            let mut response = Response::new(Body::from_stream(Flow { pieces, _waiting: waiting }));
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Ok(response)
        }
    }
}

/// Returns a body, and the room that it takes.
async fn read_body(body: Body, state: &AppState) -> Result<(Vec<u8>, Permit), ApiError> {
    let most = state.limits.body_bytes;
    // A body in chunks has no length yet: it counts as the longest.
    let length = body.size_hint().exact();
    let length = length.map_or(most, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if length > most {
        return Err(too_large(most));
    }
    let held = state.concurrency.hold(length).await?;
    let patience = state.limits.patience;
    let reading = timeout(Limits::BODY_PATIENCE * patience, read_pieces(body, most, patience));
    Ok((reading.await.unwrap_or_else(|_| Err(too_late()))?, held))
}

async fn read_pieces(body: Body, most: usize, patience: Duration) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = timeout(patience, pieces.next()).await.map_err(|_| too_late())? {
        let piece = piece.map_err(|_| {
            ApiError::new(
                ErrorCode::BadRecord,
                "the body cannot be read: it breaks off, or its chunks are malformed",
            )
            .help("send it again, with its length in the header `Content-Length`")
        })?;
        if piece.len() > most - bytes.len() {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(ErrorCode::TooLarge, format!("the body has more than {most} bytes"))
        .help("`tafl validate` and `tafl convert` take files of any size; so does `--body` of the server")
}

fn too_late() -> ApiError {
    ApiError::new(ErrorCode::TooSlow, "the body did not arrive in time")
}

/// Makes the answer, on a thread of its own.
fn work(
    state: &AppState,
    route: &Route,
    (values, body): (Map<String, Value>, Vec<u8>),
    (job, permit, held): (Job, Permit, Option<Permit>),
    head: oneshot::Sender<Result<Head, ApiError>>,
) {
    let (_permits, token) = ((permit, held), job.cancel_token());
    let answer = move || -> Result<Reply, ApiError> {
        let snapshot = state.store.current()?;
        let description = Arc::clone(&state.description);
        let request = ApiRequest { snapshot, body, job, limits: state.limits, description };
        (route.handler)(values, &Arc::new(request))
    };
    let writer = match caught(answer) {
        // The client may have gone; ignore the error of sending.
        Err(problem) => return drop(head.send(Err(problem))),
        Ok(Reply::Json(value)) => return drop(head.send(Ok(Head::Document(Document::json(&value))))),
        Ok(Reply::Document(document)) => return drop(head.send(Ok(Head::Document(document)))),
        Ok(Reply::Stream(content_type, writer)) => {
            let (sender, pieces) = mpsc::channel(PIECES);
            if head.send(Ok(Head::Stream(content_type, pieces))).is_err() {
                return;
            }
            (writer, content_type, Pieces::new(sender, token, state.limits.patience))
        }
    };
    write(writer);
}

/// Writes a long answer; a problem on the way is its last piece.
fn write((writer, content_type, pieces): (Writer, &'static str, Pieces)) {
    let Err(problem) = caught(|| writer(&pieces)) else { return };
    let _ = match content_type {
        EVENTS => pieces.event("problem", &problem.json()),
        LINES => {
            let mut line = problem.json();
            line["type"] = "problem".into();
            pieces.line(&line)
        }
        // The reader sees that the end is missing: there is no summary.
        _ => pieces.bytes(format!("\nproblem: {}\n", problem.message)),
    };
}

/// Returns what a function returns, or the problem of one that panics.
fn caught<T>(function: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
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

/// Returns the response of a problem.
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
    fn a_panic_becomes_a_problem() {
        let problem = caught::<()>(|| panic!("on purpose")).unwrap_err();
        assert_eq!(problem.code, ErrorCode::Internal);
        assert!(!problem.message.contains("on purpose"));
    }
}
