//! Game records of tafl games: reading in all supported notations, writing in most of them.
//!
//! A [`Source`] is parsed into a [`Record`]: the game as it was written down, which may contain errors.
//! Parsing never fails; unreadable parts are reported as [`Diagnostic`]s. A [`Replayer`] plays the moves by the
//! rules and decides whether they were legal:
//!
//! ```
//! use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, Source};
//! use tafl_rules::RuleSet;
//!
//! let text = "1. d2-c2 e4-e1 2. a4-c4 d4-g4";
//! let parsed = Format::MoveList.parse(&Source::new(text));
//! let rules = Some(RuleChoice::own(&RuleSet::named("brandubh7")?)?);
//! let replay = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() }).replay(&parsed.value);
//! for found in parsed.diagnostics.iter().chain(&replay.diagnostics) {
//!     println!("{} {} {}", found.severity(), found.code(), found.message(text));
//! }
//! assert_eq!(replay.plies.len(), 2);
//! assert_eq!(replay.diagnostics[0].code().as_str(), "L001");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | begin with | subject |
//! |---|---|
//! | [`Records`], [`detect`], [`Format`] | streams of records, and the notation of one |
//! | [`Replayer`], [`Discrepancy`] | the game that a record describes, and where the record differs from it |
//! | [`Repairer`], [`patch_record`] | repairs of faulty records |
//! | [`infer()`], [`attribute()`] | the rules by which games were played |
//! | [`write_record`], [`WriteGame`] | records in other notations |

// What the viewer of web pages leaves out is then unused.
#![cfg_attr(tafl_viewer, allow(dead_code, unused_imports))]

mod csv_cell;
mod diagnostic;
mod format;
mod infer;
mod lone_surrogate;
mod notation;
mod parallel;
mod reader;
mod record;
mod repair;
mod replay;
mod source;
mod text_safety;
mod token;
mod words;
mod write;

pub use csv_cell::{guard_csv_cell, push_csv_field};
pub use diagnostic::{
    CaptureFinding, ClosestVariants, Code, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding,
    LegalityFinding, LossFinding, Lost, MAX_REPORTED, Parsed, PlayFinding, RulesFinding, Severity,
    TextFinding,
};
pub use format::is_impossible_day;
pub use infer::{
    Attribution, Contradiction, InferOptions, Inference, OptionChange, OptionEvidence, OptionStatus,
    OtherValue, Probe, ProbedValue, RulesGroup, StartOrigin, VariantFit, attribute, infer, option_values,
    probe,
};
pub use notation::detect;
pub use parallel::in_order;
pub use reader::{
    Batch, Container, ERROR_LINE_VERSION, ErrorLine, FileFinding, Order, RECORD_LINE_VERSION, ReadOptions,
    RecordLine, Records, StreamEncoding, unpack,
};
pub use record::{
    CaptureStyle, Comment, Comments, Cut, EndingKind, Format, Letter, LineBranch, MainLine, MoveLine,
    MoveLineId, MoveMark, MovePlace, Record, RefusedMove, Tag, Tags, Variations, Written, WrittenBoard,
    WrittenCapture, WrittenCaptureCounts, WrittenClock, WrittenCount, WrittenEnding, WrittenMove,
    WrittenMoveCaptureCount, WrittenResult, WrittenStart, WrittenVerdict, read_rating, tag,
};
pub use repair::{
    CaptureChange, Diagnosis, Edit, EditScope, EditWords, MoveCaptures, Patch, PatchError, Relabel, Repair,
    RepairEvidence, RepairOptions, RepairStatus, Repairer, Undecidable, WritingError, convert_repair,
    patch_record,
};
pub use replay::{
    ChosenRules, Discrepancy, ReasonSource, Replay, ReplayOptions, ReplayPly, Replayer, RuleChoice,
    Soundness, SourcedOutcome, before_variation,
};
pub use source::{LineCol, LineIndex, Source, file_name, record_place};
pub use text_safety::{escape_json, visible_text};
pub use write::{PlayedMoves, PlayedPly, WriteError, WriteGame, retrace, write_record};
