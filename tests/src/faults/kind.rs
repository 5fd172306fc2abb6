//! Kinds of faults.

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A file or rank of a move is wrong.
    Character,
    /// From and to of a move are exchanged.
    FromTo,
    /// File and rank are exchanged in both cells of a move.
    Transposed,
    /// A character of a move is lost or unreadable, so that the word is not a move.
    Unread,
    /// A ply is missing.
    Missing,
    /// A ply appears twice.
    Doubled,
    /// Two plies that follow each other are exchanged.
    Swapped,
    /// A captured cell is missing.
    CaptureMissing,
    /// A cell is listed as captured where nothing was captured.
    CaptureExtra,
    /// A captured cell is wrong.
    CaptureWrong,
    /// The result is wrong.
    Result,
    /// The sides are exchanged in the result and the counts of captures.
    Sides,
    /// The whole board is numbered from another corner.
    BoardWhole,
    /// The board is numbered from another corner from a ply on.
    BoardFrom,
    /// The moves of one side are numbered from another corner.
    BoardSide,
    /// The record names another variant of the same board.
    Variant,
    /// The record gives another start.
    Start,
    /// The record gives the wrong first mover.
    FirstMover,
    /// The captures of about half of the capturing moves are missing.
    CapturesOmitted,
}

impl Fault {
    /// Every kind.
    pub const ALL: [Fault; 19] = [
        Fault::Character,
        Fault::FromTo,
        Fault::Transposed,
        Fault::Unread,
        Fault::Missing,
        Fault::Doubled,
        Fault::Swapped,
        Fault::CaptureMissing,
        Fault::CaptureExtra,
        Fault::CaptureWrong,
        Fault::Result,
        Fault::Sides,
        Fault::BoardWhole,
        Fault::BoardFrom,
        Fault::BoardSide,
        Fault::Variant,
        Fault::Start,
        Fault::FirstMover,
        Fault::CapturesOmitted,
    ];

    /// Returns the stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Character => "character",
            Fault::FromTo => "from-to",
            Fault::Transposed => "transposed",
            Fault::Unread => "unread-word",
            Fault::Missing => "missing-ply",
            Fault::Doubled => "doubled-ply",
            Fault::Swapped => "swapped-plies",
            Fault::CaptureMissing => "capture-missing",
            Fault::CaptureExtra => "capture-extra",
            Fault::CaptureWrong => "capture-wrong",
            Fault::Result => "result",
            Fault::Sides => "sides",
            Fault::BoardWhole => "board-whole",
            Fault::BoardFrom => "board-from-ply",
            Fault::BoardSide => "board-one-side",
            Fault::Variant => "variant",
            Fault::Start => "start",
            Fault::FirstMover => "first-mover",
            Fault::CapturesOmitted => "captures-omitted",
        }
    }
}
