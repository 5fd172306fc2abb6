//! `tafl completions`: completions for a shell.

use anyhow::bail;

use crate::args::tools::CompletionsArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &CompletionsArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl completions` is not written yet")
}
