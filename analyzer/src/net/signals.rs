//! What a network is told besides where the pieces stand: what slides and floods find out.
//!
//! Each signal is a number that is on or off, so a network learns a value for each count and not only a slope.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::ruleset::Encirclement;
use tafl_rules::{Cell, Piece, Role, Side};

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

/// With so many goals or fewer, lines are drawn from the goals and not from each cell of the king.
const FEW_GOALS: u32 = 8;

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

    /// Tells the signals that are on, each once, in rising order.
    #[inline]
    pub fn each(&self, book: &Rulebook<N>, pos: &Position<N>, mut tell: impl FnMut(usize)) {
        for side in Side::ALL {
            if let Some(king) = book.royal_king(pos, side) {
                of_king(book, pos, side, king, &mut |signal| tell(side.index() * OF_KING + signal));
            }
        }
        for side in Side::ALL {
            let cells = book.capture_cells(pos, side).count() as usize;
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

/// Tells the signals of a king.
///
/// ```text
/// G . b . .     the king K has an open line to no goal G; from w he would have one (a way), and b is a cell from which
/// . . . . w     he could go on to such a cell (a bridge counts cells with a line to a goal that two moves reach)
/// . . . . K
/// ```
#[inline]
fn of_king<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    side: Side,
    king: Cell,
    tell: &mut impl FnMut(usize),
) {
    let piece = Piece::new(side, Role::King);
    let goals = book.goals(side);
    let reach = book.reach(pos, king, piece);
    let lines = (reach & goals).count() as usize;
    tell(lines.min(LINES - 1));
    let mut at = LINES;
    let (ways, bridges) = ways(book, pos, piece, reach.without(goals));
    tell(at + ways.min(WAYS as u32 - 1) as usize);
    at += WAYS;
    tell(at + class(bridges).min(BRIDGES - 1));
    at += BRIDGES;
    tell(at + class(reach.count()).min(MOBILITY - 1));
    at += MOBILITY;
    let beside = book.topology().neighbors(king) & pos.side(side.other());
    tell(at + (beside.count() as usize).min(BESIDE - 1));
    at += BESIDE;
    tell(at + (book.king_capture_cells(pos, side).count() as usize).min(DANGER - 1));
    at += DANGER;
    tell(at + usize::from(lines == 0 && book.is_king_cordoned(pos, side)));
}

/// Returns on how many of his targets a king would have an open line to a goal, and how many cells with such a line he
/// reaches with two moves; the second only where goals are few.
#[inline]
fn ways<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    king: Piece,
    reach: Bitboard<N>,
) -> (u32, u32) {
    let occupied = pos.occupied();
    let goals = book.goals(king.side).without(occupied);
    if goals.count() > FEW_GOALS {
        let ways = reach.iter().filter(|cell| book.reach(pos, *cell, king).meets(&goals)).count();
        return (ways as u32, 0);
    }
    let mut from_goals = Bitboard::EMPTY;
    for goal in goals {
        from_goals |= book.topology().slide(goal, occupied);
    }
    from_goals = from_goals.without(occupied);
    if from_goals.is_empty() {
        return (0, 0);
    }
    let mut second = Bitboard::EMPTY;
    for cell in reach {
        second |= book.topology().slide(cell, occupied);
    }
    ((from_goals & reach).count(), (second & from_goals).without(reach).count())
}
