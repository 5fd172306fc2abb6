//! `tafl completions`: writes the completions of a shell.

use crate::args::command;
use crate::args::tools::CompletionsArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the answer cannot be written.
pub(crate) fn run(args: &CompletionsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "tafl", &mut script);
    io.print(&String::from_utf8(script)?)?;
    Ok(Exit::Ok)
}
