//! Games: a position with its history, on a board of any width.

use crate::any::{AnyGameState, AnyRulebook, state_of, with_state};
use crate::cell_set::CellSet;
use crate::facts::Facts;
use crate::illegal::IllegalMove;
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::piece::Piece;
use crate::ruleset::{RepetitionRule, RuleSet};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::symmetry::Symmetry;
use crate::text::moves::ParseMoveError;
use crate::zobrist::{CanonicalKey, PositionKey};

pub(crate) mod state;
pub(crate) mod symmetry_keys;
mod turn_history;

/// How repetition rules are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepetitionMode {
    /// They end the game.
    #[default]
    Enforce,
    /// They are reported with each ply, but do not end the game. Suitable for archived games, whose
    /// players often continued.
    Report,
}

/// A ply of a game and its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The side that made the move.
    pub side: Side,
    /// The cells of the captured pieces, kings included. A captured mercenary stays on its cell and
    /// changes sides.
    pub captured: CellSet,
    /// Whether the same piece moves again in a berserk chain.
    pub goes_on: bool,
    /// The outcome if the ply ended the game.
    pub outcome: Option<Outcome>,
    /// The number of occurrences of the position since the last capture, including this one; 0
    /// inside a chain.
    pub occurrences: u32,
    /// The repetition rule triggered by the ply; if there are several, the one that decides the
    /// game.
    pub repetition: Option<RepetitionHit>,
}

/// A legal move and the position after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Successor {
    /// The move.
    pub mv: Move,
    /// The cells of the captured pieces, kings included.
    pub captured: CellSet,
    /// The canonical key of the position.
    pub key: CanonicalKey,
}

/// A repetition rule that was triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepetitionHit {
    /// The rule.
    pub rule: RepetitionRule,
    /// The number of occurrences of what the rule counts.
    pub occurrences: u32,
}

/// A game: rules, a position, and the history that repetition rules and limits need.
///
/// # Examples
///
/// ```
/// use tafl_rules::{AnyRulebook, Game, RuleSet, Side};
///
/// let mut game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7")?)?);
/// assert_eq!(game.count_moves(), 40);
/// game.play(game.parse_move("d1-f1")?)?;
/// assert_eq!(game.to_move(), Side::Defenders);
/// println!("{game}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Game(AnyGameState);

impl Game {
    /// Returns a game at the start position of the rules.
    pub fn new(book: &AnyRulebook) -> Game {
        Game::with_mode(book, RepetitionMode::Enforce)
    }

    /// Returns a game at the start position of the rules, with the given handling of repetitions.
    pub fn with_mode(book: &AnyRulebook, mode: RepetitionMode) -> Game {
        Game(state_of!(book, book => state::GameState::new(book.clone(), book.start(), mode)))
    }

    /// Returns a game that begins with the given arrangement and side to move.
    ///
    /// # Errors
    ///
    /// Returns [`WrongBoard`] if the arrangement is for a board of another shape.
    pub fn from_setup(
        book: &AnyRulebook,
        setup: &Setup,
        to_move: Side,
        mode: RepetitionMode,
    ) -> Result<Game, WrongBoard> {
        if setup.shape() != book.shape() {
            return Err(WrongBoard { expected: book.shape(), found: setup.shape() });
        }
        let wanted = setup.pieces().map(|(_, piece)| piece).collect::<crate::PieceSet>();
        let pieces =
            book.pieces().union(RuleSet::with_defaults(setup.clone()).pieces_in_play()).union(wanted);
        let wider = (pieces != book.pieces()).then(|| {
            AnyRulebook::compile_for(book.rules(), pieces)
                .expect("these rules were compiled before, and errors do not depend on the kinds of pieces")
        });
        let book = wider.as_ref().unwrap_or(book);
        Ok(Game(
            state_of!(book, book => state::GameState::new(book.clone(), book.position(setup, to_move), mode)),
        ))
    }

    /// Restarts the game from the start position of the rules, keeping allocated memory.
    pub fn restart(&mut self) {
        with_state!(&mut self.0, state => {
            let start = state.book.start();
            state.restart(start);
        });
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        with_state!(&self.0, state => state.book.shape())
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        with_state!(&self.0, state => state.book.rules())
    }

    /// Returns the arrangement on the board.
    pub fn setup(&self) -> Setup {
        with_state!(&self.0, state => state.pos.setup(state.book.shape()))
    }

    /// Returns the piece on a cell.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        with_state!(&self.0, state => state.pos.piece(cell))
    }

    /// Returns the piece that the last ply captured on a cell; for a mercenary, the piece before it
    /// changed sides.
    pub fn captured_piece(&self, cell: Cell) -> Option<Piece> {
        with_state!(&self.0, state => state.captured_piece(cell))
    }

    /// Returns the side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        with_state!(&self.0, state => state.pos.to_move())
    }

    /// Returns the cell of the piece that must move again in a berserk chain, or `None`.
    pub fn chain(&self) -> Option<Cell> {
        with_state!(&self.0, state => state.pos.chain())
    }

    /// Sets the side to move, regardless of who moved last. Ends a chain in progress.
    ///
    /// No rules allow this, except to decline a chain, but records need it if a side moved twice.
    pub fn set_to_move(&mut self, side: Side) {
        with_state!(&mut self.0, state => state.set_to_move(side));
    }

    /// Returns the key of the position.
    pub fn key(&self) -> PositionKey {
        with_state!(&self.0, state => state.pos.key())
    }

    /// Returns the smallest key over the symmetries of the rules and the symmetry that leads to it.
    pub fn canonical_key(&self) -> (CanonicalKey, &Symmetry) {
        with_state!(&self.0, state => {
            let (key, index) = state.canonical_key();
            (CanonicalKey(key), &state.book.symmetries()[index])
        })
    }

    /// Returns the keys of the positions that can occur again: the start or the last capture, and
    /// the end of each turn after it, in the order of play.
    pub fn turn_keys(&self) -> Vec<PositionKey> {
        with_state!(&self.0, state => state.turn_keys().collect())
    }

    /// Returns the keys of the positions of the current chain since its last capture, in the order of play, with the current one;
    /// empty outside chains. A jump that captures nothing can return to one of them.
    pub fn chain_keys(&self) -> Vec<PositionKey> {
        with_state!(&self.0, state => state.chain_keys().collect())
    }

    /// Returns the keys of the defenders' arrangements that count for a repetition rule of the defenders' arrangement: at the
    /// start or after the last capture, and after each later turn of the defenders. Empty if there is no such rule.
    pub fn defenders_keys(&self) -> Vec<u64> {
        with_state!(&self.0, state => state.defenders_keys().collect())
    }

    /// Returns the number of plies since the last capture or the start.
    pub fn n_captureless_plies(&self) -> u32 {
        with_state!(&self.0, state => state.captureless())
    }

    /// Returns the outcome, or `None` if the game is not over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        with_state!(&self.0, state => state.outcome())
    }

    /// Clears the outcome so that play can continue, as in records whose players overlooked the end
    /// of the game.
    pub fn clear_outcome(&mut self) {
        with_state!(&mut self.0, state => state.clear_outcome());
    }

    /// Returns the number of plies played.
    pub fn n_plies(&self) -> u32 {
        with_state!(&self.0, state => state.plies())
    }

    /// Returns the cells to which the piece on a cell can move, ignoring repetition rules.
    pub fn targets(&self, from: Cell) -> CellSet {
        with_state!(&self.0, state => state.targets(from))
    }

    /// Returns the cells to which the piece on a cell can move with a capture, ignoring repetition rules.
    pub fn capturing_targets(&self, from: Cell) -> CellSet {
        with_state!(&self.0, state => state.capturing_targets(from))
    }

    /// Returns the legal moves in ascending order of their cells. After the end of the game, they are those that would be legal
    /// if it had not ended, see [`Game::clear_outcome`].
    pub fn moves(&self) -> Vec<Move> {
        with_state!(&self.0, state => state.moves())
    }

    /// Returns the legal moves in ascending order of their cells, with the positions after them. This is faster than playing
    /// each move: the keys of all images of the board are updated incrementally, and the end of the game is not checked.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{AnyRulebook, Game, RuleSet};
    ///
    /// let game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7")?)?);
    /// let successors = game.successors();
    /// let mut keys: Vec<u64> = successors.iter().map(|after| after.key.0).collect();
    /// keys.sort_unstable();
    /// keys.dedup();
    /// // Of the forty first moves, those that are mirror images lead to the same position.
    /// assert_eq!((successors.len(), keys.len()), (40, 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn successors(&self) -> Vec<Successor> {
        with_state!(&self.0, state => state.successors())
    }

    /// Returns the number of moves that [`Game::moves`] returns.
    pub fn count_moves(&self) -> u64 {
        with_state!(&self.0, state => state.count_moves())
    }

    /// Returns whether a move is legal; none is after the end of the game. If the reason is not needed, this is faster than
    /// [`Game::check`].
    pub fn is_legal(&self, mv: Move) -> bool {
        with_state!(&self.0, state => state.is_legal(mv))
    }

    /// Checks whether a move is legal.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        with_state!(&self.0, state => state.check(mv))
    }

    /// Reads a move such as `d1-d3`, see [`Move::parse`].
    ///
    /// # Errors
    ///
    /// Returns a description of the syntax error. The move is not checked for legality, see
    /// [`Game::check`].
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        Move::parse(text, self.shape())
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move; the game is unchanged in this case.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{AnyRulebook, Game, RuleSet};
    ///
    /// let mut game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7")?)?);
    /// let mv = game.parse_move("d2-g2")?;
    /// assert!(game.play(mv)?.captured.is_empty());
    /// assert!(game.play(mv).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<Ply, IllegalMove> {
        with_state!(&mut self.0, state => state.play(mv))
    }

    /// Returns whether the side to move may decline to continue a chain. The moves of the other side are then legal, too.
    pub fn may_decline(&self) -> bool {
        with_state!(&self.0, state => state.may_decline())
    }

    /// Declines to continue a chain, so that the other side is to move, and returns whether the rules allow it. A move of the
    /// other side declines the chain by itself, unless declining ends the game: the turn ends by the same rules as any other one,
    /// for example by repetition ([`Game::outcome`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{AnyRulebook, Game, RuleSet, Side};
    ///
    /// let rules: RuleSet = "dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/".parse()?;
    /// let mut game = Game::new(&AnyRulebook::compile(&rules)?);
    /// game.play(game.parse_move("a2-b2")?)?;
    /// assert_eq!((game.to_move(), game.may_decline()), (Side::Attackers, true));
    /// assert!(game.decline_chain());
    /// assert_eq!((game.to_move(), game.decline_chain()), (Side::Defenders, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decline_chain(&mut self) -> bool {
        with_state!(&mut self.0, state => state.decline_chain())
    }

    /// Returns the situation of the kings; the set of events is empty.
    pub fn facts(&self) -> Facts {
        with_state!(&self.0, state => state.facts())
    }

    /// Makes a move and returns its effects and the situation of the kings after it.
    ///
    /// After the first call, [`Game::canonical_key`] is almost free: the keys of all images are
    /// updated with each ply.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move; the game is unchanged in this case.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{AnyRulebook, Event, Game, RuleSet};
    ///
    /// let mut game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7")?)?);
    /// for text in ["d2-g2", "d3-f3", "g2-f2"] {
    ///     game.play_with_facts(game.parse_move(text)?)?;
    /// }
    /// let (_, facts) = game.play_with_facts(game.parse_move("d4-d2")?)?;
    /// assert!(facts.events.contains(Event::KingMoved));
    /// assert_eq!(facts.kings.defenders.unwrap().distance, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_with_facts(&mut self, mv: Move) -> Result<(Ply, Facts), IllegalMove> {
        with_state!(&mut self.0, state => state.play_with_facts(mv))
    }

    pub(crate) fn state(&self) -> &AnyGameState {
        &self.0
    }
}

/// The error for an arrangement whose board is not that of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the position is for a {found} board, the rules are for a {expected} board")]
pub struct WrongBoard {
    /// The board of the rules.
    pub expected: Shape,
    /// The board of the arrangement.
    pub found: Shape,
}
