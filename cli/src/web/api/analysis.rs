//! What the engine says about a position, while it searches.

use crate::web::routes::Route;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[];
