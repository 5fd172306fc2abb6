//! Starting and ending the server.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::access_log;
use super::app_state::AppState;
use super::auth::{self, Auth};
use super::config::ServeConfig;
use super::server::{Server, address_of};
use super::store::Store;

/// A server that has begun to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// The address: `http://127.0.0.1:8080/`.
    pub address: String,
    /// The token that requests need.
    pub token: Option<String>,
    /// Whether other machines can reach it.
    pub is_public: bool,
}

impl Started {
    /// Returns the address to open in a browser, with the token.
    pub fn first_address(&self) -> String {
        match &self.token {
            Some(token) => format!("{}?token={token}", self.address),
            None => self.address.clone(),
        }
    }
}

/// Serves a corpus until the process is asked to end. `on_start` is called once the server listens.
///
/// # Errors
///
/// Returns that the corpus can't be opened, the address not be listened on, or the log not be written; and the error of
/// `on_start`.
pub fn serve(
    config: &ServeConfig,
    on_start: impl FnOnce(&Started) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().context("the number of cores is not known")?;
    let token = token_of(config)?;
    if let Some(log) = &config.log {
        access_log::start(log)?;
    }
    let store = Store::open(config.corpus.clone(), cores)?;
    let state = AppState::new(store, config.limits(cores.get()));
    let server = Server::new(state, Auth::new(config.bind, &config.host, token.clone()));
    let runtime = Runtime::new().context("the server's threads cannot be started")?;
    runtime.block_on(async {
        let asked = SocketAddr::new(config.bind, config.port);
        let listener = TcpListener::bind(asked)
            .await
            .with_context(|| format!("{asked} cannot be listened on; --port 0 takes a free port"))?;
        let address = address_of(listener.local_addr().context("the address is not known")?);
        // Before the address is printed: its reader may end the server at once.
        let end = end()?;
        on_start(&Started { address, token, is_public: !config.bind.is_loopback() })?;
        server.run(listener, end).await;
        Ok::<(), anyhow::Error>(())
    })?;
    // Work that was canceled has ended by now, or is cut off.
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(())
}

/// Returns the token that requests need: the given one, or a new one if other machines can ask.
fn token_of(config: &ServeConfig) -> anyhow::Result<Option<String>> {
    let Some(token) = &config.token else {
        return Ok((!config.bind.is_loopback()).then(auth::new_token));
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if token.len() < 8 || !token.bytes().all(is_plain) {
        bail!("--token has at least 8 letters, digits, or `-`, `.`, `_`, `~`");
    }
    Ok(Some(token.clone()))
}

/// Returns a future that is ready when the process is asked to end.
fn end() -> anyhow::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .context("the signal to end cannot be waited for")?;
    #[cfg(unix)]
    let mut interrupt = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
        .context("the signal to end cannot be waited for")?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            // Without the signal only force ends the server; it serves on.
            std::future::pending::<()>().await;
        }
    })
}
