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
}
