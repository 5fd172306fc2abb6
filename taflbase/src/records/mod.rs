//! Requests over records: files, folders, and streams of game records in every notation.
//!
//! [`RecordReader`] finds the inputs and reads them, and [`RecordReader::process`] is the one loop over their records. What
//! a request does with a record is a [`RecordWorker`]; what happens on the way is a [`RecordEvent`]. A [`RecordRequest`]
//! joins them: [`ValidateRequest`], [`ConvertRequest`], [`ReplayRequest`], [`GameSheetRequest`], [`RepairRequest`],
//! [`LinesRequest`].
//! [`InferRequest`] reads all records for one answer. Over one text in memory, such as an upload, [`ValidateTextRequest`] and
//! [`ConvertTextRequest`] give one bounded answer.

mod convert;
mod corpus_folder;
mod events;
mod finding;
mod game_replay;
mod game_sheet;
mod header_filter;
mod infer;
mod input;
mod inputs;
mod lines;
mod process;
mod reader;
mod repair;
mod replay_worker;
mod request;
mod summary;
mod text;
mod validate;
mod worker;

pub use convert::{
    ConvertRequest, ConvertSummary, ConvertedRecord, LossCounts, LossKind, NotConverted, PlayedBuilder,
    RecordLoss,
};
pub use corpus_folder::{is_corpus, sole_corpus};
pub use events::{
    FAILED, InputFinding, PANIC, ReadCounts, RecordEvent, SkipReason, error_line, failure_line,
};
pub use finding::{CaretRange, Excerpt, Finding, FindingLine, FindingLocator, FindingRecord, MarkedFinding};
pub use game_replay::{GameReplay, ReplayEnd, ReplayRequest, ReplayedPly, ShortText};
pub use game_sheet::{GameSheet, GameSheetRequest, SheetPart};
pub use header_filter::HeaderFilter;
pub use infer::{
    ContradictingGame, ExplainedVariant, InferAnswer, InferRequest, InferredGroup, InferredOption,
    OtherOptionValue, RecordName, RuleChange, StartEvidence,
};
pub use input::{GameSelector, Input, STDIN_PATH};
pub use inputs::{InputProblem, Inputs};
pub use lines::LinesRequest;
pub(crate) use reader::NoSuchGame;
pub use reader::{BatchStream, ReadSettings, RecordReader};
pub use repair::{
    BrokenRecord, ChosenRepair, RecordRepair, RepairAgreement, RepairAnswer, RepairChoice, RepairEdit,
    RepairRequest, RepairStanding, RepairSummary, RepairedText,
};
pub use replay_worker::{
    MAX_REPLAYERS, ReplayConfig, ReplayWorker, ReplayedRecord, RequestedRules, RequestedRulesKey,
};
pub use request::{RecordInputs, RecordRequest, RecordSource, StreamItem};
pub use summary::{CodeCounts, GameCheck, SeverityCounts, SoundnessCounts, ValidationSummary};
#[cfg(feature = "database")]
pub(crate) use text::unreadable;
pub use text::{
    ConvertTextAnswer, ConvertTextRequest, GameOutline, OutlineEnd, RepairTextAnswer, RepairTextRequest,
    TextInput, TextLoss, TextRequest, ValidateTextAnswer, ValidateTextRequest,
};
pub use validate::{FindingLimit, ValidateRequest, ValidatedRecord};
pub use worker::{MapWorker, RecordAt, RecordWorker};
