//! The signals of a network: features from slides and flood fills, in addition to the cells of the
//! pieces.
//!
//! Counts are one-hot encoded, so that a network can learn a value for each count, not just a
//! slope.

use tafl_rules::{Bitboard, Encirclement, Position, Rulebook, Side};

use crate::facts::{FEW_GOALS, NodeFacts, RoyalKing};

/// The number of values of each count of a king.
const LINES: usize = 4;
const WAYS: usize = 8;
const BRIDGES: usize = 6;
const MOBILITY: usize = 8;
const BESIDE: usize = 7;
const DANGER: usize = 4;
const CORDONED: usize = 2;
const OF_KING: usize = LINES + WAYS + BRIDGES + MOBILITY + BESIDE + DANGER + CORDONED;

const CAPTURES: usize = 6;
const MEN: usize = 32;
const OPEN: usize = 8;

const AT_CAPTURES: usize = 2 * OF_KING;
const AT_MEN: usize = AT_CAPTURES + 2 * CAPTURES;
const AT_OPEN: usize = AT_MEN + 2 * MEN;

/// The version of the signals. Networks trained with another version are rejected.
pub const VERSION: u32 = 1;
/// The number of signals.
pub const COUNT: usize = AT_OPEN + 2 * OPEN;

/// Computes the signals of positions for one rule set.
#[derive(Debug, Clone)]
pub struct Signals<const N: usize> {
    /// The cells on the edge.
    edge: Bitboard<N>,
    /// Every cell.
    all: Bitboard<N>,
    /// The number of men of each side at the start, at least one.
    at_start: [usize; 2],
    /// Whether the attackers win by encirclement.
    has_rings: bool,
}

impl<const N: usize> Signals<N> {
    /// Prepares the signals for rules.
    pub fn new(book: &Rulebook<N>) -> Signals<N> {
        let shape = book.shape();
        let start = book.start();
        Signals {
            edge: shape.cells().filter(|cell| shape.is_edge(*cell)).collect(),
            all: shape.cells().collect(),
            at_start: Side::ALL.map(|side| men(&start, side).max(1)),
            has_rings: book.rules().encirclement != Encirclement::None,
        }
    }

    /// Calls `on_signal` with each active signal, in ascending order.
    pub fn each(&self, book: &Rulebook<N>, pos: &Position<N>, on_signal: impl FnMut(usize)) {
        self.each_with(book, pos, &NodeFacts::of(book, pos), on_signal);
    }

    /// Calls `on_signal` with each active signal of a position with known facts.
    #[inline]
    pub(crate) fn each_with(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        mut on_signal: impl FnMut(usize),
    ) {
        for side in Side::ALL {
            if let Some(king) = facts.king(side) {
                of_king(book, pos, king, &mut |signal| on_signal(side.index() * OF_KING + signal));
            }
        }
        for side in Side::ALL {
            let cells = facts.captures_by(book, pos, side).count() as usize;
            on_signal(AT_CAPTURES + side.index() * CAPTURES + cells.min(CAPTURES - 1));
        }
        for side in Side::ALL {
            let (most, count) = (self.at_start[side.index()], men(pos, side));
            let scaled = if most < MEN { count } else { count * (MEN - 1) / most };
            on_signal(AT_MEN + side.index() * MEN + scaled.min(MEN - 1));
        }
        if self.has_rings {
            self.openness(book, pos, &mut on_signal);
        }
    }

    /// Adds the share of the board and the share of the defenders that are connected to the edge.
    #[inline]
    fn openness(&self, book: &Rulebook<N>, pos: &Position<N>, on_signal: &mut impl FnMut(usize)) {
        let open = self.all.without(pos.side(Side::Attackers));
        let outside = book.topology().flood(self.edge, open);
        let defenders = pos.side(Side::Defenders);
        let share = |part: u32, whole: u32| (part as usize * (OPEN - 1)).div_ceil(whole.max(1) as usize);
        on_signal(AT_OPEN + share((outside & defenders).count(), defenders.count()));
        on_signal(AT_OPEN + OPEN + share(outside.count(), open.count()));
    }
}

fn men<const N: usize>(pos: &Position<N>, side: Side) -> usize {
    pos.side(side).without(pos.kings()).count() as usize
}

/// Returns the bin of a count: 0, 1, 2, followed by bins of increasing width.
fn bin(count: u32) -> usize {
    match count {
        0..=2 => count as usize,
        3..=4 => 3,
        5..=7 => 4,
        8..=11 => 5,
        12..=16 => 6,
        17.. => 7,
    }
}

/// Calls `on_signal` with the signals of a king.
///
/// ```text
/// G . b . .     the king K has no open line to the goal G; it would have one from w (a way). A bridge is a cell
/// . . . . w     with an open line to a goal that the king reaches in two moves, such as b
/// . . . . K
/// ```
#[inline]
fn of_king<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    king: &RoyalKing<N>,
    on_signal: &mut impl FnMut(usize),
) {
    let side = king.piece.side;
    let lines = king.open_goals(book).count() as usize;
    on_signal(lines.min(LINES - 1));
    let mut at = LINES;
    on_signal(at + king.goal_line_cells(book, pos).count().min(WAYS as u32 - 1) as usize);
    at += WAYS;
    on_signal(at + bin(bridges(book, pos, king)).min(BRIDGES - 1));
    at += BRIDGES;
    on_signal(at + bin(king.reach.count()).min(MOBILITY - 1));
    at += MOBILITY;
    let beside = book.topology().neighbors(king.cell) & pos.side(side.other());
    on_signal(at + (beside.count() as usize).min(BESIDE - 1));
    at += BESIDE;
    on_signal(at + (king.danger(book, pos).count() as usize).min(DANGER - 1));
    at += DANGER;
    on_signal(at + usize::from(lines == 0 && book.is_king_cordoned(pos, side)));
}

/// Returns the number of cells with an open line to a goal that a king reaches in two moves but not
/// in one; 0 if there are many goals.
#[inline]
fn bridges<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, king: &RoyalKing<N>) -> u32 {
    let occupied = pos.occupied();
    let all_goals = book.goals(king.piece.side);
    let goals = all_goals.without(occupied);
    if goals.count() > FEW_GOALS {
        return 0;
    }
    let reach = king.reach.without(all_goals);
    let slides = |cells: Bitboard<N>| {
        cells.into_iter().fold(Bitboard::EMPTY, |all, cell| all | book.topology().slide(cell, occupied))
    };
    let from_goals = slides(goals).without(occupied);
    if from_goals.is_empty() {
        return 0;
    }
    (slides(reach) & from_goals).without(reach).count()
}
