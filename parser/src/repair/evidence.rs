//! Evidence for a repair: the parts of the record that agree with it.

use std::fmt;

use tafl_rules::{counted, word_list};

use super::edit::{Edit, count_changes};
use crate::record::{CaptureStyle, Record};
use crate::replay::{Claim, Replay};

/// The parts of a record that agree with a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepairEvidence {
    /// The number of moves after the first change that can be played.
    pub moves: usize,
    /// The number of captures written with them, all of which happen.
    pub captures: usize,
    /// The number of boards after the first change that match.
    pub boards: usize,
    /// Whether the game ends on the board with the recorded result.
    pub shows_result: bool,
}

/// Returns the evidence for a record that can be replayed after these edits.
pub(super) fn of(record: &Record, replay: &Replay, edits: &[Edit]) -> RepairEvidence {
    let from = edits.iter().map(|edit| edit.at().unwrap_or(0)).min().unwrap_or(0);
    let moves = record.main().moves.get(from + 1..).unwrap_or(&[]);
    let captures = match record.capture_style {
        CaptureStyle::NotWritten => 0,
        CaptureStyle::Listed | CaptureStyle::ListedButKings => {
            let listed: usize = moves.iter().map(|mv| usize::from(mv.n_captures)).sum();
            listed.saturating_sub(edits.iter().map(n_new_captures).sum())
        }
    };
    let boards = record.boards.iter().filter(|board| board.after as usize > from).count();
    let winner = Claim::of(record).winner();
    let shows_result = replay.outcome.is_some_and(|outcome| winner == Some(outcome.winner));
    RepairEvidence { moves: moves.len(), captures, boards, shows_result }
}

/// Returns the number of captures that an edit of many lists adds. They confirm nothing.
fn n_new_captures(edit: &Edit) -> usize {
    match edit {
        Edit::AllCaptures { moves } => {
            // The captures of the first move are not evidence anyway.
            let [missing, _, wrong] = count_changes(moves.get(1..).unwrap_or(&[]));
            missing + wrong
        }
        _ => 0,
    }
}

/// Writes the evidence in words: `12 later moves, 3 captures, and the result agree`.
impl fmt::Display for RepairEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |n: usize, one: &str, many: &str| (n > 0).then(|| counted(n as u64, one, many));
        let parts = [
            count(self.moves, "later move", "later moves"),
            count(self.captures, "capture", "captures"),
            count(self.boards, "board", "boards"),
            self.shows_result.then(|| "the result".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match &parts[..] {
            [] => f.write_str("nothing after it confirms it"),
            [only] if only.starts_with("1 ") || only == "the result" => write!(f, "{only} agrees"),
            parts => write!(f, "{} agree", word_list(parts, "and")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_written_in_words() {
        let words = |moves, captures, shows_result| {
            RepairEvidence { moves, captures, boards: 0, shows_result }.to_string()
        };
        assert_eq!(words(12, 1, true), "12 later moves, 1 capture, and the result agree");
        assert_eq!(words(12, 0, true), "12 later moves and the result agree");
        assert_eq!(words(2, 0, false), "2 later moves agree");
        assert_eq!(words(1, 0, false), "1 later move agrees");
        assert_eq!(words(12, 0, false), "12 later moves agree");
        assert_eq!(words(0, 0, true), "the result agrees");
        assert_eq!(words(0, 0, false), "nothing after it confirms it");
    }
}
