//! `tafl merge`: copies the segments of other corpora into one corpus.

use std::fmt::Write as _;

use tafl_rules::{Count, counted};
use taflbase::database::MergeAnswer;
use taflbase::{App, Request, json_line};

use crate::args::database::rows::MergeArgs;
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a part is not a corpus, has another version, or is damaged, if another program writes to the corpus, or
/// if the corpus cannot be read or written.
pub(crate) fn run(args: &MergeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.handle_stop_signals()
        .set("stopped: every game is in the corpus or in its part; run the command again".to_owned());
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
    let mut out = format!("{} added", counted(counts.segments, "segment", "segments"));
    let _ = writeln!(out, " from {}", counted(counts.parts, "corpus", "corpora"));
    if counts.known > 0 {
        let _ = writeln!(out, "{} without new games", counted(counts.known, "segment", "segments"));
    }
    let _ = writeln!(out, "{}", counted(counts.added, "new game", "new games"));
    if counts.doubled > 0 {
        let _ = writeln!(
            out,
            "{} of stored games ({} better than the stored one, {} incomplete)",
            counted(counts.doubled, "copy", "copies"),
            Count(counts.replaced),
            Count(counts.prefixes)
        );
    }
    if counts.possible_copies > 0 {
        let _ = writeln!(
            out,
            "{} of stored games, kept and marked",
            counted(counts.possible_copies, "possible copy", "possible copies")
        );
    }
    if counts.rejected > 0 {
        let _ = writeln!(out, "{} rejected", counted(counts.rejected, "record", "records"));
    }
    let _ = writeln!(out, "{} in the corpus", counted(answer.corpus_games, "game", "games"));
    out
}
