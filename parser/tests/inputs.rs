//! Reads every hand-made input of `tests/fixtures/inputs` and compares the answer with the file beside it.
//!
//! An input is a file as people or programs write it; the expected answer has the same name with `.expected` added. `UPDATE=1`
//! rewrites the expected answers; read the difference before you commit it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tafl_parser::{
    Diagnostic, DiagnosticKind, Format, LineIndex, LossFinding, Lost, Parsed, PlayedMoves, ReadOptions,
    ReasonSource, Record, Records, Replay, ReplayOptions, Replayer, Soundness, Source, WriteGame,
    write_record,
};
use tafl_rules::Side;

#[test]
fn every_input_is_read_as_expected() {
    let mut inputs = Vec::new();
    list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/inputs"), &mut inputs);
    inputs.sort();
    assert!(!inputs.is_empty(), "the folder of inputs is empty");
    let mut differences = String::new();
    for input in &inputs {
        let found = answer(input);
        let expected = PathBuf::from(format!("{}.expected", input.display()));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &found).unwrap();
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&*found) {
            writeln!(differences, "{}:\n{found}", input.display()).unwrap();
        }
    }
    assert!(differences.is_empty(), "these inputs are read in another way:\n{differences}");
}

#[test]
fn the_end_of_a_game_is_kept_in_every_notation_or_listed_as_a_loss() {
    let mut inputs = Vec::new();
    list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/inputs"), &mut inputs);
    let mut replayer = Replayer::new(ReplayOptions::default());
    let (mut n_written, mut differences) = (0, String::new());
    for input in &inputs {
        let bytes = fs::read(input).unwrap();
        let name = input.file_name().unwrap().to_str().unwrap();
        let mut records = Records::new(name, &*bytes, ReadOptions::default()).unwrap();
        while let Some(batch) = records.next_batch().unwrap() {
            for (source, parsed) in batch.parse() {
                let replay = replayer.replay(&parsed.value);
                for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
                    let Some(again) = rewritten(&mut replayer, &parsed.value, &replay, format) else {
                        continue;
                    };
                    n_written += 1;
                    if let Some(difference) = again.difference(&replay) {
                        let place = format!("{}:{}", input.display(), source.ordinal);
                        writeln!(differences, "{place} as {format}: {difference}").unwrap();
                    }
                }
            }
        }
    }
    assert!(n_written > 3000, "{n_written} records were written");
    assert!(differences.is_empty(), "the end of these games changes silently:\n{differences}");
}

/// A record that was written and read again.
struct Rewritten {
    replay: Replay,
    losses: Vec<Lost>,
}

fn rewritten(replayer: &mut Replayer, record: &Record, replay: &Replay, format: Format) -> Option<Rewritten> {
    let rules = replay.rules.as_ref().map(|rules| rules.book.rules().to_string());
    let played = rules.and_then(|rules| PlayedMoves::new(record, replay, rules.into()));
    let mut text = String::new();
    let found = write_record(WriteGame { record, played: played.as_ref() }, format, &mut text).ok()?;
    let losses = found.into_iter().filter_map(|found| match found.kind {
        DiagnosticKind::Loss(
            LossFinding::NotExpressible { what, .. }
            | LossFinding::Changed { what, .. }
            | LossFinding::NeedsRules { what, .. },
        ) => Some(what),
        _ => None,
    });
    let losses = losses.collect();
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let mut records = Records::new("again", text.as_bytes(), options).unwrap();
    let batch = records.next_batch().unwrap()?;
    let parsed = batch.parse().next()?.1;
    Some(Rewritten { replay: replayer.replay(&parsed.value), losses })
}

impl Rewritten {
    /// Returns how the end of the game differs from the original, apart from listed losses.
    fn difference(&self, original: &Replay) -> Option<String> {
        let is_lost = |what: &[Lost]| self.losses.iter().any(|lost| what.contains(lost));
        let winner =
            |replay: &Replay| replay.recorded.or(replay.sourced_result()).map(|end| end.outcome.winner);
        let (before, after) = (winner(original), winner(&self.replay));
        if before != after && !is_lost(&[Lost::Result, Lost::Ending]) {
            return Some(format!("{before:?} is the winner, but then {after:?}"));
        }
        let written = original.recorded.filter(|end| end.source == Some(ReasonSource::Record))?;
        let reason = self.replay.recorded.filter(|end| !end.is_inferred()).map(|end| end.outcome.reason);
        let is_kept = reason == Some(written.outcome.reason);
        let is_listed = is_lost(&[Lost::Result, Lost::Ending, Lost::Reason]);
        (!is_kept && !is_listed)
            .then(|| format!("{:?} is the reason, but then {reason:?}", written.outcome.reason))
    }
}

/// Collects the inputs of a folder and its subfolders.
fn list(folder: &Path, inputs: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, inputs);
        } else if path.extension().is_none_or(|extension| extension != "expected" && extension != "md") {
            inputs.push(path);
        }
    }
}

/// Returns the answer for one input: its records with moves, results, tags, and findings.
fn answer(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let bytes = fs::read(path).unwrap();
    let mut records = Records::new(name, &*bytes, ReadOptions::default()).unwrap();
    let mut replayer = Replayer::new(ReplayOptions::default());
    let mut out = String::new();
    while let Some(batch) = records.next_batch().unwrap() {
        for finding in batch.findings() {
            let code = finding.kind.code();
            writeln!(out, "file line {}: {code} {}", finding.line, code.name()).unwrap();
        }
        for (source, parsed) in batch.parse() {
            let replay = replayer.replay(&parsed.value);
            describe(&mut out, &source, &parsed, &replay);
        }
    }
    out
}

fn describe(out: &mut String, source: &Source<'_>, parsed: &Parsed<Record>, replay: &Replay) {
    let record = &parsed.value;
    let variant = replay.rules.as_ref().map_or("unknown rules", |rules| rules.variant.unwrap_or("own rules"));
    let n_moves = record.main().moves.len();
    writeln!(
        out,
        "game {} (line {}, {}): {variant}, {} of {n_moves} moves played, {}",
        source.ordinal,
        source.line,
        record.format,
        replay.plies.iter().filter(|ply| ply.written.is_some()).count(),
        match replay.soundness() {
            Soundness::Sound => "sound".to_owned(),
            Soundness::Explained(code) => format!("explained by {code}"),
            Soundness::Unexplained(code) => format!("unexplained {code}"),
        },
    )
    .unwrap();
    if let Some(side) = record.first_mover {
        writeln!(out, "  first mover: {side}").unwrap();
    }
    if let Some(start) = &record.start {
        writeln!(out, "  start: {}", start.setup).unwrap();
    }
    for (index, line) in record.lines().enumerate() {
        let moves = line.moves.iter().map(|mv| {
            let captures = record.captures_of(mv).iter().map(|capture| format!("x{}", capture.cell));
            let link = if mv.chained { "=" } else { "-" };
            let side = match mv.side {
                Some(Side::Attackers) => "a:",
                Some(Side::Defenders) => "d:",
                None => "",
            };
            format!("{side}{}{link}{}{}{}", mv.from, mv.to, captures.collect::<String>(), mv.mark.as_str())
        });
        let moves: Vec<String> = moves.collect();
        if !moves.is_empty() {
            writeln!(out, "  line {index}: {}", moves.join(" ")).unwrap();
        }
    }
    for tag in record.tags.iter() {
        writeln!(out, "  {}: {}", tag.name, tag.value).unwrap();
    }
    for comment in record.comments.iter() {
        writeln!(out, "  comment after {}: {}", comment.place.after, comment.text).unwrap();
    }
    if let Some(ending) = record.ending {
        writeln!(out, "  ending: {:?} {:?} after {}", ending.kind, ending.side, ending.after).unwrap();
    }
    if let Some(result) = record.result {
        writeln!(out, "  result: {:?} {:?}", result.verdict, result.reason).unwrap();
    }
    if let Some(recorded) = replay.recorded {
        let inferred = if recorded.is_inferred() { ", with an inferred reason" } else { "" };
        writeln!(out, "  recorded: {:?}{inferred}", recorded.outcome).unwrap();
    }
    if let Some(outcome) = replay.outcome {
        writeln!(out, "  on the board: {outcome:?}").unwrap();
    }
    let lines = LineIndex::new(*source);
    for found in parsed.diagnostics.iter().chain(&replay.diagnostics) {
        finding(out, source, &lines, found);
    }
}

fn finding(out: &mut String, source: &Source<'_>, lines: &LineIndex<'_>, found: &Diagnostic) {
    let severity = found.severity();
    let at = lines.line_col(found.span.start);
    let message = found.message(source.text);
    writeln!(out, "  {severity} {} at {}:{}: {message}", found.code(), at.line, at.column).unwrap();
}
