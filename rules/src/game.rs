//! Games: a position with its history, on a board of any width.

use crate::any::{AnyRulebook, AnyTrack, track_of, with_track};
use crate::bitboard::Bitboard;
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
use crate::zobrist::{CanonicalKey, Key};

pub(crate) mod ring;
pub(crate) mod track;

/// A set of cells of a board of any width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet(Bitboard<7>);

impl CellSet {
    /// Returns whether the set holds a cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.contains(cell)
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Cell) {
        self.0.insert(cell);
    }

    /// Returns whether the set holds no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.0.count() as usize
    }

    /// Returns the cells of this set that the other lacks.
    #[must_use]
    pub fn without(self, other: CellSet) -> CellSet {
        CellSet(self.0.without(other.0))
    }

    /// Returns the cells in rising order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.0.iter()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        CellSet(cells.into_iter().collect())
    }
}

impl<const N: usize> From<Bitboard<N>> for CellSet {
    #[inline]
    fn from(cells: Bitboard<N>) -> Self {
        CellSet(cells.widened())
    }
}

/// What rules about repetition do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepetitionMode {
    /// They end the game.
    #[default]
    Enforce,
    /// They are reported with each ply and end nothing, as archives want it.
    Report,
}

/// One ply of a game, with what the rules did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Who made it.
    pub side: Side,
    /// The cells of the captured pieces, kings included. A mercenary among them stayed and changed sides.
    pub captured: CellSet,
    /// Whether the same piece goes on in a berserk chain.
    pub goes_on: bool,
    /// How the game ended, if it did.
    pub outcome: Option<Outcome>,
    /// How often the position has occurred since the last capture, this time included; 0 inside a chain.
    pub occurrences: u32,
    /// The rule about repetition that the ply triggered; of several the one that says how the game ends.
    pub repetition: Option<RepetitionHit>,
}

/// A rule about repetition that was triggered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepetitionHit {
    /// The rule.
    pub rule: RepetitionRule,
    /// How often what it counts has occurred.
    pub occurrences: u32,
}

/// A game: rules, a position, and what its history says about repetition and limits.
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
pub struct Game(AnyTrack);

impl Game {
    /// Returns a game at its start.
    pub fn new(book: &AnyRulebook) -> Game {
        Game::with_mode(book, RepetitionMode::Enforce)
    }

    /// Returns a game at its start, with rules about repetition enforced or only reported.
    pub fn with_mode(book: &AnyRulebook, mode: RepetitionMode) -> Game {
        Game(track_of!(book, book => track::Track::new(book.clone(), book.start(), mode)))
    }

    /// Returns a game that begins with another arrangement and side to move.
    ///
    /// # Errors
    ///
    /// Returns the board of the rules if the arrangement is for another one.
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
        let wider = (pieces != book.pieces()).then(|| AnyRulebook::compile_for(book.rules(), pieces));
        let book = match &wider {
            Some(Ok(book)) => book,
            // The rules compiled before; kinds of pieces are nothing that they can fail for.
            Some(Err(_)) | None => book,
        };
        Ok(Game(
            track_of!(book, book => track::Track::new(book.clone(), book.position(setup, to_move), mode)),
        ))
    }

    /// Starts over from the start of the rules; keeps what was allocated.
    pub fn restart(&mut self) {
        with_track!(&mut self.0, track => {
            let start = track.book.start();
            track.restart(start);
        });
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        with_track!(&self.0, track => track.book.shape())
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        with_track!(&self.0, track => track.book.rules())
    }

    /// Returns the arrangement on the board.
    pub fn setup(&self) -> Setup {
        with_track!(&self.0, track => track.pos.setup(track.book.shape()))
    }

    /// Returns the piece on a cell.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        with_track!(&self.0, track => track.pos.piece(cell))
    }

    /// Returns the piece that the last ply captured on a cell; a mercenary as it was before it changed sides.
    pub fn fallen(&self, cell: Cell) -> Option<Piece> {
        with_track!(&self.0, track => track.fallen(cell))
    }

    /// Returns the side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        with_track!(&self.0, track => track.pos.to_move())
    }

    /// Returns the cell of the piece that must go on in a berserk chain, if there is one.
    pub fn chain(&self) -> Option<Cell> {
        with_track!(&self.0, track => track.pos.chain())
    }

    /// Makes it the turn of a side, whoever moved last. A chain under way ends.
    ///
    /// Records need this where a side moved twice; no rules allow it.
    pub fn set_to_move(&mut self, side: Side) {
        with_track!(&mut self.0, track => track.set_to_move(side));
    }

    /// Returns the key of the position.
    pub fn key(&self) -> Key {
        with_track!(&self.0, track => track.pos.key())
    }

    /// Returns the least key over the symmetries of the rules, and the symmetry that leads there.
    pub fn canonical_key(&self) -> (CanonicalKey, &Symmetry) {
        with_track!(&self.0, track => {
            let (key, index) = track.canonical_key();
            (CanonicalKey(key), &track.book.symmetries()[index])
        })
    }

    /// Returns the keys of the positions that can come back: those at the end of each turn since the last capture, the
    /// first one before it, in the order of play.
    pub fn turn_keys(&self) -> Vec<Key> {
        with_track!(&self.0, track => track.turn_keys().collect())
    }

    /// Returns how the game ended, if it did.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        with_track!(&self.0, track => track.outcome())
    }

    /// Lets play go on after an end, as records do whose players did not see it.
    pub fn resume(&mut self) {
        with_track!(&mut self.0, track => track.resume());
    }

    /// Returns the number of plies played.
    pub fn n_plies(&self) -> u32 {
        with_track!(&self.0, track => track.plies())
    }

    /// Returns the cells to which the piece on a cell can move; rules about repetition are not asked.
    pub fn targets(&self, from: Cell) -> CellSet {
        with_track!(&self.0, track => track.targets(from))
    }

    /// Returns the legal moves, in rising order of their cells.
    pub fn moves(&self) -> Vec<Move> {
        with_track!(&self.0, track => track.moves())
    }

    /// Returns the number of legal moves.
    pub fn count_moves(&self) -> u64 {
        with_track!(&self.0, track => track.count_moves())
    }

    /// Returns whether a move is legal.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        with_track!(&self.0, track => track.check(mv))
    }

    /// Reads a move such as `d1-d3`, see [`Move::parse`].
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the text; whether the move is legal is a question for [`Game::check`].
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        Move::parse(text, self.shape())
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move; the game is as before then.
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
    #[inline]
    pub fn play(&mut self, mv: Move) -> Result<Ply, IllegalMove> {
        with_track!(&mut self.0, track => track.play(mv))
    }

    /// Returns how the kings stand; the events are those of no ply.
    pub fn facts(&self) -> Facts {
        with_track!(&self.0, track => track.facts())
    }

    /// Makes a move, and tells what it did and how the kings stand after it.
    ///
    /// From the first call on, [`Game::canonical_key`] costs next to nothing after each ply that is watched.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the move; the game is as before then.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::facts::Event;
    /// use tafl_rules::{AnyRulebook, Game, RuleSet};
    ///
    /// let mut game = Game::new(&AnyRulebook::compile(&RuleSet::named("brandubh7")?)?);
    /// for text in ["d2-g2", "d3-f3", "g2-f2"] {
    ///     game.watch(game.parse_move(text)?)?;
    /// }
    /// let (_, facts) = game.watch(game.parse_move("d4-d2")?)?;
    /// assert!(facts.events.contains(Event::KingMoved));
    /// assert_eq!(facts.kings.defenders.unwrap().distance, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn watch(&mut self, mv: Move) -> Result<(Ply, Facts), IllegalMove> {
        with_track!(&mut self.0, track => track.watch(mv))
    }

    pub(crate) fn track(&self) -> &AnyTrack {
        &self.0
    }
}

/// An arrangement for another board than that of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the position is for a {found} board, the rules are for a {expected} board")]
pub struct WrongBoard {
    /// The board of the rules.
    pub expected: Shape,
    /// The board of the arrangement.
    pub found: Shape,
}
