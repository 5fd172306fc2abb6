//! Requests that search: evaluation, analysis, proofs, annotation, puzzles, calibration, and training.
//!
//! Every search begins with an empty transposition table, so that an answer doesn't depend on earlier requests; an
//! application therefore keeps no engines. Tablebases and files of evaluations do stay open between requests.

mod analysis;
mod analyze;
mod annotate;
mod bench;
mod calibrate;
mod eval;
mod evaluations;
mod games;
mod limits;
mod puzzles;
mod ruling;
mod settings;
mod solve;
mod tune;

pub use analysis::{
    Analysis, AnalysisLine, AnalysisOutcome, AnalysisReport, AnalysisRequest, PreparedAnalysis,
};
pub use analyze::{AnalyzeQuery, AnalyzeReply, AnalyzeRequest, AnalyzedTurn};
pub use annotate::{
    AnnotateItem, AnnotateRequest, AnnotatedGame, AnnotationAnswer, AnnotationOrigin, AnnotationProvenance,
    AnnotationRun, AnnotationRunCounts, AnnotationSummary, AnnotationTotals, ErrorThresholds, EvaluatedGame,
    GameFindings, GameSentences, MotifFinding, OnlyMoveFinding, PlyFinding, PlyRemark, PositionFinding,
    SideFinding, SideFindings, SideTotals, SidesTotals, UnknownRulesAnswer, remarks,
};
pub use bench::{BenchAnswer, BenchPosition, BenchRequest};
pub use calibrate::{CalibrateAnswer, CalibrateRequest};
pub use eval::{EvalAnswer, EvalLine, EvalRequest, EvaluatedPosition, line_moves};
pub(crate) use evaluations::EvalLogs;
pub use evaluations::{EvalCache, EvaluationSettings};
pub use games::{GameFailure, GameInput, GameStream, OnGames, PlayedGame};
pub use limits::{MoveLimits, SearchLimits, move_limits_text};
pub use puzzles::{
    FoundPuzzle, PuzzleAnswer, PuzzleCounts, PuzzleDifficulty, PuzzleItem, PuzzleVerification, PuzzlesRequest,
};
pub use ruling::{RulingAnswer, RulingCell, RulingClaim, RulingRequest};
pub use settings::{ProtocolSettings, SearchResources};
pub(crate) use solve::TablebaseCache;
pub use solve::{
    BuildTablesRequest, BuiltTable, CheckProofAnswer, CheckProofRequest, GoalAnswer, GoalAnswers,
    MaxTablePieces, SolutionAnswer, SolveAnswer, SolveRequest, SolveResult, SolvedPosition, TableEntry,
    TablebaseAnswer, TablesSummary,
};
pub use tune::{
    DataRun, LabeledPositions, NetAnswer, PreparedData, PreparedTuning, TrainingDataAnswer, TrainingEpoch,
    TrainingGameCounts, TuneAnswer, TuneProduct, TuneRequest, TunedModel, WeightsAnswer,
};
