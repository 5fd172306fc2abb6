//! A request on its way: read, given a place, answered on a thread of its own, written.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, HttpBody as _};
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt as _};

use super::call::{Call, Document, Pieces, Stop};
use super::gates::{Gates, Place};
use super::limits::Limits;
use super::metrics::Metrics;
use super::params::Params;
use super::problem::{Code, Problem};
use super::routes::{EVENTS, LINES, Method, Reply, Route, Work, Writer};
use super::store::Store;

/// How many pieces of a long answer wait for the client at most.
const PIECES: usize = 16;

/// What all requests share.
pub(crate) struct Office {
    /// The corpus.
    pub(crate) store: Arc<Store>,
    /// How much is done at once.
    pub(crate) gates: Gates,
    /// What a request may cost.
    pub(crate) limits: Limits,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// How work that is under way is told to give up.
    stops: Mutex<Vec<Weak<std::sync::atomic::AtomicBool>>>,
}

/// Tells work to give up when nobody waits for it any more.
struct Waiting(Stop);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.tell();
    }
}

/// What the thread that makes the answer says first.
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

impl Office {
    /// Returns what requests share.
    pub(crate) fn new(store: Store, limits: Limits) -> Office {
        let (gates, metrics) = (Gates::new(limits), Metrics::default());
        Office { store: Arc::new(store), gates, limits, metrics, stops: Mutex::default() }
    }

    /// Tells all work that is under way to give up.
    pub(crate) fn stop_all(&self) {
        let stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        for stop in stops.iter().filter_map(Weak::upgrade) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn stop_for(&self, work: Work) -> Stop {
        let stop = Stop::after(match work {
            Work::Quick | Work::Query => self.limits.query_time,
            Work::Engine => self.limits.engine_time + Duration::from_secs(5),
        });
        let mut stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        if stops.len() >= 2 * self.limits.connections {
            stops.retain(|stop| stop.strong_count() > 0);
        }
        stops.push(Arc::downgrade(&stop.flag()));
        stop
    }
}

/// Answers a request of a route.
pub(crate) async fn handle(office: Arc<Office>, route: &'static Route, request: Request) -> Response {
    let begun = Instant::now();
    let response = match respond(&office, route, request).await {
        Ok(response) => response,
        Err(problem) => {
            if matches!(problem.code, Code::Busy | Code::TooSlow | Code::TooLarge) {
                office.metrics.rejected(problem.code.word());
            }
            of_problem(&problem)
        }
    };
    office.metrics.answered(route.name, response.status().as_u16(), begun.elapsed());
    response
}

async fn respond(office: &Arc<Office>, route: &'static Route, request: Request) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let known: Vec<&'static str> = route.params().map(|param| param.name).collect();
    let given = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
        .map_err(|_| Problem::new(Code::BadParameter, "the part of the address behind `?` cannot be read"))?;
    let params = Params::new(given.0, &known)?;
    let open = RawPathParams::from_request_parts(&mut parts, &())
        .await
        .map_err(|_| Problem::new(Code::NotFound, "the address is no UTF-8 text"))?;
    let id = open.iter().next().map_or_else(String::new, |(_, value)| value.to_owned());
    let (body, held) = match route.method {
        Method::Get => (Vec::new(), None),
        Method::Post => read_body(body, office).await.map(|(body, held)| (body, Some(held)))?,
    };
    // Whatever else it is, a request with a question goes through all games.
    let work_kind = match (route.work, params.text("where")) {
        (Work::Quick, Some(_)) => Work::Query,
        (kind, _) => kind,
    };
    let place = office.gates.enter(work_kind).await?;
    let stop = office.stop_for(work_kind);
    let waiting = Waiting(stop.clone());
    let (head, said) = oneshot::channel();
    let office = Arc::clone(office);
    tokio::task::spawn_blocking(move || work(&office, route, (params, id, body), (stop, place, held), head));
    let internal = |_| Problem::new(Code::Internal, "the server made a mistake");
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
async fn read_body(body: Body, office: &Office) -> Result<(Vec<u8>, Place), Problem> {
    let most = office.limits.body_bytes;
    // A body in chunks does not say how long it is: it may become the longest.
    let length = body.size_hint().exact();
    let length = length.map_or(most, |length| usize::try_from(length).unwrap_or(usize::MAX));
    if length > most {
        return Err(too_large(most));
    }
    let held = office.gates.hold(length).await?;
    let patience = office.limits.patience;
    let reading = timeout(Limits::BODY_PATIENCE * patience, read_pieces(body, most, patience));
    Ok((reading.await.unwrap_or_else(|_| Err(too_late()))?, held))
}

async fn read_pieces(body: Body, most: usize, patience: Duration) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = timeout(patience, pieces.next()).await.map_err(|_| too_late())? {
        let piece = piece.map_err(|_| {
            Problem::new(
                Code::BadRecord,
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

fn too_large(most: usize) -> Problem {
    Problem::new(Code::TooLarge, format!("the body has more than {most} bytes"))
        .help("`tafl validate` and `tafl convert` take files of any size; so does `--body` of the server")
}

fn too_late() -> Problem {
    Problem::new(Code::TooSlow, "the body did not arrive in time")
}

/// Makes the answer, on a thread of its own.
fn work(
    office: &Office,
    route: &'static Route,
    (params, id, body): (Params, String, Vec<u8>),
    (stop, place, held): (Stop, Place, Option<Place>),
    head: oneshot::Sender<Result<Head, Problem>>,
) {
    let _places = (place, held);
    let answer = || -> Result<Reply, Problem> {
        let snapshot = office.store.current()?;
        let call = Call { snapshot, params, id, body, stop: stop.clone(), limits: office.limits };
        (route.answer)(&Arc::new(call))
    };
    let writer = match caught(answer) {
        // That nobody waits for the answer is no reason to do anything.
        Err(problem) => return drop(head.send(Err(problem))),
        Ok(Reply::Json(value)) => return drop(head.send(Ok(Head::Document(Document::json(&value))))),
        Ok(Reply::Document(document)) => return drop(head.send(Ok(Head::Document(document)))),
        Ok(Reply::Stream(content_type, writer)) => {
            let (sender, pieces) = mpsc::channel(PIECES);
            if head.send(Ok(Head::Stream(content_type, pieces))).is_err() {
                return;
            }
            (writer, content_type, Pieces::new(sender, stop, office.limits.patience))
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
fn caught<T>(function: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    let internal = |_| {
        Err(Problem::new(Code::Internal, "the server made a mistake")
            .help("its standard error says more; please report it"))
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
pub(crate) fn of_problem(problem: &Problem) -> Response {
    let mut response = of_document(Document::json(&problem.json()));
    *response.status_mut() =
        StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if matches!(problem.code, Code::Busy | Code::CorpusDamaged) {
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
        assert_eq!(problem.code, Code::Internal);
        assert!(!problem.message.contains("on purpose"));
    }
}
