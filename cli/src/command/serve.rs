//! `tafl serve`: a corpus in the browser.

use crate::args::serve::ServeArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when the corpus cannot be opened, or the address not be listened on.
pub(crate) fn run(args: &ServeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    crate::web::serve(args, io)
}
