//! Compiled tests of single positions.

use tafl_rules::{Cell, Event, Side};

use crate::pattern::ContentMask;
use crate::pattern::game_matcher::GameMatcher;
use crate::pattern::placements::PatternPlacements;
use crate::ply_state::{CellContent, PlyState};
use crate::query::ast::KingTest;
use crate::query::hit::Placement;
use crate::query::number::{Comparison, Term};

/// A compiled test of a position.
#[derive(Debug, Clone)]
pub(super) enum CompiledTest {
    Event(Event),
    Number(LinearInequality),
    King(Side, KingTest),
    Threat,
    ToMove(Side),
    Mover(Side),
    /// The cells on which the move may begin or end, or a piece be captured.
    From(CellMask),
    To(CellMask),
    TookAt(CellMask),
    Piece(ContentMask),
    Took(Vec<CellContent>),
    /// The number of a position or pattern.
    Board(usize),
}

/// A set of cells.
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

/// A comparison of a sum with a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinearInequality {
    pub(super) terms: Vec<(i64, Term)>,
    pub(super) comparison: Comparison,
    pub(super) right: i64,
}

/// The cells of edges, thrones, and corners, and the coordinates of cells.
#[derive(Debug, Clone, Default)]
pub(super) struct CellTables {
    pub(super) edge: CellMask,
    pub(super) throne: CellMask,
    pub(super) corner: CellMask,
    /// File and rank of each cell, from 1.
    pub(super) places: Vec<(u8, u8)>,
}

/// A position or a pattern.
#[derive(Debug, Clone)]
pub(super) enum BoardTest {
    Pattern(Box<PatternPlacements>, Box<GameMatcher>),
    Position(PositionImages),
}

/// A position with its symmetric images.
#[derive(Debug, Clone)]
pub(super) struct PositionImages {
    pub(super) counts: [u16; CellContent::COUNT],
    /// The boards with the number of their symmetry; none if the board has another shape.
    pub(super) boards: Vec<(u8, Vec<CellContent>)>,
    /// The number of the position in the query.
    pub(super) number: u16,
}

impl BoardTest {
    pub(super) fn fits(&self) -> bool {
        match self {
            BoardTest::Pattern(placed, _) => placed.fits,
            BoardTest::Position(images) => !images.boards.is_empty(),
        }
    }

    pub(super) fn find(&self, state: &PlyState) -> Option<Placement> {
        match self {
            BoardTest::Pattern(placed, _) => placed.find(state),
            BoardTest::Position(images) => images.find(state),
        }
    }
}

impl PositionImages {
    #[inline]
    pub(super) fn holds(&self, state: &PlyState) -> bool {
        self.counts == *state.counts() && self.boards.iter().any(|(_, board)| board == state.board())
    }

    fn find(&self, state: &PlyState) -> Option<Placement> {
        let found = self.boards.iter().find(|(_, board)| board == state.board());
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

impl CompiledTest {
    pub(super) fn cost(&self) -> u32 {
        match self {
            CompiledTest::Event(_)
            | CompiledTest::ToMove(_)
            | CompiledTest::King(..)
            | CompiledTest::Threat
            | CompiledTest::Mover(_) => 1,
            CompiledTest::From(_)
            | CompiledTest::To(_)
            | CompiledTest::TookAt(_)
            | CompiledTest::Piece(_) => 1,
            CompiledTest::Number(numbers) => 2 + numbers.terms.len() as u32,
            CompiledTest::Took(_) => 3,
            CompiledTest::Board(_) => 20,
        }
    }
}
