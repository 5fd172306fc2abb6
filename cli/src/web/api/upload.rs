//! Records that are sent: checked and converted, never stored.

use crate::web::routes::Route;

/// The routes of this subject.
pub(crate) const ROUTES: &[Route] = &[];
