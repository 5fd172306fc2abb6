//! `tafl perft`: counts of legal move sequences.

use anyhow::bail;

use crate::args::rules::PerftArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &PerftArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl perft` is not written yet")
}
