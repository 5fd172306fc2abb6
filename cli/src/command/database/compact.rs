//! `tafl compact`: a corpus in fewer files, without removed games.

use serde::Serialize;
use tafl_corpus::compact::{Compaction, compact};

use crate::args::database::corpus::CompactArgs;
use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use crate::{Exit, Io};
use taflbase::now;

/// The fields in this order are the JSON object; their names are an interface.
#[derive(Serialize)]
struct Json {
    before: usize,
    after: usize,
    written: usize,
    dropped: u64,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when there is no corpus, somebody else writes, or a file is damaged or cannot be written.
pub(crate) fn run(args: &CompactArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let which = if args.reindex { Compaction::All } else { Compaction::Needed };
    let done = compact(&args.corpus, &format!("since {}", now()), which)?;
    match args.format {
        TextFormat::Json => {
            let json =
                Json { before: done.before, after: done.after, written: done.written, dropped: done.dropped };
            io.print(&(serde_json::to_string(&json).expect("numbers are plain") + "\n"))?;
        }
        TextFormat::Text => {
            let before = counted(done.before as u64, "segment", "segments");
            let dropped = counted(done.dropped, "removed game", "removed games");
            let (after, written) = (Count(done.after as u64), Count(done.written as u64));
            io.print(&format!("{before} became {after}, {written} written; {dropped} left the disk\n"))?;
        }
    }
    Ok(Exit::Ok)
}
