//! The start and the shutdown of the server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use anyhow::{Context, bail};
use taflbase::App;
use taflbase::database::OpeningNames;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::app_state::AppState;
use super::auth::{self, Auth};
use super::config::ServeConfig;
use super::log;
use super::origins::AllowedOrigins;
use super::rate_limit::RateLimiter;
use super::server::{Server, address_of};
use super::store::Store;

/// A server that listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStart {
    /// The address, such as `http://127.0.0.1:8080/`.
    pub address: String,
    /// The token that requests need.
    pub token: Option<String>,
    /// Whether other machines can reach it.
    pub is_public: bool,
}

impl ServerStart {
    /// Returns the address to open in a browser, with the token.
    pub fn first_address(&self) -> String {
        match &self.token {
            Some(token) => format!("{}?token={token}", self.address),
            None => self.address.clone(),
        }
    }
}

/// Serves a corpus until the process receives a signal to stop. `on_start` is called when the server listens.
///
/// # Errors
///
/// Returns an error if the corpus can't be opened, the address can't be bound, or the log can't be written, and the error
/// of `on_start`.
pub fn serve(
    config: &ServeConfig,
    on_start: impl FnOnce(&ServerStart) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().context("cannot determine the number of cores")?;
    let token = token_of(config)?;
    log::start(&config.log)?;
    let app = match &config.opening_names {
        Some(path) => App::new().with_opening_names(OpeningNames::read(path)?),
        None => App::new(),
    };
    let store = Store::open(config.corpus.clone(), cores, app)?;
    let base_path = config.base_path.clone();
    let state = AppState::new(store, config.limits(cores.get()), config.site());
    let origins = AllowedOrigins::new(&config.allow_origin);
    let auth = Auth::new(config.bind, &config.host, token.clone())
        .with_origins(origins)
        .with_base_path(base_path.clone());
    let server = Server::new(state, auth, config.rate().map(RateLimiter::new));
    let runtime = Runtime::new().context("cannot start the server's threads")?;
    runtime.block_on(async {
        let wanted = SocketAddr::new(config.bind, config.port);
        let listener = TcpListener::bind(wanted)
            .await
            .with_context(|| format!("cannot listen on {wanted}; --port 0 selects a free port"))?;
        let address = listener.local_addr().context("cannot determine the address")?;
        let address = address_of(SocketAddr::new(reachable(address.ip()), address.port()));
        let address = format!("{}{base_path}/", address.trim_end_matches('/'));
        // Signals are handled before the address is printed, because its reader may stop the server at once.
        let shutdown = shutdown_signal()?;
        on_start(&ServerStart { address, token, is_public: !config.bind.is_loopback() })?;
        server.run(listener, shutdown).await;
        Ok::<(), anyhow::Error>(())
    })?;
    // Canceled work has two seconds to finish.
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(())
}

/// Returns an address that can be opened for a server on all networks: the one that this machine has there, or without a network,
/// that of the machine itself.
fn reachable(bound: IpAddr) -> IpAddr {
    if !bound.is_unspecified() {
        return bound;
    }
    // Connecting a datagram socket sends nothing; it selects a network. The address is one for documentation.
    let other: IpAddr = if bound.is_ipv4() {
        Ipv4Addr::new(192, 0, 2, 1).into()
    } else {
        Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()
    };
    let own = UdpSocket::bind((bound, 0)).and_then(|socket| {
        socket.connect((other, 9))?;
        socket.local_addr()
    });
    let itself = if bound.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    own.ok().map(|own| own.ip()).filter(|own| !own.is_unspecified()).unwrap_or(itself)
}

/// Returns the token that requests need: the given one, or a new one if other machines can reach the server or requests may
/// write.
fn token_of(config: &ServeConfig) -> anyhow::Result<Option<String>> {
    let Some(token) = &config.token else {
        return Ok((config.write || !config.bind.is_loopback()).then(auth::new_token));
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if token.len() < 8 || !token.bytes().all(is_plain) {
        bail!("invalid --token: use at least 8 letters, digits, `-`, `.`, `_`, or `~`");
    }
    Ok(Some(token.clone()))
}

/// Returns a future that is ready when the process receives a signal to stop.
fn shutdown_signal() -> anyhow::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .context("cannot handle signals")?;
    #[cfg(unix)]
    let mut interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
        .context("cannot handle signals")?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            // The signal can't be received; the server runs until the process is killed.
            std::future::pending::<()>().await;
        }
    })
}
