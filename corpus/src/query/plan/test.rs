//! What is tested of a single moment.

use tafl_rules::facts::Event;
use tafl_rules::{Cell, Side};

use crate::moment::{Content, Moment};
use crate::pattern::Mask;
use crate::pattern::placed::Placed;
use crate::pattern::slide::Slide;
use crate::query::ast::KingTest;
use crate::query::hit::Placement;
use crate::query::number::{Comparison, Term};
use crate::query::token::n_pieces;

use super::run::State;

/// A test of a moment.
#[derive(Debug, Clone)]
pub(super) enum Check {
    Event(Event),
    Number(Numbers),
    King(Side, KingTest),
    Threat,
    ToMove(Side),
    Mover(Side),
    /// The cells on which the move may begin, end, or a piece fall.
    From(CellMask),
    To(CellMask),
    TookAt(CellMask),
    Piece(Mask),
    Took(Vec<Content>),
    /// The number of a board or pattern.
    Board(usize),
}

/// A yes or no for each cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CellMask(pub(super) Vec<bool>);

impl CellMask {
    #[inline]
    pub(super) fn has(&self, cell: Cell) -> bool {
        self.0[cell.index()]
    }

    /// Returns the cells, in rising order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.0.iter().enumerate().filter(|(_, has)| **has).map(|(index, _)| Cell::new(index))
    }
}

/// Two sums that compare: their difference with nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) terms: Vec<(i64, Term)>,
    pub(super) comparison: Comparison,
    pub(super) right: i64,
}

/// Where kings are counted as standing on an edge, a throne, a corner.
#[derive(Debug, Clone, Default)]
pub(super) struct CellTables {
    pub(super) edge: CellMask,
    pub(super) throne: CellMask,
    pub(super) corner: CellMask,
    /// File and rank of each cell, from 1.
    pub(super) places: Vec<(u8, u8)>,
}

/// A board or a pattern.
#[derive(Debug, Clone)]
pub(super) enum BoardTest {
    Pattern(Box<Placed>, Option<Box<Slide>>),
    Position(Images),
}

/// A position in every way in which it may stand.
#[derive(Debug, Clone)]
pub(super) struct Images {
    pub(super) counts: [u16; Content::COUNT],
    /// The boards with the number of their symmetry; none where the board has another shape.
    pub(super) boards: Vec<(u8, Vec<Content>)>,
    /// The number of the position in the question.
    pub(super) number: u16,
}

impl BoardTest {
    pub(super) fn fits(&self) -> bool {
        match self {
            BoardTest::Pattern(placed, _) => placed.fits,
            BoardTest::Position(images) => !images.boards.is_empty(),
        }
    }

    pub(super) fn find(&self, moment: &Moment) -> Option<Placement> {
        match self {
            BoardTest::Pattern(placed, _) => placed.find(moment),
            BoardTest::Position(images) => images.find(moment),
        }
    }
}

impl Images {
    #[inline]
    pub(super) fn holds(&self, moment: &Moment) -> bool {
        self.counts == *moment.counts() && self.boards.iter().any(|(_, board)| board == moment.board())
    }

    fn find(&self, moment: &Moment) -> Option<Placement> {
        let found = self.boards.iter().find(|(_, board)| board == moment.board());
        let pattern = self.number;
        found.map(|(symmetry, _)| Placement {
            pattern,
            symmetry: *symmetry,
            files: 0,
            ranks: 0,
            swapped: false,
        })
    }
}

impl Check {
    pub(super) fn cost(&self) -> u32 {
        match self {
            Check::Event(_) | Check::ToMove(_) | Check::King(..) | Check::Threat | Check::Mover(_) => 1,
            Check::From(_) | Check::To(_) | Check::TookAt(_) | Check::Piece(_) => 1,
            Check::Number(numbers) => 2 + numbers.terms.len() as u32,
            Check::Took(_) => 3,
            Check::Board(_) => 20,
        }
    }

    /// Returns whether the test holds.
    #[inline]
    pub(super) fn holds(&self, state: &State<'_>, moment: &Moment) -> bool {
        match self {
            Check::Event(event) => moment.facts.events.contains(*event),
            Check::Number(numbers) => numbers.holds(state, moment),
            Check::King(side, test) => king_holds(*side, *test, state, moment),
            Check::Threat => Side::ALL
                .into_iter()
                .filter_map(|side| moment.facts.kings[side])
                .any(|sight| sight.distance == 1 || sight.in_danger),
            Check::ToMove(side) => moment.to_move == *side,
            Check::Mover(side) => {
                moved(moment).is_some_and(|content| content.piece().is_some_and(|piece| piece.side == *side))
            }
            Check::From(cells) => moment.last.is_some_and(|mv| cells.has(mv.from)),
            Check::To(cells) => moment.last.is_some_and(|mv| cells.has(mv.to)),
            Check::TookAt(cells) => moment.captured.iter().any(|cell| cells.has(*cell)),
            Check::Piece(mask) => moved(moment).is_some_and(|content| mask.fits(content)),
            Check::Took(contents) => contents
                .iter()
                .any(|content| moment.count(*content) < state.counts_before[usize::from(content.code())]),
            Check::Board(number) => state.board_holds(*number, moment),
        }
    }
}

/// Returns what moved: it stands where the move ended.
#[inline]
fn moved(moment: &Moment) -> Option<Content> {
    moment.last.map(|mv| moment.at(mv.to))
}

fn king_holds(side: Side, test: KingTest, state: &State<'_>, moment: &Moment) -> bool {
    let sight = moment.facts.kings[side];
    let stands = |cells: &CellMask| state.kings[side].is_some_and(|cell| cells.has(cell));
    match test {
        KingTest::Danger => sight.is_some_and(|sight| sight.in_danger),
        KingTest::Cordon => sight.is_some_and(|sight| sight.cordoned),
        KingTest::CanEscape => sight.is_some_and(|sight| sight.distance == 1),
        KingTest::OpenLine => sight.is_some_and(|sight| sight.lines > 0),
        KingTest::OnEdge => stands(&state.tables.edge),
        KingTest::OnThrone => stands(&state.tables.throne),
        KingTest::OnCorner => stands(&state.tables.corner),
    }
}

impl Numbers {
    fn holds(&self, state: &State<'_>, moment: &Moment) -> bool {
        let mut sum = 0;
        for (factor, term) in &self.terms {
            let Some(value) = value_of(*term, state, moment) else { return false };
            sum += factor * value;
        }
        self.comparison.holds(sum, self.right)
    }
}

fn value_of(term: Term, state: &State<'_>, moment: &Moment) -> Option<i64> {
    let king = |side: Side| state.kings[side].map(|cell| state.tables.places[cell.index()]);
    Some(match term {
        Term::Ply => i64::from(moment.ply),
        Term::PliesLeft => i64::from(state.n_plies) - i64::from(moment.ply),
        Term::Pieces => Side::ALL.into_iter().map(|side| i64::from(n_pieces(moment, side))).sum(),
        Term::PiecesOf(side) => n_pieces(moment, side).into(),
        Term::Kinds(pieces) => {
            pieces.iter().map(|piece| i64::from(moment.count(Content::of(Some(piece))))).sum()
        }
        Term::Captured => moment.captured.len() as i64,
        Term::Lost(side) => i64::from(state.n_pieces_at_start[side]) - i64::from(n_pieces(moment, side)),
        Term::KingDistance(side) => moment.facts.kings[side]?.distance.into(),
        Term::KingLines(side) => moment.facts.kings[side]?.lines.into(),
        Term::KingFile(side) => king(side)?.0.into(),
        Term::KingRank(side) => king(side)?.1.into(),
    })
}
