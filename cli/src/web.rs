//! The server of `tafl serve`: a corpus for browsers and programs, read-only.
//!
//! [`routes`] is the table of what can be asked, [`api`] answers, [`guard`] keeps the door. A function of the API is an
//! ordinary function from a [`call::Call`] to a reply, run on a thread of its own; only [`server`], [`handle`] and
//! [`guard`] know HTTP.

pub(crate) mod api;
pub(crate) mod assets;
pub(crate) mod call;
pub(crate) mod census;
pub(crate) mod finding;
pub(crate) mod gates;
pub(crate) mod guard;
pub(crate) mod handle;
pub(crate) mod limits;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod params;
pub(crate) mod patient;
pub(crate) mod problem;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod state;
pub(crate) mod store;

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::args::serve::ServeArgs;
use crate::{Exit, Io};

use guard::Guard;
use handle::Office;
use limits::Limits;
use server::{Server, address_of};
use store::Store;

/// Serves a corpus until the process is told to end.
///
/// # Errors
///
/// Fails when the corpus cannot be opened, or the address not be listened on.
pub(crate) fn serve(args: &ServeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let cores = std::thread::available_parallelism().context("the number of cores is not known")?;
    let limits = limits_of(args, cores.get());
    let token = token_of(args)?;
    let store = Store::open(args.corpus.clone(), cores)?;
    let is_local = args.bind.is_loopback();
    let server = Server::new(Office::new(store, limits), Guard::new(args.bind, &args.host, token.clone()));
    let runtime = Runtime::new().context("the server's threads cannot be started")?;
    runtime.block_on(async {
        let asked = SocketAddr::new(args.bind, args.port);
        let listener = TcpListener::bind(asked)
            .await
            .with_context(|| format!("{asked} cannot be listened on; --port 0 takes a free port"))?;
        let address = address_of(listener.local_addr().context("the address is not known")?);
        // Before the address is told: whoever reads it may end the server at once.
        let end = end()?;
        if !is_local {
            io.notice_always(
                "warning: other machines can reach this server; what they send and get is not encrypted, \
                 so use it in a network that you trust, or behind a proxy that speaks TLS",
            );
        }
        let first =
            token.as_deref().map_or_else(|| address.clone(), |token| format!("{address}?token={token}"));
        if token.is_some() {
            io.notice_always(&format!("open {first}"));
        }
        io.print(&format!("{address}\n"))?;
        io.flush()?;
        if args.open && !open_browser(&first) {
            io.notice(&format!("no browser could be started; open {first}"));
        }
        server.run(listener, end).await;
        Ok::<(), anyhow::Error>(())
    })?;
    // Work that was told to give up has done so by then, or is cut off.
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(Exit::Ok)
}

fn limits_of(args: &ServeArgs, cores: usize) -> Limits {
    let usual = Limits::of_cores(cores);
    let body_bytes = args.body as usize * (1 << 20);
    Limits {
        body_bytes,
        held_bytes: usual.held_bytes.max(body_bytes),
        query_time: Duration::from_secs(args.query_time),
        engine_time: Duration::from_secs(args.engine_time),
        engine_jobs: args.engine_jobs.map_or(usual.engine_jobs, usize::from),
        patience: Duration::from_secs(args.patience),
        ..usual
    }
}

/// Returns the token that requests need: the one that was named, or a new one where other machines can ask.
fn token_of(args: &ServeArgs) -> anyhow::Result<Option<String>> {
    let Some(token) = &args.token else {
        return Ok((!args.bind.is_loopback()).then(guard::new_token));
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if token.len() < 8 || !token.bytes().all(is_plain) {
        bail!("--token has at least 8 letters, digits, or `-`, `.`, `_`, `~`");
    }
    Ok(Some(token.clone()))
}

/// Returns a future that is ready when the process is told to end.
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
            // Nobody can end the server then but by force; it serves on.
            std::future::pending::<()>().await;
        }
    })
}

/// Opens an address in the browser, and returns whether a program for that was found.
fn open_browser(address: &str) -> bool {
    let openers: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["explorer"]],
        _ => &[&["xdg-open"], &["gio", "open"]],
    };
    openers.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
