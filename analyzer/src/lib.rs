//! The engine: what a position is worth and what to play, for every rule set.
//!
//! [`Engine`] searches, [`eval`] evaluates, [`score`] says how good a position is and for whom. Nothing here knows a
//! variant: rules are a [`tafl_rules::RuleSet`], weights are data.

pub mod annotate;
pub mod bench;
pub mod engine;
pub mod eval;
mod hash;
pub mod learn;
pub mod limits;
pub mod net;
pub mod play;
mod position_error;
pub mod score;
pub mod setting;
pub mod solver;
pub mod table;

pub use annotate::{Annotator, Curves, Expectation, Judgement};
pub use engine::{Engine, Identity, Line, Params, SearchReport};
pub use eval::Weights;
pub use limits::{Depth, Limits, Nodes};
pub use position_error::{PositionError, check_position};
pub use score::{Bound, PovScore, Score};
pub use setting::SettingError;
