//! What tafl is: boards, rule sets, positions, moves, outcomes.

pub mod moves;
pub mod outcome;
pub mod piece;
pub mod ruleset;
pub mod setup;
pub mod shape;
pub mod side;
pub mod text;

pub use moves::Move;
pub use outcome::{Outcome, Reason};
pub use piece::{ByPiece, Piece, PieceSet, Role};
pub use ruleset::RuleSet;
pub use setup::Setup;
pub use shape::{Cell, Coord, Shape, Step};
pub use side::{BySide, Side};
pub use text::Span;
