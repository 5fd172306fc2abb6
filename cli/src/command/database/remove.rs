//! `tafl remove`: games out of a corpus.

use tafl_rules::counted;
use taflbase::{App, Request, json_line};

use crate::args::database::corpus::RemoveArgs;
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing, another program writes to it, the query is wrong, or a file is damaged or cannot be written.
pub(crate) fn run(args: &RemoveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let answer = args.request.clone().run(&App::new(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_line(&answer))?,
        TextFormat::Text => io.print(&format!("{} removed\n", counted(answer.removed, "game", "games")))?,
    }
    if answer.removed > 0 {
        return Ok(Exit::Ok);
    }
    io.notices(&answer.notes);
    Ok(Exit::Findings)
}
