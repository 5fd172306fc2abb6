//! The ways in which kings are captured.

use crate::name::impl_names;

/// The way in which a king is captured, depending on his cell; the first field that applies counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KingCapture {
    /// On the throne.
    pub on_throne: CaptureMode,
    /// On a neighbor of the throne.
    pub next_to_throne: CaptureMode,
    /// On the edge of the board.
    pub on_edge: CaptureMode,
    /// Anywhere else.
    pub elsewhere: CaptureMode,
}

impl KingCapture {
    /// Four captors everywhere, and safe on the edge: OpenTafl's `ks:s`.
    pub const STRONG: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Never,
        elsewhere: CaptureMode::All,
    };
    /// Four captors on the throne and next to it, two elsewhere: `ks:c`.
    pub const STRONG_AT_THRONE: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Custodian,
        elsewhere: CaptureMode::Custodian,
    };
    /// Every neighbor hostile, also on the edge: `ks:m`.
    pub const CONFINED: KingCapture = KingCapture {
        on_throne: CaptureMode::All,
        next_to_throne: CaptureMode::All,
        on_edge: CaptureMode::Confine,
        elsewhere: CaptureMode::Confine,
    };
    /// Two captors everywhere: `ks:w`.
    pub const WEAK: KingCapture = KingCapture {
        on_throne: CaptureMode::Custodian,
        next_to_throne: CaptureMode::Custodian,
        on_edge: CaptureMode::Custodian,
        elsewhere: CaptureMode::Custodian,
    };
}

/// The neighbors of a king that must be hostile to capture him. The piece that moved is always one
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaptureMode {
    /// Two opposite neighbors.
    Custodian,
    /// All neighbors: four on square boards, six on hexagonal boards. Never on the edge, where some
    /// are missing.
    All,
    /// All neighbors that the cell has.
    Confine,
    /// Three neighbors on a hexagonal board, no two of them adjacent, all three occupied.
    Alternate3,
    /// Any three neighbors.
    Any3,
    /// He cannot be captured.
    Never,
}

impl CaptureMode {
    const ALL: [CaptureMode; 6] = [
        CaptureMode::Custodian,
        CaptureMode::All,
        CaptureMode::Confine,
        CaptureMode::Alternate3,
        CaptureMode::Any3,
        CaptureMode::Never,
    ];

    /// Returns the name in rules strings.
    pub const fn as_str(self) -> &'static str {
        match self {
            CaptureMode::Custodian => "custodian",
            CaptureMode::All => "all4",
            CaptureMode::Confine => "confine",
            CaptureMode::Alternate3 => "alt3",
            CaptureMode::Any3 => "any3",
            CaptureMode::Never => "never",
        }
    }

    /// Returns whether the mode applies to hexagonal boards only.
    pub const fn is_for_hexes(self) -> bool {
        matches!(self, CaptureMode::Alternate3 | CaptureMode::Any3)
    }
}

impl_names!(CaptureMode, "the name of a way to capture a king");
