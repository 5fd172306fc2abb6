//! What the engine says about a game, ply by ply.

use crate::web::routes::Route;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[];
