//! Diagnostics about captures.

use tafl_rules::{Coord, Piece, Side, counted, describe_piece};

use super::{Page, Severity, TextPart};

/// Errors and oddities in the written captures.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaptureFinding {
    /// A capture made by the rules that the record does not list.
    Missing {
        /// The cell of the captured piece.
        cell: Coord,
        /// The captured piece.
        piece: Piece,
    },
    /// A written capture that does not happen by the rules.
    Unreal {
        /// The written cell.
        cell: Coord,
    },
    /// A cell listed twice among the captures of one move.
    Doubled {
        /// The cell.
        cell: Coord,
    },
    /// A written number of captures that differs from the number of capture marks.
    Count {
        /// The capturing side.
        by: Side,
        /// The written number.
        written: u32,
        /// The number of capture marks.
        marks: u32,
    },
    /// A written number of captures that differs from the number made, in a record without capture marks.
    CountOfMade {
        /// The capturing side.
        by: Side,
        /// The written number.
        written: u32,
        /// The number of captured pieces.
        made: u32,
    },
    /// A written number of captures of a single move that differs from the number made.
    CountOfMove {
        /// The written number.
        written: u32,
        /// The number of captured pieces.
        made: u32,
    },
    /// A piece letter that does not match the captured piece.
    WrongLetter {
        /// The captured piece.
        found: Piece,
    },
    /// A written capture that does not happen, but would have if the piece had moved to another cell.
    Stray {
        /// The written cell.
        cell: Coord,
        /// The destination from which the piece would have captured it.
        to: Coord,
    },
    /// A capture required by the rules that was not made: the piece stays in play.
    NotMade {
        /// The cell of the piece.
        cell: Coord,
        /// The piece.
        piece: Piece,
    },
    /// A cell that is not on the board.
    OffBoard {
        /// The cell.
        cell: Coord,
    },
}

impl CaptureFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            CaptureFinding::Missing { .. } => &MISSING,
            CaptureFinding::Unreal { .. } => &UNREAL,
            CaptureFinding::Doubled { .. } => &DOUBLED,
            CaptureFinding::Count { .. }
            | CaptureFinding::CountOfMade { .. }
            | CaptureFinding::CountOfMove { .. } => &COUNT,
            CaptureFinding::WrongLetter { .. } => &LETTER,
            CaptureFinding::OffBoard { .. } => &OFF_BOARD,
            CaptureFinding::Stray { .. } => &STRAY,
            CaptureFinding::NotMade { .. } => &NOT_MADE,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            CaptureFinding::Missing { cell, piece } => {
                format!("{part} also captures the {} on `{cell}`", describe_piece(*piece))
            }
            CaptureFinding::Unreal { cell } => format!("no capture happens on `{cell}`"),
            CaptureFinding::Doubled { cell } => format!("`{cell}` is listed twice"),
            CaptureFinding::Count { by, written, marks } => {
                format!(
                    "the record counts {} by the {by}, but marks {marks}",
                    counted(u64::from(*written), "capture", "captures")
                )
            }
            CaptureFinding::CountOfMade { by, written, made } => {
                format!(
                    "the record counts {} by the {by}, but the rules make {made}",
                    counted(u64::from(*written), "capture", "captures")
                )
            }
            CaptureFinding::CountOfMove { written, made } => {
                format!(
                    "the record counts {} for this move, but the rules make {made}",
                    counted(u64::from(*written), "capture", "captures")
                )
            }
            CaptureFinding::WrongLetter { found } => {
                format!("{part} has the wrong letter for the captured piece, the {}", describe_piece(*found))
            }
            CaptureFinding::Stray { cell, to } => {
                format!("no capture happens on `{cell}`; only a move to `{to}` would make it")
            }
            CaptureFinding::NotMade { cell, piece } => format!(
                "{part} captures the {} on `{cell}` by the rules, but the piece stays in play",
                describe_piece(*piece)
            ),
            CaptureFinding::OffBoard { cell } => format!("the captured cell `{cell}` is not on this board"),
        }
    }
}

pub(super) static PAGES: &[&Page] =
    &[&MISSING, &UNREAL, &DOUBLED, &COUNT, &LETTER, &OFF_BOARD, &STRAY, &NOT_MADE];

static MISSING: Page = Page {
    code: "C001",
    name: "capture-missing",
    severity: Severity::Error,
    help: "add the cell after an `x`",
    explain: "By the rules the move captures a piece that the record does not list. In archives that \
        record captures, this is either an oversight or a sign that the game was played by other rules. \
        Replay makes the capture and continues.",
};

static UNREAL: Page = Page {
    code: "C002",
    name: "capture-not-real",
    severity: Severity::Error,
    help: "remove the cell, or check whether the variant is right",
    explain: "The record lists a captured piece that the rules do not capture. Either the record is wrong, \
        or the game was played by other rules, for example with hostile corners or shieldwall captures. \
        Replay ignores the capture and continues.",
};

static DOUBLED: Page = Page {
    code: "C003",
    name: "doubled-capture",
    severity: Severity::Note,
    help: "no action needed; `convert` writes the cell once",
    explain: "The same cell appears twice among the captures of one move, as in `e7-k7xk6xk6`. The \
        archives of aagenielsen.dk contain such duplicates where a single man on the edge was captured with \
        an enemy directly in front of it: the program also counted it as a shieldwall of one piece. It \
        counts once.",
};

static COUNT: Page = Page {
    code: "C004",
    name: "capture-count-mismatch",
    severity: Severity::Warning,
    help: "recount the captures; `repair` suggests the numbers",
    explain: "The record's number of captures for a side differs from the number of capture marks after \
        the moves. In the CSV archives the second column counts the marks of the attackers' moves and the \
        third those of the defenders'; a cell that appears twice counts twice. If a record marks no \
        captures at all, its numbers are compared with the captures made by the rules. In Ollamh's files the \
        number after an `x` is that of a single move: `d5-c5x2` captures two men; kings are not counted.",
};

static LETTER: Page = Page {
    code: "C005",
    name: "wrong-capture-letter",
    severity: Severity::Warning,
    help: "correct the letter",
    explain: "The letter before a captured cell does not match the captured piece, as in `xKe5` when a man \
        was captured on e5.",
};

static OFF_BOARD: Page = Page {
    code: "C006",
    name: "unknown-captured-cell",
    severity: Severity::Warning,
    help: "check the cell, and whether the variant has the right board",
    explain: "The list of captures names a cell that is not on this board. The cell is left out of the \
        comparison with the rules.",
};

static STRAY: Page = Page {
    code: "C007",
    name: "stray-capture-mark",
    severity: Severity::Warning,
    help: "remove the cell",
    explain: "The record marks a captured piece that the move does not capture, but a different move of \
        the same piece would have captured it: in `d11-d9xe10` the man on e10 would have been captured if \
        the piece had stopped on d10. The play site aagenielsen.dk kept such marks when a player tried one \
        cell and then chose another. The marked piece stays on the board, and the site does not count it as \
        captured. Replay ignores the capture and continues.",
};

static NOT_MADE: Page = Page {
    code: "C008",
    name: "capture-not-made",
    severity: Severity::Error,
    help: "check whether the variant is right; a program or an arbiter may have missed the capture",
    explain: "By the rules the move captures a piece, but the record does not mark the capture, and the \
        piece later moves or blocks another move: it stayed on the board when the game was played. The rest \
        of the record is legal only if it stays. Replay leaves the piece on the board.",
};
