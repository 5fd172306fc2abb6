//! `tafl merge`: the segments of other corpora become segments of one.

use std::fmt::Write as _;

use serde_json::json;
use tafl_corpus::Corpus;
use tafl_corpus::ingest::IngestOptions;
use tafl_corpus::merge::{MergeSummary, merge};

use crate::args::database::rows::MergeArgs;
use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use crate::{Exit, Io};
use taflbase::now;

/// Runs the command.
///
/// # Errors
///
/// Fails when a part is no corpus, has another version or is damaged, somebody else writes, or the corpus cannot be read or
/// written.
pub(crate) fn run(args: &MergeArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let options = IngestOptions { keep: args.keep.keep(), note: format!("since {}", now()) };
    let counts = merge(&args.corpus, &args.parts, &options)?;
    let games = Corpus::open(&args.corpus)?.n_games();
    match args.format {
        TextFormat::Text => io.print(&text(&counts, games))?,
        TextFormat::Json => io.print(&format!("{}\n", as_json(&counts, games)))?,
    }
    Ok(Exit::Ok)
}

fn text(counts: &MergeSummary, games: u64) -> String {
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
    let _ = writeln!(out, "the corpus has {} now", counted(games, "game", "games"));
    out
}

/// Returns the summary as JSON; the names are an interface.
fn as_json(counts: &MergeSummary, games: u64) -> serde_json::Value {
    json!({
        "type": "summary",
        "parts": counts.parts,
        "segments": counts.segments,
        "known": counts.known,
        "added": counts.added,
        "doubled": counts.doubled,
        "replaced": counts.replaced,
        "prefixes": counts.prefixes,
        "rejected": counts.rejected,
        "corpus_games": games,
    })
}
