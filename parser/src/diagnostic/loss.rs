//! Information that a target format cannot express.

use std::fmt;

use tafl_rules::counted;

use super::{Page, Severity, TextPart};
use crate::record::Format;

/// Information that was omitted or changed when a record was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossFinding {
    /// Omitted: the format cannot express it.
    NotExpressible {
        /// The target format.
        format: Format,
        /// The omitted part.
        what: Lost,
        /// The number of omitted items.
        count: u32,
        /// The names of omitted tags, as far as the writer knows them.
        names: Vec<Box<str>>,
    },
    /// Changed: the format cannot hold it as written.
    Changed {
        /// The target format.
        format: Format,
        /// The changed part.
        what: Lost,
        /// The number of changed items.
        count: u32,
    },
    /// The rules are required, but unknown.
    NeedsRules {
        /// The target format.
        format: Format,
        /// The part that requires the rules.
        what: Lost,
    },
    /// The captures after an illegal move are unknown.
    IllegalTail {
        /// The number of moves written as they are in the record.
        count: u32,
    },
    /// The replay of the record deviates from the rules, and the target has no words for that.
    Deviations {
        /// The target format.
        format: Format,
        /// The number of passed turns and of captures that were not made.
        count: u32,
    },
}

/// A part of a record that a format may be unable to express.
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
    /// The side that moves first.
    FirstMover,
    /// Variations.
    Variations,
    /// Comments.
    Comments,
    /// Clock times.
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
    /// Piece letters.
    Letters,
    /// Marks after moves.
    Marks,
    /// The moves that are jumps.
    Jumps,
    /// The moves that continue a turn.
    Chains,
    /// Cells that the notation cannot name.
    Cells,
    /// The side that made each move.
    Sides,
    /// Resignations and timeouts.
    Ending,
    /// Moves after the end.
    MovesAfterEnding,
    /// The result.
    Result,
    /// The reason for the end of the game.
    Reason,
    /// Control characters.
    Controls,
    /// Moves, in a format for positions.
    Moves,
    /// The position after the last move, because of an illegal move.
    LastPosition,
    /// Pieces that the notation has no letter for.
    Pieces,
    /// A hexagonal board.
    HexBoard,
    /// Moves that were taken back, or written twice.
    TakenBack,
}

impl Lost {
    const fn as_str(self) -> &'static str {
        match self {
            Lost::Tags => "tags",
            Lost::Rules => "rules",
            Lost::Variant => "the variant name",
            Lost::Start => "the start position",
            Lost::FirstMover => "the side that moves first",
            Lost::Variations => "variations",
            Lost::Comments => "comments",
            Lost::Clocks => "clock times",
            Lost::Boards => "boards between moves",
            Lost::Refused => "refused moves",
            Lost::MoveCounts => "numbers of legal moves",
            Lost::CaptureCounts => "numbers of captures",
            Lost::Captures => "captures",
            Lost::Letters => "piece letters",
            Lost::Marks => "marks after moves",
            Lost::Jumps => "which moves are jumps",
            Lost::Chains => "which moves continue a turn",
            Lost::Cells => "moves on cells without coordinates",
            Lost::Sides => "the side that made each move",
            Lost::Ending => "a resignation or timeout",
            Lost::MovesAfterEnding => "moves after the end",
            Lost::Result => "the result",
            Lost::Reason => "the reason for the end of the game",
            Lost::Controls => "control characters",
            Lost::Moves => "the moves before the position",
            Lost::LastPosition => "the position after the last move",
            Lost::Pieces => "pieces other than men and the defenders' king",
            Lost::HexBoard => "hexagonal boards",
            Lost::TakenBack => "moves that were taken back or written twice",
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl LossFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            LossFinding::NotExpressible { .. } => &LOST,
            LossFinding::Changed { .. } => &CHANGED,
            LossFinding::NeedsRules { .. } => &NEEDS_RULES,
            LossFinding::IllegalTail { .. } => &REPLAY_BROKE,
            LossFinding::Deviations { .. } => &DEVIATIONS,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            LossFinding::NotExpressible { format, what, count, names } => {
                format!("{format} cannot express {what} ({count} omitted{})", OmittedNames(names, *count))
            }
            LossFinding::Changed { format, what, count } => {
                format!("{format} cannot store {what} as written ({count} changed)")
            }
            LossFinding::NeedsRules { format, what } => {
                format!("{format} needs {what}, but the rules are unknown")
            }
            LossFinding::IllegalTail { count } => {
                format!(
                    "{} written unchecked, starting with the illegal one",
                    counted(u64::from(*count), "move", "moves")
                )
            }
            LossFinding::Deviations { format, count } => format!(
                "{format} cannot express {} of the replay: a missing move, or a capture that was not made",
                counted(u64::from(*count), "deviation", "deviations")
            ),
        }
    }
}

/// The known names of omitted items, and the number of all omitted items. Displayed as `: a, b, ...`.
struct OmittedNames<'n>(&'n [Box<str>], u32);

impl fmt::Display for OmittedNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 10;
        let OmittedNames(names, count) = self;
        for (nth, name) in names.iter().take(MOST).enumerate() {
            write!(f, "{} {}", if nth == 0 { ":" } else { "," }, TextPart(name))?;
        }
        let n_shown = names.len().min(MOST);
        f.write_str(if n_shown > 0 && n_shown < *count as usize { ", ..." } else { "" })
    }
}

pub(super) static PAGES: &[&Page] = &[&LOST, &CHANGED, &NEEDS_RULES, &REPLAY_BROKE, &DEVIATIONS];

static LOST: Page = Page {
    code: "W001",
    name: "not-expressible",
    severity: Severity::Warning,
    help: "convert to jsonl, which loses nothing",
    explain: "The target notation cannot express some of the record, such as variations in a move list or \
        comments in a line of a CSV archive. Everything else was converted. The message names what was \
        omitted and how often.",
};

static CHANGED: Page = Page {
    code: "W002",
    name: "text-changed",
    severity: Severity::Warning,
    help: "convert to jsonl, which loses nothing",
    explain: "A text was changed because the target notation cannot store it as it is: OpenTafl's \
        comments, for example, cannot contain `|` or `]`, and have no escape for them. The message names \
        what was changed.",
};

static NEEDS_RULES: Page = Page {
    code: "W003",
    name: "needs-rules",
    severity: Severity::Error,
    help: "name the variant or its rules with `--variant`, and change single rules with `--rule KEY=VALUE`",
    explain: "The target notation needs something that only the rules provide, such as the rules string \
        itself or the captures of a record that does not list them, but the rules of the record are \
        unknown.",
};

static REPLAY_BROKE: Page = Page {
    code: "W004",
    name: "illegal-tail",
    severity: Severity::Warning,
    help: "correct the record first; `tafl validate` reports the errors",
    explain: "Replay stopped at a move that the rules do not allow. The captures after it are unknown, so \
        the remaining moves are written as they are in the record.",
};

static DEVIATIONS: Page = Page {
    code: "W005",
    name: "deviations-not-expressible",
    severity: Severity::Warning,
    help: "convert to jsonl, which loses nothing",
    explain: "The record can only be replayed against the rules: a move is missing, so that one side moves \
        twice in a row, or a piece stays on the board although the rules capture it. The target notation cannot \
        express this. The moves are written as they were replayed, and are illegal from that point on.",
};
