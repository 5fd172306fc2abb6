//! `tafl remove`: games out of a corpus.

use tafl_corpus::remove::remove;
use taflbase::Job;
use taflbase::database::CorpusSnapshot;

use crate::args::database::corpus::RemoveArgs;
use crate::args::rules::TextFormat;
use crate::command::database::clock::now;
use crate::number::counted;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when there is no corpus, somebody else writes, the query is wrong, or a file is damaged or cannot be written.
pub(crate) fn run(args: &RemoveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let note = format!("since {}", now());
    let removed = remove(&args.corpus, &note, |corpus| {
        args.select.find(&CorpusSnapshot::of(corpus.clone(), None), &Job::default())
    })?;
    match args.format {
        TextFormat::Json => io.print(&format!("{{\"removed\":{removed}}}\n"))?,
        TextFormat::Text => io.print(&format!("{} removed\n", counted(removed, "game", "games")))?,
    }
    Ok(Exit::Ok)
}
