//! Annotation: the critical moments of a game, with evidence, in players' terms.
//!
//! A [`Curve`] that was fitted to games ([`calibrate`]) converts scores to an [`Expectation`].
//! Judgements depend on losses of expectation, never on differences between scores. [`Annotator`]
//! annotates a game; an [`EvalLog`] stores evaluations, so that interrupted work can continue.

pub mod accuracy;
pub mod annotator;
pub mod calibrate;
pub mod context;
pub mod curves;
pub mod evaluation;
pub mod expect;
pub mod judge;
pub mod log;
pub mod motif;
pub mod notes;
pub mod puzzle;

#[cfg(test)]
mod tests;

pub use accuracy::{Accuracy, SideSummary};
pub use annotator::{Annotator, Played, Settings};
pub use context::Context;
pub use curves::{CurveChoice, Curves};
pub use evaluation::{EvalKey, Evaluation};
pub use expect::{Curve, Expectation, Phase};
pub use judge::{Judgement, Thresholds};
pub use log::{EvalLog, LogError};
pub use motif::{Motif, MotifKind, Voice};
pub use notes::{GameNotes, Known, PlyNote, PositionNote, Stopped};
