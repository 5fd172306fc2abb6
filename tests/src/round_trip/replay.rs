//! The comparison of the replay of a record with that of the record that was read from its text.

use std::collections::HashSet;

use tafl_parser::{Diagnostic, Format, Lost, Replay, Severity};

/// The parts of a record that the moves, the captures, and their findings depend on.
const OF_GAME: [Lost; 14] = [
    Lost::Captures,
    Lost::Cells,
    Lost::Chains,
    Lost::Controls,
    Lost::FirstMover,
    Lost::HexBoard,
    Lost::Moves,
    Lost::MovesAfterEnding,
    Lost::Pieces,
    Lost::Rules,
    Lost::Sides,
    Lost::Start,
    Lost::TakenBack,
    Lost::Variant,
];
/// The parts that only findings about the end depend on.
const OF_END: [Lost; 3] = [Lost::Ending, Lost::Reason, Lost::Result];

/// Compares the replay of a record with that of the record that was read from its text. If nothing of the game is lost,
/// the text has the same moves with the same captures, and, if the record has no errors, no new findings.
///
/// # Errors
///
/// Describes the first difference that is not a loss.
pub(super) fn compare(
    replay: &Replay,
    again: &Replay,
    (format, losses): (Format, &HashSet<Lost>),
) -> Result<(), String> {
    if replay.rules.is_none() || OF_GAME.iter().any(|part| losses.contains(part)) {
        return Ok(());
    }
    let plies = |replay: &Replay| {
        let plies = replay.plies.iter().map(|ply| (ply.mv, ply.side, ply.captured));
        plies.collect::<Vec<_>>()
    };
    if plies(again) != plies(replay) {
        let counts = (again.plies.len(), replay.plies.len());
        return Err(format!("{format}: replay differs: {} plies instead of {}", counts.0, counts.1));
    }
    // Notations describe the same error in different ways.
    if replay.diagnostics.iter().any(|found| found.severity() == Severity::Error) {
        return Ok(());
    }
    let is_end_lost = OF_END.iter().any(|part| losses.contains(part));
    let is_known = |found: &Diagnostic| {
        let code = found.code();
        let is_of_end = code.as_str().starts_with('E');
        (is_of_end && is_end_lost) || replay.diagnostics.iter().any(|known| known.code() == code)
    };
    let mut found = again.diagnostics.iter().filter(|found| found.severity() > Severity::Note);
    match found.find(|found| !is_known(found)) {
        Some(new) => Err(format!("{format}: replay finds {} in what was written", new.code())),
        None => Ok(()),
    }
}
