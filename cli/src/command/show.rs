//! `tafl show`: a board, for the eye.

use anyhow::bail;

use crate::args::board::ShowArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &ShowArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl show` is not written yet")
}
