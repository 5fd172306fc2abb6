//! Listening, connections, and the way of a request through router and auth.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path, Request};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, get, on};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use super::access_log::LogEntry;
use super::api_error::{ApiError, ErrorCode};
use super::app_state::{AppState, handle, of_document, of_problem};
use super::assets::{self, Asset};
use super::auth::{Auth, Session, secure};
use super::error_bodies::ErrorBodies;
use super::metrics::Now;
use super::request::Document;
use super::routes::{LINES, TEXT, Work};
use super::write_timeout::WriteTimeout;

/// How long requests that are under way may go on when the server ends.
const GRACE: Duration = Duration::from_secs(3);

/// A server that is ready to listen.
pub(crate) struct Server {
    state: Arc<AppState>,
    auth: Auth,
    router: Router,
}

impl Server {
    /// Returns a server.
    pub(crate) fn new(state: AppState, auth: Auth) -> Server {
        let state = Arc::new(state);
        let router = router(&state);
        Server { state, auth, router }
    }

    /// Answers connections until the process is asked to end.
    pub(crate) async fn run(self, listener: TcpListener, end: impl Future<Output = ()>) {
        let server = Arc::new(self);
        let store = Arc::clone(&server.state.store);
        // What lists and the explorer need is read before the first request; requests report errors.
        tokio::task::spawn_blocking(move || {
            let snapshot = store.current()?;
            snapshot.stats()?;
            snapshot.corpus.explorer()?;
            Ok::<_, ApiError>(())
        });
        let (ending, is_ending) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut end = std::pin::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        // Connections that ended are forgotten.
                        while connections.try_join_next().is_some() {}
                        match connections.len() < server.state.limits.connections {
                            true => {
                                connections.spawn(connection(Arc::clone(&server), stream, is_ending.clone()));
                            }
                            false => server.turn_away(stream),
                        }
                    }
                    // The process has too many files open, for example: it may have fewer in a moment.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                },
            }
        }
        drop(listener);
        server.state.stop_all();
        drop(ending);
        let all_ended = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(GRACE, all_ended).await;
        connections.shutdown().await;
    }

    /// Rejects a connection above the limit.
    fn turn_away(&self, stream: TcpStream) {
        self.state.metrics.rejected("connections");
        let problem = ApiError::new(ErrorCode::TooMany, "too many connections are open")
            .help("ask again in some seconds");
        let body = problem.json().to_string();
        let text = format!(
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             retry-after: 2\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        if let Ok(mut stream) = stream.into_std() {
            // What does not fit into the system's buffer is lost: waiting for a client would block the server.
            let _ = stream.write(text.as_bytes());
        }
    }

    /// Answers a request.
    async fn answer(&self, request: Request) -> Response {
        let entry = LogEntry::new(&request);
        let mut response = match self.admit(&request) {
            Err(problem) => {
                self.state.metrics.rejected(problem.code.word());
                of_problem(&problem)
            }
            Ok(Session::New { cookie, to }) => welcome(&cookie, &to),
            Ok(Session::Known) => {
                let answered: Result<Response, Infallible> = self.router.clone().oneshot(request).await;
                answered.unwrap_or_else(|never| match never {})
            }
        };
        secure(response.headers_mut());
        entry.follow(response)
    }

    fn admit(&self, request: &Request) -> Result<Session, ApiError> {
        let pass = self.auth.check(request.uri(), request.headers())?;
        let most = self.state.limits.url_bytes;
        if request.uri().path_and_query().is_some_and(|address| address.as_str().len() > most) {
            return Err(ApiError::new(
                ErrorCode::TooLarge,
                format!("the address has more than {most} bytes"),
            ));
        }
        Ok(pass)
    }
}

/// Serves a connection.
async fn connection(server: Arc<Server>, stream: TcpStream, mut is_ending: watch::Receiver<()>) {
    let patience = server.state.limits.patience;
    // Answers are small and wanted now.
    let _ = stream.set_nodelay(true);
    server.state.metrics.connected();
    let service = {
        let server = Arc::clone(&server);
        hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let server = Arc::clone(&server);
            async move { Ok::<_, Infallible>(server.answer(request.map(axum::body::Body::new)).await) }
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_headers(64)
        .serve_connection(TokioIo::new(ErrorBodies::new(WriteTimeout::new(stream, patience))), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A broken connection is the client's business.
        _ = connection.as_mut() => {}
        _ = is_ending.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    server.state.metrics.disconnected();
}

/// Returns the router: the table of routes, the pages, and what the server says of itself.
fn router(state: &Arc<AppState>) -> Router {
    let mut router = Router::new();
    for route in &state.routes {
        let filter = if route.body.is_some() { MethodFilter::POST } else { MethodFilter::GET };
        let (state, route) = (Arc::clone(state), Arc::clone(route));
        router = router.route(
            route.path,
            on(filter, move |request: Request| handle(Arc::clone(&state), Arc::clone(&route), request)),
        );
    }
    for path in assets::PAGES {
        let state = Arc::clone(state);
        router = router.route(path, get(move |headers: HeaderMap| async move { page(&state, &headers) }));
    }
    let (for_assets, for_metrics, for_nothing, for_methods) =
        (Arc::clone(state), Arc::clone(state), Arc::clone(state), Arc::clone(state));
    router
        .route(
            "/assets/{name}",
            get(move |Path(name): Path<String>, headers: HeaderMap| async move {
                counted(&for_assets, "asset", || match assets::find(&name) {
                    Some((asset, tag)) => of_asset(asset, tag, &headers),
                    None => of_problem(&ApiError::new(ErrorCode::NotFound, "there is no such file")),
                })
            }),
        )
        .route(
            "/metrics",
            get(move || async move { counted(&for_metrics, "metrics", || metrics(&for_metrics)) }),
        )
        .route("/healthz", get(|| async { of_document(Document::new(TEXT, "ok\n")) }))
        .fallback(move |request: Request| async move {
            counted(&for_nothing, "nothing", || nothing(request.uri().path()))
        })
        .method_not_allowed_fallback(move || async move {
            counted(&for_methods, "nothing", || {
                of_problem(
                    &ApiError::new(ErrorCode::BadMethod, "method not allowed")
                        .help("/api/openapi.json says how each address is asked"),
                )
            })
        })
        .layer(compression())
}

/// Returns what packs JSON, pages, and scripts. Streams stay as they are: packing would hold back their lines.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_worth_it = DefaultPredicate::new().and(NotForContentType::const_new(LINES));
    CompressionLayer::new().gzip(true).compress_when(is_worth_it)
}

fn counted(state: &AppState, name: &'static str, answer: impl FnOnce() -> Response) -> Response {
    let begun = Instant::now();
    let response = answer();
    state.metrics.answered(name, response.status().as_u16(), begun.elapsed());
    response
}

fn page(state: &AppState, headers: &HeaderMap) -> Response {
    let (asset, tag) = &assets::tagged()[0];
    counted(state, "page", || of_asset(asset, tag, headers))
}

/// Returns a file, or that the client has it already.
fn of_asset(asset: &Asset, tag: &str, headers: &HeaderMap) -> Response {
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|known| known.to_str().ok());
    let has_it =
        known.flat_map(|known| known.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag);
    let bytes: &[u8] = if has_it { &[] } else { asset.bytes };
    let mut response = of_document(Document::new(asset.content_type, bytes));
    if has_it {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    response
}

fn metrics(state: &AppState) -> Response {
    let now = Now {
        engine_jobs: state.concurrency.taken(Work::Engine),
        queries: state.concurrency.taken(Work::Query),
        generation: state.store.generation(),
    };
    of_document(Document::new("text/plain; version=0.0.4; charset=utf-8", state.metrics.text(&now)))
}

/// Returns that there is nothing: as JSON for programs, as the page for people.
fn nothing(path: &str) -> Response {
    if path == "/api" || path.starts_with("/api/") {
        return of_problem(
            &ApiError::new(ErrorCode::NotFound, "nothing has this address")
                .help("/api/openapi.json lists the addresses"),
        );
    }
    let (asset, tag) = &assets::tagged()[0];
    let mut response = of_asset(asset, tag, &HeaderMap::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Gives a browser its cookie and leads it to the address without the token.
///
/// A redirection would not do: a browser that followed a link from elsewhere would not send a strict cookie with it.
fn welcome(cookie: &str, to: &str) -> Response {
    let page = "<!doctype html><meta charset=\"utf-8\"><title>Taflbase</title><p>One moment.</p>\n";
    let mut response = of_document(Document::new("text/html; charset=utf-8", page));
    let headers = response.headers_mut();
    for (name, value) in
        [(SET_COOKIE, cookie.to_owned()), (HeaderName::from_static("refresh"), format!("0; url={to}"))]
    {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}

/// Returns the address as people and browsers write it.
pub(crate) fn address_of(address: SocketAddr) -> String {
    format!("http://{address}/")
}
