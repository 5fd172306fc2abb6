//! The JSON API: a file for each subject, with its routes.

pub(crate) mod analysis;
pub(crate) mod annotation;
pub(crate) mod explore;
pub(crate) mod game;
pub(crate) mod info;
pub(crate) mod position;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod upload;

use super::routes::Route;

/// The routes of all subjects, in the order of the documentation.
pub(crate) const ROUTES: &[&[Route]] = &[
    info::ROUTES,
    position::ROUTES,
    explore::ROUTES,
    search::ROUTES,
    game::ROUTES,
    analysis::ROUTES,
    annotation::ROUTES,
    report::ROUTES,
    upload::ROUTES,
];
