//! What a network is told besides where the pieces stand: what slides and floods find out.
//!
//! Each signal is a number that is on or off, so a network learns a value for each count and not only a slope.

use tafl_rules::Side;
use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::ruleset::Encirclement;

use crate::facts::{FEW_GOALS, KingFacts, NodeFacts};

/// How many values each count of a king has.
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

/// The version of the signals: a network made for others is refused.
pub const VERSION: u32 = 1;
/// How many signals there are.
pub const COUNT: usize = AT_OPEN + 2 * OPEN;

/// Finds the signals of positions under one set of rules.
#[derive(Debug, Clone)]
pub struct Signals<const N: usize> {
    /// The cells of the edge.
    edge: Bitboard<N>,
    /// Every cell.
    all: Bitboard<N>,
    /// How many men each side has at the start, at least one.
    at_start: [usize; 2],
    /// Whether defenders lose when they are shut in.
    has_rings: bool,
}

impl<const N: usize> Signals<N> {
    /// Prepares the signals of rules.
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

    /// Calls `tell` with each signal that is on, in rising order.
    pub fn each(&self, book: &Rulebook<N>, pos: &Position<N>, tell: impl FnMut(usize)) {
        self.each_with(book, pos, &NodeFacts::of(book, pos), tell);
    }

    /// Calls `tell` with each signal that is on in a position whose facts are known.
    #[inline]
    pub(crate) fn each_with(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        mut tell: impl FnMut(usize),
    ) {
        for side in Side::ALL {
            if let Some(king) = facts.king(side) {
                of_king(book, pos, king, &mut |signal| tell(side.index() * OF_KING + signal));
            }
        }
        for side in Side::ALL {
            let cells = facts.captures_by(book, pos, side).count() as usize;
            tell(AT_CAPTURES + side.index() * CAPTURES + cells.min(CAPTURES - 1));
        }
        for side in Side::ALL {
            let (most, count) = (self.at_start[side.index()], men(pos, side));
            let scaled = if most < MEN { count } else { count * (MEN - 1) / most };
            tell(AT_MEN + side.index() * MEN + scaled.min(MEN - 1));
        }
        if self.has_rings {
            self.openness(book, pos, &mut tell);
        }
    }

    /// Tells how much of the board and how many defenders the outside still reaches.
    #[inline]
    fn openness(&self, book: &Rulebook<N>, pos: &Position<N>, tell: &mut impl FnMut(usize)) {
        let open = self.all.without(pos.side(Side::Attackers));
        let outside = book.topology().flood(self.edge, open);
        let defenders = pos.side(Side::Defenders);
        let share = |part: u32, whole: u32| (part as usize * (OPEN - 1)).div_ceil(whole.max(1) as usize);
        tell(AT_OPEN + share((outside & defenders).count(), defenders.count()));
        tell(AT_OPEN + OPEN + share(outside.count(), open.count()));
    }
}

fn men<const N: usize>(pos: &Position<N>, side: Side) -> usize {
    pos.side(side).without(pos.kings()).count() as usize
}

/// Returns the class of a count: 0, 1, 2, then wider and wider ones.
fn class(count: u32) -> usize {
    match count {
        0..=2 => count as usize,
        3..=4 => 3,
        5..=7 => 4,
        8..=11 => 5,
        12..=16 => 6,
        17.. => 7,
    }
}

/// Calls `tell` with the signals of a king.
///
/// ```text
/// G . b . .     the king K has an open line to no goal G; from w it would have one (a way), and b is a cell from which
/// . . . . w     it could go on to such a cell (a bridge counts cells with a line to a goal that two moves reach)
/// . . . . K
/// ```
#[inline]
fn of_king<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    king: &KingFacts<N>,
    tell: &mut impl FnMut(usize),
) {
    let side = king.piece.side;
    let lines = king.open_goals(book).count() as usize;
    tell(lines.min(LINES - 1));
    let mut at = LINES;
    tell(at + king.ways(book, pos).count().min(WAYS as u32 - 1) as usize);
    at += WAYS;
    tell(at + class(bridges(book, pos, king)).min(BRIDGES - 1));
    at += BRIDGES;
    tell(at + class(king.reach.count()).min(MOBILITY - 1));
    at += MOBILITY;
    let beside = book.topology().neighbors(king.cell) & pos.side(side.other());
    tell(at + (beside.count() as usize).min(BESIDE - 1));
    at += BESIDE;
    tell(at + (king.danger(book, pos).count() as usize).min(DANGER - 1));
    at += DANGER;
    tell(at + usize::from(lines == 0 && book.is_king_cordoned(pos, side)));
}

/// Returns the number of cells with an open line to a goal that a king reaches with two moves, not with one; 0 where goals
/// are many.
#[inline]
fn bridges<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, king: &KingFacts<N>) -> u32 {
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
