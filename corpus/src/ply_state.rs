//! The state of a game after a ply, which conditions and patterns test.

use tafl_rules::{Cell, Facts, Move, Piece, Setup, Shape, Side};

/// The content of a cell as a small number: 0 for empty, otherwise [`Piece::index`] plus one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellContent(u8);

impl CellContent {
    /// Nothing.
    pub const EMPTY: CellContent = CellContent(0);
    /// The number of contents: empty, and each kind of piece.
    pub const COUNT: usize = Piece::COUNT + 1;

    /// Returns the content of a cell with a piece, or without one.
    #[inline]
    pub const fn of(piece: Option<Piece>) -> CellContent {
        match piece {
            Some(piece) => CellContent(piece.index() as u8 + 1),
            None => CellContent::EMPTY,
        }
    }

    /// Returns the number, below [`CellContent::COUNT`].
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Returns the piece, if there is one.
    pub fn piece(self) -> Option<Piece> {
        let index = usize::from(self.0).checked_sub(1)?;
        let side = if index < Piece::COUNT / 2 { Side::Attackers } else { Side::Defenders };
        Some(Piece::new(side, tafl_rules::Role::ALL[index % (Piece::COUNT / 2)]))
    }

    /// Returns the content after a capture: mercenaries change sides, all others leave.
    pub(crate) fn captured(self) -> CellContent {
        match self.piece() {
            Some(Piece { side, role: tafl_rules::Role::Mercenary }) => {
                CellContent::of(Some(Piece::new(side.other(), tafl_rules::Role::Mercenary)))
            }
            Some(_) | None => CellContent::EMPTY,
        }
    }
}

/// The state of a game after a ply: the position, and the ply that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyState {
    shape: Shape,
    board: Vec<CellContent>,
    counts: [u16; CellContent::COUNT],
    /// The number of plies played: 0 at the start.
    pub ply: u32,
    /// The side to move.
    pub to_move: Side,
    /// The last ply; `None` at the start.
    pub last: Option<Move>,
    /// The cells of the pieces captured by the last ply, in rising order.
    pub captured: Vec<Cell>,
    /// The events of the last ply, and the status of the kings.
    pub facts: Facts,
}

impl PlyState {
    /// Returns the position before the first ply.
    pub fn start(setup: &Setup, to_move: Side, facts: Facts) -> PlyState {
        let shape = setup.shape();
        let board: Vec<CellContent> = shape.cells().map(|cell| CellContent::of(setup.piece(cell))).collect();
        let mut counts = [0; CellContent::COUNT];
        board.iter().for_each(|content| counts[usize::from(content.0)] += 1);
        PlyState { shape, board, counts, ply: 0, to_move, last: None, captured: Vec::new(), facts }
    }

    /// Returns the shape of the board.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the contents of all cells, in rising order of cells.
    #[inline]
    pub fn board(&self) -> &[CellContent] {
        &self.board
    }

    /// Returns the content of a cell.
    ///
    /// # Panics
    ///
    /// Panics if the board has no such cell.
    #[inline]
    pub fn at(&self, cell: Cell) -> CellContent {
        self.board[cell.index()]
    }

    /// Returns the number of cells with a content.
    #[inline]
    pub fn count(&self, content: CellContent) -> u16 {
        self.counts[usize::from(content.0)]
    }

    /// Returns the number of cells with each content, by its code.
    #[inline]
    pub(crate) fn counts(&self) -> &[u16; CellContent::COUNT] {
        &self.counts
    }

    /// Returns the arrangement of the pieces.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.shape);
        for cell in self.shape.cells() {
            setup.put(cell, self.at(cell).piece());
        }
        setup
    }

    /// Plays a ply whose captures are known: the piece moves, and captured pieces leave or change sides.
    ///
    /// The caller sets [`PlyState::to_move`] and [`PlyState::facts`].
    ///
    /// # Panics
    ///
    /// Panics if the board lacks one of the cells.
    #[inline]
    pub(crate) fn advance(&mut self, mv: Move) {
        let moved = self.board[mv.from.index()];
        self.put(mv.from.index(), CellContent::EMPTY);
        self.put(mv.to.index(), moved);
        for at in 0..self.captured.len() {
            let cell = self.captured[at].index();
            self.put(cell, self.board[cell].captured());
        }
        self.last = Some(mv);
        self.ply += 1;
    }

    #[inline]
    fn put(&mut self, cell: usize, content: CellContent) {
        self.counts[usize::from(self.board[cell].0)] -= 1;
        self.counts[usize::from(content.0)] += 1;
        self.board[cell] = content;
    }
}
