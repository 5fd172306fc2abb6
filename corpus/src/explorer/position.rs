//! The position that is asked about, ready to be recognized whichever way a game held the board.

use std::collections::HashMap;

use tafl_rules::{AnyRulebook, Cell, Event, Game, Move, Side, Symmetry};

use crate::id::RulesId;
use crate::ply_state::{CellContent, PlyState};

/// Whether images under the symmetries of the rules count as the same position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Orientation {
    /// They do, and moves that lead to the same position by symmetry are one.
    #[default]
    Folded,
    /// Only the board as it stands counts.
    AsItStands,
}

/// A position with its rules, and all that is needed to find it in games.
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

/// The board under a symmetry.
#[derive(Debug, Clone)]
pub(super) struct Image {
    board: Vec<CellContent>,
    chain: Option<Cell>,
    /// Where each cell of the image is on the board as it was asked about.
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
    /// Returns the place where a game stands. What came before it means nothing.
    pub fn new(game: &Game, book: &AnyRulebook, orientation: Orientation) -> QueryPosition {
        let mut game = game.clone();
        if game.outcome().is_some() {
            game.resume();
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

    /// Returns the game at the place.
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

    pub(super) fn is_folded(&self) -> bool {
        self.orientation == Orientation::Folded
    }

    /// Returns how many different positions the legal moves lead to.
    pub(super) fn n_children(&self) -> usize {
        self.n_children
    }

    /// Returns the child with a canonical key.
    pub(super) fn child(&self, key: u64) -> Option<usize> {
        self.children.get(&key).copied()
    }

    /// Returns the least move to a child, and the others.
    pub(super) fn moves_of(&self, child: usize) -> (Move, Vec<Move>) {
        let mut moves = self.steps.iter().filter(|step| step.child == child).map(|step| step.mv);
        let first = moves.next().expect("every child has a move");
        (first, moves.collect())
    }

    /// Returns how a game holds the board, if it stands at this place.
    pub(super) fn recognize(&self, state: &PlyState) -> Option<&Image> {
        let (side, chain) = turn(state);
        if side != self.game.to_move() || chain.is_some() != self.game.chain().is_some() {
            return None;
        }
        self.images.iter().find(|image| image.board == state.board() && image.chain == chain)
    }

    /// Returns the child to which a ply of a game leads that held the board as an image; nothing if the rules do not know
    /// it here.
    pub(super) fn child_by(&self, image: &Image, after: &PlyState) -> Option<usize> {
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

/// Returns the legal moves, their children by canonical key, and how many children there are.
fn steps(game: &Game, orientation: Orientation) -> (Vec<ChildMove>, HashMap<u64, usize>, usize) {
    let (mut steps, mut children, mut n_children) = (Vec::new(), HashMap::new(), 0);
    for mv in game.moves() {
        let mut next = game.clone();
        let Ok((ply, _)) = next.watch(mv) else { continue };
        let key = next.canonical_key().0.0;
        let child = match orientation {
            Orientation::Folded => *children.entry(key).or_insert(n_children),
            Orientation::AsItStands => n_children,
        };
        n_children = n_children.max(child + 1);
        steps.push(ChildMove { mv, captured: ply.captured.iter().collect(), child });
    }
    (steps, children, n_children)
}

/// Returns whose turn it is by the rules after what was played, and the piece that goes on if one does. Who moved next in
/// truth may be another: a record can have two moves of the same side.
fn turn(state: &PlyState) -> (Side, Option<Cell>) {
    let Some(last) = state.last else { return (state.to_move, None) };
    let Some(moved) = state.at(last.to).piece() else { return (state.to_move, None) };
    match state.facts.events.contains(Event::ChainGoesOn) {
        true => (moved.side, Some(last.to)),
        false => (moved.side.other(), None),
    }
}
