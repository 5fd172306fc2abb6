//! Boards of every width behind one type. The list of widths exists only in this file.
//!
//! WebAssembly has only two of them, and its viewer one: there, the size of the code matters more than the speed on smaller boards.

use std::sync::Arc;

use crate::facts::Event;
use crate::game::state::GameState;
use crate::moves::Move;
use crate::piece::PieceSet;
use crate::position::Position;
use crate::rulebook::{CompileError, Rulebook};
use crate::ruleset::RuleSet;
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::symmetry::Symmetry;

/// A compiled rule set of any board width; cheap to clone.
///
/// # Examples
///
/// ```
/// use tafl_rules::{AnyRulebook, RuleSet};
///
/// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
/// assert_eq!(book.symmetries().len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum AnyRulebook {
    /// Up to 64 cells: squares up to 8x8, hexagons up to 5 cells a side.
    #[cfg(not(target_arch = "wasm32"))]
    W1(Arc<Rulebook<1>>),
    /// Up to 128 cells: squares up to 11x11, hexagons up to 7 cells a side.
    #[cfg(not(tafl_viewer))]
    W2(Arc<Rulebook<2>>),
    /// Up to 192 cells: squares up to 13x13, hexagons up to 8 cells a side.
    #[cfg(not(target_arch = "wasm32"))]
    W3(Arc<Rulebook<3>>),
    /// Up to 256 cells: squares up to 16x16.
    #[cfg(not(target_arch = "wasm32"))]
    W4(Arc<Rulebook<4>>),
    /// Up to 384 cells: squares up to 19x19.
    #[cfg(not(target_arch = "wasm32"))]
    W6(Arc<Rulebook<6>>),
    /// Up to 448 cells: squares up to 21x21.
    W7(Arc<Rulebook<7>>),
}

/// The number of 64-bit words of the largest board: 441 cells.
pub(crate) const WIDEST: usize = 7;

/// The state of a game of any width.
#[derive(Debug, Clone)]
pub(crate) enum AnyGameState {
    #[cfg(not(target_arch = "wasm32"))]
    W1(GameState<1>),
    #[cfg(not(tafl_viewer))]
    W2(GameState<2>),
    #[cfg(not(target_arch = "wasm32"))]
    W3(GameState<3>),
    #[cfg(not(target_arch = "wasm32"))]
    W4(GameState<4>),
    #[cfg(not(target_arch = "wasm32"))]
    W6(GameState<6>),
    W7(GameState<7>),
}

/// Evaluates an expression with the rulebook of any width.
///
/// The match costs little, but use it once for a command, a game, or a search, not once for a move.
///
/// # Examples
///
/// ```
/// use tafl_rules::{AnyRulebook, Leaves, with_rulebook};
///
/// let rules = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
/// let any = AnyRulebook::compile(&rules).unwrap();
/// assert_eq!(with_rulebook!(&any, book => book.perft(&book.start(), 2, Leaves::Bulk)), 960);
/// ```
#[macro_export]
macro_rules! with_rulebook {
    ($any:expr, $book:ident => $body:expr) => {
        match $any {
            #[cfg(not(target_arch = "wasm32"))]
            $crate::AnyRulebook::W1($book) => $body,
            #[cfg(not(tafl_viewer))]
            $crate::AnyRulebook::W2($book) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::AnyRulebook::W3($book) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::AnyRulebook::W4($book) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::AnyRulebook::W6($book) => $body,
            $crate::AnyRulebook::W7($book) => $body,
        }
    };
}

/// Evaluates an expression with the state of a game of any width.
macro_rules! with_state {
    ($any:expr, $state:ident => $body:expr) => {
        match $any {
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyGameState::W1($state) => $body,
            #[cfg(not(tafl_viewer))]
            $crate::any::AnyGameState::W2($state) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyGameState::W3($state) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyGameState::W4($state) => $body,
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyGameState::W6($state) => $body,
            $crate::any::AnyGameState::W7($state) => $body,
        }
    };
}
pub(crate) use with_state;

/// Evaluates an expression with the rulebook of any width and wraps its value as the game state of
/// the same width.
macro_rules! state_of {
    ($any:expr, $book:ident => $body:expr) => {
        match $any {
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyRulebook::W1($book) => $crate::any::AnyGameState::W1($body),
            #[cfg(not(tafl_viewer))]
            $crate::any::AnyRulebook::W2($book) => $crate::any::AnyGameState::W2($body),
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyRulebook::W3($book) => $crate::any::AnyGameState::W3($body),
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyRulebook::W4($book) => $crate::any::AnyGameState::W4($body),
            #[cfg(not(target_arch = "wasm32"))]
            $crate::any::AnyRulebook::W6($book) => $crate::any::AnyGameState::W6($body),
            $crate::any::AnyRulebook::W7($book) => $crate::any::AnyGameState::W7($body),
        }
    };
}
pub(crate) use state_of;

impl AnyRulebook {
    /// Compiles rules for the smallest width that holds their board.
    ///
    /// # Errors
    ///
    /// Returns the reason why the rules cannot be played, see [`CompileError`].
    pub fn compile(rules: &RuleSet) -> Result<AnyRulebook, CompileError> {
        AnyRulebook::compile_for(rules, rules.pieces_in_play())
    }

    /// Compiles rules for positions that may contain kinds of pieces that the start does not have.
    ///
    /// # Errors
    ///
    /// The same as for [`AnyRulebook::compile`].
    pub fn compile_for(rules: &RuleSet, pieces: PieceSet) -> Result<AnyRulebook, CompileError> {
        Ok(match rules.shape().n_cells() {
            #[cfg(not(target_arch = "wasm32"))]
            ..=64 => AnyRulebook::W1(Arc::new(Rulebook::compile_for(rules, pieces)?)),
            #[cfg(not(tafl_viewer))]
            ..=128 => AnyRulebook::W2(Arc::new(Rulebook::compile_for(rules, pieces)?)),
            #[cfg(not(target_arch = "wasm32"))]
            ..=192 => AnyRulebook::W3(Arc::new(Rulebook::compile_for(rules, pieces)?)),
            #[cfg(not(target_arch = "wasm32"))]
            ..=256 => AnyRulebook::W4(Arc::new(Rulebook::compile_for(rules, pieces)?)),
            #[cfg(not(target_arch = "wasm32"))]
            ..=384 => AnyRulebook::W6(Arc::new(Rulebook::compile_for(rules, pieces)?)),
            _ => AnyRulebook::W7(Arc::new(Rulebook::compile_for(rules, pieces)?)),
        })
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        with_rulebook!(self, book => book.rules())
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        with_rulebook!(self, book => book.shape())
    }

    /// Returns the symmetries of the rules; the first one is the identity.
    pub fn symmetries(&self) -> &[Symmetry] {
        with_rulebook!(self, book => book.symmetries())
    }

    /// Returns the kind of capture of each piece that a ply captured, given the position before it, its move, and the cells
    /// of the captured pieces. A king's kind is `king_surrounded` or `king_pierced`, unless it is captured like a man; `None`
    /// is a dux, which three neighbors capture, or a cell without an enemy.
    ///
    /// # Panics
    ///
    /// Panics if the position is of another board.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{AnyRulebook, Event, Move, RuleSet, Setup};
    ///
    /// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
    /// let before = Setup::parse(book.shape(), "/2tT3/4t2/7/3K3/7/7/7/")?;
    /// let cell = |name: &str| book.shape().cell(name.parse().unwrap()).unwrap();
    /// let kinds = book.capture_kinds(&before, Move::new(cell("e2"), cell("e1")), &[cell("d1")]);
    /// assert_eq!(kinds, [Some(Event::Custodial)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capture_kinds(&self, before: &Setup, mv: Move, captured: &[Cell]) -> Vec<Option<Event>> {
        assert_eq!(before.shape(), self.shape(), "the position is of another board");
        let Some(mover) = before.piece(mv.from) else { return vec![None; captured.len()] };
        with_rulebook!(self, book => book.capture_kinds(&Position::new(before, mover.side), mv, captured))
    }

    /// Returns the kinds of pieces for which the rules were compiled.
    pub fn pieces(&self) -> PieceSet {
        with_rulebook!(self, book => book.pieces())
    }
}
