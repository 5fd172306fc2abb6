//! `tafl views`: SQL with views of a corpus for DuckDB.

use taflbase::database::{OnCorpus, ViewsRequest};
use taflbase::{App, Request};

use crate::args::database::corpus::ViewsArgs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing or damaged, or the output cannot be written.
pub(crate) fn run(args: &ViewsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = OnCorpus { corpus: args.corpus.clone(), request: ViewsRequest {} };
    let statements = request.run(&App::new(), &io.job())?;
    io.print(&statements)?;
    Ok(Exit::Ok)
}
