//! A game of the corpus as a whole, and as a record.

use crate::web::routes::Route;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[];
