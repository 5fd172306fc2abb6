//! `tafl convert`: records in another notation.

use anyhow::bail;

use crate::args::records::ConvertArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &ConvertArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl convert` is not written yet")
}
