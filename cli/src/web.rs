//! The server of `tafl serve`: a corpus for browsers and programs, read-only.
//!
//! [`routes`] is the table of what can be asked, [`api`] answers, [`guard`] keeps the door. A function of the API is an
//! ordinary function from a [`call::Call`] to a reply; only `server` and `guard` know HTTP.

pub(crate) mod api;
pub(crate) mod call;
pub(crate) mod limits;
pub(crate) mod params;
pub(crate) mod problem;
pub(crate) mod routes;
pub(crate) mod shelf;
pub(crate) mod standing;
pub(crate) mod state;

use crate::args::serve::ServeArgs;
use crate::{Exit, Io};

/// Serves a corpus until the process is told to end.
///
/// # Errors
///
/// Fails when the corpus cannot be opened, or the address not be listened on.
pub(crate) fn serve(args: &ServeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let cores = std::thread::available_parallelism()?;
    let snapshot = state::Snapshot::open(&args.corpus, cores, std::sync::Arc::default())?;
    io.notice(&format!("{} games", snapshot.corpus.n_games()));
    anyhow::bail!("the server does not listen yet")
}
