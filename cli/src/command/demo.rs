//! `tafl demo`: the program shows itself.

use anyhow::bail;

use crate::args::tools::DemoArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &DemoArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl demo` is not written yet")
}
