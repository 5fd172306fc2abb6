//! `tafl report`: answers as documents.

mod design;
pub(crate) mod make;
mod more;
pub(crate) mod source;
mod verify;
pub(crate) mod write;

use crate::args::database::report::ReportArgs;
use crate::output::file_named;
use crate::target::spare;
use crate::{Exit, Io};

use make::Made;

/// Runs the command.
///
/// # Errors
///
/// Fails when the games cannot be read, a query is wrong, a variant is not known, or the report cannot be written.
pub(crate) fn run(args: &ReportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(file) = &args.verify {
        return verify::run(file, args.corpus.as_deref(), io);
    }
    let Some(command) = &args.command else {
        anyhow::bail!("say which report; `tafl report --help` names them");
    };
    spare(&[file_named(command.target().output.as_deref())], command.sources())?;
    let Made { report, exit } = make::make(command, io)?;
    write::write(&report, command.target(), io)?;
    Ok(exit)
}
