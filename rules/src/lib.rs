//! What tafl is: boards, rule sets, positions, moves, outcomes.
//!
//! A [`RuleSet`] is data, read from a rules string or found in the [`catalog`]. [`AnyRulebook::compile`] turns it into
//! masks and tables for the width of its board, and a [`Game`] is played by them:
//!
//! ```
//! use tafl_rules::{AnyRulebook, Coord, Game, Move, catalog, explain};
//!
//! let rules = catalog::find("copenhagen").unwrap().rules();
//! let mut game = Game::new(&AnyRulebook::compile(&rules).unwrap());
//! assert_eq!(game.count_moves(), 116);
//!
//! let cell = |name: &str| game.shape().cell(name.parse::<Coord>().unwrap()).unwrap();
//! let blocked = game.check(Move::new(cell("d1"), cell("g1"))).unwrap_err();
//! assert_eq!(
//!     blocked.words(game.shape(), Move::new(cell("d1"), cell("g1"))),
//!     "the attackers' man on `e1` stands in the way"
//! );
//! ```
//!
//! This crate knows no file, no notation for whole games and no engine.

pub mod any;
pub mod bitboard;
mod capture;
pub mod catalog;
mod enclosure;
mod events;
pub mod explain;
pub mod facts;
pub mod game;
pub mod illegal;
mod movegen;
pub mod moves;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod play;
pub mod position;
pub mod rng;
pub mod rulebook;
pub mod ruleset;
pub mod setup;
pub mod shape;
pub mod sheet;
mod shieldwall;
pub mod side;
mod sight;
pub mod symmetry;
pub mod text;
mod threat;
pub mod topology;
pub mod zobrist;

pub use any::AnyRulebook;
pub use game::{CellSet, Game, Ply, RepetitionMode};
pub use illegal::IllegalMove;
pub use moves::Move;
pub use outcome::{Outcome, Reason};
pub use piece::{ByPiece, Piece, PieceSet, Role};
pub use rng::Rng;
pub use ruleset::RuleSet;
pub use setup::Setup;
pub use shape::{Cell, Coord, Shape, Step};
pub use side::{BySide, Side};
pub use text::Span;
