//! The rules of tafl games: boards, rule sets, positions, moves, and outcomes.
//!
//! A [`RuleSet`] is data, read from a rules string or found in the [`catalog`].
//! [`AnyRulebook::compile`] turns it into masks and tables for the width of its board, and a
//! [`Game`] applies them:
//!
//! ```
//! use tafl_rules::{AnyRulebook, Game, RuleSet};
//!
//! let rules = RuleSet::named("copenhagen")?;
//! let mut game = Game::new(&AnyRulebook::compile(&rules)?);
//! assert_eq!(game.count_moves(), 116);
//!
//! let ply = game.play(game.parse_move("d1-d4")?)?;
//! assert!(ply.captured.is_empty() && game.outcome().is_none());
//! println!("{game}");
//!
//! let mv = game.parse_move("f6-f9")?;
//! let illegal = game.check(mv).unwrap_err();
//! assert_eq!(illegal.words(game.shape(), mv), "the defenders' man on `f7` is in the way");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate has no file access, no notations for whole games, and no engine.

mod any;
pub mod bitboard;
mod capture;
pub mod catalog;
mod diagram;
mod enclosure;
mod events;
pub mod explain;
pub mod facts;
pub mod game;
pub mod illegal;
mod king_status;
mod movegen;
mod moves;
mod outcome;
pub mod perft;
mod piece;
mod play;
pub mod position;
pub mod rng;
pub mod rulebook;
pub mod ruleset;
mod setup;
mod shape;
pub mod sheet;
mod shieldwall;
mod side;
pub mod symmetry;
pub mod text;
mod threat;
pub mod topology;
pub mod zobrist;

pub use any::AnyRulebook;
pub use diagram::Diagram;
pub use game::{CellSet, Game, Ply, RepetitionMode};
pub use illegal::IllegalMove;
pub use moves::Move;
pub use outcome::{Outcome, Reason};
pub use piece::{ByPiece, Piece, PieceSet, Role};
pub use play::Effects;
pub use rng::Rng;
pub use ruleset::RuleSet;
pub use setup::Setup;
pub use shape::{Cell, Coord, Shape, Step};
pub use side::{BySide, Side};
pub use text::Span;
pub use text::moves::ParseMoveError;
