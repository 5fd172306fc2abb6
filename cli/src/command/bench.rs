//! `tafl bench`: how fast this program is here.

use anyhow::bail;

use crate::args::tools::BenchArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &BenchArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl bench` is not written yet")
}
