//! The workloads with Taflbase.

use tafl_parser::{
    DiagnosticKind, Format, ReadOptions, Record, Records, ReplayOptions, Replayer, RuleChoice, Severity,
};
use tafl_rules::{AnyRulebook, Leaves, catalog};

use crate::{Tally, Variant};

/// Returns the compiled rules.
pub(crate) fn rulebook(variant: Variant) -> AnyRulebook {
    let rules = catalog::find(variant.name()).expect("the catalog has the variant").rules();
    AnyRulebook::compile(&rules).expect("the catalog has sound rules")
}

/// Returns a replayer for the variant.
pub(crate) fn replayer(variant: Variant) -> Replayer {
    let rules = catalog::find(variant.name()).map(RuleChoice::named);
    Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() })
}

fn records(text: &str) -> Records<'_> {
    let options = ReadOptions { format: Some(Format::MoveList), ..ReadOptions::default() };
    Records::new("-", text.as_bytes(), options).expect("bytes in memory can be read")
}

/// Parses and replays every game of a text, like `tafl validate`.
pub(crate) fn from_text(replayer: &mut Replayer, text: &str) -> Tally {
    let mut records = records(text);
    let mut tally = Tally::default();
    while let Some(batch) = records.next_batch().expect("bytes in memory can be read") {
        for (_, parsed) in batch.parse() {
            add(&mut tally, replayer, &parsed.value);
        }
    }
    tally
}

/// Parses every game of a text.
pub(crate) fn parse(text: &str) -> Vec<Record> {
    let mut records = records(text);
    let mut games = Vec::new();
    while let Some(batch) = records.next_batch().expect("bytes in memory can be read") {
        games.extend(batch.parse().map(|(_, parsed)| parsed.value));
    }
    games
}

/// Replays parsed games.
pub(crate) fn replay<'r>(replayer: &mut Replayer, games: impl Iterator<Item = &'r Record>) -> Tally {
    let mut tally = Tally::default();
    for game in games {
        add(&mut tally, replayer, game);
    }
    tally
}

fn add(tally: &mut Tally, replayer: &mut Replayer, game: &Record) {
    let replay = replayer.replay(game);
    tally.games += 1;
    tally.plies += replay.plies.len() as u64;
    tally.illegal += u64::from(replay.plies.len() < game.main().moves.len());
    // A note, for example about a game without an outcome, is not a difference.
    for finding in replay.diagnostics.iter().filter(|finding| finding.severity() > Severity::Note) {
        match finding.kind {
            DiagnosticKind::Capture(_) => tally.wrong_captures += 1,
            DiagnosticKind::End(_) => tally.wrong_results += 1,
            DiagnosticKind::Text(_)
            | DiagnosticKind::Header(_)
            | DiagnosticKind::Rules(_)
            | DiagnosticKind::Legality(_)
            | DiagnosticKind::Play(_)
            | DiagnosticKind::Loss(_) => {}
        }
    }
}

/// Counts the sequences of moves of a depth.
pub(crate) fn perft(book: &AnyRulebook, depth: u32, leaves: Leaves) -> u64 {
    let rules = book.rules();
    book.perft(&rules.start, rules.first_mover, depth, leaves)
}
