//! `tafl info`: statistics of a corpus.

use std::fmt::Write as _;

use tafl_corpus::CorpusInfo;
use tafl_rules::{Count, counted};
use taflbase::database::{InfoRequest, OnCorpus};
use taflbase::escape::{escape, escape_path};
use taflbase::{App, Request, json_line};

use crate::args::database::corpus::InfoArgs;
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing, or a file of it is damaged.
pub(crate) fn run(args: &InfoArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = OnCorpus { corpus: args.corpus.clone(), request: InfoRequest {} };
    let info = request.run(&App::new(), &io.job())?;
    match args.format {
        TextFormat::Json => io.print(&json_line(&info))?,
        TextFormat::Text => io.print(&format!("{}: {}", escape_path(&args.corpus), text(&info)))?,
    }
    Ok(Exit::Ok)
}

fn text(info: &CorpusInfo) -> String {
    let mut out = format!(
        "{}, {}, {}\n",
        counted(info.games, "game", "games"),
        counted(info.plies, "ply", "plies"),
        counted(info.positions, "position", "positions")
    );
    let _ = writeln!(out, "version {}, changed {}", info.version, counted(info.generation, "time", "times"));
    let _ = writeln!(out, "hash {}", info.hash);
    let segments = counted(info.segments as u64, "segment", "segments");
    let copies = counted(info.copies, "copy", "copies");
    let _ = writeln!(
        out,
        "{segments}; {copies} noted, {} removed or replaced, {} rejected{}",
        Count(info.removed),
        Count(info.rejected),
        if info.rejected > 0 { " (identical records count once)" } else { "" }
    );
    let a_position = |bytes: u64| bytes as f64 / (info.positions.max(1)) as f64;
    let _ = writeln!(out, "\n{:<10}{:>16}{:>18}", "part", "bytes", "per position");
    for (part, bytes) in &info.bytes {
        let _ = writeln!(out, "{part:<10}{:>16}{:>18.1}", Count(*bytes), a_position(*bytes));
    }
    let _ = writeln!(out, "{:<10}{:>16}{:>18.1}", "all", Count(info.n_bytes()), a_position(info.n_bytes()));
    if info.variants.is_empty() {
        return out;
    }
    let mut variants: Vec<_> = info.variants.iter().collect();
    variants.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.games), name.as_str()));
    let _ = writeln!(out, "\n{:<32}{:>12}{:>14}", "variant", "games", "plies");
    for (name, counts) in variants {
        let name = if name.is_empty() { "other rules" } else { name };
        let _ = writeln!(out, "{:<32}{:>12}{:>14}", escape(name), Count(counts.games), Count(counts.plies));
    }
    out
}
