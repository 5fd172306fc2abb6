//! Round trips: a record is written, the notation is detected, the text is read, and the result is compared and replayed. Every
//! difference must be a listed loss.

mod compare;
mod replay;

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
    /// Whether the text is listed as not replaying as the record does.
    has_deviations: bool,
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
            has_deviations: false,
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

    fn replay(&mut self, record: &Record) -> Replay {
        self.n_replayed += 1;
        if self.n_replayed.is_multiple_of(MAX_REPLAYS) {
            self.recover();
        }
        self.replayer.replay(record)
    }

    /// Writes a record. The text is empty if the notation cannot express the game.
    pub fn write(&mut self, record: &Record, format: Format) -> Replay {
        let replay = self.replay(record);
        let rules = replay.rules.as_ref().map(|rules| rules.book.rules().to_string().into_boxed_str());
        let played = rules.and_then(|rules| PlayedMoves::new(record, &replay, rules));
        self.text.clear();
        self.losses.clear();
        self.has_deviations = false;
        let losses = write_record(WriteGame { record, played: played.as_ref() }, format, &mut self.text);
        for loss in losses.into_iter().flatten() {
            if let DiagnosticKind::Loss(loss) = loss.kind {
                self.has_deviations |= matches!(loss, LossFinding::Deviations { .. });
                self.losses.extend(lost(&loss));
            }
        }
        replay
    }

    /// Writes a record, reads the text without naming the notation, compares, and replays.
    ///
    /// # Errors
    ///
    /// Describes the first difference that is not a listed loss.
    pub fn check(&mut self, record: &Record, format: Format) -> Result<RoundTrip, String> {
        let replay = self.write(record, format);
        if self.text.is_empty() {
            return Ok(RoundTrip::NotExpressible);
        }
        let mut again = read(&self.text, format)?;
        let replayed_again = self.replay(&again);
        if !self.has_deviations {
            replay::compare(&replay, &replayed_again, (format, &self.losses))?;
        }
        again.forget_places();
        let played = played_plies(&replay);
        let mut record = record.clone();
        record.forget_places();
        compare::compare(&record, &again, (format, &self.losses), &played)?;
        check_again(&again, format)?;
        check_sequence(&self.text, &again, format)?;
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
    let mut again = read(&text, format)?;
    again.forget_places();
    if again != *record {
        return Err(format!("{format}: writing it again changes it:\n{text}"));
    }
    Ok(())
}

/// Checks that a text that is written twice is read as two records.
fn check_sequence(text: &str, record: &Record, format: Format) -> Result<(), String> {
    if is_joined_to_next(record, format) {
        return Ok(());
    }
    let file = text.repeat(2);
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let mut records = Records::new("-", file.as_bytes(), options).map_err(|error| error.to_string())?;
    let mut n_read = 0;
    while let Some(batch) = records.next_batch().map_err(|error| error.to_string())? {
        for (_, mut parsed) in batch.parse() {
            n_read += 1;
            parsed.value.forget_places();
            if parsed.value != *record {
                return Err(format!("{format}: record {n_read} of two is another one"));
            }
        }
    }
    if n_read == 2 { Ok(()) } else { Err(format!("{format}: two records are read as {n_read}")) }
}

/// Returns whether the text of a record may be read as a part of the next record, or the other way round: a record without moves,
/// a list of few moves, which looks like the turns of one game, and, in HEN, a record without a board or with a last comment,
/// which can belong to the next board.
fn is_joined_to_next(record: &Record, format: Format) -> bool {
    let n_moves = record.main().moves.len();
    match format {
        Format::MoveList => n_moves <= 2,
        Format::Hen => n_moves == 0 || record.start.is_none() || !record.comments.is_empty(),
        _ => n_moves == 0,
    }
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
    let parsed = read.remove(0);
    let mut errors = parsed.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    if let Some(error) = errors.next() {
        return Err(format!("{format}: {}", error.message(text)));
    }
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
