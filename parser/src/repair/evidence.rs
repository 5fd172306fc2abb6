//! What speaks for a repair: how much of the record agrees once it is made.

use tafl_rules::Side;

use crate::record::{CaptureStyle, Record, Verdict};
use crate::replay::Replay;

/// How much of a record agrees with a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evidence {
    /// How many moves behind the first change can be played.
    pub moves: usize,
    /// How many captures are written with them, all of which happen.
    pub captures: usize,
    /// How many boards behind the first change are as they are written.
    pub boards: usize,
    /// Whether the game ends on the board with the result of the record.
    pub shows_result: bool,
}

/// Returns what speaks for a record that replays; `from` is the first move that was changed.
pub(super) fn of(record: &Record, replay: &Replay, from: usize) -> Evidence {
    let moves = record.main().moves.get(from + 1..).unwrap_or(&[]);
    let captures = match record.capture_style {
        CaptureStyle::NotWritten => 0,
        CaptureStyle::Listed | CaptureStyle::ListedButKings => {
            moves.iter().map(|mv| usize::from(mv.n_captures)).sum()
        }
    };
    let boards = record.boards.iter().filter(|board| board.after as usize > from).count();
    let winner = record.result.and_then(|result| match result.verdict {
        Verdict::Win(side) => Some(Some(side)),
        Verdict::Draw => Some(None),
        Verdict::Ongoing | Verdict::Unknown => None,
    });
    let shown: Option<Option<Side>> = replay.outcome.map(|outcome| outcome.winner);
    Evidence { moves: moves.len(), captures, boards, shows_result: shown.is_some() && shown == winner }
}

impl Evidence {
    /// Returns it in words: `the other 12 moves, 3 captures and the result agree`.
    pub fn words(self) -> String {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let parts = [
            count(self.moves, "later move", "later moves"),
            count(self.captures, "capture", "captures"),
            count(self.boards, "board", "boards"),
            self.shows_result.then(|| "the result".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.split_last() {
            None => "nothing behind it can tell".to_owned(),
            Some((last, [])) => {
                let is_one = last.starts_with("1 ") || last == "the result";
                format!("{last} agree{}", if is_one { "s" } else { "" })
            }
            Some((last, others)) => format!("{} and {last} agree", others.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_said_in_words() {
        let words =
            |moves, captures, shows_result| Evidence { moves, captures, boards: 0, shows_result }.words();
        assert_eq!(words(12, 1, true), "12 later moves, 1 capture and the result agree");
        assert_eq!(words(2, 0, false), "2 later moves agree");
        assert_eq!(words(1, 0, false), "1 later move agrees");
        assert_eq!(words(12, 0, false), "12 later moves agree");
        assert_eq!(words(0, 0, true), "the result agrees");
        assert_eq!(words(0, 0, false), "nothing behind it can tell");
    }
}
