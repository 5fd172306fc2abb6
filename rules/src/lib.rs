//! What tafl is: boards, rule sets, positions, moves, outcomes.

pub mod any;
pub mod bitboard;
mod capture;
mod enclosure;
pub mod game;
pub mod illegal;
mod movegen;
pub mod moves;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod play;
pub mod position;
pub mod rulebook;
pub mod ruleset;
pub mod setup;
pub mod shape;
pub mod sheet;
mod shieldwall;
pub mod side;
pub mod symmetry;
pub mod text;
pub mod topology;
pub mod zobrist;

pub use any::AnyRulebook;
pub use game::{CellSet, Game, Ply, RepetitionMode};
pub use illegal::IllegalMove;
pub use moves::Move;
pub use outcome::{Outcome, Reason};
pub use piece::{ByPiece, Piece, PieceSet, Role};
pub use ruleset::RuleSet;
pub use setup::Setup;
pub use shape::{Cell, Coord, Shape, Step};
pub use side::{BySide, Side};
pub use text::Span;
