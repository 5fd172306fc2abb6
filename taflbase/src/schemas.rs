//! The JSON Schemas of requests and answers: `docs/schemas/*.json` and the tables of `docs/schemas.md` are made from them.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
#[cfg(feature = "database")]
use tafl_corpus::{CompactSummary, CorpusInfo};

#[cfg(feature = "database")]
use crate::database::{
    ChosenPuzzle, CompactRequest, ExploreAnswer, ExploreRequest, ExportRequest, ExportedGame, GameAnswer,
    GameRecordRequest, GameRequest, GamesAnswer, GamesRequest, HeatMapAnswer, HeatMapRequest, Hit,
    ImportAnswer, ImportRequest, ImportTextAnswer, ImportTextRequest, InfoRequest, MergeAnswer, MergeRequest,
    OnCorpus, PlayerAliasesAnswer, PlayerAliasesRequest, PlayerAnswer, PlayerMergeRequest, PlayerRequest,
    PlayerSplitRequest, PuzzleRequest, QueryAnswer, QueryRequest, RemoveAnswer, RemoveRequest, ReportRequest,
    RowsRequest, SearchAnswer, SearchRequest, SearchSummary, SqlRequest, TagAnswer, TagRequest, TreeAnswer,
    TreeRequest, VerifyAnswer, VerifyRequest, ViewsRequest,
};
use crate::engine::{
    Analysis, AnalysisRequest, AnalyzeQuery, AnalyzeReply, AnalyzeRequest, AnnotateRequest, AnnotationAnswer,
    AnnotationSummary, BenchAnswer, BuildTablesRequest, CalibrateRequest, CheckProofAnswer,
    CheckProofRequest, EvalAnswer, EvalRequest, OnGames, PuzzleAnswer, PuzzleCounts, PuzzlesRequest,
    RulingAnswer, RulingRequest, SolveAnswer, SolveRequest, TableEntry, TablesSummary, TuneAnswer,
    TuneRequest,
};
use crate::play::{
    FindOpeningsRequest, LeagueAnswer, LeagueRequest, MatchAnswer, MatchRequest, SelfPlayRequest,
};
use crate::records::{
    BrokenRecord, ConvertRequest, ConvertTextAnswer, ConvertTextRequest, ConvertedRecord, GameReplay,
    InferAnswer, InferRequest, LinesRequest, RepairRequest, RepairSummary, RepairTextAnswer,
    RepairTextRequest, ReplayRequest, ValidateRequest, ValidateTextAnswer, ValidateTextRequest,
    ValidatedRecord, ValidationSummary,
};
use crate::{
    BoardAnswer, BoardRequest, DescribedRules, MoveAnswer, MoveRequest, PerftAnswer, PerftRequest,
    PositionAnswer, PositionPictureRequest, PositionRequest, RulesDiffAnswer, RulesDiffRequest,
    RulesExplainRequest, RulesListRequest, RulesSheet, RulesShowRequest, ShowRequest,
};

/// The schema of a request or of an answer.
#[derive(Debug, Clone, Copy)]
pub struct NamedSchema {
    /// The task and the part that it describes, which is also the name of its file: `search.request`.
    pub name: &'static str,
    settings: fn() -> SchemaSettings,
    make: fn(SchemaGenerator) -> Schema,
}

impl NamedSchema {
    /// The schema of a request: fields that may be omitted have a default.
    const fn request<T: JsonSchema>(name: &'static str) -> NamedSchema {
        let settings = || SchemaSettings::draft2020_12().for_deserialize();
        NamedSchema { name, settings, make: SchemaGenerator::into_root_schema_for::<T> }
    }

    /// The schema of an answer: fields that are always written are required.
    const fn answer<T: JsonSchema>(name: &'static str) -> NamedSchema {
        let settings = || SchemaSettings::draft2020_12().for_serialize();
        NamedSchema { name, settings, make: SchemaGenerator::into_root_schema_for::<T> }
    }

    /// Generates the schema (JSON Schema, draft 2020-12).
    pub fn schema(&self) -> Schema {
        (self.make)((self.settings)().into_generator())
    }
}

/// Returns the schemas of the requests and answers in `docs/schemas`. A task whose results are a stream has `item` and `summary` in place of
/// `answer`.
///
/// # Examples
///
/// ```
/// let schemas = taflbase::schemas();
/// let validated = schemas.iter().find(|schema| schema.name == "validate.item").unwrap();
/// assert!(validated.schema().get("properties").is_some());
/// ```
pub fn schemas() -> Vec<NamedSchema> {
    let records = [
        NamedSchema::request::<ValidateRequest>("validate.request"),
        NamedSchema::answer::<ValidatedRecord>("validate.item"),
        NamedSchema::answer::<ValidationSummary>("validate.summary"),
        NamedSchema::request::<ValidateTextRequest>("validate-text.request"),
        NamedSchema::answer::<ValidateTextAnswer>("validate-text.answer"),
        NamedSchema::request::<ConvertRequest>("convert.request"),
        NamedSchema::answer::<ConvertedRecord>("convert.item"),
        NamedSchema::request::<ConvertTextRequest>("convert-text.request"),
        NamedSchema::answer::<ConvertTextAnswer>("convert-text.answer"),
        NamedSchema::request::<ReplayRequest>("replay.request"),
        NamedSchema::answer::<GameReplay>("replay.item"),
        NamedSchema::request::<RepairRequest>("repair.request"),
        NamedSchema::answer::<BrokenRecord>("repair.item"),
        NamedSchema::answer::<RepairSummary>("repair.summary"),
        NamedSchema::request::<RepairTextRequest>("repair-text.request"),
        NamedSchema::answer::<RepairTextAnswer>("repair-text.answer"),
        NamedSchema::request::<InferRequest>("infer.request"),
        NamedSchema::answer::<InferAnswer>("infer.answer"),
        NamedSchema::request::<LinesRequest>("lines.request"),
    ];
    let boards = [
        NamedSchema::request::<MoveRequest>("move.request"),
        NamedSchema::answer::<MoveAnswer>("move.answer"),
        NamedSchema::request::<RulesListRequest>("rules-list.request"),
        NamedSchema::answer::<Vec<DescribedRules>>("rules-list.answer"),
        NamedSchema::request::<RulesShowRequest>("rules-show.request"),
        NamedSchema::answer::<DescribedRules>("rules-show.answer"),
        NamedSchema::request::<RulesExplainRequest>("rules-explain.request"),
        NamedSchema::answer::<RulesSheet>("rules-explain.answer"),
        NamedSchema::request::<RulesDiffRequest>("rules-diff.request"),
        NamedSchema::answer::<RulesDiffAnswer>("rules-diff.answer"),
        NamedSchema::request::<RulingRequest>("rules-ruling.request"),
        NamedSchema::answer::<RulingAnswer>("rules-ruling.answer"),
        NamedSchema::request::<PerftRequest>("perft.request"),
        NamedSchema::answer::<PerftAnswer>("perft.answer"),
        NamedSchema::request::<ShowRequest>("show.request"),
        NamedSchema::request::<PositionPictureRequest>("position-picture.request"),
        NamedSchema::request::<BoardRequest>("board.request"),
        NamedSchema::answer::<BoardAnswer>("board.answer"),
        NamedSchema::request::<PositionRequest>("position.request"),
        NamedSchema::answer::<PositionAnswer>("position.answer"),
    ];
    let engine = [
        NamedSchema::request::<MatchRequest>("match.request"),
        NamedSchema::answer::<MatchAnswer>("match.answer"),
        NamedSchema::request::<LeagueRequest>("league.request"),
        NamedSchema::answer::<LeagueAnswer>("league.answer"),
        NamedSchema::request::<SelfPlayRequest>("selfplay.request"),
        NamedSchema::request::<FindOpeningsRequest>("find-openings.request"),
        NamedSchema::request::<EvalRequest>("eval.request"),
        NamedSchema::answer::<EvalAnswer>("eval.answer"),
        NamedSchema::request::<AnalysisRequest>("analysis.request"),
        NamedSchema::answer::<Analysis>("analysis.answer"),
        NamedSchema::request::<AnalyzeRequest>("analyze.request"),
        NamedSchema::request::<AnalyzeQuery>("analyze-query.request"),
        NamedSchema::answer::<AnalyzeReply>("analyze.item"),
        NamedSchema::request::<SolveRequest>("solve.request"),
        NamedSchema::answer::<SolveAnswer>("solve.answer"),
        NamedSchema::request::<CheckProofRequest>("check-proof.request"),
        NamedSchema::answer::<CheckProofAnswer>("check-proof.answer"),
        NamedSchema::request::<BuildTablesRequest>("build-tables.request"),
        NamedSchema::answer::<TableEntry>("build-tables.item"),
        NamedSchema::answer::<TablesSummary>("build-tables.summary"),
        NamedSchema::request::<OnGames<AnnotateRequest>>("annotate.request"),
        NamedSchema::answer::<AnnotationAnswer>("annotate.item"),
        NamedSchema::answer::<AnnotationSummary>("annotate.summary"),
        NamedSchema::request::<OnGames<PuzzlesRequest>>("puzzles.request"),
        NamedSchema::answer::<PuzzleAnswer>("puzzles.item"),
        NamedSchema::answer::<PuzzleCounts>("puzzles.summary"),
        NamedSchema::request::<OnGames<CalibrateRequest>>("calibrate.request"),
        NamedSchema::request::<TuneRequest>("tune.request"),
        NamedSchema::answer::<TuneAnswer>("tune.answer"),
        NamedSchema::answer::<BenchAnswer>("bench.answer"),
    ];
    #[cfg(feature = "database")]
    let database = [
        NamedSchema::request::<SearchRequest>("search.request"),
        NamedSchema::answer::<SearchAnswer>("search.answer"),
        NamedSchema::answer::<Hit>("search.item"),
        NamedSchema::answer::<SearchSummary>("search.summary"),
        NamedSchema::request::<QueryRequest>("query.request"),
        NamedSchema::answer::<QueryAnswer>("query.answer"),
        NamedSchema::request::<GamesRequest>("games.request"),
        NamedSchema::answer::<GamesAnswer>("games.answer"),
        NamedSchema::request::<ExploreRequest>("explore.request"),
        NamedSchema::answer::<ExploreAnswer>("explore.answer"),
        NamedSchema::request::<TreeRequest>("tree.request"),
        NamedSchema::answer::<TreeAnswer>("tree.answer"),
        NamedSchema::request::<HeatMapRequest>("heat-maps.request"),
        NamedSchema::answer::<HeatMapAnswer>("heat-maps.answer"),
        NamedSchema::request::<GameRequest>("game.request"),
        NamedSchema::answer::<GameAnswer>("game.answer"),
        NamedSchema::request::<GameRecordRequest>("game-record.request"),
        NamedSchema::request::<PlayerRequest>("player.request"),
        NamedSchema::answer::<PlayerAnswer>("player.answer"),
        NamedSchema::request::<PuzzleRequest>("puzzle.request"),
        NamedSchema::answer::<ChosenPuzzle>("puzzle.answer"),
        NamedSchema::request::<ReportRequest>("report.request"),
        NamedSchema::request::<RowsRequest>("rows.request"),
        NamedSchema::request::<ImportRequest>("import.request"),
        NamedSchema::answer::<ImportAnswer>("import.summary"),
        NamedSchema::request::<ImportTextRequest>("import-text.request"),
        NamedSchema::answer::<ImportTextAnswer>("import-text.answer"),
        NamedSchema::request::<ExportRequest>("export.request"),
        NamedSchema::answer::<ExportedGame>("export.item"),
        NamedSchema::request::<MergeRequest>("merge.request"),
        NamedSchema::answer::<MergeAnswer>("merge.answer"),
        NamedSchema::request::<RemoveRequest>("remove.request"),
        NamedSchema::answer::<RemoveAnswer>("remove.answer"),
        NamedSchema::request::<TagRequest>("tag.request"),
        NamedSchema::answer::<TagAnswer>("tag.answer"),
        NamedSchema::request::<PlayerMergeRequest>("player-merge.request"),
        NamedSchema::request::<PlayerSplitRequest>("player-split.request"),
        NamedSchema::request::<OnCorpus<PlayerAliasesRequest>>("player-aliases.request"),
        NamedSchema::answer::<PlayerAliasesAnswer>("player-aliases.answer"),
        NamedSchema::request::<CompactRequest>("compact.request"),
        NamedSchema::answer::<CompactSummary>("compact.answer"),
        NamedSchema::request::<VerifyRequest>("verify.request"),
        NamedSchema::answer::<VerifyAnswer>("verify.answer"),
        NamedSchema::request::<OnCorpus<InfoRequest>>("info.request"),
        NamedSchema::answer::<CorpusInfo>("info.answer"),
        NamedSchema::request::<SqlRequest>("sql.request"),
        NamedSchema::request::<OnCorpus<ViewsRequest>>("views.request"),
    ];
    #[cfg(not(feature = "database"))]
    let database = [];
    records.into_iter().chain(boards).chain(engine).chain(database).collect()
}
