//! `tafl validate`: which records are sound, and what is wrong with the others.

use anyhow::bail;

use crate::args::records::ValidateArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &ValidateArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl validate` is not written yet")
}
