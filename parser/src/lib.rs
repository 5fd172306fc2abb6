//! Game records of tafl games: reading in all supported notations, writing in most of them.
//!
//! A [`Source`] is parsed into a [`Record`]: the game as it was written down, which may contain errors.
//! Parsing never fails; unreadable parts are reported as [`Diagnostic`]s. Replaying the moves with the rules
//! decides whether they were legal.

mod diagnostic;
mod format;
mod infer;
mod notation;
mod parallel;
mod reader;
mod record;
mod repair;
mod replay;
mod source;
mod token;
mod words;
mod write;

pub use diagnostic::{
    CaptureFinding, Code, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding, LegalityFinding,
    LossFinding, Lost, MAX_REPORTED, Parsed, PlayFinding, RulesFinding, Severity, TextFinding,
};
pub use infer::{
    Attribution, Contradiction, InferOptions, Inference, OptionChange, OptionEvidence, OptionStatus,
    OtherValue, Probe, ProbedValue, RulesGroup, StartOrigin, VariantFit, attribute, infer, option_values,
    probe,
};
pub use notation::detect;
pub use parallel::in_order;
pub use reader::{
    Batch, Container, ERROR_LINE_VERSION, ErrorLine, FileFinding, Order, RECORD_LINE_VERSION, ReadOptions,
    RecordLine, Records, unpack,
};
pub use record::{
    CaptureStyle, Comment, Cut, EndingKind, Format, Letter, LineBranch, MoveLine, MoveLineId, MoveMark,
    MovePlace, Record, RefusedMove, Tag, Written, WrittenBoard, WrittenCapture, WrittenCaptureCounts,
    WrittenClock, WrittenCount, WrittenEnding, WrittenMove, WrittenResult, WrittenStart, WrittenVerdict, tag,
};
pub use repair::{
    CaptureChange, Diagnosis, Edit, EditScope, Patch, PatchError, Relabel, Repair, RepairEvidence,
    RepairOptions, RepairStatus, Repairer, Undecidable, WritingError, patch_record,
};
pub use replay::{
    ChosenRules, Discrepancy, Replay, ReplayOptions, ReplayPly, Replayer, RuleChoice, Soundness,
    before_variation,
};
pub use source::{LineCol, LineIndex, Source};
pub use write::{PlayedMoves, PlayedPly, WriteError, WriteGame, retrace, write_record};
