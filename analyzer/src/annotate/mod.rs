//! Annotation: the critical moments of a game, with evidence, in players' terms.
//!
//! A [`Curve`] that was fitted to games ([`calibrate`]) converts scores to an [`Expectation`].
//! Judgements depend on losses of expectation, never on differences between scores. [`Annotator`]
//! annotates a game; an [`EvalLog`] stores evaluations, so that interrupted work can continue.

mod accuracy;
mod annotate_error;
mod annotator;
mod calibrate;
mod context;
mod curves;
mod evaluation;
mod expect;
mod judge;
mod log;
mod motif;
mod notes;
mod position_searcher;
mod puzzle;

#[cfg(test)]
mod tests;

pub use accuracy::{ACCURACY_DECAY, Accuracy, ErrorCounts, MIN_GRADUAL_LOSS, SideSummary};
pub use annotate_error::AnnotateError;
pub use annotator::{AnnotateSettings, Annotator, Confirm, GameToAnnotate};
pub use calibrate::{
    CALIBRATION_PLIES, Calibration, CalibrationBin, CalibrationOrigin, CalibrationSample, HeldOutReliability,
    MIN_CALIBRATION_GAMES, N_CALIBRATION_BINS, calibrate,
};
pub use context::{EvalContext, limits_text};
pub use curves::{
    CURVES_VERSION, CurveChoice, CurveEstimate, CurveFit, Curves, CurvesError, FittedCurve, POOLED,
    VariantCurves,
};
pub use evaluation::{EvalKey, Evaluation};
pub use expect::{Curve, Expectation, N_CURVE_TERMS, Phase};
pub use judge::{
    BLUNDER_LOSS, INACCURACY_LOSS, Judgement, MISTAKE_LOSS, ONLY_MOVE_MARGIN, Thresholds, ThresholdsError,
};
pub use log::{EvalLog, LOG_VERSION, LogError};
pub use motif::{Motif, MotifKind, Voice, is_notable, motifs_of_move};
pub use notes::{
    FoundWin, GameNotes, KnownResult, NoSearchReason, OnlyMove, PlyNote, PositionNote, SearchCounts,
    StopReason,
};
pub use puzzle::{Difficulty, Puzzle, PuzzleCriteria, PuzzleTheme, Verification, find_puzzle};
