//! `tafl compact`: a corpus in fewer files, without removed games.

use tafl_rules::{Count, counted};
use taflbase::{App, Request, json_line};

use crate::args::database::corpus::CompactArgs;
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing, another program writes to it, or a file is damaged or cannot be written.
pub(crate) fn run(args: &CompactArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.handle_stop_signals().set("stopped: the corpus has all its games; run the command again".to_owned());
    let done = args.request.clone().run(&App::new(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_line(&done))?,
        TextFormat::Text => {
            let before = counted(done.before as u64, "segment", "segments");
            let dropped = counted(done.dropped, "removed game", "removed games");
            let (after, written) = (Count(done.after as u64), Count(done.written as u64));
            io.print(&format!("{before} merged into {after}, {written} written; {dropped} deleted\n"))?;
            if done.repaired > 0 {
                let repaired = counted(done.repaired as u64, "segment", "segments");
                io.print(&format!("damaged files of {repaired} rebuilt from the tables\n"))?;
            }
        }
    }
    Ok(Exit::Ok)
}
