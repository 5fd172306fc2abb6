//! The server: it accepts connections, authorizes requests, and routes them.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path, Request};
use axum::http::header::{HOST, RETRY_AFTER};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
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

use super::access_pages::{asks_for_page, cookie_page, token_form, wait_page};
use super::api_error::{ApiError, ErrorCode};
use super::app_state::AppState;
use super::assets::{self, FirstElements, PageAddress};
use super::auth::{Auth, Session, add_security_headers, token_in};
use super::error_bodies::ErrorBodies;
use super::first_content::FirstContent;
use super::handler::handle;
use super::log::LogEntry;
use super::media_type::{LINES, METRICS, TEXT};
use super::metrics::Gauges;
use super::origins::{add_cors_headers, add_preflight_headers};
use super::rate_limit::RateLimiter;
use super::request::Document;
use super::response::{asset_response, document_response, error_response};
use super::routes::Work;
use super::write_timeout::WriteTimeout;

/// The time for running requests to finish when the server shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of headers of a request. The default of hyper is 100; each costs memory before the request is authorized.
const MAX_HEADERS: usize = 64;

/// The server of a corpus.
pub(crate) struct Server {
    state: Arc<AppState>,
    auth: Auth,
    limiter: Option<RateLimiter>,
    router: Router,
}

impl Server {
    /// Returns a server.
    pub(crate) fn new(state: AppState, auth: Auth, limiter: Option<RateLimiter>) -> Server {
        let state = Arc::new(state);
        let router = router(&state);
        Server { state, auth, limiter, router }
    }

    /// Serves connections until `shutdown` is ready.
    pub(crate) async fn run(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let server = Arc::new(self);
        let store = Arc::clone(&server.state.store);
        // Counts and the explorer are loaded before the first request needs them; requests report the errors.
        tokio::task::spawn_blocking(move || {
            let snapshot = store.current()?;
            snapshot.stats()?;
            snapshot.corpus.explorer()?;
            Ok::<_, ApiError>(())
        });
        let (stop, stopped) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut shutdown = std::pin::pin!(shutdown);
        let mut is_failing = false;
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        is_failing = false;
                        // Removes the tasks of closed connections.
                        while connections.try_join_next().is_some() {}
                        if connections.len() < server.state.limits.connections {
                            connections.spawn(connection(Arc::clone(&server), stream, peer.ip(), stopped.clone()));
                        } else {
                            server.reject(stream);
                        }
                    }
                    // For example, the process has too many open files; some may be closed soon.
                    Err(error) => {
                        // Only the first failure of a series is logged: the next attempts mostly fail for the same reason.
                        if !std::mem::replace(&mut is_failing, true) {
                            tracing::warn!("no connection can be accepted: {error}");
                        }
                        sleep(Duration::from_millis(50)).await;
                    }
                },
            }
        }
        drop(listener);
        server.state.stop_all();
        drop(stop);
        let all_ended = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(SHUTDOWN_TIMEOUT, all_ended).await;
        connections.shutdown().await;
    }

    /// Rejects a connection above the limit.
    fn reject(&self, stream: TcpStream) {
        self.state.metrics.count_rejection("connections");
        let problem = ApiError::new(ErrorCode::TooMany, "too many connections are open")
            .help("try again in a few seconds");
        let body = problem.json().to_string();
        let text = format!(
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             retry-after: 2\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        if let Ok(mut stream) = stream.into_std() {
            // Waiting for the client would block the server, so bytes that don't fit into the system's buffer are lost.
            let _ = stream.write(text.as_bytes());
        }
    }

    /// Answers a request.
    async fn answer(&self, mut request: Request, peer: IpAddr) -> Response {
        let entry = LogEntry::new(&request);
        let local = self.state.site.local(request.uri());
        let is_outside = local.is_none();
        if let Some(local) = local {
            *request.uri_mut() = local;
        }
        let path = request.uri().path().to_owned();
        let origin = self.auth.origins().of(request.headers()).cloned();
        let is_preflight = origin.is_some() && request.method() == Method::OPTIONS;
        let mut response = match self.admit(&request, peer) {
            // Browsers ask without the token.
            Ok(_) | Err(Rejection::Problem(_)) if is_preflight => preflight(),
            Err(Rejection::TooMany(wait)) => {
                self.state.metrics.count_rejection(ErrorCode::RateLimited.as_str());
                too_many(wait, asks_for_page(&request))
            }
            Err(Rejection::Problem(problem)) => {
                self.state.metrics.count_rejection(problem.code.as_str());
                if problem.code == ErrorCode::Unauthorized && asks_for_page(&request) {
                    let uri = request.uri();
                    token_form(uri.path(), token_in(uri).is_some(), &self.state.site.base_path)
                } else {
                    error_response(&problem)
                }
            }
            Ok(_) if is_outside => with_metrics(&self.state, "nothing", || {
                error_response(
                    &ApiError::new(ErrorCode::NotFound, "unknown address")
                        .help(format!("addresses of this server begin with {}/", self.state.site.base_path)),
                )
            }),
            Ok(Session::New { cookie, to }) => cookie_page(&cookie, &to),
            Ok(Session::Known) => {
                let answered: Result<Response, Infallible> = self.router.clone().oneshot(request).await;
                answered.unwrap_or_else(|never| match never {})
            }
        };
        let headers = response.headers_mut();
        add_security_headers(headers);
        self.auth.origins().allow_frames(&path, headers);
        if let Some(origin) = origin {
            add_cors_headers(origin, headers);
        }
        entry.follow(response)
    }

    fn admit(&self, request: &Request, peer: IpAddr) -> Result<Session, Rejection> {
        let path = request.uri().path();
        // The files of a page are requested at once, and cost nothing.
        let is_free = path == "/healthz" || path.starts_with("/assets/");
        if let Some(limiter) = self.limiter.as_ref().filter(|_| !is_free) {
            limiter.take(peer, request.headers(), Instant::now()).map_err(Rejection::TooMany)?;
        }
        self.check(request).map_err(Rejection::Problem)
    }

    fn check(&self, request: &Request) -> Result<Session, ApiError> {
        let session = self.auth.check(request.uri(), request.headers())?;
        let max = self.state.limits.url_bytes;
        if request.uri().path_and_query().is_some_and(|address| address.as_str().len() > max) {
            return Err(ApiError::new(ErrorCode::TooLarge, format!("the address has more than {max} bytes")));
        }
        Ok(session)
    }
}

/// The reason for which a request is not answered.
enum Rejection {
    /// The request is not authorized, or malformed.
    Problem(ApiError),
    /// The address has sent too many requests; the next one is answered after this time.
    TooMany(Duration),
}

/// Returns the answer to a request of an address that has sent too many: a page for a visitor, or JSON.
fn too_many(wait: Duration, is_page: bool) -> Response {
    let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
    let mut response = if is_page {
        wait_page(seconds)
    } else {
        let problem = ApiError::new(ErrorCode::RateLimited, "too many requests from your address");
        error_response(&problem.help(format!("wait {seconds} s before the next one")))
    };
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Serves a connection.
async fn connection(server: Arc<Server>, stream: TcpStream, peer: IpAddr, mut stopped: watch::Receiver<()>) {
    let client_timeout = server.state.limits.client_timeout;
    // Answers are small, so waiting for full packets would only delay them.
    let _ = stream.set_nodelay(true);
    server.state.metrics.add_connection();
    let service = {
        let server = Arc::clone(&server);
        hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            let server = Arc::clone(&server);
            async move { Ok::<_, Infallible>(server.answer(request.map(axum::body::Body::new), peer).await) }
        })
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(client_timeout)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(ErrorBodies::new(WriteTimeout::new(stream, client_timeout))), service);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // The client closed or broke the connection; there is nothing to report.
        _ = connection.as_mut() => {}
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    server.state.metrics.remove_connection();
}

/// Returns the router of the API, the pages, and the metrics.
fn router(state: &Arc<AppState>) -> Router {
    let mut router = Router::new();
    for route in &state.routes {
        let filter = if route.is_post() { MethodFilter::POST } else { MethodFilter::GET };
        let (state, route) = (Arc::clone(state), Arc::clone(route));
        router = router.route(
            route.path,
            on(filter, move |request: Request| handle(Arc::clone(&state), Arc::clone(&route), request)),
        );
    }
    for (path, module) in assets::PAGES {
        let state = Arc::clone(state);
        router = router
            .route(path, get(move |request: Request| async move { page(state, module, request).await }));
    }
    let (for_assets, for_metrics, for_unknown, for_methods) =
        (Arc::clone(state), Arc::clone(state), Arc::clone(state), Arc::clone(state));
    router
        .route(
            "/assets/{name}",
            get(move |Path(name): Path<String>, headers: HeaderMap| async move {
                with_metrics(&for_assets, "asset", || match assets::find(&name) {
                    Some(asset) => asset_response(asset, &headers),
                    None => error_response(&ApiError::new(ErrorCode::NotFound, "file not found")),
                })
            }),
        )
        .route(
            "/metrics",
            get(move || async move { with_metrics(&for_metrics, "metrics", || metrics(&for_metrics)) }),
        )
        .route("/healthz", get(|| async { document_response(Document::new(TEXT, "ok\n")) }))
        .fallback(move |request: Request| async move {
            with_metrics(&for_unknown, "nothing", || not_found(&for_unknown, request.uri().path()))
        })
        .method_not_allowed_fallback(move || async move {
            with_metrics(&for_methods, "nothing", || {
                error_response(
                    &ApiError::new(ErrorCode::BadMethod, "method not allowed")
                        .help("/api/openapi.json lists the methods of each address"),
                )
            })
        })
        .layer(compression())
}

/// Returns the layer that compresses JSON, pages, and scripts. Streams aren't compressed, which would delay their lines.
fn compression() -> CompressionLayer<impl Predicate> {
    let is_compressible = DefaultPredicate::new().and(NotForContentType::const_new(LINES));
    CompressionLayer::new().gzip(true).compress_when(is_compressible)
}

/// Creates a response and counts it in the metrics.
fn with_metrics(state: &AppState, name: &'static str, answer: impl FnOnce() -> Response) -> Response {
    let start = Instant::now();
    let response = answer();
    state.metrics.count_answer(name, response.status().as_u16(), start.elapsed());
    response
}

async fn page(state: Arc<AppState>, module: &'static str, request: Request) -> Response {
    let start = Instant::now();
    let (Parts { headers, uri, .. }, _) = request.into_parts();
    let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    // A proxy states the scheme of the browser's request.
    let scheme = match header(HeaderName::from_static("x-forwarded-proto")) {
        Some("https") => "https",
        Some(_) | None => "http",
    };
    let origin = header(HOST).map_or_else(String::new, |host| format!("{scheme}://{host}"));
    let first = {
        let (state, uri) = (Arc::clone(&state), uri.clone());
        let find = move || {
            let Ok(snapshot) = state.store.current() else { return FirstElements::default() };
            let first = FirstContent::of(module, &uri, Some(&snapshot));
            FirstElements { links: first.preload_links(), body: first.body(&snapshot.app) }
        };
        tokio::task::spawn_blocking(find).await.unwrap_or_default()
    };
    let address = PageAddress { origin: &origin, base: &state.site.base_path, path: uri.path() };
    let response = asset_response(&assets::page(Some(module), address, &first), &headers);
    state.metrics.count_answer("page", response.status().as_u16(), start.elapsed());
    response
}

fn metrics(state: &AppState) -> Response {
    let gauges = Gauges {
        engine_jobs: state.concurrency.running(Work::Engine),
        queries: state.concurrency.running(Work::Query),
        generation: state.store.generation(),
    };
    document_response(Document::new(METRICS, state.metrics.text(&gauges)))
}

/// Returns "not found": as JSON below `/api`, else as the page, which shows it.
fn not_found(state: &AppState, path: &str) -> Response {
    if path == "/api" || path.starts_with("/api/") {
        return error_response(
            &ApiError::new(ErrorCode::NotFound, "unknown address")
                .help("/api/openapi.json lists the addresses"),
        );
    }
    let address = PageAddress { base: &state.site.base_path, ..PageAddress::default() };
    let mut response =
        asset_response(&assets::page(None, address, &FirstElements::default()), &HeaderMap::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Returns the answer to a CORS preflight request.
fn preflight() -> Response {
    let mut response = document_response(Document::new(TEXT, Vec::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    add_preflight_headers(response.headers_mut());
    response
}

/// Returns the URL of an address.
pub(crate) fn address_of(address: SocketAddr) -> String {
    format!("http://{address}/")
}
