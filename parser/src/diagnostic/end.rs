//! Diagnostics about the end of the game and its result.

use tafl_rules::{Outcome, Side};

use super::{Page, Severity, TextPart};

/// Errors and oddities at the end of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndFinding {
    /// A board result that differs from the record's.
    Mismatch {
        /// The result on the board.
        board: Outcome,
    },
    /// A move after the end of the game.
    AfterEnd {
        /// The outcome that ended the game.
        outcome: Outcome,
    },
    /// A move after a player resigned or ran out of time.
    AfterEnding,
    /// A winning move without the mark that the notation requires.
    NoWinMark,
    /// A win mark on a move that does not win.
    FalseWinMark,
    /// The record stops, and its result says that the side to move lost.
    SilentResignation {
        /// The side that resigned.
        by: Side,
    },
    /// The record stops, and its result says that the side to move won.
    Adjudication {
        /// The winner.
        winner: Side,
    },
    /// The record stops and has no result.
    Unfinished,
    /// The side that resigned or ran out of time is recorded as the winner, or the game in which it resigned as a draw.
    Contradiction {
        /// The side that resigned or ran out of time.
        by: Side,
        /// Whether a draw is recorded.
        is_draw: bool,
    },
    /// A result in unknown words.
    BadResult {
        /// The accepted values.
        expected: &'static str,
    },
    /// The board shows the end of the game, but the record has no result.
    Unrecorded {
        /// The result on the board.
        board: Outcome,
    },
    /// The record names an end that the board does not show.
    NotOnBoard {
        /// The end named by the record.
        claimed: Outcome,
    },
    /// A second result that differs from the first one.
    SecondResult,
}

impl EndFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            EndFinding::Mismatch { .. } => &MISMATCH,
            EndFinding::AfterEnd { .. } => &AFTER_END,
            EndFinding::AfterEnding => &AFTER_ENDING,
            EndFinding::NoWinMark => &NO_WIN_MARK,
            EndFinding::FalseWinMark => &FALSE_WIN_MARK,
            EndFinding::SilentResignation { .. } => &RESIGNATION,
            EndFinding::Adjudication { .. } => &ADJUDICATION,
            EndFinding::Unfinished => &UNFINISHED,
            EndFinding::Contradiction { .. } => &CONTRADICTION,
            EndFinding::BadResult { .. } => &BAD_RESULT,
            EndFinding::Unrecorded { .. } => &UNRECORDED,
            EndFinding::NotOnBoard { .. } => &NOT_ON_BOARD,
            EndFinding::SecondResult => &SECOND_RESULT,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            EndFinding::Mismatch { board } => {
                format!("the record's result is {part}, but the board shows: {board}")
            }
            EndFinding::AfterEnd { outcome } => {
                format!("{part} is played after the end of the game: {outcome}")
            }
            EndFinding::AfterEnding => format!("{part} is played after a player resigned or ran out of time"),
            EndFinding::NoWinMark => format!("{part} wins, but the mark `!` is missing"),
            EndFinding::FalseWinMark => format!("{part} is marked as a win, but the game continues"),
            EndFinding::SilentResignation { by } => {
                format!("the record stops, and the {by}, to move, lost; read as a resignation")
            }
            EndFinding::Adjudication { winner } => {
                format!("the record stops, and the {winner} won; read as an adjudication")
            }
            EndFinding::Unfinished => "the record stops before the game is over".to_owned(),
            EndFinding::Contradiction { by, is_draw: true } => {
                format!("{part}: the {by} resigned, but a draw is recorded")
            }
            EndFinding::Contradiction { by, is_draw: false } => {
                format!("{part}: the {by} resigned or ran out of time, but are recorded as the winner")
            }
            EndFinding::SecondResult => format!("{part} contradicts the first result, which counts"),
            EndFinding::BadResult { expected } if is_score(part.0) => {
                format!("{part} does not name the side that won; expected {expected}")
            }
            EndFinding::BadResult { expected } => format!("{part} is not a result; expected {expected}"),
            EndFinding::Unrecorded { board } => format!("the record has no result; the board shows: {board}"),
            EndFinding::NotOnBoard { claimed } => {
                format!("the record's result is: {claimed}, but the game is not over on the board")
            }
        }
    }
}

/// Returns whether a text is a result in numbers, which does not define the side that comes first.
fn is_score(text: &str) -> bool {
    matches!(text.trim(), "1-0" | "0-1" | "1:0" | "0:1" | "1–0" | "0–1")
}

pub(super) static PAGES: &[&Page] = &[
    &MISMATCH,
    &AFTER_END,
    &AFTER_ENDING,
    &NO_WIN_MARK,
    &FALSE_WIN_MARK,
    &RESIGNATION,
    &ADJUDICATION,
    &UNFINISHED,
    &CONTRADICTION,
    &BAD_RESULT,
    &UNRECORDED,
    &NOT_ON_BOARD,
    &SECOND_RESULT,
];

static MISMATCH: Page = Page {
    code: "E001",
    name: "result-mismatch",
    severity: Severity::Error,
    help: "check the result, and whether the variant is right",
    explain: "The result in the record differs from the result on the board: for example, the king was \
        captured, but the record lists a win for the defenders. Both results are reported; neither is \
        changed.",
};

static AFTER_END: Page = Page {
    code: "E002",
    name: "play-after-end",
    severity: Severity::Warning,
    help: "check whether the variant is right; older rules lack some kinds of endings",
    explain: "By the rules the game was over, but the record continues. Play sites differ in the ends they \
        recognize: some did not have encirclement or exit forts when the game was played. Replay continues \
        to the last move of the record and reports the first end.",
};

static AFTER_ENDING: Page = Page {
    code: "E003",
    name: "moves-after-ending",
    severity: Severity::Warning,
    help: "remove the moves, or the ending before them",
    explain: "The record states that a player resigned or ran out of time, and moves follow. They are kept \
        and replayed as if the statement were not there.",
};

static NO_WIN_MARK: Page = Page {
    code: "E004",
    name: "missing-win-mark",
    severity: Severity::Warning,
    help: "add `!` after the winning move",
    explain: "In Cyngesheall's notation a move that captures the king, or brings a player's own king to \
        his corner, ends with `!`, as in `KA5-A1!`. This move wins, but has no mark.",
};

static FALSE_WIN_MARK: Page = Page {
    code: "E005",
    name: "false-win-mark",
    severity: Severity::Warning,
    help: "remove the mark, or check the moves before it",
    explain: "The move is marked as a win, but by the rules the game continues. Marks are never used as \
        evidence for a result.",
};

static RESIGNATION: Page = Page {
    code: "E006",
    name: "silent-resignation",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The record ends before the game does, and its result says that the side to move lost. \
        Archives write a resignation in this way: they just stop. It is read as a resignation.",
};

static ADJUDICATION: Page = Page {
    code: "E007",
    name: "adjudication",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The record ends before the game does, and its result says that the side to move won. This \
        suggests a decision by an arbiter, for example after repetitions or because a fort could not be \
        broken. The recorded result is kept.",
};

static UNFINISHED: Page = Page {
    code: "E008",
    name: "unfinished",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The record ends before the game does and names no winner. Archives contain games that were \
        never finished.",
};

static CONTRADICTION: Page = Page {
    code: "E009",
    name: "ending-contradiction",
    severity: Severity::Error,
    help: "find out whether the ending or the result is right",
    explain: "The record states that a player resigned or ran out of time, and also that this player won; \
        or that a player resigned, and the game was drawn. Unless the record names the player, it is the side to move.",
};

static BAD_RESULT: Page = Page {
    code: "E010",
    name: "unknown-result",
    severity: Severity::Warning,
    help: "use one of the results listed in FORMATS.md",
    explain: "The result is written in words that the notation does not define, such as `Whte`, or does not name the \
        side that won, such as `1-0`: programs differ on which side comes first. The result is treated as unknown, and \
        the words are kept.",
};

static UNRECORDED: Page = Page {
    code: "E011",
    name: "result-missing",
    severity: Severity::Note,
    help: "`convert` writes the result that the board shows",
    explain: "The record has no result, but the board shows the end of the game. The result on the board \
        is reported.",
};

static NOT_ON_BOARD: Page = Page {
    code: "E012",
    name: "end-not-on-board",
    severity: Severity::Warning,
    help: "check whether the last moves are missing, and whether the variant is right",
    explain: "The record names an end that would be visible on the board, such as a captured king or an \
        escape, but by the rules the game is not over after its last move. Moves may be missing, or the \
        game may have been played by other rules.",
};

static SECOND_RESULT: Page = Page {
    code: "E013",
    name: "second-result",
    severity: Severity::Warning,
    help: "find out which result is right, and correct the other one",
    explain: "The record states two results that differ: for example, `[Result \"1-0\"]` above moves that end with `0-1`, \
        or the board of a HEN record with `!W` and the status `Black Wins`. The first one counts.",
};
