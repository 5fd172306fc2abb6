//! `tafl rules`: the variants and their rules.

use anyhow::bail;

use crate::args::rules::RulesArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Not written yet.
pub(crate) fn run(_args: &RulesArgs, _io: &mut Io<'_>) -> anyhow::Result<Exit> {
    bail!("`tafl rules` is not written yet")
}
