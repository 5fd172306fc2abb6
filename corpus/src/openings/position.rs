//! The position of an explorer query, which is recognized in games in any orientation of the board.

use std::collections::HashMap;

use tafl_rules::{AnyRulebook, Cell, Event, Game, Move, Side, Symmetry};

use crate::id::RulesId;
use crate::ply_state::{CellContent, PlyState};

/// Whether symmetric positions count as the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// Symmetric positions count as the same one, and moves that lead to symmetric positions are merged.
    #[default]
    Folded,
    /// Only positions in the same orientation count.
    Fixed,
}

/// A position with its rules, its images under symmetries, and its legal moves.
#[derive(Debug, Clone)]
pub struct QueryPosition {
    game: Game,
    book: AnyRulebook,
    rules: String,
    key: u64,
    orientation: Orientation,
    images: Vec<Image>,
    legal: LegalMoves,
}

/// The image of the board under a symmetry.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    board: Vec<CellContent>,
    chain: Option<Cell>,
    /// The cell of the query position for each cell of the image.
    back: Vec<Cell>,
}

/// A legal move.
#[derive(Debug, Clone)]
struct ChildMove {
    mv: Move,
    captured: Vec<Cell>,
    child: usize,
}

/// The legal moves of a position, and the positions after them.
#[derive(Debug, Clone, Default)]
struct LegalMoves {
    /// The moves in rising order.
    moves: Vec<ChildMove>,
    /// The children by canonical key.
    children: HashMap<u64, usize>,
    n_children: usize,
}

/// The side to move, and the piece that must continue a chain if there is one.
pub(crate) struct ExpectedTurn {
    pub(crate) side: Side,
    pub(crate) chain: Option<Cell>,
}

impl QueryPosition {
    /// Returns the current position of a game. Earlier plies do not matter.
    pub fn new(game: &Game, book: &AnyRulebook, orientation: Orientation) -> QueryPosition {
        let mut game = game.clone();
        if game.outcome().is_some() {
            game.clear_outcome();
        }
        let legal = LegalMoves::of(&game, orientation);
        let key = game.canonical_key().0.0;
        let symmetries = match orientation {
            Orientation::Folded => book.symmetries(),
            Orientation::Fixed => &book.symmetries()[..1],
        };
        let mut images: Vec<Image> = Vec::with_capacity(symmetries.len());
        for symmetry in symmetries {
            let image = Image::of(&game, symmetry);
            if !images.iter().any(|known| (&known.board, known.chain) == (&image.board, image.chain)) {
                images.push(image);
            }
        }
        let (book, rules) = (book.clone(), RulesId::string(book.rules()));
        QueryPosition { game, book, rules, key, orientation, images, legal }
    }

    /// Returns the position after a move; `None` if it is not legal.
    pub(crate) fn after(&self, mv: Move) -> Option<QueryPosition> {
        let mut next = self.game.clone();
        next.play_with_facts(mv).ok()?;
        Some(QueryPosition::new(&next, &self.book, self.orientation))
    }

    /// Returns the game at the position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the rules string, without a name.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the canonical key.
    pub fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn is_folded(&self) -> bool {
        self.orientation == Orientation::Folded
    }

    /// Returns the number of different positions after the legal moves.
    pub(crate) fn n_children(&self) -> usize {
        self.legal.n_children
    }

    /// Returns the child with a canonical key.
    pub(crate) fn child(&self, key: u64) -> Option<usize> {
        self.legal.children.get(&key).copied()
    }

    /// Returns the least move to a child, and the others.
    pub(crate) fn moves_of(&self, child: usize) -> (Move, Vec<Move>) {
        let mut moves = self.legal.moves.iter().filter(|legal| legal.child == child).map(|legal| legal.mv);
        let first = moves.next().expect("every child has a move");
        (first, moves.collect())
    }

    /// Returns the image under which a game has this position, if it has it.
    pub(crate) fn recognize(&self, state: &PlyState) -> Option<&Image> {
        let ExpectedTurn { side, chain } = turn(state);
        if side != self.game.to_move() || chain.is_some() != self.game.chain().is_some() {
            return None;
        }
        self.images.iter().find(|image| image.board == state.board() && image.chain == chain)
    }

    /// Returns the child after a ply of a game whose board is an image of this position; `None` if the ply is not legal
    /// here.
    pub(crate) fn child_by(&self, image: &Image, after: &PlyState) -> Option<usize> {
        let back = |cell: Cell| image.back[cell.index()];
        let last = after.last?;
        let mv = Move::new(back(last.from), back(last.to));
        let at = self.legal.moves.binary_search_by_key(&mv, |legal| legal.mv).ok()?;
        let legal = &self.legal.moves[at];
        let mut captured: Vec<Cell> = after.captured.iter().copied().map(back).collect();
        captured.sort_unstable();
        (captured == legal.captured).then_some(legal.child)
    }
}

impl Image {
    fn of(game: &Game, symmetry: &Symmetry) -> Image {
        let shape = game.shape();
        let mut board = vec![CellContent::EMPTY; shape.n_cells()];
        let mut back: Vec<Cell> = shape.cells().collect();
        for cell in shape.cells() {
            let image = symmetry.image(cell);
            board[image.index()] = CellContent::of(game.piece(cell));
            back[image.index()] = cell;
        }
        Image { board, chain: game.chain().map(|cell| symmetry.image(cell)), back }
    }
}

impl LegalMoves {
    fn of(game: &Game, orientation: Orientation) -> LegalMoves {
        let mut legal = LegalMoves::default();
        for after in game.successors() {
            let child = match orientation {
                Orientation::Folded => *legal.children.entry(after.key.0).or_insert(legal.n_children),
                Orientation::Fixed => legal.n_children,
            };
            legal.n_children = legal.n_children.max(child + 1);
            legal.moves.push(ChildMove { mv: after.mv, captured: after.captured.iter().collect(), child });
        }
        legal
    }
}

/// Returns the turn by the rules after a ply. The side that does move may be the other one: a record can have two moves of
/// the same side.
pub(crate) fn turn(state: &PlyState) -> ExpectedTurn {
    let moved = state.last.and_then(|last| Some((last, state.at(last.to).piece()?)));
    match moved {
        None => ExpectedTurn { side: state.to_move, chain: None },
        Some((last, moved)) if state.facts.events.contains(Event::ChainGoesOn) => {
            ExpectedTurn { side: moved.side, chain: Some(last.to) }
        }
        Some((_, moved)) => ExpectedTurn { side: moved.side.other(), chain: None },
    }
}
