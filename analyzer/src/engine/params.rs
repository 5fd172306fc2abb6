//! Every tuned number of the search, with its unit.
//!
//! Sources: first values are those that chess engines use for the same steps (chessprogramming.org), scaled to a game with
//! twice as many moves; what matches changed says so.

/// Half of the window around the last score in which a depth is searched first, in hundredths.
pub(super) const WINDOW: i32 = 40;
/// The first depth that begins with a window, in plies.
pub(super) const WINDOW_DEPTH: u8 = 4;

/// The last depth at which a position far above beta is not searched, in plies.
pub(super) const STATIC_CUT_DEPTH: i32 = 6;
/// How far above beta for each ply of depth, in hundredths.
pub(super) const STATIC_CUT_MARGIN: i32 = 80;

/// The first depth at which passing is tried, in plies.
pub(super) const PASS_DEPTH: i32 = 3;
/// By how much a search after passing is shallower, in plies.
pub(super) const PASS_REDUCTION: i32 = 3;
/// Each so many plies of depth make it a ply shallower still.
pub(super) const PASS_DEPTH_PER_PLY: i32 = 4;

/// From this depth on a position without a move from the table is searched a ply shallower.
pub(super) const NO_HINT_DEPTH: i32 = 4;

/// The last depth at which late quiet moves are left out, in plies.
pub(super) const LATE_DEPTH: i32 = 4;
/// How many moves are searched at depth 0; each ply of depth adds its square times [`LATE_PER_PLY`].
pub(super) const LATE_FIRST: i32 = 8;
/// See [`LATE_FIRST`].
pub(super) const LATE_PER_PLY: i32 = 4;

/// The last depth at which quiet moves that cannot reach alpha are left out, in plies.
pub(super) const HOPELESS_DEPTH: i32 = 5;
/// What a quiet move may gain besides [`HOPELESS_PER_PLY`] for each ply of depth, in hundredths.
pub(super) const HOPELESS_MARGIN: i32 = 120;
/// See [`HOPELESS_MARGIN`].
pub(super) const HOPELESS_PER_PLY: i32 = 90;

/// The first depth at which late moves are searched shallower, in plies.
pub(super) const REDUCTION_DEPTH: i32 = 2;
/// How many moves are searched in full before that, in plain nodes.
pub(super) const REDUCTION_MOVES: usize = 3;
/// Reductions grow with the product of the logarithms of depth and number of the move, divided by this many hundredths.
pub(super) const REDUCTION_DIVISOR: f64 = 2.1;
/// What such a reduction begins with, in plies.
pub(super) const REDUCTION_BASE: f64 = 0.5;
/// History that is worth a ply of reduction.
pub(super) const REDUCTION_HISTORY: i32 = 6000;

/// The greatest value of an entry of the history tables.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// How many plies of quiescence may answer threats of the king instead of standing pat.
pub(super) const QUIET_ANSWERS: i32 = 4;
/// How many plies of quiescence try runs of the king.
pub(super) const QUIET_RUNS: i32 = 1;
/// What the side to move loses when a threat of the king has no answer in quiescence, in hundredths. Not a loss that is
/// proven: quiescence does not look at every move.
pub(super) const LOST_TO_RUN: i32 = 3000;
/// What a capture may gain besides the standing score in quiescence, in hundredths.
pub(super) const QUIET_MARGIN: i32 = 350;
/// The greatest number of plies of quiescence.
pub(super) const QUIET_DEPTH: i32 = 12;

/// Clock and stop flag are looked at each so many nodes.
pub(super) const CHECK_EVERY: u64 = 1024;
