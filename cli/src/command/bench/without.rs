//! What stands in the place of `tafl bench corpus` where the database is left out.

use anyhow::bail;

use crate::Io;
use crate::args::tools::BenchArgs;
use crate::features::needs_database;

/// Refuses to measure.
///
/// # Errors
///
/// Fails always, and says how to get the database.
pub(super) fn run(_: &BenchArgs, _: &mut Io<'_>) -> anyhow::Result<()> {
    bail!(needs_database("`tafl bench corpus`"))
}
