//! The routes about games and uploads, which share code with commands.

pub(crate) mod annotation;
pub(crate) mod game;
pub(crate) mod upload;

use tafl_web::Route;

/// Returns the routes.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::of::<game::GameParams>(),
        Route::of::<game::RecordParams>(),
        Route::of::<annotation::AnnotationParams>(),
        Route::of::<upload::ValidateParams>(),
        Route::of::<upload::ConvertParams>(),
    ]
}
