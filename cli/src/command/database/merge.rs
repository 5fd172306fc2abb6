//! `tafl merge`: the segments of other corpora become segments of one.

use std::fmt::Write as _;

use taflbase::database::MergeAnswer;
use taflbase::{App, Request};

use super::json_line;
use crate::args::database::rows::MergeArgs;
use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when a part is no corpus, has another version or is damaged, somebody else writes, or the corpus cannot be read or
/// written.
pub(crate) fn run(args: &MergeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let answer = args.request.clone().run(&App::new(), &io.job())?;
    io.print(&match args.format {
        TextFormat::Text => text(&answer),
        // Keys are in alphabetical order.
        TextFormat::Json => json_line(&serde_json::to_value(answer)?),
    })?;
    Ok(Exit::Ok)
}

fn text(answer: &MergeAnswer) -> String {
    let counts = &answer.counts;
    let mut out = format!("{} taken", counted(counts.segments, "segment was", "segments were"));
    let _ = writeln!(out, " from {}", counted(counts.parts, "part", "parts"));
    if counts.known > 0 {
        let _ = writeln!(out, "{} nothing new", counted(counts.known, "segment says", "segments say"));
    }
    let _ = writeln!(out, "{}", counted(counts.added, "new game", "new games"));
    if counts.doubled > 0 {
        let _ = writeln!(
            out,
            "{} of other games ({} better than the stored one, {} but its beginning)",
            counted(counts.doubled, "copy", "copies"),
            Count(counts.replaced),
            Count(counts.prefixes)
        );
    }
    if counts.rejected > 0 {
        let _ = writeln!(out, "{} kept aside", counted(counts.rejected, "record is", "records are"));
    }
    let _ = writeln!(out, "the corpus has {} now", counted(answer.corpus_games, "game", "games"));
    out
}
