//! Findings about captures.

use tafl_rules::{Coord, Piece, Side};

use super::{Page, Severity, TextPart};

/// What is wrong with the captures that are written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Capture {
    /// A captured piece is not written.
    Missing {
        /// Where it stood.
        cell: Coord,
        /// What it was.
        piece: Piece,
    },
    /// A written capture does not happen.
    Unreal {
        /// The cell that is written.
        cell: Coord,
    },
    /// The same cell twice.
    Doubled {
        /// The cell.
        cell: Coord,
    },
    /// A count of captures that the marks contradict.
    Count {
        /// The captor.
        by: Side,
        /// What is written.
        written: u32,
        /// How many marks there are.
        marks: u32,
    },
    /// A count of captures, where none are marked, that differs from those that were made.
    CountOfMade {
        /// The captor.
        by: Side,
        /// What is written.
        written: u32,
        /// How many pieces fell.
        made: u32,
    },
    /// A letter for another piece than the one that fell.
    WrongLetter {
        /// The piece that fell.
        found: Piece,
    },
    /// A written capture that does not happen, and would if the piece had gone elsewhere.
    Stray {
        /// The cell that is written.
        cell: Coord,
        /// Where the mover would have captured it.
        to: Coord,
    },
    /// A capture that the rules make and that was not made: the piece plays on.
    NotMade {
        /// Where it stands.
        cell: Coord,
        /// What it is.
        piece: Piece,
    },
    /// A cell that the board does not have.
    OffBoard {
        /// The cell.
        cell: Coord,
    },
}

impl Capture {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Capture::Missing { .. } => &MISSING,
            Capture::Unreal { .. } => &UNREAL,
            Capture::Doubled { .. } => &DOUBLED,
            Capture::Count { .. } | Capture::CountOfMade { .. } => &COUNT,
            Capture::WrongLetter { .. } => &LETTER,
            Capture::OffBoard { .. } => &OFF_BOARD,
            Capture::Stray { .. } => &STRAY,
            Capture::NotMade { .. } => &NOT_MADE,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            Capture::Missing { cell, piece } => {
                format!("{part} captures the {} of the {} on `{cell}` as well", piece.role.word(), piece.side)
            }
            Capture::Unreal { cell } => format!("{part} captures nothing on `{cell}`"),
            Capture::Doubled { cell } => format!("{part} lists `{cell}` twice (a wall-of-one duplicate)"),
            Capture::Count { by, written, marks } => {
                format!("{written} captures by the {by} are counted, but {marks} are marked")
            }
            Capture::CountOfMade { by, written, made } => {
                format!("{written} captures by the {by} are counted, but {made} were made")
            }
            Capture::WrongLetter { found } => {
                format!(
                    "{part} names another piece than the {} of the {} that fell",
                    found.role.word(),
                    found.side
                )
            }
            Capture::Stray { cell, to } => {
                format!("{part} marks a capture on `{cell}` that only a move to `{to}` would have made")
            }
            Capture::NotMade { cell, piece } => format!(
                "{part} captures the {} of the {} on `{cell}` by the rules, but it plays on",
                piece.role.word(),
                piece.side
            ),
            Capture::OffBoard { cell } => format!("{part}: this board has no cell `{cell}`"),
        }
    }
}

pub(super) static PAGES: &[&Page] =
    &[&MISSING, &UNREAL, &DOUBLED, &COUNT, &LETTER, &OFF_BOARD, &STRAY, &NOT_MADE];

static MISSING: Page = Page {
    code: "C001",
    name: "capture-missing",
    severity: Severity::Error,
    help: "add the cell behind an `x`",
    explain: "By the rules the move captures a piece, and the record does not list it. In archives that \
        keep captures this is either an oversight or a sign that the game was played by other rules. \
        Replay goes on with the capture made.",
};

static UNREAL: Page = Page {
    code: "C002",
    name: "capture-not-real",
    severity: Severity::Error,
    help: "remove the cell, or check whether the variant is right",
    explain: "The record lists a captured piece that the rules do not capture. Either the record is wrong \
        or the game was played by other rules, with hostile corners or a shieldwall for example. \
        Replay goes on without the capture.",
};

static DOUBLED: Page = Page {
    code: "C003",
    name: "doubled-capture",
    severity: Severity::Note,
    help: "nothing needs to be done; `convert` writes the cell once",
    explain: "The same cell stands twice among the captures of one move, as in `e7-k7xk6xk6`. The archives \
        of aagenielsen.dk do this when a single man on the edge falls with an enemy directly in \
        front of it: the program took it for a shieldwall of one as well. It counts once.",
};

static COUNT: Page = Page {
    code: "C004",
    name: "capture-count-mismatch",
    severity: Severity::Warning,
    help: "recount the captures, or leave the columns to `convert`",
    explain: "The record says how many pieces each side captured, and the marks behind the moves give \
        another number. In the CSV archives the second column counts the marks of the attackers' \
        moves, the third those of the defenders', cells that stand twice counted twice. \
        Where a record marks no captures at all, those count that the rules make.",
};

static LETTER: Page = Page {
    code: "C005",
    name: "wrong-capture-letter",
    severity: Severity::Warning,
    help: "correct the letter",
    explain: "The letter before a captured cell says another piece than the one that stood there, as \
        `xKe5` when a man fell on e5.",
};

static OFF_BOARD: Page = Page {
    code: "C006",
    name: "unknown-captured-cell",
    severity: Severity::Warning,
    help: "check the cell, and whether the variant has the right board",
    explain: "The list of captures names a cell that this board does not have. It is left out of the \
        comparison with the rules.",
};

static STRAY: Page = Page {
    code: "C007",
    name: "stray-capture-mark",
    severity: Severity::Warning,
    help: "remove the cell",
    explain: "The record marks a captured piece that the move does not capture, but another move of the same \
        piece would have captured it: in `d11-d9xe10` the man on e10 would have fallen had the piece \
        stopped on d10. The play site aagenielsen.dk kept such marks when a player tried one cell and \
        then chose another. The captured piece stays on the board, and the site does not count it \
        either. Replay goes on without the capture.",
};

static NOT_MADE: Page = Page {
    code: "C008",
    name: "capture-not-made",
    severity: Severity::Error,
    help: "check whether the variant is right; a program or an arbiter may have missed the capture",
    explain: "By the rules the move captures a piece. The record does not mark the capture, and the piece \
        goes on to move or to stand in the way: when the game was played, it stayed on the board. All \
        that follows is legal only so. Replay leaves the piece where it stands.",
};
