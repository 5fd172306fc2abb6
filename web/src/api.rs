//! The endpoints of the API. Most of them are requests of `taflbase` with a path and with the limits of the server.

mod analysis;
mod annotation;
mod edit;
mod explore;
mod game;
mod info;
mod oembed;
mod picture;
mod player;
mod position;
mod puzzle;
mod report;
mod search;
mod study;
mod upload;

use taflbase::database::{
    ExploreRequest, GameRecordRequest, GameRequest, GamesRequest, HeatMapRequest, ImportTextRequest,
    PlayerAliasesRequest, PlayerRequest, PuzzleRequest, QueryRequest, TreeRequest,
};
use taflbase::records::{ConvertTextRequest, RepairTextRequest, ValidateTextRequest};
use taflbase::{BoardRequest, PositionPictureRequest, PositionRequest};

use crate::routes::Route;

/// Returns the routes, in the order of the documentation.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::of::<info::InfoParams>(),
        Route::of::<info::VariantsParams>(),
        Route::of::<info::OpenApiParams>(),
        Route::of::<BoardRequest>(),
        Route::of::<PositionRequest>(),
        Route::of::<PositionPictureRequest>(),
        Route::of::<ExploreRequest>(),
        Route::of::<TreeRequest>(),
        Route::of::<HeatMapRequest>(),
        Route::of::<GamesRequest>(),
        Route::of::<search::SearchParams>(),
        Route::of::<QueryRequest>(),
        Route::of::<GameRequest>(),
        Route::of::<GameRecordRequest>(),
        Route::of::<analysis::AnalysisParams>(),
        Route::of::<annotation::AnnotationParams>(),
        Route::of::<annotation::TextAnnotationParams>(),
        Route::of::<PlayerRequest>(),
        Route::of::<PlayerAliasesRequest>(),
        Route::of::<oembed::OembedParams>(),
        Route::of::<PuzzleRequest>(),
        Route::of::<report::ReportParams>(),
        Route::of::<ValidateTextRequest>(),
        Route::of::<RepairTextRequest>(),
        Route::of::<ConvertTextRequest>(),
        Route::of::<ImportTextRequest>(),
        Route::of::<edit::GameTagsParams>(),
        Route::of::<edit::PlayerMergeParams>(),
        Route::of::<edit::PlayerSplitParams>(),
        Route::of::<study::StudiesParams>(),
        Route::of::<study::StudyParams>(),
        Route::of::<study::SaveStudyParams>(),
        Route::of::<study::RenameStudyParams>(),
        Route::of::<study::DeleteStudyParams>(),
    ]
}
