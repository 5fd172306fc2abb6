//! Reports about the corpus.

use crate::web::routes::Route;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[];
