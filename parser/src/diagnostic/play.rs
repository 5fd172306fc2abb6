//! Diagnostics about the course of play.

use std::fmt;

use tafl_rules::{Coord, Piece, Side, counted, describe_piece};

use super::{Page, Severity, TextPart, listed};

/// Errors and oddities found by replay, apart from illegal moves, captures, and results.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayFinding {
    /// A repetition rule applies, but the game continues.
    Repetition {
        /// The number of times that the position has occurred.
        count: u32,
    },
    /// A board in the record that differs from the board after the moves.
    BoardDiffers {
        /// The first cell that differs.
        cell: Coord,
    },
    /// The moves could not be checked because the rules are unknown.
    Undecided {
        /// The variants by which most of the moves can be played, if they were tried.
        closest: Option<ClosestVariants>,
        /// Whether the record has moves.
        has_moves: bool,
    },
    /// A number of legal moves that differs from the rules.
    MoveCount {
        /// The number in the record.
        written: u32,
        /// The number by the rules.
        found: u32,
    },
    /// The record names the wrong side to move.
    SideToMove {
        /// The side to move.
        found: Side,
    },
    /// A move that was tried during the game and refused.
    Refused {
        /// The reason, in the words of the record.
        reason: Option<Box<str>>,
    },
    /// Moves that are in the record but were taken back.
    TakenBack {
        /// The number of written moves.
        plies: usize,
        /// The first of them: its start and destination.
        first: (Coord, Coord),
    },
    /// Steps of a turn that are not written and had to be reconstructed.
    UnwrittenSteps {
        /// The steps, as `e5-e7xe6 e7-g7`.
        steps: Box<str>,
    },
    /// A move made impossible by the record's own moves and marks, whatever the rules capture.
    ContradictsItself {
        /// The cell.
        cell: Coord,
        /// The piece on the cell according to the record.
        piece: Option<Piece>,
        /// The last move that changed the cell, or `None` if no move did.
        since: Option<(Coord, Coord)>,
    },
    /// A move that is written twice.
    Doubled,
    /// A missing move.
    MissingMove {
        /// The side whose move is missing.
        by: Side,
    },
    /// Variations that are too many, or too deep, to be played.
    Unchecked {
        /// The number of variations that were not played.
        variations: u32,
    },
}

/// The variants by which most moves of a record can be played, although no variant fits it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosestVariants {
    /// The names, those that are played most first.
    pub names: Box<[&'static str]>,
    /// The number of moves that can be played by each of them.
    pub n_played: u32,
    /// The number of moves of the record.
    pub n_moves: u32,
}

impl fmt::Display for ClosestVariants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClosestVariants { names, n_played, n_moves } = self;
        let verb = if names.len() == 1 { "fits" } else { "fit" };
        write!(
            f,
            "{} {verb} best ({n_played} of {})",
            listed(names, "and"),
            counted(u64::from(*n_moves), "move", "moves")
        )
    }
}

impl PlayFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            PlayFinding::Repetition { .. } => &REPETITION,
            PlayFinding::BoardDiffers { .. } => &BOARD,
            PlayFinding::Undecided { .. } => &UNDECIDED,
            PlayFinding::MoveCount { .. } => &COUNT,
            PlayFinding::SideToMove { .. } => &TO_MOVE,
            PlayFinding::Refused { .. } => &REFUSED,
            PlayFinding::TakenBack { .. } => &TAKEN_BACK,
            PlayFinding::UnwrittenSteps { .. } => &UNWRITTEN,
            PlayFinding::Doubled => &DOUBLED,
            PlayFinding::ContradictsItself { .. } => &ITSELF,
            PlayFinding::MissingMove { .. } => &MISSING,
            PlayFinding::Unchecked { .. } => &UNCHECKED,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            PlayFinding::Repetition { count } => format!("{part} repeats a position, now seen {count} times"),
            PlayFinding::BoardDiffers { cell } => {
                format!("the written board differs on `{cell}` from the board after the moves")
            }
            PlayFinding::Undecided { has_moves: false, .. } => {
                "the rules are unknown, and the record has no moves that show them".to_owned()
            }
            PlayFinding::Undecided { closest: None, .. } => {
                "the rules are unknown, so the moves cannot be checked".to_owned()
            }
            PlayFinding::Undecided { closest: Some(closest), .. } => {
                format!("the rules are unknown, so the moves cannot be checked; {closest}")
            }
            PlayFinding::Unchecked { variations } => {
                format!(
                    "{} not checked: too many or too deep",
                    counted(u64::from(*variations), "variation", "variations")
                )
            }
            PlayFinding::MoveCount { written, found } => {
                format!(
                    "the record gives {}, but the rules give {found}",
                    counted(u64::from(*written), "legal move", "legal moves")
                )
            }
            PlayFinding::SideToMove { found } => {
                format!("{part} names the wrong side: the {found} are to move")
            }
            PlayFinding::Refused { reason: Some(reason) } => {
                format!("{part} was refused during the game: {reason}")
            }
            PlayFinding::TakenBack { plies: 1, first: (from, to) } => {
                format!("{part} is played after `{from}-{to}` was taken back")
            }
            PlayFinding::TakenBack { plies, first: (from, to) } => {
                format!("{part} is played after {plies} moves were taken back, starting with `{from}-{to}`")
            }
            PlayFinding::UnwrittenSteps { steps } => {
                format!(
                    "{part} continues in the same turn with unwritten steps, reconstructed from the rest of the record: {steps}"
                )
            }
            PlayFinding::ContradictsItself { cell, piece, since } => {
                let holder = match piece {
                    Some(piece) => format!("the {} is on `{cell}`", describe_piece(*piece)),
                    None => format!("`{cell}` is empty"),
                };
                let since = match since {
                    Some((from, to)) => format!("since `{from}-{to}`"),
                    None => "from the start".to_owned(),
                };
                format!("by the record's own moves and marks {holder} {since}, so no rules allow {part}")
            }
            PlayFinding::Doubled => format!("{part} is written twice; it is played once"),
            PlayFinding::MissingMove { by } => format!("a move of the {by} is missing before {part}"),
            PlayFinding::Refused { reason: None } => format!("{part} was refused during the game"),
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
    help: "no action needed",
    explain: "The same position, or the same sequence of moves, occurred often enough for a repetition \
        rule to apply, but the record continues. Archives did not enforce such rules, so this is only \
        reported, and replay continues.",
};

static BOARD: Page = Page {
    code: "P002",
    name: "board-differs",
    severity: Severity::Error,
    help: "check the move before the board",
    explain: "The record includes the board between two moves, and it differs from the board in replay. \
        Logs of the Ashton competition write the board after every move. The message names the first cell \
        that differs.",
};

static UNDECIDED: Page = Page {
    code: "P003",
    name: "not-decidable",
    severity: Severity::Warning,
    help: "name the variant or its rules with `--variant`, and change single rules with `--rule KEY=VALUE`",
    explain: "The rules of the game are unknown, so its moves cannot be checked. They were read and can be \
        converted to notations that do not need the rules. If the record names no variant, all published ones were \
        tried, and none of them allows at least three moves, and half of all moves, without errors; the message names those that allow most. With one of \
        them as `--variant`, `tafl validate` shows the first move that does not fit, and `tafl repair` looks for the \
        error.",
};

static COUNT: Page = Page {
    code: "P004",
    name: "legal-move-count",
    severity: Severity::Warning,
    help: "check whether the record was made under these rules",
    explain: "The record gives the number of legal moves before a move, as Ludii's trials do, and the \
        rules give a different number. Ludii's own rules for a game often differ from those of the \
        federation.",
};

static TO_MOVE: Page = Page {
    code: "P005",
    name: "side-to-move-differs",
    severity: Severity::Warning,
    help: "check whether a move is missing",
    explain: "The record states which side is to move after a move, and in replay it is the other side.",
};

static REFUSED: Page = Page {
    code: "P007",
    name: "refused-move",
    severity: Severity::Note,
    help: "no action needed",
    explain: "The record contains a move that a player tried and that was refused: logs of the Ashton \
        competition write a move before the server checks it. It is not part of the game. If the record \
        gives a reason, the message repeats it.",
};

static TAKEN_BACK: Page = Page {
    code: "P008",
    name: "taken-back",
    severity: Severity::Warning,
    help: "remove the moves that were taken back",
    explain: "The move, or one after it, is not possible at this point. The rest of the record is possible if some of \
        the moves before are taken back: the play site aagenielsen.dk allowed this and kept the moves in \
        the record. Replay takes the moves back and continues from there; the plies that were taken back \
        are not among those of the replay.",
};

static UNWRITTEN: Page = Page {
    code: "P009",
    name: "unwritten-steps",
    severity: Severity::Note,
    help: "check the steps; in `replay` they are plies without the number of a written move",
    explain: "In variants such as Berserk and Tyr a piece may continue in the same turn after a capture or \
        a jump. The play site aagenielsen.dk writes only the first step of such a turn. The written moves \
        of this record cannot be played alone; they can be played with the steps named in the message. \
        Replay found these steps from the rules and from the written moves, captures, counts, and end. \
        Often they are the only possible steps; otherwise the first possibility in cell order is used. The \
        plies of these steps have no written move number.",
};

static DOUBLED: Page = Page {
    code: "P010",
    name: "doubled-move",
    severity: Severity::Warning,
    help: "remove the second one, or the series that is written again",
    explain: "The same move is written twice, but is possible only once; or a series of moves is written again \
        (the players returned to a position and made the same moves, but the record has not all of the moves \
        between). Replay skips the move or the series that is written again; the rest of the record is then legal.",
};

static MISSING: Page = Page {
    code: "P011",
    name: "move-missing",
    severity: Severity::Warning,
    help: "find out which move it was",
    explain: "One side moves twice in a row. A move of the other side is missing, or was made by a program \
        that did not write it. The move is unknown, so replay continues as if the side had passed: from \
        there on a piece may be on a different cell than in the game.",
};

static ITSELF: Page = Page {
    code: "P012",
    name: "contradicts-itself",
    severity: Severity::Note,
    help: "look for moves that are missing or wrong before this one",
    explain: "This accompanies a diagnostic about a move that cannot be played. It means that the error is \
        in the record and not in the rules: when all earlier moves are made as written, and all pieces \
        marked as captured are removed, the cell in question is empty, or occupied by the piece that is in \
        the way. No capture rules would make the move possible. Moves are missing or wrong, or the record \
        combines two games.",
};

static UNCHECKED: Page = Page {
    code: "P013",
    name: "variations-not-checked",
    severity: Severity::Warning,
    help: "check whether the file is a real game record",
    explain: "A variation is played from the start of the game, through the lines from which it branches. \
        If that would take millions of moves for one record, as with a hundred thousand variations nested \
        in one another, the remaining variations are read and written but not checked. The main line is \
        checked.",
};
