//! Annotation: where a game was won and lost, how surely that is known, and how to say it.
//!
//! Scores become an [`Expectation`] by a [`Curve`] that was fitted on games ([`calibrate`]); judgements come from losses of
//! expectation and never from differences of scores. [`Annotator`] looks at a game; what engines said is kept in an
//! [`EvalLog`], so that interrupted work goes on where it was.

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
