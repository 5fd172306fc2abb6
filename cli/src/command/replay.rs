//! `tafl replay`: what happened in each game, ply by ply.

use anyhow::bail;

use crate::args::records::ReplayArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &ReplayArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl replay` is not written yet")
}
