//! Findings about the course of play.

use tafl_rules::{Coord, Piece, Side};

use super::{Page, Severity, TextPart};

/// What replay found besides illegal moves, captures and results.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Play {
    /// A rule about repetition applies and the game goes on.
    Repetition {
        /// How often the position has occurred.
        count: u32,
    },
    /// A board in the record differs from the one on which the moves lead.
    BoardDiffers {
        /// The first cell that differs.
        cell: Coord,
    },
    /// Nothing can be said because the rules are not known.
    Undecided,
    /// Another number of legal moves.
    MoveCount {
        /// What is written.
        written: u32,
        /// What the rules give.
        found: u32,
    },
    /// The other side is to move.
    SideToMove {
        /// Who is to move.
        found: Side,
    },
    /// A move that was tried and not allowed when the game was played.
    Refused {
        /// Why, in the words of the record.
        reason: Option<Box<str>>,
    },
    /// Moves that stand in the record and were taken back.
    TakenBack {
        /// How many written moves.
        plies: usize,
        /// The first of them: from where to where.
        first: (Coord, Coord),
    },
    /// Further steps of a turn that are not written and had to be reconstructed.
    UnwrittenSteps {
        /// The steps, as `e5-e7xe6 e7-g7`.
        steps: Box<str>,
    },
    /// A move that the record's own moves and marks make impossible, whatever the rules capture.
    ContradictsItself {
        /// The cell.
        cell: Coord,
        /// What stands there by the record.
        piece: Option<Piece>,
        /// The last move that changed that; nothing where none did.
        since: Option<(Coord, Coord)>,
    },
    /// A move that stands twice.
    Doubled,
    /// A move of a side is missing.
    MissingMove {
        /// Whose.
        by: Side,
    },
    /// Variations that are too many, or too deep, to be played.
    Unchecked {
        /// How many were not played.
        variations: u32,
    },
}

impl Play {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            Play::Repetition { .. } => &REPETITION,
            Play::BoardDiffers { .. } => &BOARD,
            Play::Undecided => &UNDECIDED,
            Play::MoveCount { .. } => &COUNT,
            Play::SideToMove { .. } => &TO_MOVE,
            Play::Refused { .. } => &REFUSED,
            Play::TakenBack { .. } => &TAKEN_BACK,
            Play::UnwrittenSteps { .. } => &UNWRITTEN,
            Play::Doubled => &DOUBLED,
            Play::ContradictsItself { .. } => &ITSELF,
            Play::MissingMove { .. } => &MISSING,
            Play::Unchecked { .. } => &UNCHECKED,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            Play::Repetition { count } => format!("{part} repeats a position, now seen {count} times"),
            Play::BoardDiffers { cell } => {
                format!("the board that is written differs on `{cell}` from the moves")
            }
            Play::Undecided => "the rules are not known, so the moves cannot be checked".to_owned(),
            Play::Unchecked { variations } => {
                format!("{variations} variations were not played: there are too many, or they are too deep")
            }
            Play::MoveCount { written, found } => {
                format!("{written} legal moves are written, the rules give {found}")
            }
            Play::SideToMove { found } => format!("{part}: by the moves the {found} are to move"),
            Play::Refused { reason: Some(reason) } => format!("{part} was refused during the game: {reason}"),
            Play::TakenBack { plies: 1, first: (from, to) } => {
                format!("{part} is played after `{from}-{to}` was taken back")
            }
            Play::TakenBack { plies, first: (from, to) } => {
                format!("{part} is played after {plies} moves were taken back, from `{from}-{to}` on")
            }
            Play::UnwrittenSteps { steps } => {
                format!("{part} goes on in the same turn, reconstructed from what follows: {steps}")
            }
            Play::ContradictsItself { cell, piece, since } => {
                let holder = match piece {
                    Some(piece) => format!("the {}' {} stands on `{cell}`", piece.side, piece.role.word()),
                    None => format!("`{cell}` is empty"),
                };
                let since = match since {
                    Some((from, to)) => format!("since `{from}-{to}`"),
                    None => "from the start".to_owned(),
                };
                format!("by the record's own moves and marks {holder} {since}: {part} follows from no rules")
            }
            Play::Doubled => format!("{part} stands twice; it is played once"),
            Play::MissingMove { by } => format!("a move of the {by} is missing before {part}"),
            Play::Refused { reason: None } => format!("{part} was refused during the game"),
        }
    }
}

pub(super) static PAGES: &[&Page] = &[
    &REPETITION,
    &BOARD,
    &UNDECIDED,
    &COUNT,
    &TO_MOVE,
    &REFUSED,
    &TAKEN_BACK,
    &UNWRITTEN,
    &DOUBLED,
    &MISSING,
    &ITSELF,
    &UNCHECKED,
];

static REPETITION: Page = Page {
    code: "P001",
    name: "repetition-reached",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The same position, or the same sequence of moves, occurred so often that a rule about \
        repetition applies, and the record goes on. Archives did not enforce such rules, so this is \
        reported and replay goes on.",
};

static BOARD: Page = Page {
    code: "P002",
    name: "board-differs",
    severity: Severity::Error,
    help: "check the move before the board",
    explain: "The record gives the board between two moves, and replay has another one. Logs of the Ashton \
        competition write the board after every move. The message names the first cell that differs.",
};

static UNDECIDED: Page = Page {
    code: "P003",
    name: "not-decidable",
    severity: Severity::Warning,
    help: "name the variant with `--variant`, or give the rules with `--rules`",
    explain: "The rules of the game are not known, so that nothing about its moves can be said. They were \
        read and can be converted to notations that do not need the rules.",
};

static COUNT: Page = Page {
    code: "P004",
    name: "legal-move-count",
    severity: Severity::Warning,
    help: "check whether the rules are the ones that the record was made by",
    explain: "The record says how many legal moves there were before a move, as Ludii's trials do, and the \
        rules give another number. Ludii's own rules for a game often differ from those of the \
        federation.",
};

static TO_MOVE: Page = Page {
    code: "P005",
    name: "side-to-move-differs",
    severity: Severity::Warning,
    help: "check whether a move is missing",
    explain: "The record says which side is to move after a move, and replay has the other one.",
};

static REFUSED: Page = Page {
    code: "P007",
    name: "refused-move",
    severity: Severity::Note,
    help: "nothing needs to be done",
    explain: "The record tells of a move that a player tried and that was not allowed: logs of the Ashton \
        competition write a move before the server looks at it. It is no move of the game. Where the \
        record says why, the message repeats it.",
};

static TAKEN_BACK: Page = Page {
    code: "P008",
    name: "taken-back",
    severity: Severity::Warning,
    help: "remove the moves that were taken back",
    explain: "The move is not possible where it stands. It is possible, and so is all that follows, when some of \
        the moves before it are taken back: the play site aagenielsen.dk let players do so and kept the \
        moves in the record. Replay goes back and on from there; the plies that were taken back are not \
        among those of the replay.",
};

static UNWRITTEN: Page = Page {
    code: "P009",
    name: "unwritten-steps",
    severity: Severity::Note,
    help: "check the steps; the plies of `replay` have them without a number of a written move",
    explain: "In variants such as Berserk and Tyr a piece may go on in the same turn after it captured or \
        jumped. The play site aagenielsen.dk writes only the first step of such a turn. This record \
        cannot be played with what is written; it can with the steps that the message names. They were \
        found by the rules from the moves, captures, counts and the end that are written. Often no \
        other steps will do; where several would, the first in the order of cells is taken. Such plies \
        have no number of a written move.",
};

static DOUBLED: Page = Page {
    code: "P010",
    name: "doubled-move",
    severity: Severity::Warning,
    help: "remove one of the two",
    explain: "The same move stands twice in the record and is possible only once. All that follows is legal \
        when the second one is passed over.",
};

static MISSING: Page = Page {
    code: "P011",
    name: "move-missing",
    severity: Severity::Warning,
    help: "find out which move it was",
    explain: "One side moves twice in a row. A move of the other side is missing, or was made by a program that \
        did not write it. Which move it was is not known, so replay goes on as if the side had passed: \
        from there on a piece may stand elsewhere than it did in the game.",
};

static ITSELF: Page = Page {
    code: "P012",
    name: "contradicts-itself",
    severity: Severity::Note,
    help: "look for moves that are missing or wrong before this one",
    explain: "This goes with a finding that a move cannot be played. It says that the fault is the record's and \
        not that of the rules: when all moves before are made as they stand, and all pieces removed that \
        are marked as captured, the cell in question is empty, or held by the piece that is in the way. \
        No rules of capture would make the move possible. Moves are missing or wrong, or the record was \
        put together from two games.",
};

static UNCHECKED: Page = Page {
    code: "P013",
    name: "variations-not-checked",
    severity: Severity::Warning,
    help: "check whether the record is what it should be",
    explain: "A variation is played from the start of the game, through the lines that it leaves. Where that would \
        take millions of moves for one record, as with a hundred thousand variations each inside of the one \
        before, the rest of them are read and written but not checked. The game itself is.",
};
