//! `tafl move`: whether a move is legal, and what it does.

use anyhow::bail;

use crate::args::board::MoveArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &MoveArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl move` is not written yet")
}
