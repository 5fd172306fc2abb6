//! Annotation: where games were won and lost.

mod answer;
mod game;
mod record;
pub mod remarks;
mod request;
mod totals;

pub use answer::{
    AnnotationAnswer, AnnotationOrigin, EvaluatedGame, GameFindings, GameSentences, MotifFinding,
    OnlyMoveFinding, PlyFinding, PlyRemark, PositionFinding, SideFinding, SideFindings, UnknownRulesAnswer,
};
pub use game::{AnnotatedGame, AnnotationProvenance};
pub use request::{AnnotateItem, AnnotateRequest, AnnotationRun, ErrorThresholds};
pub use totals::{AnnotationRunCounts, AnnotationSummary, AnnotationTotals, SideTotals, SidesTotals};
