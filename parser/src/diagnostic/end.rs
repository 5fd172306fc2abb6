//! Findings about the end of the game and its result.

use tafl_rules::{Outcome, Side};

use super::{Page, Severity, TextPart};

/// What is wrong with, or worth knowing about, the end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The board shows another result than the record.
    Mismatch {
        /// What the board shows.
        board: Outcome,
    },
    /// Moves after the end of the game.
    AfterEnd {
        /// How it had ended.
        outcome: Outcome,
    },
    /// Moves after somebody gave up or ran out of time.
    AfterEnding,
    /// A win without the mark that the notation asks for.
    NoWinMark,
    /// A mark for a win that is none.
    FalseWinMark,
    /// The record stops and the side to move lost.
    SilentResignation {
        /// Who gave up.
        by: Side,
    },
    /// The record stops and the side to move won.
    Adjudication {
        /// The winner.
        winner: Option<Side>,
    },
    /// The record stops without a result.
    Unfinished,
    /// Who gave up or ran out of time is said to have won.
    Contradiction {
        /// Who gave up or ran out of time.
        by: Side,
    },
    /// A result in unknown words.
    BadResult {
        /// What would have been right.
        expected: &'static str,
    },
    /// The board shows an end and the record names no result.
    Unrecorded {
        /// What the board shows.
        board: Outcome,
    },
    /// The record names an end that the board does not show.
    NotOnBoard {
        /// What the record names.
        claimed: Outcome,
    },
}

impl End {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            End::Mismatch { .. } => &MISMATCH,
            End::AfterEnd { .. } => &AFTER_END,
            End::AfterEnding => &AFTER_ENDING,
            End::NoWinMark => &NO_WIN_MARK,
            End::FalseWinMark => &FALSE_WIN_MARK,
            End::SilentResignation { .. } => &RESIGNATION,
            End::Adjudication { .. } => &ADJUDICATION,
            End::Unfinished => &UNFINISHED,
            End::Contradiction { .. } => &CONTRADICTION,
            End::BadResult { .. } => &BAD_RESULT,
            End::Unrecorded { .. } => &UNRECORDED,
            End::NotOnBoard { .. } => &NOT_ON_BOARD,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            End::Mismatch { board } => format!("the record says {part}, the board says: {board}"),
            End::AfterEnd { outcome } => format!("{part} is played after the end of the game: {outcome}"),
            End::AfterEnding => format!("{part} is played after a player gave up or ran out of time"),
            End::NoWinMark => format!("{part} wins and lacks the mark `!`"),
            End::FalseWinMark => format!("{part} is marked as a win, but the game goes on"),
            End::SilentResignation { by } => {
                format!("the record stops and the {by}, to move, lost: taken as a resignation")
            }
            End::Adjudication { winner: Some(winner) } => {
                format!("the record stops and the {winner} won: taken as an adjudication")
            }
            End::Adjudication { winner: None } => {
                "the record stops and the game is drawn: taken as an adjudication".to_owned()
            }
            End::Unfinished => "the record stops before the game is over".to_owned(),
            End::Contradiction { by } => format!("{part}: the {by} gave up or ran out of time and yet won"),
            End::BadResult { expected } => format!("{part} is no result; expected {expected}"),
            End::Unrecorded { board } => format!("the record names no result, the board says: {board}"),
            End::NotOnBoard { claimed } => {
                format!("the record says: {claimed}, but on the board the game goes on")
            }
        }
    }
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
];

static MISMATCH: Page = Page {
    code: "E001",
    name: "result-mismatch",
    severity: Severity::Error,
    help: "check the result, and whether the variant is right",
    explain: "The record names a result and the board shows another: the king was captured and the record \
        says that the defenders won, for example. What happened on the board is reported beside what \
        is written; neither is changed.",
};

static AFTER_END: Page = Page {
    code: "E002",
    name: "play-after-end",
    severity: Severity::Warning,
    help: "check whether the variant is right; older rules do not know every end",
    explain: "By the rules the game was over, and the record goes on. Play sites differ in what they call \
        an end: some did not know encirclement or exit forts when the game was played. The game \
        is replayed to the last move of the record; the first end is reported.",
};

static AFTER_ENDING: Page = Page {
    code: "E003",
    name: "moves-after-ending",
    severity: Severity::Warning,
    help: "remove the moves, or the word before them",
    explain: "The record says that a player gave up or ran out of time, and moves follow. They are kept \
        and replayed as if the word were not there.",
};

static NO_WIN_MARK: Page = Page {
    code: "E004",
    name: "missing-win-mark",
    severity: Severity::Warning,
    help: "add `!` behind the winning move",
    explain: "In Cyngesheall's notation a move that captures the king, or brings the own king to his \
        corner, ends with `!`, as in `KA5-A1!`. This move wins and has no mark.",
};

static FALSE_WIN_MARK: Page = Page {
    code: "E005",
    name: "false-win-mark",
    severity: Severity::Warning,
    help: "remove the mark, or check the moves before it",
    explain: "The move is marked as a win, and by the rules the game goes on. Marks are never taken as \
        evidence for a result.",
};

static RESIGNATION: Page = Page {
    code: "E006",
    name: "silent-resignation",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The record ends before the game does, and the side that is to move is said to have lost. \
        Archives write a resignation in this way: they just stop. It is taken as a resignation.",
};

static ADJUDICATION: Page = Page {
    code: "E007",
    name: "adjudication",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The record ends before the game does, and the side that is to move is said to have won. So \
        somebody decided: after repetitions, or when a fort could not be broken. The result of the \
        record is kept.",
};

static UNFINISHED: Page = Page {
    code: "E008",
    name: "unfinished",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The record ends before the game does and names no winner. Archives hold games that were \
        broken off.",
};

static CONTRADICTION: Page = Page {
    code: "E009",
    name: "ending-contradiction",
    severity: Severity::Error,
    help: "find out which of the two is right",
    explain: "The record says that a player gave up or ran out of time, and also that this player won. The \
        side to move is the one that gave up, unless the record says otherwise.",
};

static BAD_RESULT: Page = Page {
    code: "E010",
    name: "unknown-result",
    severity: Severity::Warning,
    help: "see the formats page for the words that a result can have",
    explain: "The result is written in words that the notation does not have, such as `Whte`. The result \
        is taken as unknown and the words are kept.",
};

static UNRECORDED: Page = Page {
    code: "E011",
    name: "result-missing",
    severity: Severity::Note,
    help: "`convert` writes the result that the board shows",
    explain: "The record names no result, and the board shows the end of the game. The board's result is \
        reported.",
};

static NOT_ON_BOARD: Page = Page {
    code: "E012",
    name: "end-not-on-board",
    severity: Severity::Warning,
    help: "check whether the last moves are missing, and whether the variant is right",
    explain: "The record names an end that a board shows, such as a captured king or an escape, and after its \
        last move the game goes on by the rules. Perhaps moves are missing, or the rules of the game were others.",
};
