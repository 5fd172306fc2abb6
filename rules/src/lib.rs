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
//! assert_eq!(illegal.describe(game.shape(), mv), "the defenders' man on `f7` is in the way");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate has no file access, no notations for whole games, and no engine.

// What the viewer of web pages leaves out is then unused.
#![cfg_attr(tafl_viewer, allow(dead_code, unused_imports))]

mod any;
mod bitboard;
mod capture;
pub mod catalog;
mod cell_set;
mod diagram;
mod enclosure;
mod events;
mod explain;
mod facts;
mod forced_capture;
mod game;
mod illegal;
mod king_status;
mod movegen;
mod moves;
mod name;
mod outcome;
mod perft;
mod piece;
mod play;
mod position;
mod rng;
mod rulebook;
mod ruleset;
mod setup;
mod shape;
mod sheet;
mod shieldwall;
mod side;
mod symmetry;
mod text;
mod threat;
mod topology;
mod wording;
mod zobrist;

pub use any::AnyRulebook;
pub use bitboard::{Bitboard, BitboardCells};
pub use cell_set::CellSet;
pub use diagram::Diagram;
pub use explain::{Captor, CaptureCause, Cause, EndCause, EndCell, Explanation, explain_ply};
pub use facts::{Event, Events, Facts, KingStatus};
pub use game::{Game, Ply, RepetitionHit, RepetitionMode, Successor, WrongBoard};
pub use illegal::{IllegalMove, describe_piece};
pub use moves::{Move, MoveDisplay};
pub use name::UnknownName;
pub use outcome::{Outcome, Reason};
pub use perft::Leaves;
pub use piece::{ByPiece, Piece, PieceSet, Role};
pub use play::Effects;
pub use position::Position;
pub use rng::{Rng, split_mix};
pub use rulebook::{CompileError, Rulebook};
pub use ruleset::{
    Arming, Berserk, ByZone, CaptureMode, ChainRules, Directions, Encirclement, Goal, Jump, KingCapture,
    Movement, NoMoves, Rearrangement, RepetitionEffect, RepetitionRule, RepetitionRuleError, RepetitionScope,
    RuleSet, Shieldwall, StartError, Zone, ZoneKind,
};
pub use setup::Setup;
pub use shape::{Cell, Coord, Shape, Step};
pub use sheet::{
    RulesDifference, SheetSection, SimilarVariant, rules_differences, rules_sheet, same_rules,
    similar_variant,
};
pub use side::{BySide, Side};
pub use symmetry::{Symmetry, rules_symmetries, shape_symmetries};
pub use text::Span;
pub use text::cell::{CellError, coord_prefix};
pub use text::fen::{Fen, FenWriteError};
pub use text::moves::ParseMoveError;
pub use text::ruleset::{
    RuleNotice, RuleNoticeKind, RuleSetError, RuleSetErrorKind, RulesReadOptions, TfrReading,
};
pub use text::setup::RowOrder;
pub use text::setup_error::{SetupError, SetupErrorKind};
pub use topology::Topology;
pub use wording::{Count, counted, grouped_digits, word_list};
pub use zobrist::{CanonicalKey, KEY_VERSION, PositionKey, canonical_key};
