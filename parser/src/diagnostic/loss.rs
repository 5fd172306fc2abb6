//! What a target format cannot say.

use std::fmt;

use super::{Page, Severity};
use crate::record::Format;

/// Something that was left out or changed when a record was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// Left out: the format has no way to say it.
    NotExpressible {
        /// The target.
        format: Format,
        /// What was left out.
        what: Lost,
        /// How many of them.
        count: u32,
    },
    /// Written otherwise: the format cannot hold it as it is.
    Changed {
        /// The target.
        format: Format,
        /// What was changed.
        what: Lost,
        /// How many of them.
        count: u32,
    },
    /// The rules are needed and not known.
    NeedsRules {
        /// The target.
        format: Format,
        /// What they are needed for.
        what: Lost,
    },
    /// Captures behind an illegal move are not known.
    IllegalTail {
        /// How many moves are written as the record has them.
        count: u32,
    },
}

/// A part of a record that a format may be unable to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lost {
    /// Tags.
    Tags,
    /// The rules string.
    Rules,
    /// The variant's name.
    Variant,
    /// The start position.
    Start,
    /// Who moves first.
    FirstMover,
    /// Variations.
    Variations,
    /// Comments.
    Comments,
    /// Readings of clocks.
    Clocks,
    /// Boards between moves.
    Boards,
    /// Moves that were tried and refused.
    Refused,
    /// Counts of legal moves.
    MoveCounts,
    /// Counts of captures.
    CaptureCounts,
    /// Captures.
    Captures,
    /// Letters of pieces.
    Letters,
    /// Marks behind moves.
    Marks,
    /// Which moves are jumps.
    Jumps,
    /// Which moves continue a turn.
    Chains,
    /// Cells that the notation cannot name.
    Cells,
    /// Who made each move.
    Sides,
    /// That a player gave up or ran out of time.
    Ending,
    /// Moves behind the end.
    MovesAfterEnding,
    /// The result.
    Result,
    /// Why the game ended.
    Reason,
    /// Control characters.
    Controls,
}

impl Lost {
    const fn words(self) -> &'static str {
        match self {
            Lost::Tags => "tags",
            Lost::Rules => "rules",
            Lost::Variant => "the variant's name",
            Lost::Start => "the start position",
            Lost::FirstMover => "who moves first",
            Lost::Variations => "variations",
            Lost::Comments => "comments",
            Lost::Clocks => "clock times",
            Lost::Boards => "boards between moves",
            Lost::Refused => "refused moves",
            Lost::MoveCounts => "counts of legal moves",
            Lost::CaptureCounts => "counts of captures",
            Lost::Captures => "captures",
            Lost::Letters => "letters of pieces",
            Lost::Marks => "marks behind moves",
            Lost::Jumps => "which moves are jumps",
            Lost::Chains => "which moves continue a turn",
            Lost::Cells => "moves with cells that it cannot name",
            Lost::Sides => "who made each move",
            Lost::Ending => "that a player gave up or ran out of time",
            Lost::MovesAfterEnding => "moves behind the end",
            Lost::Result => "the result",
            Lost::Reason => "why the game ended",
            Lost::Controls => "control characters",
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

impl Loss {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Loss::NotExpressible { .. } => &LOST,
            Loss::Changed { .. } => &CHANGED,
            Loss::NeedsRules { .. } => &NEEDS_RULES,
            Loss::IllegalTail { .. } => &REPLAY_BROKE,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Loss::NotExpressible { format, what, count } => {
                format!("{format} cannot say {what} ({count} left out)")
            }
            Loss::Changed { format, what, count } => {
                format!("{format} cannot hold {what} as written ({count} changed)")
            }
            Loss::NeedsRules { format, what } => {
                format!("{format} needs {what}, and the rules are not known")
            }
            Loss::IllegalTail { count } => {
                format!("{count} moves from the illegal one on are written as they stand")
            }
        }
    }
}

pub(super) static PAGES: &[&Page] = &[&LOST, &CHANGED, &NEEDS_RULES, &REPLAY_BROKE];

static LOST: Page = Page {
    code: "W001",
    name: "not-expressible",
    severity: Severity::Warning,
    help: "convert to jsonl, which loses nothing",
    explain: "The record says something that the target notation has no way to say, such as variations in \
        a move list or comments in a line of a CSV archive. Everything else was converted. The \
        message says what was left out and how often.",
};

static CHANGED: Page = Page {
    code: "W002",
    name: "text-changed",
    severity: Severity::Warning,
    help: "convert to jsonl, which loses nothing",
    explain: "A text was changed because the target notation cannot hold it as it is: OpenTafl's comments, \
        for example, can contain neither `|` nor `]`, and have no way to escape them. The message \
        says what was changed.",
};

static NEEDS_RULES: Page = Page {
    code: "W003",
    name: "needs-rules",
    severity: Severity::Error,
    help: "name the variant with `--variant`, or give the rules with `--rules`",
    explain: "The target notation needs something that only the rules can tell, such as the captures of a \
        record that does not write them, or the rules string itself, and the rules of the record are \
        not known.",
};

static REPLAY_BROKE: Page = Page {
    code: "W004",
    name: "illegal-tail",
    severity: Severity::Warning,
    help: "correct the record first; `tafl validate` says what is wrong",
    explain: "Replay stopped at a move that the rules do not allow. From there on the captures are not \
        known; the moves are written as the record has them.",
};
