//! The routes about games, which share code with commands.

pub(crate) mod annotation;
pub(crate) mod game;

use tafl_web::Route;

/// Returns the routes.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        Route::of::<game::GameParams>(),
        Route::of::<game::RecordParams>(),
        Route::of::<annotation::AnnotationParams>(),
    ]
}
