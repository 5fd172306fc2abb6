//! Annotation of games.

mod answer;
mod findings;
mod game;
mod record;
pub mod remarks;
mod request;
mod totals;

pub use answer::{AnnotationAnswer, AnnotationOrigin, EvaluatedGame, GameSentences, UnknownRulesAnswer};
pub use findings::{
    GameFindings, MotifFinding, OnlyMoveFinding, PlyFinding, PlyRemark, PositionFinding, SideFinding,
    SideFindings,
};
pub use game::{AnnotatedGame, AnnotationProvenance};
pub use request::{AnnotateItem, AnnotateRequest, AnnotationRun, ErrorThresholds};
pub use totals::{AnnotationRunCounts, AnnotationSummary, AnnotationTotals, SideTotals, SidesTotals};
