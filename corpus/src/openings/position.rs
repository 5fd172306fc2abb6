//! The position of an explorer query, which is recognized in games in any orientation of the board.

use std::collections::HashMap;

use tafl_rules::{AnyRulebook, Cell, Event, Game, Move, Side, Symmetry};

use crate::id::RulesId;
use crate::ply_state::{CellContent, PlyState};

/// Whether symmetric positions count as the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// They do, and moves that lead to symmetric positions are merged.
    #[default]
    Folded,
    /// Only the board as it is counts.
    AsItStands,
}

/// A position with its rules, its images under symmetries, and its legal moves.
#[derive(Debug, Clone)]
pub struct QueryPosition {
    game: Game,
    rules: String,
    key: u64,
    orientation: Orientation,
    images: Vec<Image>,
    /// The legal moves in rising order.
    steps: Vec<ChildMove>,
    /// By canonical key.
    children: HashMap<u64, usize>,
    n_children: usize,
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

impl QueryPosition {
    /// Returns the current position of a game. Earlier plies do not matter.
    pub fn new(game: &Game, book: &AnyRulebook, orientation: Orientation) -> QueryPosition {
        let mut game = game.clone();
        if game.outcome().is_some() {
            game.clear_outcome();
        }
        let (steps, children, n_children) = steps(&game, orientation);
        let key = game.canonical_key().0.0;
        let symmetries = match orientation {
            Orientation::Folded => book.symmetries(),
            Orientation::AsItStands => &book.symmetries()[..1],
        };
        let mut images: Vec<Image> = Vec::with_capacity(symmetries.len());
        for symmetry in symmetries {
            let image = Image::of(&game, symmetry);
            if !images.iter().any(|known| (&known.board, known.chain) == (&image.board, image.chain)) {
                images.push(image);
            }
        }
        let rules = RulesId::of(book.rules()).1;
        QueryPosition { game, rules, key, orientation, images, steps, children, n_children }
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
        self.n_children
    }

    /// Returns the child with a canonical key.
    pub(crate) fn child(&self, key: u64) -> Option<usize> {
        self.children.get(&key).copied()
    }

    /// Returns the least move to a child, and the others.
    pub(crate) fn moves_of(&self, child: usize) -> (Move, Vec<Move>) {
        let mut moves = self.steps.iter().filter(|step| step.child == child).map(|step| step.mv);
        let first = moves.next().expect("every child has a move");
        (first, moves.collect())
    }

    /// Returns the image under which a game has this position, if it has it.
    pub(crate) fn recognize(&self, state: &PlyState) -> Option<&Image> {
        let (side, chain) = turn(state);
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
        let at = self.steps.binary_search_by_key(&mv, |step| step.mv).ok()?;
        let mut captured: Vec<Cell> = after.captured.iter().copied().map(back).collect();
        captured.sort_unstable();
        (captured == self.steps[at].captured).then_some(self.steps[at].child)
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

/// Returns the legal moves, their children by canonical key, and the number of children.
fn steps(game: &Game, orientation: Orientation) -> (Vec<ChildMove>, HashMap<u64, usize>, usize) {
    let (mut steps, mut children, mut n_children) = (Vec::new(), HashMap::new(), 0);
    for after in game.successors() {
        let child = match orientation {
            Orientation::Folded => *children.entry(after.key.0).or_insert(n_children),
            Orientation::AsItStands => n_children,
        };
        n_children = n_children.max(child + 1);
        steps.push(ChildMove { mv: after.mv, captured: after.captured.iter().collect(), child });
    }
    (steps, children, n_children)
}

/// Returns the side to move by the rules after a ply, and the piece that must continue a chain if there is one. The
/// side that does move may be the other one: a record can have two moves of the same side.
pub(crate) fn turn(state: &PlyState) -> (Side, Option<Cell>) {
    let Some(last) = state.last else { return (state.to_move, None) };
    let Some(moved) = state.at(last.to).piece() else { return (state.to_move, None) };
    if state.facts.events.contains(Event::ChainGoesOn) {
        (moved.side, Some(last.to))
    } else {
        (moved.side.other(), None)
    }
}
