//! Round trips: a record is written, the notation is detected, the text is read, and the result is compared. Every difference
//! must be a listed loss.

mod compare;

use std::collections::HashSet;

use tafl_parser::{
    Diagnostic, DiagnosticKind, Format, LossFinding, Lost, PlayedMoves, ReadOptions, Record, Records, Replay,
    ReplayOptions, Replayer, Severity, Soundness, WriteGame, write_record,
};

use compare::PlayedStep;

/// The number of records after which the replayer is replaced: it keeps the rules of every record that it replays.
const MAX_REPLAYS: u64 = 4096;

/// Writes records and reads them back.
pub struct RoundTrips {
    replayer: Replayer,
    n_replayed: u64,
    text: String,
    losses: HashSet<Lost>,
}

/// The result of a round trip without an unlisted difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundTrip {
    /// The record is the same, except for the listed losses.
    Same,
    /// The notation cannot express the game, which was reported.
    NotExpressible,
}

impl Default for RoundTrips {
    fn default() -> RoundTrips {
        RoundTrips {
            replayer: Replayer::new(ReplayOptions::default()),
            n_replayed: 0,
            text: String::new(),
            losses: HashSet::new(),
        }
    }
}

/// Returns the notations that can be written.
pub fn writable_formats() -> Vec<Format> {
    Format::ALL.into_iter().filter(|format| format.is_writable()).collect()
}

impl RoundTrips {
    /// Replaces the state that a panic may have left inconsistent.
    pub fn recover(&mut self) {
        self.replayer = Replayer::new(ReplayOptions::default());
    }

    /// Returns the text of the last round trip.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the listed losses of the last round trip.
    pub const fn losses(&self) -> &HashSet<Lost> {
        &self.losses
    }

    /// Returns whether a record validates: its replay has no unexplained fault. Nothing is promised for others.
    pub fn is_valid(&mut self, record: &Record) -> bool {
        !matches!(self.replayer.replay(record).soundness(), Soundness::Unexplained(_))
    }

    /// Writes a record. The text is empty if the notation cannot express the game.
    pub fn write(&mut self, record: &Record, format: Format) -> Replay {
        self.n_replayed += 1;
        if self.n_replayed.is_multiple_of(MAX_REPLAYS) {
            self.recover();
        }
        let replay = self.replayer.replay(record);
        let rules = replay.rules.as_ref().map(|rules| rules.book.rules().to_string().into_boxed_str());
        let played = rules.and_then(|rules| PlayedMoves::new(record, &replay, rules));
        self.text.clear();
        self.losses.clear();
        let losses = write_record(WriteGame { record, played: played.as_ref() }, format, &mut self.text);
        for loss in losses.into_iter().flatten() {
            if let DiagnosticKind::Loss(loss) = loss.kind {
                self.losses.extend(lost(&loss));
            }
        }
        replay
    }

    /// Writes a record, reads the text without naming the notation, and compares.
    ///
    /// # Errors
    ///
    /// Describes the first difference that is not a listed loss.
    pub fn check(&mut self, record: &Record, format: Format) -> Result<RoundTrip, String> {
        let replay = self.write(record, format);
        if self.text.is_empty() {
            return Ok(RoundTrip::NotExpressible);
        }
        let again = read(&self.text, format)?;
        let played = played_plies(&replay);
        let mut record = record.clone();
        record.forget_places();
        compare::compare(&record, &again, (format, &self.losses), &played)?;
        check_again(&again, format)?;
        Ok(RoundTrip::Same)
    }
}

/// Returns the plies of a replay.
fn played_plies(replay: &Replay) -> Vec<PlayedStep> {
    let Some(rules) = &replay.rules else { return Vec::new() };
    let shape = rules.book.shape();
    let step = |ply: &tafl_parser::ReplayPly| {
        let captured = ply.captured.iter().map(|cell| shape.coord(cell)).collect();
        PlayedStep {
            side: ply.side,
            mv: (shape.coord(ply.mv.from), shape.coord(ply.mv.to)),
            captured: compare::sorted(captured),
        }
    };
    replay.plies.iter().map(step).collect()
}

/// Checks that the record that was read loses nothing and does not change when it is written again.
fn check_again(record: &Record, format: Format) -> Result<(), String> {
    let mut text = String::new();
    let losses = write_record(WriteGame { record, played: None }, format, &mut text);
    let losses = losses.map_err(|error| format!("{format}: {error}"))?;
    let losses = lost_messages(&losses, &text);
    if !losses.is_empty() {
        return Err(format!("{format}: writing it again loses {losses:?}"));
    }
    if read(&text, format)? != *record {
        return Err(format!("{format}: writing it again changes it:\n{text}"));
    }
    Ok(())
}

/// Returns the messages of losses. Parts that a notation requires are excluded: the record did not have them.
pub(crate) fn lost_messages(losses: &[Diagnostic], text: &str) -> Vec<String> {
    let is_lost =
        |loss: &&Diagnostic| !matches!(loss.kind, DiagnosticKind::Loss(LossFinding::NeedsRules { .. }));
    losses.iter().filter(is_lost).map(|loss| loss.message(text)).collect()
}

/// Returns the part of a record that a loss is about.
fn lost(loss: &LossFinding) -> Option<Lost> {
    match loss {
        LossFinding::NotExpressible { what, .. }
        | LossFinding::Changed { what, .. }
        | LossFinding::NeedsRules { what, .. } => Some(*what),
        LossFinding::IllegalTail { .. } => Some(Lost::Captures),
        _ => None,
    }
}

/// Reads the only record of a text, whose notation must be detected.
fn read(text: &str, format: Format) -> Result<Record, String> {
    let open = |options| Records::new("-", text.as_bytes(), options).map_err(|error| error.to_string());
    let mut records = open(ReadOptions::default())?;
    let found = records.format();
    if !is_recognizable(format, found) {
        records = open(ReadOptions { format: Some(format), ..ReadOptions::default() })?;
    } else if found != Some(format) {
        return Err(format!("{format}: detected as {found:?}"));
    }
    let mut read = Vec::new();
    while let Some(batch) = records.next_batch().map_err(|error| error.to_string())? {
        if !batch.findings().is_empty() {
            return Err(format!("{format}: {:?}", batch.findings()));
        }
        read.extend(batch.parse().map(|(_, parsed)| parsed));
    }
    if read.len() != 1 {
        return Err(format!("{format}: {} records instead of one", read.len()));
    }
    let mut parsed = read.remove(0);
    let mut errors = parsed.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    if let Some(error) = errors.next() {
        return Err(format!("{format}: {}", error.message(text)));
    }
    parsed.value.forget_places();
    Ok(parsed.value)
}

/// Returns false if a text of a notation has nothing that only this notation has: without a board, HEN is a list of moves,
/// and without moves, a game of Cyngesheall is one of OpenTafl.
fn is_recognizable(format: Format, found: Option<Format>) -> bool {
    match format {
        Format::Hen => found == Some(Format::Hen),
        Format::Cyngesheall => found != Some(Format::OpenTafl),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Span;

    use super::*;

    #[test]
    fn only_parts_of_the_record_are_lost() {
        let format = Format::MoveList;
        let tag =
            LossFinding::NotExpressible { format, what: Lost::Tags, count: 1, names: vec!["needs".into()] };
        let rules = LossFinding::NeedsRules { format, what: Lost::Captures };
        let losses = [tag, rules].map(|loss| Diagnostic::new(Span::default(), DiagnosticKind::Loss(loss)));
        let messages = lost_messages(&losses, "");
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains("needs"), "{messages:?}");
    }
}
