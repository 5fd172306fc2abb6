//! `tafl man`: the manual page.

use anyhow::bail;

use crate::args::tools::ManArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &ManArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl man` is not written yet")
}
